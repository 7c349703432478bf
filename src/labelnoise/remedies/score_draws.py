"""Uncertainty of a corrected metric: draws of the rows and of T, and the interval."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.settings import (
    BLOCK_NUMBERS,
    DRAWN_NUMBERS,
    KEPT_NUMBERS,
    MAX_SCORE_DRAWS,
    MAX_TESTED_DRAWS,
    MIN_SCORE_DRAWS,
)
from labelnoise.transition import is_invertible

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.remedies.clean_metrics import CorrectedMetric
    from labelnoise.transition import TransitionMatrix


def matrices_of(noise: Any, T: TransitionMatrix) -> FloatArray:
    """T of the estimate first, then its draws, (S, K, K); a matrix without draws is known."""
    if not isinstance(noise, NoiseEstimate) or noise.draws is None:
        return T.values[None]
    return np.concatenate([T.values[None], noise.draws.transition])


def matrices_to_test(matrices: FloatArray) -> FloatArray:
    """The point estimate and some draws with an inverse, fewer if they are large."""
    largest = BLOCK_NUMBERS // matrices[0].size // 10
    tested = np.concatenate([matrices[:1], matrices[1:][is_invertible(matrices[1:])]])
    return tested[: max(1, min(MAX_TESTED_DRAWS, largest))]


def metric_draws(
    metric: CorrectedMetric, matrices: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """The metric (S, ...) for other rows from the same population, and for other draws of T.

    A mean over classes is biased twice, by the draws and by the sampling of the rows: a class with
    fewer rows than expected gains more than one with more loses. Drawing from the observed counts
    repeats the bias from the sampling of the rows, so the median of these draws differs from the
    value as much as the value differs from the truth.
    """
    values = _drawn_values(metric, matrices[1:] if len(matrices) > 1 else matrices, rng)
    if metric.is_class_mean:
        at_point = _drawn_values(metric, matrices[:1], rng)
        bias = float(np.median(at_point)) - float(metric.value)
        values = values - 2 * (bias if np.isfinite(bias) else 0.0)
    return values


def _drawn_values(
    metric: CorrectedMetric, matrices: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """The metric (S, ...) for random ones of the `matrices` and random shares of the rows.

    Shares of label and prediction have a Dirichlet distribution whose parameters are the observed
    counts plus pseudo-counts, because an empty cell does not prove a share of zero. Matrices
    without an inverse leave the metric undetermined: infinite.
    """
    determined = is_invertible(matrices)
    inverses = np.zeros_like(matrices)
    inverses[determined] = np.linalg.inv(np.swapaxes(matrices[determined], 1, 2))
    counts, of_draws = metric.counts + metric.pseudo_counts, metric.of_draws
    most = min(KEPT_NUMBERS // metric.value.size, DRAWN_NUMBERS // counts.size)
    n_draws = int(np.clip(most, MIN_SCORE_DRAWS, MAX_SCORE_DRAWS))
    values = []
    for start in range(0, n_draws, step := max(1, BLOCK_NUMBERS // counts.size)):
        n = min(step, n_draws - start)
        shares = rng.standard_gamma(counts.ravel(), size=(n, counts.size))
        shares /= shares.sum(axis=1, keepdims=True)
        chosen = rng.integers(len(inverses), size=n)
        drawn = of_draws(inverses[chosen] @ shares.reshape(n, *counts.shape))
        drawn[~determined[chosen]] = np.inf
        values.append(drawn)
    return np.concatenate(values)


def central_interval(
    values: FloatArray, level: float, point: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Central interval of draws (S, ...), extended to the point estimate if necessary.

    Undetermined draws, with a negative share of rows of a class, count half at either end: with
    many of them the interval is unbounded.
    """
    tail = (1 - level) / 2
    sign = np.where(np.arange(len(values)) % 2, -1.0, 1.0).reshape(-1, *[1] * (values.ndim - 1))
    values = np.where(np.isinf(values), sign * np.inf, values)
    known = ~np.isnan(values).all(axis=0)
    values = np.where(known, values, 0.0)
    # Methods that interpolate would subtract infinities.
    lower = np.nanquantile(values, tail, axis=0, method="lower")
    upper = np.nanquantile(values, 1 - tail, axis=0, method="higher")
    point = np.where(np.isinf(point), np.nan, point)
    ends = np.fmin(lower, point), np.fmax(upper, point)
    return np.where(known, ends[0], np.nan), np.where(known, ends[1], np.nan)
