"""Rows -> tails: every source scores the rows, their pool is ranked, class by class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.posteriors import (
    pooled,
    pooling_weights,
    probability_of_own_label,
)
from labelnoise.evidence.ranks import RankReference, tail_depths

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.evidence import Evidence
    from labelnoise.evidence.probability_agreement import ProbabilityAgreement
    from labelnoise.evidence.sources import NewRows

LEAST_SINGULAR = 0.02
"""Singular values of T below this share of the largest are not inverted: they would add noise."""


@dataclass(frozen=True)
class Ranking:
    """The pool of the sources, and the law of each class's score.

    Attributes
    ----------
    evidence : Evidence
    weights : (M,) array
        Weights of the posteriors in the pool.
    scores : (C, K) array
        The pool, each cell without its own label.
    unmixing : (K, K) array
        ``scores @ unmixing`` is what is ranked: the identity, or the inverse of some T.
    references : tuple of RankReference, one a class
    tail_depths : (C, K) array
        Depth of each training cell in each class's tail, its own label left out.
    own_label_probability : (C,) array
        What the pool gives to each cell's own label.
    agreement : ProbabilityAgreement or None
        How given probabilities fare.
    """

    evidence: Evidence
    weights: FloatArray
    scores: FloatArray
    unmixing: FloatArray
    references: tuple[RankReference, ...]
    tail_depths: FloatArray
    own_label_probability: FloatArray
    agreement: ProbabilityAgreement | None

    @classmethod
    def of(cls, evidence: Evidence) -> Ranking:
        """Pool what the sources say about the training rows, and rank it."""
        cells = evidence.cells
        said = [[np.log(p) for p in source.leave_one_out(cells)] for source in evidence.sources]
        logs = list(chain.from_iterable(said))
        weights = pooling_weights(logs, cells)
        scores = pooled(weights, logs)
        unmixing, own = np.eye(cells.n_classes), probability_of_own_label(scores, cells)
        laws, depths = _ranked(scores, cells)
        return cls(evidence, weights, scores, unmixing, laws, depths, own, evidence.agreement(said))

    def unmixed(self, transition: FloatArray) -> Ranking:
        """Rank by ``scores T^{-1}``: by true classes, if T is right, instead of by labels.

        Where another class is labeled i almost as often as class i is, the label alone does not
        rank rows of class i first; all labels together do. For two classes nothing changes.
        """
        unmixing = np.linalg.pinv(transition, rcond=LEAST_SINGULAR).astype(np.float64)
        references, depths = _ranked(self.scores @ unmixing, self.evidence.cells)
        return replace(self, unmixing=unmixing, references=references, tail_depths=depths)

    def __call__(self, rows: NewRows) -> FloatArray:
        """Tails (m, K) of new rows."""
        logs = [np.log(found) for source in self.evidence.sources for found in source.predict(rows)]
        scores = pooled(self.weights, logs) @ self.unmixing
        ranks = [law(column) for law, column in zip(self.references, scores.T, strict=True)]
        return tail_depths(np.column_stack(ranks), self.evidence.cells.n_rows)


def _ranked(scores: FloatArray, cells: Cells) -> tuple[tuple[RankReference, ...], FloatArray]:
    """The law of each class's score (C,), and the cells' tails in it, (C, K)."""
    laws = tuple(RankReference.of(column, cells) for column in scores.T)
    ranks = [law.leave_one_out(column, cells) for law, column in zip(laws, scores.T, strict=True)]
    return laws, tail_depths(np.column_stack(ranks), cells.n_rows)
