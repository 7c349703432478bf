"""Candidates -> neighbors in an order that no rounding of a matrix product can change."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labelnoise.progress import steps

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IndexArray, IntArray

Candidates = Callable[[int, int, int], "IntArray"]

SPARE = 8
"""Extra candidates asked for: the point itself, and room for ties at the far end."""

GATHERED_BYTES = 4 * 1024**2
"""Neighbors gathered at once: small enough to stay in the cache."""

MOST_AT_ONCE = 16_384
"""Points asked for at once: enough for an engine, and few enough to see progress."""

DIGITS = 6
"""Distances that agree to this many digits of a neighborhood's radius are ties."""


class Found(NamedTuple):
    """Neighbors of each point, nearest first, and how far they are; (U, k) each."""

    indices: IndexArray
    distances: FloatArray

    @classmethod
    def empty(cls, n_points: int, k: int) -> Found:
        """Room for the neighbors of so many points."""
        return cls(np.empty((n_points, k), dtype=np.int32), np.empty((n_points, k)))

    def put(self, rows: IntArray, found: Found) -> None:
        """Fill in what was found for some points."""
        self.indices[rows], self.distances[rows] = found


def refined(points: np.ndarray[Any, Any], k: int, candidates: Candidates, block: int) -> Found:
    """Order each point's candidates by distances recomputed from differences.

    Search engines expand ``|x - y|^2`` into products, whose rounding depends on the tile a
    point falls into and on the number of threads. Here the distances are summed anew in
    a fixed order and ties go to the point that comes first. Only where more than `SPARE` points
    tie for the last place does the engine still choose which of them are candidates.

    Parameters
    ----------
    points : (U, d) array
    candidates : function (start, stop, wanted) -> (stop - start, wanted) indices
        Nearest points of a block of points, in any order, itself usually among them.
    block : int
        Points asked for at once.
    """
    n_points, d = points.shape
    wanted = min(k + SPARE, n_points)
    gathered = max(1, GATHERED_BYTES // (points.itemsize * wanted * d))
    step = max(1, min(block, n_points, MOST_AT_ONCE))
    answer = Found.empty(n_points, k)
    for start in steps("finding neighbors", range(0, n_points, step)):
        stop = min(start + step, n_points)
        found = np.sort(candidates(start, stop, wanted), axis=1)  # ties go to the first point
        for low in range(start, stop, gathered):
            rows = np.arange(low, min(low + gathered, stop))
            near = found[rows - start]
            gaps = points[near]
            gaps -= points[rows, None]
            lengths = np.sqrt(np.einsum("nkd,nkd->nk", gaps, gaps, dtype=np.float64))
            answer.put(rows, _sorted(near, lengths, rows, k))
    return answer


def _sorted(near: IntArray, lengths: np.ndarray[Any, Any], rows: IntArray, k: int) -> Found:
    radius = lengths.max(axis=1, keepdims=True)
    rounded = np.round(lengths / np.where(radius > 0, radius, 1), DIGITS)
    order = np.argsort(rounded, axis=1, kind="stable")
    return without_self(
        np.take_along_axis(near, order, axis=1), np.take_along_axis(lengths, order, axis=1), k, rows
    )


def without_self(found: IntArray, distances: np.ndarray[Any, Any], k: int, rows: IntArray) -> Found:
    """Drop each point from its own list (or the last entry where it is not there); keep `k`."""
    own = found == rows[:, None]
    own[~own.any(axis=1), -1] = True
    # A stable sort moves the point's own entry to the end and keeps the order of the rest.
    order = np.argsort(own, axis=1, kind="stable")[:, :k]
    return Found(
        np.take_along_axis(found, order, axis=1).astype(np.int32),
        np.take_along_axis(distances, order, axis=1).astype(np.float64),
    )
