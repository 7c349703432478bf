"""Exact search by matrix products in faiss: the fastest engine in many dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import faiss
import numpy as np

from labelnoise.neighbors.refine import refine_candidates

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.neighbors.refine import NeighborLists


def search(points: FloatArray, searched: IntArray, k: int, memory_bytes: int) -> NeighborLists:
    """The `k` nearest of the `searched` points to each point, by Euclidean distance."""
    single = np.ascontiguousarray(points, dtype=np.float32)
    index = faiss.IndexFlatL2(single.shape[1])
    index.add(single[searched])
    # faiss divides the work into tiles; a block of queries only limits the size of the result.
    block = max(1, memory_bytes // (4 * 12 * (k + 1)))

    def candidates(start: int, stop: int, n_candidates: int) -> IntArray:
        _, nearest = index.search(single[start:stop], min(n_candidates, len(searched)))
        return searched[nearest]

    return refine_candidates(single, k, candidates, block)
