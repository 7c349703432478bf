"""Scores -> ranks -> tail depths. Only the order of the scores is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.settings import TIE_DECIMALS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells


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
        Scores in rising order.
    below : (G + 1,) array
        Rows before each of them, and in total.
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
