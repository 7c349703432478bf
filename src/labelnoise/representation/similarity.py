"""Soft cosine similarity (paper, definition 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.errors import LabelNoiseError, wrong_shape

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray


def soft_cosine(x: ArrayLike, other: ArrayLike, W: ArrayLike) -> FloatArray:
    """Cosine similarity when features are related by a symmetric matrix W.

    ``x^T W x' / sqrt(x^T W x  x'^T W x')``, equal to the cosine of ``sqrt(W) x`` and
    ``sqrt(W) x'`` (equation 2 of the paper). W = I gives the plain cosine.

    Parameters
    ----------
    x, other : arrays of shape (..., d)
        Vectors, compared along the last axis.
    W : array of shape (d, d) or (d,)
        Symmetric and positive semi-definite; a vector is a diagonal matrix.

    Returns
    -------
    array of shape (...)
        Similarities in [-1, 1]; 0 where a vector has length zero.

    Examples
    --------
    The paper's first two examples: a lower weight of the third feature changes the neighbor.

    >>> x1, x2, x3 = [1, 0, 1], [0, 1, 0], [0.8, 1, 0.7]
    >>> soft_cosine([x1, x2], x3, [1, 1, 1]).round(2)
    array([0.73, 0.69])
    >>> soft_cosine([x1, x2], x3, [1, 1, 0.1]).round(2)
    array([0.64, 0.77])
    """
    x, other, W = (np.asarray(a, dtype=float) for a in (x, other, W))
    W = np.diag(W) if W.ndim == 1 else W
    d = x.shape[-1]
    if W.shape != (d, d) or other.shape[-1] != d:
        expected = f"{(d, d)}, for vectors of {d} and {other.shape[-1]} features"
        raise wrong_shape("W", W.shape, expected)
    if not np.allclose(W, W.T) or np.linalg.eigvalsh(W)[0] < -1e-10 * np.abs(W).max():
        raise LabelNoiseError("soft_cosine_matrix_invalid")
    inner = (x @ W * other).sum(axis=-1)
    length = np.sqrt(np.maximum((x @ W * x).sum(axis=-1) * (other @ W * other).sum(axis=-1), 0))
    return np.where(length > 0, inner / np.where(length > 0, length, 1), 0.0)
