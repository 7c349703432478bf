"""Exact search with scikit-learn: a tree for few dimensions, brute force for many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.neighbors import KDTree

from labelnoise.neighbors.refine import MOST_AT_ONCE, Found, refined, without_self
from labelnoise.progress import steps

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def search_brute(points: FloatArray, among: IntArray, k: int, memory_bytes: int) -> Found:
    """Find the `k` nearest of some points to each point, itself left out, block by block."""
    base = points[among]
    squares = np.einsum("nd,nd->n", base, base)
    # A block of distances, its partition order and their selection: three arrays of its size.
    block = max(1, memory_bytes // (3 * 8 * len(base)))

    def candidates(start: int, stop: int, wanted: int) -> IntArray:
        distances = squares - 2 * (points[start:stop] @ base.T)
        wanted = min(wanted, len(base))
        return among[np.argpartition(distances, wanted - 1, axis=1)[:, :wanted]]

    return refined(points, k, candidates, block)


def search_tree(points: FloatArray, among: IntArray, k: int, memory_bytes: int) -> Found:
    """Find the `k` nearest points with a k-d tree.

    The tree subtracts coordinates before it squares them, so distances keep their relative
    precision however close two points are: after f-MI weighting one coordinate may be
    1e-8 of another and still be all that tells two points apart.
    """
    tree, n_points = KDTree(points[among]), len(points)
    wanted = min(k + 1, len(among))
    block = max(1, memory_bytes // (4 * 16 * wanted))  # answers, and their copies in order
    block = min(block, MOST_AT_ONCE)
    found = Found.empty(n_points, k)
    for start in steps("finding neighbors", range(0, n_points, block)):
        rows = np.arange(start, min(start + block, n_points))
        distances, near = tree.query(points[rows], wanted)
        found.put(rows, without_self(among[near], distances, k, rows))
    return found
