"""Findings that several methods share: about the input, the evidence, and T itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.settings import (
    COPIED_ERRORS,
    COPIED_MARGIN,
    FAINT_GAIN,
    FEW_ROWS,
    MODEST,
    NARROW_LEAD,
    NO_GAIN,
    REARRANGED,
    SEEN_BEFORE,
)
from labelnoise.findings import Finding
from labelnoise.transition import is_nearly_singular

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.evidence.duplicates import DuplicateAgreement
    from labelnoise.evidence.probability_agreement import ProbabilityAgreement


def weak_prediction(gain: float, source: str) -> Iterator[Finding]:
    """Scores that predict labels hardly better, in standard errors, than label frequencies do."""
    if gain < NO_GAIN:
        facts = {"source": source}
        yield Finding("labels_not_predicted", facts, "not identifiable", settled_by_audit=True)
    elif gain < FAINT_GAIN:
        yield Finding("labels_barely_predicted", {"source": source}, settled_by_audit=True)


def trained_on_these_rows(agreement: ProbabilityAgreement) -> Iterator[Finding]:
    """Probabilities of a model that may have been trained on the very labels it predicts."""
    agreed, claimed = agreement.agreed, agreement.claimed
    unconfirmed = (agreement.by_other_sources or 0.0) < SEEN_BEFORE
    if (agreed > SEEN_BEFORE and unconfirmed) or agreed - claimed > MODEST:
        facts = {"agreed": agreed, "claimed": claimed}
        yield Finding("probabilities_of_training_rows", facts, settled_by_audit=True)


def columns_in_another_order(
    agreement: ProbabilityAgreement, classes: tuple[Label, ...]
) -> Iterator[Finding]:
    """Probabilities whose columns may belong to other classes.

    An honest model names the likeliest label, so renaming its predictions does not improve them.
    """
    facts = {"agreed": agreement.agreed, "classes": list(classes)}
    if agreement.agreed < agreement.by_chance:
        by_chance = agreement.by_chance
        yield Finding("probabilities_below_chance", facts | {"by_chance": by_chance})
    elif agreement.rearranged - agreement.agreed > REARRANGED:
        rearranged = agreement.rearranged
        yield Finding("probabilities_in_another_order", facts | {"rearranged": rearranged})


def classes_without_rows(absent: tuple[Label, ...]) -> Iterator[Finding]:
    """Classes that were declared and do not occur."""
    if absent:
        yield Finding("class_without_rows", {"classes": list(absent)})


def copied_rows(agreement: DuplicateAgreement) -> Iterator[Finding]:
    """Rows that may be copies of one another, labels included."""
    margin = agreement.duplicates - agreement.nearest
    if agreement.excess > COPIED_ERRORS and margin > COPIED_MARGIN:
        facts = {"duplicates": agreement.duplicates, "nearest": agreement.nearest}
        yield Finding("duplicates_agree", facts)


def nearly_singular(transition: FloatArray) -> Iterator[Finding]:
    """A matrix T (K, K) whose rows are all but dependent."""
    if is_nearly_singular(transition):
        condition = min(float(np.linalg.cond(transition)), 1e6)
        yield Finding("nearly_singular", {"condition": condition})


def few_labeled_rows(
    counts: FloatArray | IntArray, classes: tuple[Label, ...]
) -> Iterator[Finding]:
    """Classes that too few rows (K,) are labeled as."""
    few = np.flatnonzero(counts < FEW_ROWS)
    if few.size:
        yield Finding("few_labeled_rows", {"least": FEW_ROWS, "classes": [classes[i] for i in few]})


def diagonal_not_largest(transition: FloatArray, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Rows of T (K, K) whose largest entry is not, or barely, on the diagonal."""
    diagonal = np.diag(transition)
    largest_other = (transition - np.diag(diagonal)).max(axis=1)
    narrow = np.flatnonzero(diagonal - largest_other < NARROW_LEAD).tolist()
    if narrow:
        yield Finding(
            "mislabeled_as_often_as_not",
            {"classes": [classes[i] for i in narrow]},
            settled_by_audit=True,
            about=tuple(narrow),
        )
