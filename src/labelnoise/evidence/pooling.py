"""Posteriors of several sources -> one score per class, by a logarithmic pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from labelnoise.evidence.settings import MIN_POOLED_PROBABILITY, POOL_WEIGHT_PRECISION

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.posteriors import Posteriors


def pooling_weights(logs: list[Posteriors], cells: Cells) -> FloatArray:
    """Weights (M,) of the pool ``exp(sum_m w_m log p_m)`` that fit the rows' own labels best.

    Unlike an average, a logarithmic pool can sharpen posteriors that agree, and it can discount an
    overconfident one. The objective is concave. Weights are shrunk toward equal ones: without a
    prior, weights fitted to few labels would overfit these labels.

    Parameters
    ----------
    logs : list of (C, K) arrays
        Logarithms of the posteriors.
    cells : Cells
    """
    n_pooled, rows = len(logs), np.arange(len(cells))
    own = np.array([log[rows, cells.label] for log in logs], dtype=np.float64)
    equal = np.full(n_pooled, 1 / n_pooled)

    def negative_log_posterior(weights: FloatArray) -> tuple[float, FloatArray]:
        pool = pooled(weights, logs)
        # einsum sums in a fixed order on any number of threads
        mean = np.array([np.einsum("c,ck,ck->", cells.weight, pool, log) for log in logs])
        log_own = np.log(pool[rows, cells.label])
        value = np.einsum("c,c->", cells.weight, log_own)
        value -= 0.5 * POOL_WEIGHT_PRECISION * ((weights - equal) ** 2).sum()
        gradient = np.einsum("mc,c->m", own, cells.weight) - mean
        gradient -= POOL_WEIGHT_PRECISION * (weights - equal)
        return -float(value), -gradient

    result = minimize(
        negative_log_posterior, equal, jac=True, method="L-BFGS-B", options={"ftol": 1e-8}
    )
    weights: FloatArray = result.x
    return weights


def pooled(weights: FloatArray, logs: list[Posteriors]) -> FloatArray:
    """The pool with these weights, (m, K), from the logarithms of the posteriors."""
    mixed = np.zeros(logs[0].shape)
    for weight, log in zip(weights, logs, strict=True):
        mixed += weight * log
    mixed -= mixed.max(axis=1, keepdims=True)
    np.exp(mixed, out=mixed)
    mixed /= mixed.sum(axis=1, keepdims=True)
    return np.maximum(mixed, MIN_POOLED_PROBABILITY)


def probability_of_own_label(posteriors: FloatArray, cells: Cells) -> FloatArray:
    """Probability that each cell's posterior (C, K) assigns to the cell's own label, (C,)."""
    return posteriors[np.arange(len(cells)), cells.label]


def log_score(own_label_probability: FloatArray, cells: Cells) -> float:
    """Average log-probability of the rows' own labels, from those of the cells (C,)."""
    return float(cells.weight @ np.log(own_label_probability) / cells.weight.sum())
