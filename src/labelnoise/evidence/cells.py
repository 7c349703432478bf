"""Cells: rows that share their place and their label, and so all that can be said of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Cells:
    """Rows -> (place, label) cells with the number of rows in each, ordered by place and label.

    Leaving one row of a cell out leaves the same rows whichever it is, so scores, ranks and
    likelihoods are worked out once a cell. Without duplicates a cell is a row.
    """

    place: IntArray  # (C,)
    label: IntArray  # (C,)
    weight: FloatArray  # (C,) rows in the cell
    cell_of_row: IntArray  # (n,)
    n_classes: int

    @classmethod
    def of(cls, place_of_row: IntArray, codes: IntArray, n_classes: int) -> Cells:
        """Group rows by place and label code."""
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

    def __len__(self) -> int:
        return len(self.place)

    @property
    def n_places(self) -> int:
        """Distinct places."""
        return int(self.place[-1]) + 1

    @property
    def n_rows(self) -> int:
        """Rows behind the cells."""
        return len(self.cell_of_row)

    def one_hot(self, part: slice = slice(None)) -> FloatArray:
        """Labels of all cells, or of some, as indicators, (C, K)."""
        return np.eye(self.n_classes)[self.label[part]]

    @property
    def label_frequencies(self) -> FloatArray:
        """Share of each label among the rows, (K,)."""
        return np.bincount(self.label, self.weight, self.n_classes) / self.weight.sum()

    def counts_by_place(self) -> FloatArray:
        """Rows of each label at each place, (places, K)."""
        counts = np.zeros((self.n_places, self.n_classes))
        counts[self.place, self.label] = self.weight
        return counts

    def mean_by_place(self, values: FloatArray) -> FloatArray:
        """Average a value of the cells (C,) over the rows at each place."""
        mass = np.bincount(self.place, self.weight)
        return np.bincount(self.place, self.weight * values) / mass
