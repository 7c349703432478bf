"""Exact search without faiss: a k-d tree for few dimensions, brute force for many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.neighbors import KDTree

from labelnoise.neighbors.refine import NeighborLists, drop_self, refine_candidates
from labelnoise.neighbors.settings import MAX_QUERIES
from labelnoise.progress import steps

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def search_brute(
    points: FloatArray, searched: IntArray, k: int, memory_bytes: int
) -> NeighborLists:
    """The `k` nearest of the `searched` points to each point, by blocks of matrix products."""
    base = points[searched]
    squares = np.einsum("nd,nd->n", base, base)
    # A block of distances, its partition order and their selection: three arrays of its size.
    block = max(1, memory_bytes // (3 * 8 * len(base)))

    def candidates(start: int, stop: int, n_candidates: int) -> IntArray:
        distances = squares - 2 * (points[start:stop] @ base.T)
        n_candidates = min(n_candidates, len(base))
        return searched[np.argpartition(distances, n_candidates - 1, axis=1)[:, :n_candidates]]

    return refine_candidates(points, k, candidates, block)


def search_tree(points: FloatArray, searched: IntArray, k: int, memory_bytes: int) -> NeighborLists:
    """The `k` nearest of the `searched` points to each point, by a k-d tree.

    The tree subtracts coordinates before it squares them, so distances keep their relative
    precision however close two points are: after weighting by f-mutual information, one
    coordinate may be 1e-8 of another and still be the only one in which two points differ.
    """
    tree, n_points = KDTree(points[searched]), len(points)
    n_candidates = min(k + 1, len(searched))
    block = max(1, memory_bytes // (4 * 16 * n_candidates))  # results, and their sorted copies
    block = min(block, MAX_QUERIES)
    lists = NeighborLists.empty(n_points, k)
    for start in steps("finding neighbors", range(0, n_points, block)):
        rows = np.arange(start, min(start + block, n_points))
        distances, nearest = tree.query(points[rows], n_candidates)
        lists.put(rows, drop_self(searched[nearest], distances, k, rows))
    return lists
