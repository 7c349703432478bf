"""Cells: sets of rows that share their place and their label, and hence all their scores.

A place is a set of rows that no distance can tell apart: a place of the neighbor graph, or the rows
with the same given probabilities.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Cells:
    """Rows grouped by place and label, ordered by both.

    Leaving out any row of a cell leaves the same rows, so scores, ranks and likelihoods are
    computed once per cell. Without duplicates, each cell is a single row.

    Attributes
    ----------
    place, label : (C,) int arrays
    weight : (C,) array
        Rows in each cell.
    cell_of_row : (n,) int array
    n_classes : int
    """

    place: IntArray
    label: IntArray
    weight: FloatArray
    cell_of_row: IntArray
    n_classes: int

    @classmethod
    def of(cls, place_of_row: IntArray, codes: IntArray, n_classes: int) -> Cells:
        """Group rows by place (n,) and label code (n,)."""
        keys, cell_of_row, size = np.unique(
            place_of_row * n_classes + codes, return_inverse=True, return_counts=True
        )
        return cls(
            keys // n_classes,
            keys % n_classes,
            size.astype(np.float64),
            cell_of_row.astype(np.int64).ravel(),
            n_classes,
        )

    @classmethod
    def from_counts(cls, counts: FloatArray) -> Cells:
        """Cells of rows counted by place and label, (G, K); rows are numbered cell by cell."""
        place, label = np.nonzero(counts)
        weight = counts[place, label]
        cell_of_row = np.repeat(np.arange(len(place)), weight.astype(np.int64))
        return cls(place, label, weight, cell_of_row, counts.shape[1])

    def __len__(self) -> int:
        return len(self.place)

    @property
    def n_places(self) -> int:
        """Number of distinct places."""
        return int(self.place[-1]) + 1

    @property
    def n_rows(self) -> int:
        """Number of rows in all cells."""
        return len(self.cell_of_row)

    def one_hot(self, part: slice = slice(None)) -> FloatArray:
        """Indicators of the labels of all cells, or of a slice of them, (C, K)."""
        return np.eye(self.n_classes)[self.label[part]]

    @property
    def label_frequencies(self) -> FloatArray:
        """Share of each label among the rows, (K,)."""
        return np.bincount(self.label, self.weight, self.n_classes) / self.weight.sum()

    def weighted(self, row_weight: float) -> Cells:
        """The same cells, with each row weighted by `row_weight`."""
        return replace(self, weight=row_weight * self.weight)

    def counts_by_place(self) -> FloatArray:
        """Rows of each label at each place, (places, K)."""
        counts = np.zeros((self.n_places, self.n_classes))
        counts[self.place, self.label] = self.weight
        return counts

    def mean_by_place(self, values: FloatArray) -> FloatArray:
        """Average of a value of the cells (C,) over the rows at each place, (places,)."""
        mass = np.bincount(self.place, self.weight)
        return np.bincount(self.place, self.weight * values) / mass
