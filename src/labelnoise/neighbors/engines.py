"""The exact search engines: faiss, a k-d tree for few dimensions, brute force for many."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.neighbors.refine import NeighborLists, drop_self, refine_candidates
from labelnoise.neighbors.settings import MAX_QUERIES, MAX_TREE_DIMENSIONS
from labelnoise.progress import steps

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

ENGINES = ("faiss", "brute", "tree")
Engine = Callable[["FloatArray", "IntArray", int, int], NeighborLists]
"""``(points (U, d), indices of the searched points, k, memory in bytes) -> neighbor lists``."""


def select_engine(name: str, n_dimensions: int) -> Engine:
    """The engine of that name, or with "auto" the fastest one for this many dimensions."""
    checks.one_of(name, "engine", ["auto", *ENGINES])
    if name == "auto":
        products = "faiss" if find_spec("faiss") else "brute"
        name = "tree" if n_dimensions <= MAX_TREE_DIMENSIONS else products
    if name != "faiss":
        return search_tree if name == "tree" else search_brute
    try:
        from labelnoise.neighbors.engine_faiss import search
    except ModuleNotFoundError as error:
        raise LabelNoiseError("engine_not_installed", engine=name, error=str(error)) from error
    return search


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
    from sklearn.neighbors import KDTree

    tree, n_points = KDTree(points[searched]), len(points)
    n_candidates = min(k + 1, len(searched))
    # Results, and their sorted copies.
    block = min(max(1, memory_bytes // (4 * 16 * n_candidates)), MAX_QUERIES)
    lists = NeighborLists.empty(n_points, k)
    for start in steps("finding neighbors", range(0, n_points, block)):
        rows = np.arange(start, min(start + block, n_points))
        distances, nearest = tree.query(points[rows], n_candidates)
        lists.put(rows, drop_self(searched[nearest], distances, k, rows))
    return lists
