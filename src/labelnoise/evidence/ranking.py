"""Evidence -> tail depths: the sources are pooled, and the pool is ranked class by class.

Only the order of the scores is used.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.pooling import pooled, pooling_weights, probability_of_own_label
from labelnoise.evidence.settings import TIE_DECIMALS
from labelnoise.transition import MIN_RELATIVE_SINGULAR_VALUE

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.evidence import Evidence
    from labelnoise.evidence.probability_agreement import ProbabilityAgreement
    from labelnoise.evidence.sources import NewRows


@dataclass(frozen=True)
class RankReference:
    """The distribution of one class's score over the places of the training rows.

    Attributes
    ----------
    scores : (G,) array
        Score of each place, averaged over its rows.
    mass : (G,) array
        Rows at each place.
    ordered : (G,) array
        Scores in increasing order.
    below : (G + 1,) array
        Number of rows before each of them, and in total.
    """

    scores: FloatArray
    mass: FloatArray
    ordered: FloatArray
    below: FloatArray

    @classmethod
    def of(cls, scores: FloatArray, cells: Cells) -> RankReference:
        """From the leave-one-out scores (C,) of the cells."""
        by_place = np.round(cells.mean_by_place(scores), TIE_DECIMALS)
        mass = np.bincount(cells.place, cells.weight).astype(np.float64)
        order = np.argsort(by_place, kind="stable")
        below = np.concatenate([[0.0], np.cumsum(mass[order])])
        return cls(by_place, mass, by_place[order], below)

    def leave_one_out(self, scores: FloatArray, cells: Cells) -> FloatArray:
        """Rank in (0, 1) of each cell's score (C,) among the *other* places, its own in the middle.

        Without its own label, a row labeled i scores lower for i than its duplicates with another
        label. Ranked among all rows, duplicates would be sorted by their labels, in the wrong
        direction; ranked against the other places, they stay together.
        """
        scores = np.round(scores, TIE_DECIMALS)
        lower, tied = self._count_lower_and_tied(scores)
        own, mass = self.scores[cells.place], self.mass[cells.place]
        lower = lower - np.where(own < scores, mass, 0.0)
        tied = tied - np.where(own == scores, mass, 0.0)
        return (lower + tied / 2 + mass / 2) / self.below[-1]

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Rank in (0, 1) of new scores (m,), in the middle of those they tie with."""
        lower, tied = self._count_lower_and_tied(np.round(scores, TIE_DECIMALS))
        return (lower + tied / 2 + 0.5) / (self.below[-1] + 1)

    def _count_lower_and_tied(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        lower = self.below[np.searchsorted(self.ordered, scores, "left")]
        return lower, self.below[np.searchsorted(self.ordered, scores, "right")] - lower


def tail_depths(ranks: FloatArray, n_rows: int) -> FloatArray:
    """Depth ``-log(1 - u)`` of ranks u in the upper tail of a class's ranking.

    An exponential quantile: large only for the rows that score highest for the class. Ranks of
    training rows end half a row before 1; others are kept a quarter of a row away from it.

    >>> tail_depths(np.array([0.0, 0.5, 0.9]), n_rows=100).round(2)
    array([0.  , 0.69, 2.3 ])
    """
    return -np.log1p(-np.minimum(ranks, 1 - 0.25 / n_rows))


@dataclass(frozen=True)
class Ranking:
    """The pool of all sources, and the depth of each row in the upper tail of each class.

    Attributes
    ----------
    evidence : Evidence
    weights : (M,) array
        Weights of the posteriors in the pool.
    scores : (C, K) array
        The pool, for each cell without its own label.
    unmixing : (K, K) array
        ``scores @ unmixing`` is ranked: the identity, or the inverse of some T.
    references : tuple of RankReference
        The distribution of each class's score.
    tail_depths : (C, K) array
        Depth of each training cell in each class's upper tail, without its own label.
    own_label_probability : (C,) array
        Probability that the pool assigns to each cell's own label.
    agreement : ProbabilityAgreement or None
        How often given probabilities, if there are any, agree with the labels.
    row_weight : float
        Weight of a row relative to an independent one; less than 1 if rows of a group share errors.
    """

    evidence: Evidence
    weights: FloatArray
    scores: FloatArray
    unmixing: FloatArray
    references: tuple[RankReference, ...]
    tail_depths: FloatArray
    own_label_probability: FloatArray
    agreement: ProbabilityAgreement | None
    row_weight: float = 1.0

    @classmethod
    def of(cls, evidence: Evidence) -> Ranking:
        """Pool the posteriors of the training rows, and rank them."""
        cells, groups = evidence.cells, evidence.groups
        logs = evidence.log_posteriors()
        all_logs = list(chain.from_iterable(logs))
        weights = pooling_weights(all_logs, cells)
        scores = pooled(weights, all_logs)
        references, depths = _rank(scores, cells)
        return cls(
            evidence=evidence,
            weights=weights,
            scores=scores,
            unmixing=np.eye(cells.n_classes),
            references=references,
            tail_depths=depths,
            own_label_probability=probability_of_own_label(scores, cells),
            agreement=evidence.agreement(logs),
            row_weight=groups.row_weight(scores, cells) if groups else 1.0,
        )

    def unmixed(self, transition: FloatArray) -> Ranking:
        """Rank by ``scores T^{-1}``: by true classes, if T is correct, instead of by labels.

        Where another class is labeled i almost as often as class i is, label i alone does not rank
        rows of class i first; all labels together do. For two classes nothing changes.
        """
        unmixing = np.linalg.pinv(transition, rcond=MIN_RELATIVE_SINGULAR_VALUE).astype(np.float64)
        references, depths = _rank(self.scores @ unmixing, self.evidence.cells)
        return replace(self, unmixing=unmixing, references=references, tail_depths=depths)

    def __call__(self, rows: NewRows) -> FloatArray:
        """Tail depths (m, K) of new rows."""
        sources = self.evidence.sources
        logs = [np.log(posterior) for source in sources for posterior in source.predict(rows)]
        scores = pooled(self.weights, logs) @ self.unmixing
        ranks = [rank(column) for rank, column in zip(self.references, scores.T, strict=True)]
        return tail_depths(np.column_stack(ranks), self.evidence.cells.n_rows)


def _rank(scores: FloatArray, cells: Cells) -> tuple[tuple[RankReference, ...], FloatArray]:
    """The distribution of each class's score (C,), and the cells' tail depths in it, (C, K)."""
    references = tuple(RankReference.of(column, cells) for column in scores.T)
    ranks = [
        reference.leave_one_out(column, cells)
        for reference, column in zip(references, scores.T, strict=True)
    ]
    return references, tail_depths(np.column_stack(ranks), cells.n_rows)
