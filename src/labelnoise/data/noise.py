"""Synthetic noise: transition matrices, and labels corrupted according to them."""

from __future__ import annotations

import math
import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import labels_like
from labelnoise.data.settings import MAX_REDRAWS
from labelnoise.errors import LabelNoiseError
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label, RandomSource

STREAM = 0x6E6F697365
"""Added to a seed, so that labels get random numbers of their own ("noise" in ASCII)."""


def _rate(rate: float) -> float:
    if not isinstance(rate, numbers.Real) or not 0 <= rate <= 1:
        raise LabelNoiseError("not_a_noise_rate", value=rate)
    return float(rate)


def symmetric_noise(classes: int | Sequence[Label], rate: float) -> TransitionMatrix:
    """Labels are right with probability ``1 - rate``; all mistakes are equally likely.

    >>> symmetric_noise(3, 0.2).values
    array([[0.8, 0.1, 0.1],
           [0.1, 0.8, 0.1],
           [0.1, 0.1, 0.8]])
    """
    names = checks.class_names(classes)
    n = len(names)
    T = np.full((n, n), _rate(rate) / (n - 1))
    np.fill_diagonal(T, 1 - rate)
    return TransitionMatrix(T, names)


def pair_noise(classes: int | Sequence[Label], rate: float) -> TransitionMatrix:
    """Every class is mistaken only for the next one, the last for the first.

    >>> pair_noise(3, 0.25).values
    array([[0.75, 0.25, 0.  ],
           [0.  , 0.75, 0.25],
           [0.25, 0.  , 0.75]])
    """
    names = checks.class_names(classes)
    keep = np.eye(len(names))
    return TransitionMatrix((1 - _rate(rate)) * keep + rate * np.roll(keep, 1, axis=1), names)


def paper_noise_rate(ratio: float, n_classes: int) -> float:
    """Average noise rate of the paper's text experiments, ``1 / (1 + r / sqrt(K - 1))``.

    The paper uses r = 8 (low), 4 (medium) and 1.5 (high).

    >>> [round(paper_noise_rate(r, 5), 2) for r in (8, 4, 1.5)]
    [0.2, 0.33, 0.57]
    """
    checks.positive_int(n_classes, "n_classes", minimum=2)
    return 1 / (1 + checks.positive_number(ratio, "ratio") / math.sqrt(n_classes - 1))


def random_noise(
    classes: int | Sequence[Label], rate: float, random_state: Any = None
) -> TransitionMatrix:
    """Random, diagonally dominant matrix as in the paper's text experiments.

    Diagonal ``1 - rate + Uniform(-0.05, 0.05)``, off-diagonals Dirichlet(1) scaled to the
    rest of the row, redrawn while one exceeds 0.9 of the diagonal. (The paper's text has
    ``T_ii = e + Uniform``; its experiments, and ours, use ``1 - e``.) A rate of 0 gives the
    identity.
    """
    if not _rate(rate):
        return TransitionMatrix.identity(classes)
    names, rng = checks.class_names(classes), checks.random_generator(random_state)
    n = len(names)
    T = np.zeros((n, n))
    for i in range(n):
        T[i] = _random_row(i, n, _rate(rate), rng)
    return TransitionMatrix(T, names)


def _random_row(i: int, n: int, rate: float, rng: RandomSource) -> FloatArray:
    for _ in range(MAX_REDRAWS):
        stay = min(1.0, 1 - rate + rng.uniform(-0.05, 0.05))
        others = (1 - stay) * rng.dirichlet(np.ones(n - 1))
        if others.max() <= 0.9 * stay:
            return np.insert(others, i, stay)
    raise LabelNoiseError("noise_rate_too_high", rate=rate, n_classes=n)


def inject_noise(
    y: ArrayLike, T: TransitionMatrix | ArrayLike, random_state: Any = None, *, exact: bool = False
) -> Any:
    """Corrupt labels according to a transition matrix.

    Parameters
    ----------
    y : array-like of shape (n,)
        Clean labels. A pandas or polars series is returned as one.
    T : TransitionMatrix or array of shape (K, K)
        Rows are true classes; those of a plain array are the sorted classes of `y`.
    random_state : None, int, Generator or RandomState
        Labels drawn with a seed do not depend on what else is drawn with the same seed. If
        `exact`, a RandomState calls ``choice`` once for each class, in order.
    exact : bool
        False: every label is drawn from its row of T. True: of the n_i rows of class i,
        exactly ``floor(n_i T[i, j])`` become j, drawn without replacement, so that the
        realized matrix is T up to rounding.

    Examples
    --------
    >>> clean = np.array(["cat"] * 10 + ["dog"] * 10)
    >>> noisy = inject_noise(clean, [[0.7, 0.3], [0.0, 1.0]], random_state=0, exact=True)
    >>> int((noisy != clean).sum())
    3
    """
    found = checks.labels(y, None).classes
    matrix = T if isinstance(T, TransitionMatrix) else TransitionMatrix(np.asarray(T), found)
    if not set(found) <= set(matrix.classes):
        raise LabelNoiseError("matrix_of_other_classes", classes=matrix.classes, labels=found)
    encoded = checks.labels(y, None, matrix.classes)
    codes = (_exact if exact else _drawn)(
        encoded.codes, matrix.values, _independent_stream(random_state)
    )
    return labels_like(y, codes, encoded.classes)


def _independent_stream(random_state: Any) -> RandomSource:
    """Random numbers that are independent of what else was drawn with the same seed.

    Clean labels made by ``default_rng(0).random(n) < 0.1`` and corrupted with ``random_state=0``
    would otherwise go wrong mostly in the rare class: both would use the same numbers.
    """
    if isinstance(random_state, numbers.Integral) and int(random_state) >= 0:
        return np.random.default_rng([int(random_state), STREAM])
    return checks.random_generator(random_state)


def _drawn(codes: IntArray, T: FloatArray, rng: RandomSource) -> IntArray:
    """Draw each label from its row of T, by inverting the row's distribution function."""
    uniform = rng.uniform(size=len(codes))
    edges = np.cumsum(T, axis=1)
    noisy = np.zeros_like(codes)
    for j in range(T.shape[1] - 1):
        noisy += uniform >= edges[codes, j]
    return noisy


def _exact(codes: IntArray, T: FloatArray, rng: RandomSource) -> IntArray:
    noisy = codes.copy()
    for i in range(len(T)):
        rows = np.flatnonzero(codes == i)
        flips = np.array([0 if j == i else int(len(rows) * T[i, j] + 1e-9) for j in range(len(T))])
        chosen = rng.choice(rows, flips.sum(), replace=False)
        noisy[chosen] = np.repeat(np.arange(len(T)), flips)
    return noisy


def realized_transition(clean: ArrayLike, noisy: ArrayLike) -> TransitionMatrix:
    """The realized matrix: row i is the label histogram of the rows truly in class i.

    >>> realized_transition(["a", "a", "b", "b"], ["a", "b", "b", "b"]).values
    array([[0.5, 0.5],
           [0. , 1. ]])
    """
    true = checks.labels(clean, None)
    observed = checks.labels(noisy, len(true.codes), true.classes, of="clean")
    n = len(true.classes)
    counts = np.bincount(true.codes * n + observed.codes, minlength=n * n).reshape(n, n)
    return TransitionMatrix(counts / counts.sum(axis=1, keepdims=True), true.classes)
