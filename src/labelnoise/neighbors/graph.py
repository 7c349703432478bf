"""NeighborGraph: the nearest neighbors of rows, among distinct places."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise import checks
from labelnoise.errors import LabelNoiseError, NotIdentifiableError, wrong_shape
from labelnoise.neighbors.engines import select_engine
from labelnoise.neighbors.places import (
    centered_rows,
    distinct_places,
    searched_places,
    unit_rows,
)
from labelnoise.neighbors.settings import DEFAULT_MEMORY_MB

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray, IndexArray, IntArray

METRICS = ("cosine", "euclidean")

NO_NEIGHBOR = -1
"""Pads neighbor lists that are shorter than others."""


@dataclass(frozen=True)
class NeighborGraph:
    """Nearest neighbors among places: sets of rows that no distance can tell apart.

    A row's neighbors are first the other rows at its place, all equally near, then the rows at the
    places in `indices`.

    Attributes
    ----------
    indices : (G, k) int32 array
        Neighboring places of each place, nearest first; -1 where there are fewer.
    distances : (G, k) array
        Distances to them; NaN where they are unknown.
    place_of_row : (n,) int array
        Place of each row that the graph was built from.
    metric : str
        "euclidean", "cosine" (distances between rows scaled to length one, which order
        neighbors as the cosine does), or "given" for a precomputed graph.
    """

    indices: IndexArray
    distances: FloatArray
    place_of_row: IntArray
    metric: str

    @property
    def n_rows(self) -> int:
        """Number of rows that the graph was built from."""
        return len(self.place_of_row)

    @property
    def n_places(self) -> int:
        """Number of distinct places."""
        return len(self.indices)

    @property
    def k(self) -> int:
        """Neighbors of each place."""
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

        The search is exact: among all places or, if there are more than 100,000 in more than 8
        dimensions, among 100,000 of them that depend on the content of the rows alone.

        Parameters
        ----------
        X : (n, d) array
        k : int
        metric : {"euclidean", "cosine"}
        engine : str
            "faiss", "brute" (matrix products in NumPy), "tree" (scikit-learn), or "auto": a tree
            for up to 8 dimensions, otherwise faiss where it is installed, otherwise brute force.
        memory_mb : int
            Limit on the working memory, in addition to the data and the graph itself.
        """
        k = checks.positive_int(k, "k")
        checks.one_of(metric, "metric", METRICS)
        memory_bytes = checks.positive_int(memory_mb, "memory_mb") * 1024**2
        rows = checks.feature_matrix(X, min_rows=2)
        rows, scale = (unit_rows(rows), 1.0) if metric == "cosine" else centered_rows(rows)
        places, place_of_row = distinct_places(rows)
        if len(places) < 2:
            raise NotIdentifiableError("all_rows_at_one_place", n_rows=len(rows), metric=metric)
        search = select_engine(engine, places.shape[1])
        lists = search(places, searched_places(places), min(k, len(places) - 1), memory_bytes)
        return cls(lists.indices, lists.distances * scale, place_of_row, metric)

    @classmethod
    def from_indices(cls, indices: Any, distances: Any = None) -> NeighborGraph:
        """Use precomputed neighbors: those of row r are ``indices[r]``, nearest first.

        A row listed as its own neighbor is removed from its list; -1 marks missing neighbors.
        """
        array = _index_array(indices)
        n = len(array)
        away = np.full(array.shape, np.nan) if distances is None else np.asarray(distances, float)
        if away.shape != array.shape:
            raise wrong_shape("distances", away.shape, f"that of the graph, {array.shape}")
        own = array == np.arange(n)[:, None]
        others = np.where(own, NO_NEIGHBOR, array).astype(np.int32)
        order = np.argsort(others == NO_NEIGHBOR, axis=1, kind="stable")
        others = np.take_along_axis(others, order, axis=1)
        _check_lists(others)
        return cls(others, np.take_along_axis(away, order, axis=1), np.arange(n), "given")

    @classmethod
    def from_sparse(cls, matrix: Any) -> NeighborGraph:
        """Use a sparse (n, n) matrix of distances, as from ``kneighbors_graph(mode="distance")``.

        Stored entries are the neighbors; each row is ordered by its stored distances.
        """
        matrix = _distance_matrix(matrix)
        degree = np.diff(matrix.indptr)
        row = np.repeat(np.arange(matrix.shape[0]), degree)
        order = np.lexsort((matrix.indices, matrix.data, row))
        position = np.arange(len(row)) - np.repeat(matrix.indptr[:-1], degree)
        shape = (matrix.shape[0], int(degree.max(initial=1)))
        indices, distances = np.full(shape, NO_NEIGHBOR, dtype=np.int32), np.full(shape, np.nan)
        indices[row, position] = matrix.indices[order]
        distances[row, position] = matrix.data[order]
        return cls.from_indices(indices, distances)

    @classmethod
    def accept(cls, graph: Any, n_rows: int | None = None) -> NeighborGraph:
        """Use a NeighborGraph, an index array or a sparse matrix of distances.

        `n_rows` is the number of rows of the features, if there are any.
        """
        if not isinstance(graph, NeighborGraph):
            graph = cls.from_sparse(graph) if sparse.issparse(graph) else cls.from_indices(graph)
        if n_rows not in (None, graph.n_rows):
            raise LabelNoiseError("wrong_length", name="the graph", n=graph.n_rows, n_rows=n_rows)
        return graph

    def sum_by_place(self, row_counts: FloatArray) -> FloatArray:
        """Sum counts of rows (n, K) by place, (G, K)."""
        counts = np.zeros((self.n_places, row_counts.shape[1]))
        np.add.at(counts, self.place_of_row, row_counts)
        return counts

    def first(self, k: int) -> NeighborGraph:
        """The same graph with only the `k` nearest neighbors of each place."""
        return replace(
            self, indices=self.indices[:, :k].copy(), distances=self.distances[:, :k].copy()
        )

    def nearest_rows(self, rows: IntArray, k: int) -> IntArray:
        """The `k` rows nearest to each of some rows, (m, k), nearest first; -1 if there are fewer.

        Rows at one place are equally near, and come in the order of the data.

        Rows 0 and 2 are at one place, row 1 is next to it:

        >>> graph = NeighborGraph.build([[0.0], [1.0], [0.0], [5.0]], 2)
        >>> graph.nearest_rows(np.array([0, 3]), 2)
        array([[2, 1],
               [1, 0]])
        """
        by_place = np.argsort(self.place_of_row, kind="stable")
        start = np.searchsorted(self.place_of_row[by_place], np.arange(self.n_places + 1))
        own = self.place_of_row[rows]
        near = np.column_stack([own, self.indices[own, :k]])
        size = np.where(near == NO_NEIGHBOR, 0, start[near + 1] - start[near])
        reached = np.cumsum(size, axis=1)
        nearest = np.full((len(rows), k + 1), NO_NEIGHBOR, dtype=np.int64)
        for position in range(k + 1):  # one more than k, as the row itself is among them
            at = (reached <= position).sum(axis=1)
            there = np.flatnonzero(at < near.shape[1])
            at = at[there]
            offset = position - (reached[there, at] - size[there, at])
            nearest[there, position] = by_place[start[near[there, at]] + offset]
        others = np.argsort(nearest == rows[:, None], axis=1, kind="stable")[:, :k]
        return np.take_along_axis(nearest, others, axis=1)


def _index_array(indices: Any) -> np.ndarray[Any, Any]:
    """A precomputed graph as an array (n, k) of row numbers, or an error."""
    array = np.asarray(indices)
    if array.ndim != 2 or array.dtype.kind not in "iu" or len(array) < checks.MIN_ROWS:
        raise wrong_shape("the graph", array.shape, "whole numbers of shape (rows, k)")
    _refuse(((array >= len(array)) | (array < NO_NEIGHBOR)).any(axis=1))
    return array


def _distance_matrix(matrix: Any) -> sparse.csr_array:
    """A precomputed graph as a sparse matrix (n, n) of distances, or an error."""
    matrix = sparse.csr_array(matrix)
    if matrix.shape[0] != matrix.shape[1]:
        expected = "one row and one column for each row of the data"
        raise wrong_shape("the graph", matrix.shape, expected)
    away = matrix.data
    constant = away.size and away.min() == away.max() > 0
    if constant or not (np.isfinite(away).all() and (away >= 0).all()):
        raise LabelNoiseError("graph_distances_invalid")
    return matrix


def _check_lists(indices: IndexArray) -> None:
    """Check that every row has two neighbors or more, none of them twice."""
    ordered = np.sort(indices, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_NEIGHBOR)
    _refuse(twice.any(axis=1) | ((indices != NO_NEIGHBOR).sum(axis=1) < 2))


def _refuse(wrong: Any) -> None:
    """Refuse a graph if the lists of some rows (n,) are wrong."""
    if wrong.any():
        raise LabelNoiseError("graph_lists_invalid", row=int(wrong.argmax()), last=len(wrong) - 1)
