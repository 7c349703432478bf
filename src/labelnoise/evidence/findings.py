"""Findings that several methods share: about the input, the evidence, and T itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.evidence.settings import (
    CLEAR_GAIN,
    CONFINED_SHARE,
    COPY_MARGIN,
    COPY_STANDARD_ERRORS,
    FEW_GROUPS,
    MIN_DIAGONAL_LEAD,
    MIN_GAIN,
    MIN_ROWS_OF_CLASS,
    MIN_ROWS_OF_IDENTIFIABLE_CLASS,
    REORDERING_GAIN,
    SUSPICIOUS_AGREEMENT,
    SUSPICIOUS_EXCESS,
    UNANIMOUS,
)
from labelnoise.findings import Finding
from labelnoise.transition import is_nearly_singular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.duplicates import ClusterAgreement, DuplicateAgreement
    from labelnoise.evidence.groups import RowGroups
    from labelnoise.evidence.probability_agreement import ProbabilityAgreement
    from labelnoise.findings import Verdict


def weak_prediction(gain: float, source: str) -> Iterator[Finding]:
    """Scores whose gain over label frequencies, in standard errors, is small.

    `source` is what predicted the labels, in the plural, such as "neighbors".
    """
    facts = {"source": source}
    if gain < MIN_GAIN:
        yield Finding("labels_not_predicted", facts, "cannot tell", settled_by_audit=True)
    elif gain < CLEAR_GAIN:
        yield Finding("labels_barely_predicted", facts, settled_by_audit=True)


def trained_on_these_rows(agreement: ProbabilityAgreement) -> Iterator[Finding]:
    """Probabilities of a model that may have been trained on the very labels it predicts."""
    agreed, confidence = agreement.agreed, agreement.confidence
    unconfirmed = (agreement.by_other_sources or 0.0) < SUSPICIOUS_AGREEMENT
    if (agreed > SUSPICIOUS_AGREEMENT and unconfirmed) or agreed - confidence > SUSPICIOUS_EXCESS:
        facts = {"agreed": agreed, "confidence": confidence}
        yield Finding("probabilities_of_training_rows", facts, settled_by_audit=True)


def columns_in_another_order(
    agreement: ProbabilityAgreement, classes: tuple[Label, ...]
) -> Iterator[Finding]:
    """Probabilities whose columns may belong to other classes.

    If the columns are in the correct order, every class is predicted where its label is the most
    frequent one, and reordering the columns does not improve the predictions.
    """
    facts = {"agreed": agreement.agreed, "classes": list(classes)}
    if agreement.agreed < agreement.at_random:
        at_random = agreement.at_random
        yield Finding("probabilities_in_another_order", facts | {"at_random": at_random})
    elif agreement.reordered - agreement.agreed > REORDERING_GAIN:
        reordered = agreement.reordered
        yield Finding("probabilities_in_another_order", facts | {"reordered": reordered})


def classes_without_rows(absent: tuple[Label, ...]) -> Iterator[Finding]:
    """Classes that were declared and do not occur."""
    if absent:
        yield Finding("class_without_rows", {"classes": list(absent)})


def copied_rows(agreement: DuplicateAgreement) -> Iterator[Finding]:
    """Rows that may be copies of one another, labels included."""
    margin = agreement.duplicates - agreement.nearest
    if agreement.excess > COPY_STANDARD_ERRORS and margin > COPY_MARGIN:
        facts = {"duplicates": agreement.duplicates, "nearest": agreement.nearest}
        yield Finding("duplicates_agree", facts, hides_noise=True)


def clustered_rows(clusters: ClusterAgreement) -> Iterator[Finding]:
    """Rows in small clusters whose labels agree more often than those around them."""
    margin = clusters.within - clusters.around
    if clusters.within > UNANIMOUS and margin > max(
        COPY_MARGIN, COPY_STANDARD_ERRORS * clusters.error
    ):
        facts = {"size": clusters.size, "within": clusters.within, "around": clusters.around}
        yield Finding("clusters_agree", facts, hides_noise=True)


def nearly_singular(transition: FloatArray) -> Iterator[Finding]:
    """A matrix T (K, K) whose rows are almost linearly dependent."""
    if is_nearly_singular(transition):
        condition = min(float(np.linalg.cond(transition)), 1e6)
        yield Finding("nearly_singular", {"condition": condition})


def few_labeled_rows(
    counts: FloatArray | IntArray, classes: tuple[Label, ...]
) -> Iterator[Finding]:
    """Classes with too few labeled rows, out of counts (K,)."""
    few = np.flatnonzero(counts < MIN_ROWS_OF_CLASS)
    if few.size:
        facts = {"least": MIN_ROWS_OF_CLASS, "classes": [classes[i] for i in few]}
        unknown = counts[counts < MIN_ROWS_OF_IDENTIFIABLE_CLASS].sum() > counts.sum() / 2
        yield Finding("few_labeled_rows", facts, "cannot tell" if unknown else "rough")


def diagonal_not_largest(transition: FloatArray, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Rows of T (K, K) whose largest entry is not, or barely, on the diagonal."""
    diagonal = np.diag(transition)
    largest_other = (transition - np.diag(diagonal)).max(axis=1)
    narrow = np.flatnonzero(diagonal - largest_other < MIN_DIAGONAL_LEAD).tolist()
    if narrow:
        yield Finding(
            "mislabeled_as_often_as_not",
            {"classes": [classes[i] for i in narrow]},
            settled_by_audit=True,
            about=tuple(narrow),
        )


@dataclass(frozen=True)
class GroupReport:
    """Measurements of groups; arrays have one entry for each class that occurs.

    Attributes
    ----------
    n_groups : int
    row_weight : float
        Weight of a row relative to an independent one.
    label_counts : (K,) array
        Rows with each label.
    confined : (K,) array
        Share of each label's rows in a single fold, if the label is rare in the others; 0 for
        labels that occur in enough groups.
    gain, gain_of_rows : float
        Gain of scores over label frequencies in standard errors: with rows at their weight, and as
        if rows were independent.
    too_few_places : bool
        Whether there are too few distinct rows only because they are not independent.
    """

    n_groups: int
    row_weight: float
    label_counts: FloatArray
    confined: FloatArray
    gain: float
    gain_of_rows: float
    too_few_places: bool

    @classmethod
    def of(
        cls,
        groups: RowGroups,
        cells: Cells,
        row_weight: float,
        gains: tuple[float, float],
        *,
        too_few_places: bool,
    ) -> GroupReport:
        """Measure groups; `gains` are `gain` and `gain_of_rows`."""
        codes = cells.label[cells.cell_of_row]
        return cls(
            groups.n_groups,
            row_weight,
            np.bincount(codes).astype(np.float64),
            groups.confined_labels(codes),
            *gains,
            too_few_places,
        )


def group_findings(report: GroupReport, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Too few rows of a label in other groups, too few groups, or too few independent rows."""
    confined = np.flatnonzero(report.confined)
    if confined.size:
        counts, share = report.label_counts[confined], report.confined[confined]
        facts: dict[str, Any] = {
            "classes": [classes[i] for i in confined],
            "share": float(counts @ share / counts.sum()),
        }
        matters = counts.sum() > CONFINED_SHARE * report.label_counts.sum()
        verdict: Verdict = "cannot tell" if matters else "rough"
        about = tuple(confined.tolist())
        yield Finding("labels_in_few_groups", facts, verdict, about=about)
    if report.n_groups < FEW_GROUPS:
        yield Finding("few_groups", {"n_groups": report.n_groups})
    yield from _few_independent_rows(report)
    amount = report.row_weight * report.label_counts
    few = (amount < MIN_ROWS_OF_CLASS) & (report.label_counts >= MIN_ROWS_OF_CLASS)
    if few.any():
        named = [classes[i] for i in np.flatnonzero(few)]
        facts = {"least": MIN_ROWS_OF_CLASS, "classes": named}
        yield Finding("few_independent_rows", facts)


def _few_independent_rows(report: GroupReport) -> Iterator[Finding]:
    """Labels hardly predicted, or too few distinct rows, because of the lower weight of rows."""
    unknown = report.gain < MIN_GAIN <= report.gain_of_rows
    unclear = report.gain < CLEAR_GAIN <= report.gain_of_rows
    if not (unknown or unclear or report.too_few_places):
        return
    n_rows = int(report.label_counts.sum())
    facts = {"n_groups": report.n_groups, "n_rows": n_rows, "n": report.row_weight * n_rows}
    verdict: Verdict = "cannot tell" if unknown else "rough"
    yield Finding("few_independent_rows", facts, verdict, settled_by_audit=True)
