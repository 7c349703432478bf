"""The exact search engines by name, each imported when it is first used."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.neighbors.refine import NeighborLists
from labelnoise.neighbors.settings import MAX_TREE_DIMENSIONS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

Engine = Callable[["FloatArray", "IntArray", int, int], NeighborLists]
"""``(points (U, d), indices of the searched points, k, memory in bytes) -> neighbor lists``."""


def _faiss() -> Engine:
    try:
        from labelnoise.neighbors.engine_faiss import search
    except ModuleNotFoundError as error:
        raise LabelNoiseError("engine_not_installed", engine="faiss", error=str(error)) from error
    return search


def _brute() -> Engine:
    from labelnoise.neighbors.engine_sklearn import search_brute

    return search_brute


def _tree() -> Engine:
    from labelnoise.neighbors.engine_sklearn import search_tree

    return search_tree


ENGINES: dict[str, Callable[[], Engine]] = {"faiss": _faiss, "brute": _brute, "tree": _tree}


def select_engine(name: str, n_dimensions: int) -> Engine:
    """The engine of that name, or with "auto" the fastest one for this many dimensions."""
    checks.one_of(name, "engine", ["auto", *ENGINES])
    if name == "auto":
        products = "faiss" if find_spec("faiss") else "brute"
        name = "tree" if n_dimensions <= MAX_TREE_DIMENSIONS else products
    return ENGINES[name]()
