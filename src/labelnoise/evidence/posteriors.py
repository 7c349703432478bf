"""Leave-one-out posteriors: predictions of a row's label from the labels of other rows.

Given the features, labels err independently from row to row. So a row's own label is a new draw
with respect to any score made from the other rows' labels, and the average log-probability that
such a score assigns to it is a proper scoring rule: scores can be compared without clean labels.
(The pseudo-counts added to every neighborhood have the label frequencies of all rows, including the
row itself.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise.evidence.settings import (
    MAX_LEVERAGE,
    MAX_NEIGHBORHOOD_IN_HIGH_DIMENSIONS,
    MAX_NEIGHBORHOOD_SHARE,
    MIN_FITTED_PROBABILITY,
    MIN_PSEUDO_COUNT_OF_CLASS,
    NEIGHBORHOOD_SIZES,
    NEIGHBORS_PER_BLOCK,
    PSEUDO_COUNT,
    RIDGE_PENALTIES,
)
from labelnoise.neighbors.settings import MAX_TREE_DIMENSIONS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IndexArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.neighbors.graph import NeighborGraph

Posteriors = np.ndarray[Any, np.dtype[np.float32]]


def neighborhood_sizes(n_rows: int, n_dimensions: int) -> tuple[int, ...]:
    """Neighborhood sizes for this many rows in this many dimensions.

    >>> neighborhood_sizes(90, 2), neighborhood_sizes(9000, 100)
    ((5, 10, 20, 30), (5, 10, 20, 40, 80))
    """
    few_dimensions = n_dimensions <= MAX_TREE_DIMENSIONS
    limit = NEIGHBORHOOD_SIZES[-1] if few_dimensions else MAX_NEIGHBORHOOD_IN_HIGH_DIMENSIONS
    largest = max(2, min(limit, int(MAX_NEIGHBORHOOD_SHARE * n_rows)))
    return (*(size for size in NEIGHBORHOOD_SIZES if size < largest), largest)


def neighbor_posteriors(
    graph: NeighborGraph, cells: Cells, sizes: tuple[int, ...]
) -> list[Posteriors]:
    """Label frequencies (C, K) among the nearest rows of each cell, one array per size.

    The nearest rows are first the others at the same place, then those at place after place. A
    place of which only a part fits into the neighborhood counts in that proportion, so ties never
    have to be broken.
    """
    counts, start = cells.counts_by_place(), pseudo_counts(cells.label_frequencies)
    n_at, labels = counts.sum(axis=1), sparse.csr_array(counts)
    posteriors = [np.empty((len(cells), cells.n_classes), np.float32) for _ in sizes]
    block = max(1, NEIGHBORS_PER_BLOCK // (graph.indices.shape[1] + cells.n_classes))
    for low in range(0, len(counts), block):
        places = slice(low, low + block)
        inside = slice(*np.searchsorted(cells.place, [low, low + block]))
        others = counts[cells.place[inside]] - cells.one_hot(inside)
        near = graph.indices[places]
        n_near = np.where(near >= 0, n_at[near], 0.0)
        n_nearer = np.cumsum(n_near, axis=1) - n_near + (n_at[places] - 1)[:, None]
        around, taken = np.zeros_like(counts[places]), np.zeros_like(n_near)
        for posterior, size in zip(posteriors, sizes, strict=True):
            share = np.clip((size - n_nearer) / np.maximum(n_near, 1.0), 0.0, 1.0)
            share[n_near == 0] = 0.0
            around = around + (_added_links(near, share - taken, len(counts)) @ labels).toarray()
            taken = share
            counted = start + around[cells.place[inside] - low] + _at_most(size, others)
            posterior[inside] = counted / counted.sum(axis=1, keepdims=True)
    return posteriors


def _at_most(size: int, counts: FloatArray) -> FloatArray:
    """Counts (c, K), scaled down where their sum exceeds the size of a neighborhood."""
    return np.minimum(1.0, size / np.maximum(counts.sum(axis=1, keepdims=True), 1)) * counts


def pseudo_counts(frequencies: FloatArray) -> FloatArray:
    """Rows of each class (K,) that are added to every neighborhood.

    >>> pseudo_counts(np.array([0.5, 0.48, 0.02]))
    array([1.  , 0.96, 0.2 ])
    """
    return np.maximum(PSEUDO_COUNT * frequencies, MIN_PSEUDO_COUNT_OF_CLASS)


def _added_links(near: IndexArray, share: FloatArray, n_places: int) -> sparse.csr_array:
    """Neighbor lists with the share of each place added at this size, as a sparse matrix."""
    added = share > 0
    ends = np.concatenate([[0], np.cumsum(added.sum(axis=1))])
    return sparse.csr_array((share[added], near[added], ends), shape=(len(near), n_places))


class LinearPosterior:
    """Ridge regression of the label indicators on the coordinates, one row left out at a time.

    Least squares estimates the conditional mean of the indicators, which is the posterior. Leaving
    row r out has the closed form ``y_r - (y_r - f_r) / (1 - h_r)`` with the leverage h_r, and one
    eigendecomposition is enough for all penalties. The linear posterior is the smooth limit of the
    neighborhoods: it averages over all rows, they over a few.

    Parameters
    ----------
    Z : (places, d) array
    cells : Cells
    """

    def __init__(self, Z: FloatArray, cells: Cells) -> None:
        counts = cells.counts_by_place()
        rows = counts.sum(axis=1)
        self.frequencies = cells.label_frequencies
        self.scale = max(float(np.abs(Z).max()), np.finfo(float).tiny)  # squares stay in range
        Z = Z / self.scale
        self.mean = np.einsum("n,nd->d", rows, Z) / rows.sum()
        centered = Z - self.mean
        variances, self.axes = np.linalg.eigh((centered * rows[:, None]).T @ centered)
        self.variances = np.maximum(variances, 0.0)
        self.unit = max(self.variances.mean(), np.finfo(float).tiny)
        along = centered @ self.axes
        self.targets = along.T @ (counts - rows[:, None] * self.frequencies)
        self._along, self._n_rows = along, rows.sum()

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors (C, K) of the cells' rows, each without its own label, one per penalty."""
        squares, one_hot = self._along**2, cells.one_hot()
        posteriors = []
        for shrinkage in self._shrinkages():
            fitted = self.frequencies + self._along @ (shrinkage[:, None] * self.targets)
            leverage = np.minimum(squares @ shrinkage + 1 / self._n_rows, MAX_LEVERAGE)
            leverage = leverage[cells.place, None]
            residual = (one_hot - fitted[cells.place]) / (1 - leverage)
            posteriors.append(_probabilities(one_hot - residual))
        return posteriors

    def predict(self, Z: FloatArray) -> list[Posteriors]:
        """Posteriors (m, K) of new rows, one per penalty."""
        along = (Z / self.scale - self.mean) @ self.axes
        return [
            _probabilities(self.frequencies + along @ (shrinkage[:, None] * self.targets))
            for shrinkage in self._shrinkages()
        ]

    def _shrinkages(self) -> list[FloatArray]:
        """Inverse penalized variances (d,) along the axes, one per penalty."""
        return [1 / (self.variances + penalty * self.unit) for penalty in RIDGE_PENALTIES]


def _probabilities(fitted: FloatArray) -> Posteriors:
    clipped = np.maximum(fitted, MIN_FITTED_PROBABILITY)
    return (clipped / clipped.sum(axis=1, keepdims=True)).astype(np.float32)
