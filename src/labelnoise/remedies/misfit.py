"""Labels and T -> whether labels can have gone wrong by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaincc

from labelnoise.transition import MAX_CONDITION_NUMBER

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

EM_STEPS = 300
"""Steps towards the best shares that are not negative."""

MOST_TESTED = 200
"""Classes up to which T is tested, as the cost grows with their cube."""

HARDLY = 1e-3
"""Chance below which labels do not fit to T by accident."""


def misfit_by_chance(matrices: FloatArray, counts: FloatArray) -> float | None:
    """How probable it is that labels which err by one of some T fit as badly as these, at most.

    Shares of true class and prediction cannot be negative. The best ones that are not are found
    by maximum likelihood (EM), for each T; the likelihood that is still to come after the last
    step is extrapolated, as EM creeps. If T is right, twice the log-likelihood that is lost is at
    most chi-squared with a degree for each share that had to be held at zero; counting all cells
    instead leaves room for counts so small that the law of large numbers is far.

    Parameters
    ----------
    matrices : (S, K, K) array
    counts : (K, M) array
        Rows by label, and by anything that labels do not depend on, given the true class:
        predictions, or nothing (M = 1).

    Returns
    -------
    float or None
        None if there are too many classes to say.

    Examples
    --------
    No rows are labeled 1, of which T alone makes a fifth of all others:

    >>> T = np.array([[[0.8, 0.2], [0.2, 0.8]]])
    >>> misfit_by_chance(T, np.array([[100.0], [0.0]])) < 1e-6
    True
    >>> misfit_by_chance(T, np.array([[80.0], [20.0]])) > 0.99
    True
    """
    n_rows, k = counts.sum(), len(counts)
    if k > MOST_TESTED:
        return None
    observed = counts / n_rows
    shares = _undone(matrices, observed)
    if (shares >= 0).all(axis=(1, 2)).any():
        return 1.0  # nothing had to be held at zero
    shares = np.maximum(np.nan_to_num(shares), 0.01 / counts.size)
    shares /= shares.sum(axis=(1, 2), keepdims=True)
    likelihoods = []
    for step in range(EM_STEPS):
        expected = np.maximum(np.swapaxes(matrices, 1, 2) @ shares, 1e-300)
        shares = shares * (matrices @ (observed / expected))
        if step >= EM_STEPS - 3:
            likelihoods.append((observed * np.log(expected)).sum(axis=(1, 2)))
    before, last = np.diff(likelihoods, axis=0)
    pace = np.clip(last / np.maximum(before, 1e-300), 0.0, 0.9999)
    reached = likelihoods[-1] + np.maximum(last, 0.0) * pace / (1 - pace)
    most = (observed * np.log(np.where(observed > 0, observed, 1.0))).sum()
    lost = 2 * n_rows * float((most - reached).min())
    return float(gammaincc(counts.size / 2, max(0.0, lost / 2)))


def _undone(matrices: FloatArray, observed: FloatArray) -> FloatArray:
    """Shares (S, K, M) that give the observed ones exactly; NaN if T has no inverse."""
    found = np.full((len(matrices), *observed.shape), np.nan)
    regular = np.linalg.cond(matrices) <= MAX_CONDITION_NUMBER
    found[regular] = np.linalg.solve(np.swapaxes(matrices[regular], 1, 2), observed)
    return found
