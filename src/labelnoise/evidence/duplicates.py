"""Identical or nearly identical rows, which may be copies of one another, labels included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import digamma

from labelnoise.evidence.settings import (
    CLUSTER_GROWTH,
    CLUSTER_RANKS,
    EDGE_AMONG_NUMBERS,
    EXAMINED_PLACES,
    MAX_CATEGORIES,
    MAX_CLUSTER_SHARE,
    MAX_TIED_SHARE,
    MIN_SLOPE,
    NEAR_COPY_CHANCE,
    NEAR_COPY_RANK,
    NEAR_COPY_SHARE,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IndexArray, IntArray
    from labelnoise.neighbors.graph import NeighborGraph


@dataclass(frozen=True)
class DuplicateAgreement:
    """How often duplicates have the same label, compared with rows at the nearest other place.

    Attributes
    ----------
    n_rows : int
        Rows that have a duplicate.
    duplicates, nearest : float
        Probability that a row has the same label as a random duplicate of it, or as a random row at
        the nearest other place.
    """

    n_rows: int
    duplicates: float
    nearest: float

    @property
    def excess(self) -> float:
        """Standard errors by which duplicates agree more often than nearest rows do."""
        expected = (self.nearest * self.n_rows + 1) / (self.n_rows + 2)  # never exactly 0 or 1
        error = np.sqrt(expected * (1 - expected) / max(self.n_rows, 1))
        return float((self.duplicates - self.nearest) / error)


def duplicate_agreement(graph: NeighborGraph, place_counts: FloatArray) -> DuplicateAgreement:
    """Compare the labels of identical rows with one another and with those at the nearest place.

    Independent labels of one class agree as often within a place as with the place next to it.
    Copies repeat their label and always agree, so a method that counts agreement takes them for
    rows without noise.

    Parameters
    ----------
    graph : NeighborGraph
    place_counts : (G, K) array
        Labels at each place of the graph.
    """
    size = place_counts.sum(axis=1)
    repeated = (size > 1) & (graph.indices[:, 0] >= 0)
    if not repeated.any():
        return DuplicateAgreement(0, 0.0, 0.0)
    own, near = place_counts[repeated], place_counts[graph.indices[repeated, 0]]
    n_own = size[repeated]
    shares = own / n_own[:, None]
    within = (shares * (own - 1) / (n_own[:, None] - 1)).sum(axis=1)
    across = (shares * near / near.sum(axis=1, keepdims=True)).sum(axis=1)
    return DuplicateAgreement(
        int(n_own.sum()),
        float(np.average(within, weights=n_own)),
        float(np.average(across, weights=n_own)),
    )


@dataclass(frozen=True)
class ClusterAgreement:
    """How often rows of a small cluster have the same label, compared with rows around it.

    Attributes
    ----------
    size : int
        Approximate number of rows in a cluster.
    within, around : float
        Probability that a row has the same label as a random row of its cluster, or as one just
        outside.
    error : float
        Standard error of the difference.
    """

    size: int
    within: float
    around: float
    error: float


def cluster_agreement(
    graph: NeighborGraph, place_counts: FloatArray, values: FloatArray | None = None
) -> ClusterAgreement | None:
    """Compare labels within small clusters with labels around them.

    For independent rows in d dimensions, the distance of the r-th neighbor is about proportional to
    ``r ** (1/d)``: its logarithm is linear in that of r, while r is small compared with a class. If
    rows come in clusters (copies with small changes, rows of one session or one recording), the
    slope increases at the edge of the cluster. Labels that were assigned to whole clusters agree
    within them however noisy they are, so a method that counts agreement takes them for clean.

    Rows with the same categories also form clusters, but are not copies: the numbers among the
    features must show the edge, too.

    Parameters
    ----------
    graph : NeighborGraph
    place_counts : (G, K) array
        Labels at each place of the graph.
    values : (G, d) array, optional
        Features of the places.

    Returns
    -------
    ClusterAgreement or None
        None if the distances show no clusters, or are unknown.
    """
    places = np.unique(np.linspace(0, len(place_counts) - 1, EXAMINED_PLACES).astype(np.int64))
    n_listed = int((graph.indices[places] >= 0).all(axis=0).sum())
    max_rank = min(n_listed, int(MAX_CLUSTER_SHARE * place_counts.sum() / place_counts.shape[1]))
    distances = graph.distances[places, :max_rank]
    if not np.isfinite(distances).all() or (values is None and _mostly_tied(distances)):
        return None
    logs = _log(distances)
    shares = place_counts / place_counts.sum(axis=1, keepdims=True)
    edge = _edge_of_clusters(logs)
    if edge is None or not _shown_by_numbers(graph, values, places, logs, edge):
        return _agreement_of_near_copies(graph, shares, values, places, logs)
    inside, outside = edge
    within = _agreement(shares, graph.indices, places, range(max(1, inside // 2)))
    around = _agreement(
        shares, graph.indices, places, range(outside - 1, min(2 * outside, max_rank))
    )
    n_clusters = len(places) / (inside + 1)
    error = float(np.sqrt(max((within - around).var(), 1e-4) / n_clusters))
    return ClusterAgreement(inside + 1, float(within.mean()), float(around.mean()), error)


def _agreement_of_near_copies(
    graph: NeighborGraph,
    shares: FloatArray,
    values: FloatArray | None,
    places: IntArray,
    logs: FloatArray,
) -> ClusterAgreement | None:
    """The same for single rows whose nearest neighbor is closer than independent rows ever are.

    Clusters of different sizes have no common edge. If D_1 and D_m are the distances of the nearest
    and the m-th neighbor in d dimensions, ``(D_1 / D_m) ** d`` has a Beta(1, m - 1) distribution
    for independent rows.
    """
    near, far = NEAR_COPY_RANK, min(logs.shape[1], 4 * NEAR_COPY_RANK)
    if far < 2 * near:
        return None
    rise = max(float((logs[:, far - 1] - logs[:, near - 1]).mean()), 1e-12)
    dimension = (digamma(far) - digamma(near)) / rise
    if values is not None:
        dimension = min(dimension, values.shape[1])
    closeness = dimension * (logs[:, 0] - logs[:, near - 1])
    copies = closeness < np.log(-np.expm1(np.log1p(-NEAR_COPY_CHANCE) / (near - 1)))
    places, logs = places[copies], logs[copies]
    if copies.mean() < NEAR_COPY_SHARE or not _shown_by_numbers(
        graph, values, places, logs, (1, near)
    ):
        return None
    within = _agreement(shares, graph.indices, places, range(1))
    around = _agreement(shares, graph.indices, places, range(near - 1, far))
    error = float(np.sqrt(max((within - around).var(), 1e-4) * 2 / len(places)))
    return ClusterAgreement(2, float(within.mean()), float(around.mean()), error)


def _shown_by_numbers(
    graph: NeighborGraph,
    values: FloatArray | None,
    places: IntArray,
    logs: FloatArray,
    edge: tuple[int, int],
) -> bool:
    """Whether numbers alone show the rise of the log-distances (m, k) between two ranks."""
    if values is None:
        return True
    inside, outside = edge
    rise = float((logs[:, outside - 1] - logs[:, inside - 1]).mean())
    ends = [graph.indices[places, rank - 1] for rank in edge]
    return _rise_among_numbers(values, places, ends) >= EDGE_AMONG_NUMBERS * rise


def _mostly_tied(distances: FloatArray) -> bool:
    """Whether many of the sorted distances (m, k) are equal, as between categories."""
    ties = (distances[:, 1:] == distances[:, :-1]) & (distances[:, 1:] > 0)
    return bool(ties.sum() > MAX_TIED_SHARE * ties.size)


def _log(distances: FloatArray) -> FloatArray:
    """Logarithms of distances; distances of 0 are replaced by the smallest positive one.

    Copies that differ only by rounding may have a distance of 0.
    """
    smallest = distances[distances > 0].min(initial=np.inf)
    return np.log(np.maximum(distances, smallest if np.isfinite(smallest) else 1.0))


def _edge_of_clusters(logs: FloatArray) -> tuple[int, int] | None:
    """Ranks of neighbors inside and outside of clusters, from logarithms of distances (m, k)."""
    ranks = np.array([rank for rank in CLUSTER_RANKS if rank <= logs.shape[1]])
    if len(ranks) < 3:
        return None
    slopes = np.diff(logs[:, ranks - 1].mean(axis=0)) / np.diff(np.log(ranks))
    flattest = np.minimum.accumulate(slopes)[:-1]
    grows = slopes[1:] > CLUSTER_GROWTH * np.maximum(flattest, MIN_SLOPE)
    if not grows.any():
        return None
    # The largest rise, not ratio: clusters of one size also cause small steps at its multiples.
    edge = int(np.where(grows, slopes[1:] - flattest, 0).argmax()) + 1
    return int(ranks[edge]), int(ranks[edge + 1])


def _rise_among_numbers(values: FloatArray, places: IntArray, ends: list[IndexArray]) -> float:
    """Mean rise of the logarithm of distance between two neighbors (m,) each, in numbers alone.

    Numbers are the columns of `values` (G, d) with too many distinct values to be categories.
    """
    values = values[np.concatenate([places, *ends])]  # of millions, these are few
    many = [len(np.unique(column)) > MAX_CATEGORIES for column in values.T]
    numbers = values[:, many]
    own, *others = np.split(numbers / numbers.std(axis=0), 1 + len(ends))
    logs = [_log(np.sqrt(((own - other) ** 2).sum(axis=1))) for other in others]
    return float((logs[1] - logs[0]).mean())


def _agreement(
    shares: FloatArray, neighbors: IndexArray, places: IntArray, columns: range
) -> FloatArray:
    """Probability (m,) that a row of each place and a row of its neighbors have the same label."""
    own = shares[places]
    return np.mean([(own * shares[neighbors[places, at]]).sum(axis=1) for at in columns], axis=0)
