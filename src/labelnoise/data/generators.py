"""Two classic data sets, generated from their published definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def make_twonorm(n_rows: int = 7400, random_state: Any = None) -> tuple[FloatArray, IntArray]:
    """Twonorm (Breiman, 1996): two unit normals in 20 dimensions.

    Class 0 has mean (a, ..., a), class 1 mean (-a, ..., -a), with ``a = 2 / sqrt(20)``; the
    classes are equally likely and the Bayes error is 2.3%.

    Returns
    -------
    X : (n_rows, 20) array
    y : (n_rows,) array of 0 and 1
    """
    rng = checks.random_generator(random_state)
    n_rows = checks.positive_int(n_rows, "n_rows")
    y = rng.choice(2, n_rows)
    X = rng.normal(size=(n_rows, 20)) + np.where(y == 0, 1.0, -1.0)[:, None] * 2 / np.sqrt(20)
    return X, y.astype(np.int64)


def make_waveform(n_rows: int = 5000, random_state: Any = None) -> tuple[FloatArray, IntArray]:
    """Waveform (Breiman, Friedman, Olshen and Stone, 1984): mixtures of two of three waves.

    Each row is ``u w + (1 - u) w'`` plus unit normal noise at 21 points, u uniform, (w, w')
    the pair of triangular waves of its class: (1, 2), (1, 3) or (2, 3). The Bayes error is
    14%. The paper's two-class version is ``y == 0`` against the rest.

    Returns
    -------
    X : (n_rows, 21) array
    y : (n_rows,) array of 0, 1 and 2
    """
    rng = checks.random_generator(random_state)
    n_rows = checks.positive_int(n_rows, "n_rows")
    at = np.arange(1, 22)
    waves = np.stack([np.maximum(6 - np.abs(at - peak), 0) for peak in (11, 15, 7)])
    pairs = np.array([[0, 1], [0, 2], [1, 2]])
    y = rng.choice(3, n_rows)
    u = rng.uniform(size=(n_rows, 1))
    X = u * waves[pairs[y, 0]] + (1 - u) * waves[pairs[y, 1]] + rng.normal(size=(n_rows, 21))
    return X, y.astype(np.int64)
