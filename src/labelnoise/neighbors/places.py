"""Rows -> distinct places, scaled such that every engine can distinguish them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.data.distinct_rows import group_identical
from labelnoise.neighbors.settings import MAX_SEARCHED_PLACES, MAX_TREE_DIMENSIONS, SAME_POINT

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def unit_rows(X: FloatArray, *, always_mark: bool = False) -> FloatArray:
    """Scale rows to length one, with an extra column that is 1 for rows of zeros and 0 elsewhere.

    A row of zeros then has cosine 0 with every other row and 1 with other rows of zeros. The
    column is added only if there is such a row, or always with `always_mark`.
    """
    largest = np.abs(X).max(axis=1, keepdims=True)
    X = X / np.where(largest > 0, largest, 1.0)  # squares must neither overflow nor underflow
    lengths = np.sqrt(np.einsum("nd,nd->n", X, X))
    unit = X / np.where(lengths > 0, lengths, 1.0)[:, None]
    if lengths.all() and not always_mark:
        return unit
    return np.column_stack([unit, lengths == 0])


def centered_rows(X: FloatArray) -> tuple[FloatArray, float]:
    """Rows centered and scaled to coordinates of at most one, and the scale.

    Engines multiply coordinates, some in single precision: far from the origin, or at an
    extreme scale, differences between rows would be lost to rounding.
    """
    middle = X.min(axis=0) / 2 + X.max(axis=0) / 2
    centered = X - middle
    scale = float(np.abs(centered).max())
    return (centered / scale, scale) if scale > 0 else (centered, 1.0)


def distinct_places(X: FloatArray) -> tuple[FloatArray, IntArray]:
    """Merge rows that agree up to rounding, in an order that depends on their content alone."""
    grid = SAME_POINT * np.abs(X).max()
    first, place_of_row = group_identical(np.round(X / (grid if grid > 0 else 1.0)) + 0.0)
    return X[first], place_of_row


def searched_places(places: FloatArray) -> IntArray:
    """Indices of the places to search: all of them, unless that would take too long.

    Places are ordered by their bytes, so evenly spaced ones are as good as a random sample.
    """
    n_places, n_dimensions = places.shape
    search_all = n_dimensions <= MAX_TREE_DIMENSIONS or n_places <= MAX_SEARCHED_PLACES
    n_searched = n_places if search_all else MAX_SEARCHED_PLACES
    return np.linspace(0, n_places - 1, n_searched).round().astype(np.int64)
