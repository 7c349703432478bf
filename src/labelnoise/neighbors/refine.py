"""Candidates -> neighbors in an order that the rounding of a matrix product cannot change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labelnoise.neighbors.settings import (
    GATHERED_BYTES,
    MAX_QUERIES,
    N_SPARE_CANDIDATES,
    TIE_DIGITS,
)
from labelnoise.progress import steps

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IndexArray, IntArray

Candidates = Callable[[int, int, int], "IntArray"]


class NeighborLists(NamedTuple):
    """Neighbors of each point, nearest first, and their distances; (U, k) each."""

    indices: IndexArray
    distances: FloatArray

    @classmethod
    def empty(cls, n_points: int, k: int) -> NeighborLists:
        """Arrays to fill in."""
        return cls(np.empty((n_points, k), dtype=np.int32), np.empty((n_points, k)))

    def put(self, rows: IntArray, lists: NeighborLists) -> None:
        """Fill in the lists of some points."""
        self.indices[rows], self.distances[rows] = lists


def refine_candidates(
    points: np.ndarray[Any, Any], k: int, candidates: Candidates, block: int
) -> NeighborLists:
    """Order each point's candidates by distances recomputed from differences, and keep `k`.

    Search engines expand ``|x - y|^2`` into products, whose rounding depends on the tile a
    point falls into and on the number of threads. Here the distances are summed again in
    a fixed order, and ties go to the point that comes first. Only where more than
    `N_SPARE_CANDIDATES` points tie for the last position does the engine still choose which of
    them are candidates.

    ``candidates(start, stop, n)`` gives the indices (stop - start, n) of the points nearest to
    some of the `points` (U, d), in any order, usually including each point itself. At most `block`
    points are queried at once.
    """
    n_points, d = points.shape
    n_candidates = min(k + N_SPARE_CANDIDATES, n_points)
    gathered = max(1, GATHERED_BYTES // (points.itemsize * n_candidates * d))
    step = max(1, min(block, n_points, MAX_QUERIES))
    lists = NeighborLists.empty(n_points, k)
    for start in steps("finding neighbors", range(0, n_points, step)):
        stop = min(start + step, n_points)
        # In increasing order: ties go to the first point.
        nearest = np.sort(candidates(start, stop, n_candidates), axis=1)
        for low in range(start, stop, gathered):
            rows = np.arange(low, min(low + gathered, stop))
            near = nearest[rows - start]
            differences = points[near]
            differences -= points[rows, None]
            squares = np.einsum("nkd,nkd->nk", differences, differences, dtype=np.float64)
            distances = np.sqrt(squares)
            radius = distances.max(axis=1, keepdims=True)
            rounded = np.round(distances / np.where(radius > 0, radius, 1), TIE_DIGITS)
            order = np.argsort(rounded, axis=1, kind="stable")
            near, distances = (np.take_along_axis(a, order, axis=1) for a in (near, distances))
            lists.put(rows, drop_self(near, distances, k, rows))
    return lists


def drop_self(
    near: IntArray, distances: np.ndarray[Any, Any], k: int, rows: IntArray
) -> NeighborLists:
    """Drop each point from its own list (or the last entry where it is absent); keep `k`."""
    itself = near == rows[:, None]
    itself[~itself.any(axis=1), -1] = True
    # A stable sort moves the point's own entry to the end and keeps the order of the others.
    order = np.argsort(itself, axis=1, kind="stable")[:, :k]
    return NeighborLists(
        np.take_along_axis(near, order, axis=1).astype(np.int32),
        np.take_along_axis(distances, order, axis=1).astype(np.float64),
    )
