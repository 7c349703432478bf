"""Leave-one-out posteriors: what a row's surroundings say about its label, its own left out.

Given the features, labels err independently from row to row. So a row's own label is a fresh draw
next to any score made from the other rows' labels, and the average log-probability that
such a score gives to it is a proper score: it needs no clean label to say which scores are better.
(The pseudo-counts that frequencies start with are those of all rows, this one among them: it shares
them with every other row.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.optimize import minimize

from labelnoise.neighbors.graph import TREE_DIMENSIONS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IndexArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.neighbors.graph import NeighborGraph

Posteriors = np.ndarray[Any, np.dtype[np.float32]]

SCALES = (5, 10, 20, 40, 80, 160, 320)
"""Sizes of a neighborhood, in rows."""

LARGEST_IN_MANY = 80
"""Largest neighborhood in more than `TREE_DIMENSIONS` dimensions: more neighbors are costly
there and not near, and the linear posterior does what they would."""

MAX_SHARE = 1 / 3
"""Share of all rows beyond which a neighborhood is no neighborhood."""

PSEUDO_ROWS, LEAST_OF_A_CLASS = 2.0, 0.2
"""Rows with the overall label frequencies that every neighborhood starts with, and how much of a
row at least of each class: the logarithm of less would make a single neighbor decide."""

BLOCK_NUMBERS = 4_000_000
"""Neighbors whose labels are gathered at once."""

SHRINKAGE = 20.0
"""Precision of the prior of a pool's weights: about equal, give or take 0.2."""

SMALLEST_POOLED = 1e-12
"""A pool may be sure, but no label is impossible."""

PENALTIES = (0.03, 0.3, 3.0)
"""Ridge penalties, in units of the rows times the average variance of a coordinate."""

SMALLEST = 0.01
"""Least squares may leave [0, 1]; below this share they say no more than "hardly"."""

HIGHEST_LEVERAGE = 0.999
"""A row that fits itself alone says nothing left out; its division by zero is cut short here."""


def scales_for(n_rows: int, n_dimensions: int) -> tuple[int, ...]:
    """Neighborhood sizes for so many rows in so many dimensions.

    >>> scales_for(90, 2), scales_for(9000, 100)
    ((5, 10, 20, 30), (5, 10, 20, 40, 80))
    """
    most = SCALES[-1] if n_dimensions <= TREE_DIMENSIONS else LARGEST_IN_MANY
    largest = max(2, min(most, int(MAX_SHARE * n_rows)))
    return (*(scale for scale in SCALES if scale < largest), largest)


def neighbor_posteriors(
    graph: NeighborGraph, cells: Cells, scales: tuple[int, ...]
) -> list[Posteriors]:
    """Label frequencies (C, K) among the nearest rows of each cell, one array a scale.

    A row's nearest are first the other rows at its place, then place after place; a place that
    only partly fits into the neighborhood counts in part. So no tie is ever broken.
    """
    counts, start = cells.counts_by_place(), pseudo_counts(cells.label_frequencies)
    size, labels = counts.sum(axis=1), sparse.csr_array(counts)
    found = [np.empty((len(cells), cells.n_classes), np.float32) for _ in scales]
    block = max(1, BLOCK_NUMBERS // (graph.indices.shape[1] + cells.n_classes))
    for low in range(0, len(counts), block):
        places = slice(low, low + block)
        inside = slice(*np.searchsorted(cells.place, [low, low + block]))
        others = counts[cells.place[inside]] - cells.one_hot(inside)
        near = graph.indices[places]
        near_size = np.where(near >= 0, size[near], 0.0)
        nearer = np.cumsum(near_size, axis=1) - near_size + (size[places] - 1)[:, None]
        around, taken = np.zeros_like(counts[places]), np.zeros_like(near_size)
        for frequencies, scale in zip(found, scales, strict=True):
            share = np.clip((scale - nearer) / np.maximum(near_size, 1.0), 0.0, 1.0)
            share[near_size == 0] = 0.0
            around = around + (_links(near, share - taken, len(counts)) @ labels).toarray()
            taken = share
            counted = start + around[cells.place[inside] - low] + _at_most(scale, others)
            frequencies[inside] = counted / counted.sum(axis=1, keepdims=True)
    return found


def _at_most(scale: int, counts: FloatArray) -> FloatArray:
    """Counts (c, K), in proportion fewer where they exceed the size of a neighborhood."""
    return np.minimum(1.0, scale / np.maximum(counts.sum(axis=1, keepdims=True), 1)) * counts


def pseudo_counts(frequencies: FloatArray) -> FloatArray:
    """Rows of each class (K,) that every neighborhood starts with.

    >>> pseudo_counts(np.array([0.5, 0.48, 0.02]))
    array([1.  , 0.96, 0.2 ])
    """
    return np.maximum(PSEUDO_ROWS * frequencies, LEAST_OF_A_CLASS)


def _links(near: IndexArray, share: FloatArray, n_places: int) -> sparse.csr_array:
    """Neighbor lists with the share of each that is new at this scale, as a sparse matrix."""
    new = share > 0
    ends = np.concatenate([[0], np.cumsum(new.sum(axis=1))])
    return sparse.csr_array((share[new], near[new], ends), shape=(len(near), n_places))


class LinearPosterior:
    """Ridge regression of the label indicators on the coordinates, one row left out at a time.

    Least squares aims at the conditional mean of the indicators, which is the posterior;
    leaving row r out has the closed form ``y_r - (y_r - f_r) / (1 - h_r)`` with the
    leverage h_r. One eigendecomposition serves all penalties, and the fit is the smooth
    end of the scales: it averages over all rows where neighborhoods average over a few.

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
        """Posteriors (C, K) of the cells' rows, each without its own label, one a penalty."""
        squares, one_hot = self._along**2, cells.one_hot()
        found = []
        for penalty in PENALTIES:
            shrunk = 1 / (self.variances + penalty * self.unit)
            fitted = self.frequencies + self._along @ (shrunk[:, None] * self.targets)
            leverage = np.minimum(squares @ shrunk + 1 / self._n_rows, HIGHEST_LEVERAGE)
            leverage = leverage[cells.place, None]
            residual = (one_hot - fitted[cells.place]) / (1 - leverage)
            found.append(_probabilities(one_hot - residual))
        return found

    def predict(self, Z: FloatArray) -> list[Posteriors]:
        """Posteriors (m, K) of new rows, one a penalty."""
        along = (Z / self.scale - self.mean) @ self.axes
        shrunk = [1 / (self.variances + penalty * self.unit) for penalty in PENALTIES]
        return [
            _probabilities(self.frequencies + along @ (s[:, None] * self.targets)) for s in shrunk
        ]


def _probabilities(fitted: FloatArray) -> Posteriors:
    clipped = np.maximum(fitted, SMALLEST)
    return (clipped / clipped.sum(axis=1, keepdims=True)).astype(np.float32)


def pooling_weights(logs: list[Posteriors], cells: Cells) -> FloatArray:
    """Weights (M,) of a pool ``exp(sum_m w_m log p_m)`` that makes the rows' own labels likeliest.

    A logarithmic pool can sharpen posteriors that agree, which an average of them cannot, and
    discount one that is too sure of itself. The search is convex. Weights are shrunk to equal
    ones: fitted freely to few labels, the pool would come to know the labels it is to foretell.

    Parameters
    ----------
    logs : list of (C, K) arrays
        Logarithms of the posteriors.
    cells : Cells
    """
    n_pooled, rows = len(logs), np.arange(len(cells))
    own = np.array([log[rows, cells.label] for log in logs], dtype=np.float64)
    start = np.full(n_pooled, 1 / n_pooled)

    def objective(weights: FloatArray) -> tuple[float, FloatArray]:
        pool = pooled(weights, logs)
        # einsum sums in one order, whatever the number of threads
        mean = np.array([np.einsum("c,ck,ck->", cells.weight, pool, log) for log in logs])
        likely = np.log(pool[rows, cells.label])
        value = np.einsum("c,c->", cells.weight, likely)
        value -= 0.5 * SHRINKAGE * ((weights - start) ** 2).sum()
        gradient = np.einsum("mc,c->m", own, cells.weight) - mean - SHRINKAGE * (weights - start)
        return -float(value), -gradient

    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"ftol": 1e-8})
    weights: FloatArray = found.x
    return weights


def pooled(weights: FloatArray, logs: list[Posteriors]) -> FloatArray:
    """The pool with these weights, (m, K), from logarithms of posteriors."""
    mixed = np.zeros(logs[0].shape)
    for weight, log in zip(weights, logs, strict=True):
        mixed += weight * log
    mixed -= mixed.max(axis=1, keepdims=True)
    np.exp(mixed, out=mixed)
    mixed /= mixed.sum(axis=1, keepdims=True)
    return np.maximum(mixed, SMALLEST_POOLED)


def probability_of_own_label(posteriors: FloatArray, cells: Cells) -> FloatArray:
    """Probability that each cell's posterior gives to the cell's own label, (C,)."""
    return posteriors[np.arange(len(cells)), cells.label]


def log_score(probabilities: FloatArray, cells: Cells) -> float:
    """Average log-probability of the rows' own labels, given those of the cells (C,)."""
    return float(cells.weight @ np.log(probabilities) / cells.weight.sum())
