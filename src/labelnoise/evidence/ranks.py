"""Scores -> ranks: how far into a class's own tail a row lies. Only the order of scores is used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells

DIGITS = 6
"""Scores that agree to this many decimals are ties; the rest is rounding."""


@dataclass(frozen=True)
class RankReference:
    """The law of one class's score over the places of the training rows."""

    scores: FloatArray  # (G,) score of each place, averaged over its rows
    mass: FloatArray  # (G,) rows at each place
    ordered: FloatArray  # scores in rising order
    below: FloatArray  # (G + 1,) rows before each of them

    @classmethod
    def of(cls, scores: FloatArray, cells: Cells) -> RankReference:
        """From the leave-one-out scores (C,) of the cells."""
        places = np.round(cells.mean_by_place(scores), DIGITS)
        mass = np.bincount(cells.place, cells.weight).astype(np.float64)
        order = np.argsort(places, kind="stable")
        below = np.concatenate([[0.0], np.cumsum(mass[order])])
        return cls(places, mass, places[order], below)

    def leave_one_out(self, scores: FloatArray, cells: Cells) -> FloatArray:
        """Rank in (0, 1) of each cell's score among the *other* places, its own in the middle.

        Without its own label, a row labeled i scores lower for i than its twin with another label.
        Ranked among all rows, twins would be sorted by their labels, the wrong way round;
        ranked against the other places, twins stay together.
        """
        scores = np.round(scores, DIGITS)
        lower, tied = self._counts(scores)
        own, mass = self.scores[cells.place], self.mass[cells.place]
        lower = lower - np.where(own < scores, mass, 0.0)
        tied = tied - np.where(own == scores, mass, 0.0)
        return (lower + tied / 2 + mass / 2) / self.below[-1]

    def __call__(self, scores: FloatArray) -> FloatArray:
        """Rank in (0, 1) of new scores (m,), tied ones in the middle of their like."""
        lower, tied = self._counts(np.round(scores, DIGITS))
        return (lower + tied / 2 + 0.5) / (self.below[-1] + 1)

    def _counts(self, scores: FloatArray) -> tuple[FloatArray, FloatArray]:
        lower = self.below[np.searchsorted(self.ordered, scores, "left")]
        return lower, self.below[np.searchsorted(self.ordered, scores, "right")] - lower


def tail_depths(ranks: FloatArray, n_rows: int) -> FloatArray:
    """``-log(1 - u)``: an exponential quantile, large only where the class scores highest.

    Ranks of rows end half a row before 1; a guard keeps others a quarter of a row away from it.

    >>> tail_depths(np.array([0.0, 0.5, 0.9]), n_rows=100).round(2)
    array([0.  , 0.69, 2.3 ])
    """
    return -np.log1p(-np.minimum(ranks, 1 - 0.25 / n_rows))
