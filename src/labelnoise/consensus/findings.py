"""What is found about a solution of the consensus equations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.consensus.settings import NEARLY_EMPTY, NO_SIGNAL, WEAK_SIGNAL
from labelnoise.evidence.findings import (
    classes_without_rows,
    copied_rows,
    diagonal_not_largest,
    few_labeled_rows,
    nearly_singular,
)
from labelnoise.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.checks import Labels
    from labelnoise.consensus.counts import ConsensusCounts
    from labelnoise.consensus.solver import ConsensusSolution
    from labelnoise.evidence.duplicates import DuplicateAgreement

NEIGHBORS = {"source": "nearest neighbors"}
OVERLAP = Finding("overlap_counted_as_noise")
"""Always found: consensus cannot tell overlap from noise, so its verdict is never "reliable"."""


def consensus_findings(
    counts: ConsensusCounts,
    solution: ConsensusSolution,
    labels: Labels,
    duplicates: DuplicateAgreement,
) -> Iterator[Finding]:
    """What is found about a solution; `counts` and `solution` are of the classes that occur."""
    classes = labels.present_classes
    yield from _groups(counts)
    if not solution.converged:
        yield Finding("not_converged")
    yield from nearly_singular(solution.transition)
    yield from few_labeled_rows(counts.first, classes)
    empty = np.flatnonzero(solution.prior < NEARLY_EMPTY / len(classes))
    if empty.size:
        yield Finding("class_nearly_empty", {"classes": [classes[i] for i in empty]})
    yield from diagonal_not_largest(solution.transition, classes)
    yield from copied_rows(duplicates)
    yield from classes_without_rows(labels.absent_classes)
    yield OVERLAP


def _groups(counts: ConsensusCounts) -> Iterator[Finding]:
    """Count the groups of classes that the labels of neighbors separate.

    The pair frequencies, divided by the square roots of their margins, have one eigenvalue 1
    and, if neighbors share their class, K - 1 others above zero. Unrelated labels give a
    symmetric random matrix whose entries have variance s^2 / 2 off the diagonal and s^2 on it,
    and hence eigenvalues up to ``s sqrt(2 (K - 1))``. s^2 is 2 / pairs, twice the variance of
    independent pairs, because pairs of mutual neighbors are counted twice.
    """
    pairs = counts.second / counts.total
    pairs = (pairs + pairs.T) / 2
    margin = np.sqrt(pairs.sum(axis=0))
    eigenvalues = np.linalg.eigvalsh(pairs / np.outer(margin, margin))[:-1]
    scale = np.sqrt(2 / counts.independent_pairs)
    beyond_chance = eigenvalues / scale - np.sqrt(2 * len(eigenvalues))  # in standard errors
    groups, n_classes = 1 + int((beyond_chance > NO_SIGNAL).sum()), len(pairs)
    if groups == 1:
        yield Finding("labels_not_predicted", NEIGHBORS, "cannot tell")
    elif groups < n_classes:
        facts = {"groups": groups, "n_classes": n_classes}
        yield Finding("neighbors_separate_few_classes", facts)
    elif beyond_chance.min() < WEAK_SIGNAL:
        yield Finding("labels_barely_predicted", NEIGHBORS)
