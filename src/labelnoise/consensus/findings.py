"""What is found about a solution of the consensus equations."""

from __future__ import annotations

from dataclasses import dataclass
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
from labelnoise.findings import Diagnosis, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.checks import Label
    from labelnoise.consensus.counts import ConsensusCounts
    from labelnoise.consensus.solver import ConsensusSolution
    from labelnoise.evidence.duplicates import DuplicateAgreement

NEIGHBORS = {"source": "nearest neighbors"}
OVERLAP = Finding("overlap_counted_as_noise")
"""Always found: consensus cannot tell overlap from noise, so its verdict is never "reliable"."""


@dataclass(frozen=True)
class ConsensusReport:
    """What the findings are based on."""

    counts: ConsensusCounts
    duplicates: DuplicateAgreement
    solution: ConsensusSolution
    classes: tuple[Label, ...]
    absent: tuple[Label, ...]


def diagnose_consensus(report: ConsensusReport) -> Diagnosis:
    """Verdict and findings on a solution of the consensus equations."""
    T = report.solution.transition
    return Diagnosis.of(
        [
            *_groups(report),
            *_solver(report),
            *nearly_singular(T),
            *few_labeled_rows(report.counts.first, report.classes),
            *_nearly_empty(report),
            *diagonal_not_largest(T, report.classes),
            *copied_rows(report.duplicates),
            *classes_without_rows(report.absent),
            OVERLAP,
        ]
    )


def _groups(report: ConsensusReport) -> Iterator[Finding]:
    """Count the groups of classes that the labels of neighbors separate.

    The pair frequencies, divided by the square roots of their margins, have one eigenvalue 1
    and, if neighbors share their class, K - 1 others above zero. Unrelated labels give a
    symmetric random matrix whose entries have variance s^2 / 2 off the diagonal and s^2 on it,
    and hence eigenvalues up to ``s sqrt(2 (K - 1))``. s^2 is 2 / pairs, twice the variance of
    independent pairs, because pairs of mutual neighbors are counted twice.
    """
    pairs = report.counts.second / report.counts.total
    pairs = (pairs + pairs.T) / 2
    margin = np.sqrt(pairs.sum(axis=0))
    eigenvalues = np.linalg.eigvalsh(pairs / np.outer(margin, margin))[:-1]
    scale = np.sqrt(2 / report.counts.independent_pairs)
    beyond_chance = eigenvalues / scale - np.sqrt(2 * len(eigenvalues))  # in standard errors
    groups, n_classes = 1 + int((beyond_chance > NO_SIGNAL).sum()), len(report.classes)
    if groups == 1:
        yield Finding("labels_not_predicted", NEIGHBORS, "cannot tell")
    elif groups < n_classes:
        facts = {"groups": groups, "n_classes": n_classes}
        yield Finding("neighbors_separate_few_classes", facts)
    elif beyond_chance.min() < WEAK_SIGNAL:
        yield Finding("labels_barely_predicted", NEIGHBORS)


def _solver(report: ConsensusReport) -> Iterator[Finding]:
    if not report.solution.converged:
        yield Finding("not_converged")


def _nearly_empty(report: ConsensusReport) -> Iterator[Finding]:
    empty = np.flatnonzero(report.solution.prior < NEARLY_EMPTY / len(report.classes))
    if empty.size:
        yield Finding("class_nearly_empty", {"classes": [report.classes[i] for i in empty]})
