"""Test whether labels can have been produced by T."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaincc

from labelnoise.remedies.settings import EM_STEPS, MAX_TESTED_CLASSES
from labelnoise.transition import is_invertible

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


def fit_p_value(matrices: FloatArray, counts: FloatArray) -> float | None:
    """Upper bound of the p-value of a test that labels were produced by one of several T.

    The shares of true class and prediction cannot be negative. For each T, the best non-negative
    shares are found by maximum likelihood (EM); the limit of the likelihood is extrapolated,
    because EM converges slowly. If T is correct, twice the loss of log-likelihood has at most a
    chi-squared distribution with one degree of freedom for each share that is constrained to zero.
    All cells are counted instead, as counts may be too small for the asymptotic distribution.

    The `counts` (K, M) are rows by label, and by anything that labels do not depend on, given the
    true class: predictions, or nothing (M = 1). `matrices` is (S, K, K). The result is None if
    there are too many classes to test.

    No rows are labeled 1, although T turns a fifth of all others into 1:

    >>> T = np.array([[[0.8, 0.2], [0.2, 0.8]]])
    >>> fit_p_value(T, np.array([[100.0], [0.0]])) < 1e-6
    True
    >>> fit_p_value(T, np.array([[80.0], [20.0]])) > 0.99
    True
    """
    n_rows, k = counts.sum(), len(counts)
    if k > MAX_TESTED_CLASSES:
        return None
    observed = counts / n_rows
    shares = np.full((len(matrices), *counts.shape), np.nan)  # NaN if T has no inverse
    regular = is_invertible(matrices)
    shares[regular] = np.linalg.solve(np.swapaxes(matrices[regular], 1, 2), observed)
    if (shares >= 0).all(axis=(1, 2)).any():
        return 1.0  # no share is constrained
    reached = _best_log_likelihood(matrices, observed, shares)
    highest = (observed * np.log(np.where(observed > 0, observed, 1.0))).sum()
    lost = 2 * n_rows * float((highest - reached).min())
    return float(gammaincc(counts.size / 2, max(0.0, lost / 2)))


def _best_log_likelihood(
    matrices: FloatArray, observed: FloatArray, start: FloatArray
) -> FloatArray:
    """Mean log-likelihood (S,) of observed shares (K, M) under the best non-negative ones."""
    shares = np.maximum(np.nan_to_num(start), 0.01 / observed.size)
    shares /= shares.sum(axis=(1, 2), keepdims=True)
    likelihoods = []
    for step in range(EM_STEPS):
        expected = np.maximum(np.swapaxes(matrices, 1, 2) @ shares, 1e-300)
        shares = shares * (matrices @ (observed / expected))
        if step >= EM_STEPS - 3:
            likelihoods.append((observed * np.log(expected)).sum(axis=(1, 2)))
    before, last = np.diff(likelihoods, axis=0)
    ratio = np.clip(last / np.maximum(before, 1e-300), 0.0, 0.9999)
    return likelihoods[-1] + np.maximum(last, 0.0) * ratio / (1 - ratio)
