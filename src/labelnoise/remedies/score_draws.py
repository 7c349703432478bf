"""Uncertainty of a corrected metric: draws of the rows and of T, and the interval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

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


@dataclass(frozen=True)
class TransitionDraws:
    """Draws of T: the point estimate first, then the draws that have an inverse.

    The share of those without one is kept, because they leave the clean labels undetermined.
    """

    matrices: FloatArray  # (S, K, K)
    share_singular: float = 0.0

    @classmethod
    def of(cls, noise: Any, T: TransitionMatrix) -> Self:
        """From an estimate and its T; a matrix without an estimate is taken as known."""
        if not isinstance(noise, NoiseEstimate) or noise.draws is None:
            return cls(T.values[None])
        drawn = noise.draws.transition
        regular = is_invertible(drawn)
        return cls(np.concatenate([T.values[None], drawn[regular]]), float(1 - regular.mean()))

    @property
    def inverses(self) -> FloatArray:
        """``T'^-1`` of each draw, or of the point estimate if there are no draws, (S, K, K)."""
        drawn = self.matrices[1:] if len(self.matrices) > 1 else self.matrices
        return np.linalg.inv(np.swapaxes(drawn, 1, 2)).astype(np.float64)

    def to_test(self) -> FloatArray:
        """The point estimate and some draws, (S, K, K), fewer if they are large."""
        largest = BLOCK_NUMBERS // self.matrices[0].size // 10
        return self.matrices[: max(1, min(MAX_TESTED_DRAWS, largest))]


def metric_draws(
    metric: CorrectedMetric, draws: TransitionDraws, rng: np.random.Generator
) -> FloatArray:
    """The metric (S, ...) for other rows from the same population, and for other draws of T.

    A mean over classes is biased twice, by the draws and by the sampling of the rows: a class with
    fewer rows than expected gains more than one with more loses. Drawing from the observed counts
    repeats the bias from the sampling of the rows, so the median of these draws differs from the
    value as much as the value differs from the truth.
    """
    values = _drawn_values(metric, draws.inverses, rng)
    if metric.is_class_mean:
        at_point = _drawn_values(metric, TransitionDraws(draws.matrices[:1]).inverses, rng)
        bias = float(np.median(at_point)) - float(metric.value)
        values = values - 2 * (bias if np.isfinite(bias) else 0.0)
    return values


def _drawn_values(
    metric: CorrectedMetric, inverses: FloatArray, rng: np.random.Generator
) -> FloatArray:
    """The metric (S, ...) for random ones of the `inverses` and random shares of the rows.

    Shares of label and prediction have a Dirichlet distribution whose parameters are the observed
    counts plus pseudo-counts, because an empty cell does not prove a share of zero.
    """
    counts, of_draws = metric.counts + metric.pseudo_counts, metric.of_draws
    most = min(KEPT_NUMBERS // metric.value.size, DRAWN_NUMBERS // counts.size)
    n_draws = int(np.clip(most, MIN_SCORE_DRAWS, MAX_SCORE_DRAWS))
    values = []
    for start in range(0, n_draws, step := max(1, BLOCK_NUMBERS // counts.size)):
        n = min(step, n_draws - start)
        shares = rng.standard_gamma(counts.ravel(), size=(n, counts.size))
        shares /= shares.sum(axis=1, keepdims=True)
        joint = inverses[rng.integers(len(inverses), size=n)] @ shares.reshape(n, *counts.shape)
        values.append(of_draws(joint))
    return np.concatenate(values)


def central_interval(
    values: FloatArray, level: float, point: FloatArray, share_singular: float
) -> tuple[FloatArray, FloatArray]:
    """Central interval of draws (S, ...), extended to the point estimate if necessary.

    Undetermined draws (a singular T, or a class with a negative share of rows) count half at either
    end: with many of them the interval is unbounded.
    """
    tail = (1 - level) / 2
    values = values.copy()
    values[: round(len(values) * share_singular)] = np.inf  # which draws does not matter
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
