"""Linear maps of the features: standardization and decorrelation (paper, section 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.representation.settings import NULL_VARIANCE

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


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
    # einsum sums in a fixed order on any number of threads
    return np.einsum("n,nd->d", weights, X) / weights.sum()


def standardization(X: FloatArray, weights: FloatArray) -> LinearMap:
    """Center every column and divide it by its standard deviation.

    scikit-learn's StandardScaler does the same for rows. This one is for distinct points (U, d),
    each of which may stand for several rows, and sums in the same order on any number of threads.
    """
    mean = _mean(X, weights)
    # Scaled first: squares of very large or small numbers would be outside the range of floats.
    largest = np.maximum(X.max(axis=0) - mean, mean - X.min(axis=0))
    largest = np.where(largest > 0, largest, 1.0)
    variance = np.einsum("n,nd->d", weights, ((X - mean) / largest) ** 2) / weights.sum()
    return LinearMap(mean, 1 / (largest * np.sqrt(np.where(variance > 0, variance, 1.0))))


def decorrelation(X: FloatArray, weights: FloatArray) -> LinearMap:
    """Center, rotate to the eigenvectors of the covariance, scale each to variance 1.

    Equation 3 of the paper, ``z = Lambda^{-1/2} P^T x`` with ``P Lambda P^T = E[x x^T]``, so
    that ``E[z z^T] = I``. Departures: a symmetric eigensolver (the published code uses a
    general one and keeps real parts), and directions without variance are dropped, where the
    published code divides by zero. The sign of an eigenvector is arbitrary; here its largest entry
    is positive.
    """
    mean = _mean(X, weights)
    scale = float(np.abs(X - mean).max()) or 1.0
    centered = (X - mean) / scale * np.sqrt(weights / weights.sum())[:, None]
    variances, vectors = np.linalg.eigh(centered.T @ centered)
    kept = variances > NULL_VARIANCE * variances[-1]
    variances, vectors = variances[kept], vectors[:, kept]
    at_largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[at_largest, np.arange(vectors.shape[1])])
    return LinearMap(mean, vectors * signs / np.sqrt(variances) / scale)
