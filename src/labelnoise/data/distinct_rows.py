"""Rows -> distinct points: equal rows become one point that remembers its labels.

Everything from here to the evidence works on distinct points in an order that depends
on their content alone. So no result can depend on the order of the rows, and rows with
identical features (titanic has 2201 rows and 14 distinct ones) never need a tie broken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels


@dataclass(frozen=True)
class Points:
    """Distinct feature rows with the labels of the rows that share them."""

    values: FloatArray  # (U, d) distinct rows
    label_counts: FloatArray  # (U, K) rows of each label at each point
    point_of_row: IntArray  # (n,) which point a row belongs to


def group_identical(rows: np.ndarray[Any, Any]) -> tuple[IntArray, IntArray]:
    """One row (G,) of each group of rows with the same bytes, in their order; groups (n,)."""
    rows = np.ascontiguousarray(rows)
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, group_of_row = np.unique(keys, return_index=True, return_inverse=True)
    return first.astype(np.int64), group_of_row.astype(np.int64).ravel()


def count_labels(group_of_row: IntArray, labels: Labels, n_groups: int) -> FloatArray:
    """Count labels in each group of rows, shape (n_groups, K)."""
    n_classes = len(labels.classes)
    flat = np.bincount(group_of_row * n_classes + labels.codes, minlength=n_groups * n_classes)
    return flat.reshape(n_groups, n_classes).astype(np.float64)


def distinct_points(X: FloatArray, labels: Labels) -> Points:
    """Merge identical rows of `X` (n, d) and collect their labels."""
    X = X + 0.0  # -0.0 and 0.0 are equal numbers with different bytes
    first, point_of_row = group_identical(X)
    counts = count_labels(point_of_row, labels, len(first))
    return Points(X[first], counts, point_of_row)
