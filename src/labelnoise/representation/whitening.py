"""Linear changes of the features: standard scales, and no correlation (paper, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

NULL_VARIANCE = 1e-10
"""Directions with less than this share of the largest variance are rounding, not data."""


@dataclass(frozen=True)
class LinearMap:
    """``z = (x - mean) @ matrix``; a 1-d `matrix` scales the columns."""

    mean: FloatArray  # (d,)
    matrix: FloatArray  # (d, d') or (d,)

    def __call__(self, X: FloatArray) -> FloatArray:
        """Map rows, (n, d) -> (n, d')."""
        centered = X - self.mean
        return centered * self.matrix if self.matrix.ndim == 1 else centered @ self.matrix


def _mean(X: FloatArray, weights: FloatArray) -> FloatArray:
    # einsum sums in a fixed order, whatever the number of threads
    return np.einsum("n,nd->d", weights, X) / weights.sum()


def standardization(X: FloatArray, weights: FloatArray) -> LinearMap:
    """Centre every column and divide it by its standard deviation."""
    mean = _mean(X, weights)
    # Squares of very large or very small numbers leave the range of floats: scale them first.
    reach = np.maximum(X.max(axis=0) - mean, mean - X.min(axis=0))
    reach = np.where(reach > 0, reach, 1.0)
    variance = np.einsum("n,nd->d", weights, ((X - mean) / reach) ** 2) / weights.sum()
    return LinearMap(mean, 1 / (reach * np.sqrt(np.where(variance > 0, variance, 1.0))))


def decorrelation(X: FloatArray, weights: FloatArray) -> LinearMap:
    """Centre, rotate to the eigenvectors of the covariance, scale each to unit variance.

    Equation 3 of the paper, ``z = Lambda^{-1/2} P^T x`` with ``P Lambda P^T = E[x x^T]``, so
    that ``E[z z^T] = I``. Departures: a symmetric eigensolver (the published code uses a
    general one and keeps real parts), and directions without variance are dropped instead
    of divided by zero. Eigenvectors have a free sign; ours have their largest entry positive.
    """
    mean = _mean(X, weights)
    reach = np.abs(X - mean).max()
    scale = reach if reach > 0 else 1.0
    centered = (X - mean) / scale * np.sqrt(weights / weights.sum())[:, None]
    variances, vectors = np.linalg.eigh(centered.T @ centered)
    alive = variances > NULL_VARIANCE * variances[-1]
    variances, vectors = variances[alive], vectors[:, alive]
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return LinearMap(mean, vectors * signs / np.sqrt(variances) / scale)
