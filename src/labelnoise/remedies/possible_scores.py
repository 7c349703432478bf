"""Labels, predictions and what T might be -> what a metric might be on clean labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import gammaincc

from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import MAX_CONDITION_NUMBER

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.remedies.clean_metrics import Metric
    from labelnoise.transition import TransitionMatrix

LEAST_DRAWS, N_DRAWS = 200, 2000
"""Draws behind an interval: fewer only where many classes make each of them large."""

BLOCK, KEPT, WORKED = 2**22, 2**25, 2**28
"""Numbers that are worked on at once, that are kept of all draws, and that all draws have."""

EM_STEPS = 300
"""Steps to the best shares that are not negative; more hardly change the likelihood."""


@dataclass(frozen=True)
class Possible:
    """What T might be.

    Attributes
    ----------
    matrices : (S, K, K) array
        The point first, then draws that have an inverse.
    share_singular : float
        Share of the draws that have none: with them, clean labels could be anything.
    """

    matrices: FloatArray
    share_singular: float = 0.0

    @classmethod
    def of(cls, noise: Any, T: TransitionMatrix) -> Possible:
        """From an estimate and its T; a matrix that is given is the only one."""
        if not isinstance(noise, NoiseEstimate) or noise.draws is None:
            return cls(T.values[None])
        drawn = noise.draws.transition
        regular = np.linalg.cond(drawn) <= MAX_CONDITION_NUMBER
        return cls(np.concatenate([T.values[None], drawn[regular]]), float(1 - regular.mean()))

    @property
    def ways_to_undo(self) -> FloatArray:
        """``T'^-1`` of each draw, or of the point if there are no draws, (S, K, K)."""
        drawn = self.matrices[1:] if len(self.matrices) > 1 else self.matrices
        return np.linalg.inv(np.swapaxes(drawn, 1, 2)).astype(np.float64)

    def some(self, n: int = 20) -> FloatArray:
        """The point and some draws, (n, K, K)."""
        return self.matrices[:n]


def drawn_values(
    possible: Possible, counts: FloatArray, measure: Metric, rng: np.random.Generator
) -> FloatArray:
    """The metric (S, ...) for rows that might have come as well, and for what T might be.

    Shares of label and prediction are drawn around the `counts` (K, K), with one more row
    spread over all cells: an empty cell is no proof that there is nothing in it.
    """
    ways, cells = possible.ways_to_undo, counts.size
    size = measure(counts / counts.sum()).size
    n_draws = int(np.clip(min(KEPT // size, WORKED // cells), LEAST_DRAWS, N_DRAWS))
    values = []
    for low in range(0, n_draws, step := max(1, BLOCK // cells)):
        n = min(step, n_draws - low)
        shares = rng.standard_gamma(counts.ravel() + 1 / cells, size=(n, cells))
        shares /= shares.sum(axis=1, keepdims=True)
        joint = ways[rng.integers(len(ways), size=n)] @ shares.reshape(n, *counts.shape)
        values.append(measure(joint))
    return np.concatenate(values)


def interval_of(
    values: FloatArray, level: float, point: FloatArray, share_singular: float
) -> tuple[FloatArray, FloatArray]:
    """Central interval of draws, stretched to hold the point if need be.

    Without ends where too many draws could be anything: T singular, or a class less than nothing.
    """
    tail = (1 - level) / 2
    anything = share_singular + (1 - share_singular) * np.isinf(values).mean(axis=0)
    finite = np.where(np.isinf(values), np.nan, values)
    known = ~np.isnan(finite).all(axis=0)
    lower, upper = np.nanquantile(np.where(known, finite, 0.0), (tail, 1 - tail), axis=0)
    certain = np.where(np.isinf(point), np.nan, point)
    lower, upper = np.fmin(lower, certain), np.fmax(upper, certain)
    open_ended, nothing = anything > tail, ~known & (anything <= tail)
    return (
        np.where(nothing, np.nan, np.where(open_ended, -np.inf, lower)),
        np.where(nothing, np.nan, np.where(open_ended, np.inf, upper)),
    )


def misfit_by_chance(matrices: FloatArray, counts: FloatArray) -> float:
    """How probable it is that labels which err by one of some T fit as badly as these, at most.

    Shares of true class and prediction cannot be negative. The best ones that are not are found
    by maximum likelihood (EM), for each T (S, K, K). If T is right, twice the log-likelihood that
    is lost is at most chi-squared, with a degree for each share that had to be held at zero; for
    counts as small as some are it is a little more, so there is one for every cell.
    """
    n_rows, k = counts.sum(), len(counts)
    observed = counts / n_rows
    shares = np.full_like(matrices, 1 / k**2)
    for _ in range(EM_STEPS):
        expected = np.maximum(np.swapaxes(matrices, 1, 2) @ shares, 1e-300)
        shares = shares * (matrices @ (observed / expected))
    expected = np.maximum(np.swapaxes(matrices, 1, 2) @ shares, 1e-300)
    ratio = np.where(observed > 0, observed, 1.0) / np.where(observed > 0, expected, 1.0)
    lost = 2 * n_rows * (observed * np.log(ratio)).sum(axis=(1, 2))
    return float(gammaincc(counts.size / 2, max(0.0, lost.min() / 2)))
