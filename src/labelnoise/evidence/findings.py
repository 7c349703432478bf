"""Findings that several methods share: about the input, the evidence, and T itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.settings import (
    CLEAR_GAIN,
    COPY_MARGIN,
    COPY_STANDARD_ERRORS,
    LEAST_ROWS_OF_CLASS,
    MIN_DIAGONAL_LEAD,
    MIN_GAIN,
    MIN_ROWS_OF_CLASS,
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
    from labelnoise.evidence.duplicates import ClusterAgreement, DuplicateAgreement
    from labelnoise.evidence.probability_agreement import ProbabilityAgreement


def weak_prediction(gain: float, source: str) -> Iterator[Finding]:
    """Scores whose gain over label frequencies, in standard errors, is small.

    `source` says in words what predicted the labels, in the plural: "neighbors".
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

    A model that is not mistaken about its columns predicts the most frequent label wherever it
    predicts, so reordering the columns does not improve its predictions.
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
    """Rows that come in small clusters whose labels agree more than those around them."""
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
        unknown = counts[counts < LEAST_ROWS_OF_CLASS].sum() > counts.sum() / 2
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
