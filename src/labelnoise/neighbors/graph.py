"""NeighborGraph: who is near whom among distinct points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise import checks
from labelnoise.data.points import group_identical
from labelnoise.errors import LabelNoiseError, NotIdentifiableError
from labelnoise.neighbors.refine import Found
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray, IndexArray, IntArray

METRICS = ("cosine", "euclidean")
TREE_DIMENSIONS = 8
"""Up to here a tree beats matrix products, and is more precise."""

SAME_POINT = 2.0**-40
"""Points that agree to this share of the largest coordinate are one: the rest is rounding."""

MOST_SEARCHED = 100_000
"""Places that neighbors are sought among; of more places, so many that are spread evenly. The
time of a search would grow with the square of the rows, and a neighbor be hardly nearer."""

NOBODY = -1
"""Marks a place in a neighbor list that no one takes."""


Engine = Callable[["FloatArray", "IntArray", int, int], Found]

ENGINES: dict[str, tuple[str, str]] = {
    "faiss": ("labelnoise.neighbors.engine_faiss", "search"),
    "brute": ("labelnoise.neighbors.engine_sklearn", "search_brute"),
    "tree": ("labelnoise.neighbors.engine_sklearn", "search_tree"),
}
"""Exact engines: the module and function of each, imported when first used."""


@dataclass(frozen=True)
class NeighborGraph:
    """Nearest neighbors among groups of rows that no distance can tell apart.

    Rows at the same place form one group, and the graph joins groups: a row's neighbors are
    first the other rows of its group, all equally near, then the groups in `indices`.

    Attributes
    ----------
    indices : (G, k) int32 array
        Neighboring groups of each group, nearest first; -1 where there are fewer.
    distances : (G, k) array
        Distances to them; NaN where they are unknown.
    group_of_row : (n,) int array
        Group of each row the graph was built from.
    metric : str
        "euclidean", "cosine" (distances between rows scaled to length one, which order
        neighbors as the cosine does), or "given" for a ready-made graph.
    """

    indices: IndexArray
    distances: FloatArray
    group_of_row: IntArray
    metric: str

    @property
    def n_rows(self) -> int:
        """Rows the graph was built from."""
        return len(self.group_of_row)

    @property
    def n_groups(self) -> int:
        """Groups of rows at the same place."""
        return len(self.indices)

    @property
    def k(self) -> int:
        """Neighbors of each group."""
        return int(self.indices.shape[1])

    @classmethod
    def build(
        cls,
        X: ArrayLike,
        k: int,
        *,
        metric: str = "euclidean",
        engine: str = "auto",
        memory_mb: int = DEFAULT_MEMORY_MB,
    ) -> NeighborGraph:
        """Find the `k` nearest distinct places of every row of `X` (n, d).

        The search is exact, among all places or, if there are more than 100,000 in more than 8
        dimensions, among so many of them that depend on the content of the rows alone.

        Parameters
        ----------
        engine : str
            "faiss", "brute" (scikit-learn), "tree" (scikit-learn), or "auto": a tree for up
            to 8 dimensions, else faiss where it is installed, else brute force.
        memory_mb : int
            Bound on the working memory, beside the data and the graph itself.
        """
        k = checks.positive_int(k, "k")
        checks.one_of(metric, "metric", METRICS)
        memory = checks.positive_int(memory_mb, "memory_mb") * 1024**2
        rows = checks.feature_matrix(X, min_rows=2)
        rows, scale = (unit_rows(rows), 1.0) if metric == "cosine" else _centered(rows)
        places, group_of_row = _distinct_places(rows)
        if len(places) < 2:
            raise NotIdentifiableError(
                f"all {len(rows)} rows are at the same place (metric {metric!r}): nobody is nearer "
                "than anybody else and T is not identifiable. Pass other features, or another "
                "metric."
            )
        k = min(k, len(places) - 1)
        found = _engine(engine, places.shape[1])(places, _searched(places), k, memory)
        return cls(found.indices, found.distances * scale, group_of_row, metric)

    @classmethod
    def from_indices(cls, indices: Any, distances: Any = None) -> NeighborGraph:
        """Take neighbors found elsewhere: row r's neighbors are ``indices[r]``, nearest first.

        A row listed as its own neighbor is taken out; -1 marks missing neighbors.
        """
        array = np.asarray(indices)
        if array.ndim != 2 or array.dtype.kind not in "iu" or len(array) < checks.MIN_ROWS:
            raise LabelNoiseError(
                f"a ready-made graph is a whole-number array of shape (rows, k), got shape "
                f"{array.shape} and dtype {array.dtype}. Pass the indices that kneighbors returns."
            )
        n = len(array)
        if array.max(initial=NOBODY) >= n or array.min(initial=0) < NOBODY:
            raise LabelNoiseError(
                f"the graph names neighbors from {array.min()} to {array.max()}, but its rows are "
                f"0 to {n - 1}. Number the neighbors by their row."
            )
        away = np.full(array.shape, np.nan) if distances is None else np.asarray(distances, float)
        if away.shape != array.shape:
            raise LabelNoiseError(
                f"distances have shape {away.shape}, the graph {array.shape}. Pass both from one "
                "call of kneighbors."
            )
        itself = array == np.arange(n)[:, None]
        blocked = np.where(itself, NOBODY, array).astype(np.int32)
        order = np.argsort(blocked == NOBODY, axis=1, kind="stable")
        blocked = np.take_along_axis(blocked, order, axis=1)
        ordered = np.sort(blocked, axis=1)
        if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NOBODY)).any():
            raise LabelNoiseError("the graph names a neighbor twice in one row. Name each once.")
        _check_two_neighbors(blocked)
        return cls(blocked, np.take_along_axis(away, order, axis=1), np.arange(n), "given")

    @classmethod
    def from_sparse(cls, matrix: Any) -> NeighborGraph:
        """Take a sparse (n, n) matrix of distances, as ``kneighbors_graph(mode="distance")`` makes.

        Stored entries are the neighbors; each row is ordered by its stored distances.
        """
        matrix = sparse.csr_array(matrix)
        if matrix.shape[0] != matrix.shape[1]:
            raise LabelNoiseError(
                f"a ready-made graph has one row and one column for each row of data, got shape "
                f"{matrix.shape}. Pass a square matrix of distances."
            )
        away = matrix.data
        if not (np.isfinite(away).all() and (away >= 0).all()):
            raise LabelNoiseError(
                "the graph has negative or non-finite distances. Pass a matrix of distances."
            )
        if away.size and away.min() == away.max() > 0:
            raise LabelNoiseError(
                "all distances of the graph are equal, so nobody is nearest: it looks like one of "
                "kneighbors_graph(mode='connectivity'). Use mode='distance'."
            )
        degree = np.diff(matrix.indptr)
        row = np.repeat(np.arange(matrix.shape[0]), degree)
        order = np.lexsort((matrix.indices, matrix.data, row))
        place = np.arange(len(row)) - np.repeat(matrix.indptr[:-1], degree)
        indices = np.full((matrix.shape[0], int(degree.max(initial=1))), NOBODY, dtype=np.int32)
        distances = np.full(indices.shape, np.nan)
        indices[row, place] = matrix.indices[order]
        distances[row, place] = matrix.data[order]
        return cls.from_indices(indices, distances)

    @classmethod
    def accept(cls, graph: Any, n_rows: int | None = None) -> NeighborGraph:
        """Take a NeighborGraph, an index array or a sparse matrix of distances.

        `n_rows` is how many rows there are features of, where there are any.
        """
        if not isinstance(graph, NeighborGraph):
            graph = cls.from_sparse(graph) if sparse.issparse(graph) else cls.from_indices(graph)
        if n_rows not in (None, graph.n_rows):
            raise LabelNoiseError(
                f"the graph has {graph.n_rows} rows and X has {n_rows}. Pass X=None, or the rows "
                "the graph was built from."
            )
        return graph

    def pool(self, row_counts: FloatArray) -> FloatArray:
        """Add up counts of rows (n, K) by group, (G, K)."""
        pooled = np.zeros((self.n_groups, row_counts.shape[1]))
        np.add.at(pooled, self.group_of_row, row_counts)
        return pooled

    def first(self, k: int) -> NeighborGraph:
        """The same graph with the `k` nearest neighbors of each group alone."""
        return replace(
            self, indices=self.indices[:, :k].copy(), distances=self.distances[:, :k].copy()
        )

    def nearest_rows(self, rows: IntArray, k: int) -> IntArray:
        """The `k` rows nearest to each of some rows, (m, k), nearest first; -1 if there are fewer.

        Rows of one group are equally near, and come in the order of the data.

        Examples
        --------
        Rows 0 and 2 are at one place, row 1 is next to it:

        >>> graph = NeighborGraph.build([[0.0], [1.0], [0.0], [5.0]], 2)
        >>> graph.nearest_rows(np.array([0, 3]), 2)
        array([[2, 1],
               [1, 0]])
        """
        by_group = np.argsort(self.group_of_row, kind="stable")
        start = np.searchsorted(self.group_of_row[by_group], np.arange(self.n_groups + 1))
        own = self.group_of_row[rows]
        groups = np.column_stack([own, self.indices[own, :k]])
        size = np.where(groups == NOBODY, 0, start[groups + 1] - start[groups])
        met = np.cumsum(size, axis=1)
        found = np.full((len(rows), k + 1), NOBODY, dtype=np.int64)
        for place in range(k + 1):  # one more than wanted, as the row itself is among them
            at = (met <= place).sum(axis=1)
            there = np.flatnonzero(at < groups.shape[1])
            at = at[there]
            offset = place - (met[there, at] - size[there, at])
            found[there, place] = by_group[start[groups[there, at]] + offset]
        others = np.argsort(found == rows[:, None], axis=1, kind="stable")[:, :k]
        return np.take_along_axis(found, others, axis=1)


def _check_two_neighbors(indices: IndexArray) -> None:
    lonely = np.flatnonzero((indices != NOBODY).sum(axis=1) < 2)
    if lonely.size:
        raise LabelNoiseError(
            f"{lonely.size} row(s) of the graph have fewer than two neighbors, the first is row "
            f"{lonely[0]}. Build the graph with more neighbors."
        )


def unit_rows(X: FloatArray, *, always_mark: bool = False) -> FloatArray:
    """Scale rows to length one; rows of zeros get a direction of their own.

    So a row of zeros has cosine 0 with every other row and 1 with its like. `always_mark` adds
    that column even if no row needs it.
    """
    reach = np.abs(X).max(axis=1, keepdims=True)
    X = X / np.where(reach > 0, reach, 1.0)  # so that no square leaves the range of floats
    lengths = np.sqrt(np.einsum("nd,nd->n", X, X))
    unit = X / np.where(lengths > 0, lengths, 1.0)[:, None]
    if lengths.all() and not always_mark:
        return unit
    return np.column_stack([unit, lengths == 0])


def _centered(X: FloatArray) -> tuple[FloatArray, float]:
    """Move rows around the origin with coordinates up to one, and the factor to undo the scaling.

    Engines multiply coordinates, some in single precision: far from the origin, or at an
    extreme scale, differences between rows would drown in rounding.
    """
    middle = X.min(axis=0) / 2 + X.max(axis=0) / 2
    centered = X - middle
    scale = float(np.abs(centered).max())
    return (centered / scale, scale) if scale > 0 else (centered, 1.0)


def _distinct_places(X: FloatArray) -> tuple[FloatArray, IntArray]:
    """Merge rows that agree up to rounding, in an order that depends on their content alone."""
    grid = SAME_POINT * np.abs(X).max()
    first, group_of_row = group_identical(np.round(X / (grid if grid > 0 else 1.0)) + 0.0)
    return X[first], group_of_row


def _searched(places: FloatArray) -> IntArray:
    """Places to seek neighbors among: all of them, unless a search takes the square of them.

    Places are ordered by their bytes, so those at even steps are as good as drawn at random.
    """
    n_places, n_dimensions = places.shape
    few = n_dimensions <= TREE_DIMENSIONS or n_places <= MOST_SEARCHED
    return np.linspace(0, n_places - 1, n_places if few else MOST_SEARCHED).round().astype(np.int64)


def _engine(name: str, n_dimensions: int) -> Engine:
    checks.one_of(name, "engine", ["auto", *ENGINES])
    if name == "auto":
        fast = "faiss" if find_spec("faiss") else "brute"
        name = "tree" if n_dimensions <= TREE_DIMENSIONS else fast
    module, function = ENGINES[name]
    try:
        engine: Engine = getattr(import_module(module), function)
    except ModuleNotFoundError as error:
        raise LabelNoiseError(
            f"engine {name!r} needs a package that is not installed: {error}. Install faiss-cpu, "
            "or use engine='brute'."
        ) from error
    return engine
