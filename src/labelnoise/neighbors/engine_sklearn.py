"""Exact search with scikit-learn: a tree for few dimensions, brute force for many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.neighbors import KDTree

from labelnoise.neighbors.refine import refined, without_self

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.neighbors.refine import Found


def search_brute(points: FloatArray, k: int, memory_bytes: int) -> Found:
    """Find the `k` nearest points of each point, itself left out, by blocks of distances."""
    squares = np.einsum("nd,nd->n", points, points)
    # A block of distances, its partition order and their selection: three arrays of its size.
    block = max(1, memory_bytes // (3 * 8 * len(points)))

    def candidates(start: int, stop: int, wanted: int) -> IntArray:
        distances = squares - 2 * (points[start:stop] @ points.T)
        return np.argpartition(distances, wanted - 1, axis=1)[:, :wanted]

    return refined(points, k, candidates, block)


def search_tree(points: FloatArray, k: int, memory_bytes: int) -> Found:
    """Find the `k` nearest points with a k-d tree.

    The tree subtracts coordinates before it squares them, so distances keep their relative
    precision however close two points are: after f-MI weighting one coordinate may be
    1e-8 of another and still be all that tells two points apart.
    """
    del memory_bytes  # a tree needs memory in proportion to its points and answers only
    distances, found = KDTree(points).query(points, k + 1)
    return without_self(found, distances, k)
