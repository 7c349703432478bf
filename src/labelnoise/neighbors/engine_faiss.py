"""Exact search by matrix products in faiss: the fastest engine for many dimensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import faiss
import numpy as np

from labelnoise.neighbors.refine import refined

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.neighbors.refine import Found


def search(points: FloatArray, among: IntArray, k: int, memory_bytes: int) -> Found:
    """Find the `k` nearest of some points to each point, itself left out, by Euclidean distance."""
    single = np.ascontiguousarray(points, dtype=np.float32)
    index = faiss.IndexFlatL2(single.shape[1])
    index.add(single[among])
    # faiss works in tiles of its own; a block of queries only bounds what it returns.
    block = max(1, memory_bytes // (4 * 12 * (k + 1)))

    def candidates(start: int, stop: int, wanted: int) -> IntArray:
        _, found = index.search(single[start:stop], min(wanted, len(among)))
        return among[found]

    return refined(single, k, candidates, block)
