"""Labels, predictions and what T might be -> what a metric might be on clean labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import MAX_CONDITION_NUMBER

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.remedies.clean_metrics import Asked, Metric
    from labelnoise.transition import TransitionMatrix

LEAST_DRAWS, N_DRAWS = 200, 2000
"""Draws behind an interval: fewer only where many classes make each of them large."""

BLOCK, KEPT, WORKED = 2**22, 2**25, 2**28
"""Numbers that are worked on at once, that are kept of all draws, and that all draws have."""

TRIED = 20
"""Draws of T that labels are held against."""


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

    def some(self) -> FloatArray:
        """The point and some draws, (S, K, K), fewer if they are large."""
        return self.matrices[: max(1, min(TRIED, BLOCK // self.matrices[0].size // 10))]


def drawn_values(
    possible: Possible, counts: FloatArray, measure: Metric, rng: np.random.Generator
) -> FloatArray:
    """The metric (S, ...) for rows that might have come as well, and for what T might be.

    Shares of label and prediction are drawn from a Dirichlet distribution with these `counts`
    (K, K), all above 0: those that were found and some more, as an empty cell is no proof that
    there is nothing in it.
    """
    ways, cells = possible.ways_to_undo, counts.size
    size = measure(counts / counts.sum()).size
    n_draws = int(np.clip(min(KEPT // size, WORKED // cells), LEAST_DRAWS, N_DRAWS))
    values = []
    for low in range(0, n_draws, step := max(1, BLOCK // cells)):
        n = min(step, n_draws - low)
        shares = rng.standard_gamma(counts.ravel(), size=(n, cells))
        shares /= shares.sum(axis=1, keepdims=True)
        joint = ways[rng.integers(len(ways), size=n)] @ shares.reshape(n, *counts.shape)
        values.append(measure(joint))
    return np.concatenate(values)


def lean(possible: Possible, asked: Asked, rng: np.random.Generator) -> float:
    """By how much a mean over classes comes out too high, by the drawing of rows alone.

    Ratios lean: a class that has fewer rows than it should gains more than one with more loses.
    What draws do to the value, drawing the rows did to it before: their median is as far from the
    value as it is from the truth.
    """
    point = Possible(possible.matrices[:1])
    drawn = drawn_values(point, asked.counts + asked.more, asked.of_drawn, rng)
    middle, value = float(np.median(drawn)), float(asked.value)
    return middle - value if np.isfinite(middle) and np.isfinite(value) else 0.0


def interval_of(
    values: FloatArray, level: float, point: FloatArray, share_singular: float
) -> tuple[FloatArray, FloatArray]:
    """Central interval of draws (S, ...), stretched to hold the point if need be.

    Draws that could be anything (T singular, or a class less than nothing) count half at either
    end: with many of them the interval has no ends.
    """
    tail = (1 - level) / 2
    values = values.copy()
    values[: round(len(values) * share_singular)] = np.inf  # any draws will do: they are all alike
    side = np.where(np.arange(len(values)) % 2, -1.0, 1.0).reshape(-1, *[1] * (values.ndim - 1))
    values = np.where(np.isinf(values), side * np.inf, values)
    known = ~np.isnan(values).all(axis=0)
    held = np.where(known, values, 0.0)
    # Methods that interpolate would subtract infinities.
    lower = np.nanquantile(held, tail, axis=0, method="lower")
    upper = np.nanquantile(held, 1 - tail, axis=0, method="higher")
    point = np.where(np.isinf(point), np.nan, point)
    ends = np.fmin(lower, point), np.fmax(upper, point)
    return np.where(known, ends[0], np.nan), np.where(known, ends[1], np.nan)
