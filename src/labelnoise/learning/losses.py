"""Losses of a softmax layer under label noise, with their gradients.

f(x) is the model's estimate of the clean posterior, given by logits (n, K), and q = f(x) T its
prediction of the noisy label. All losses are means over rows, and are computed from logarithms, so
that no row has an infinite loss.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp

from labelnoise.learning.settings import (
    ABSOLUTE_VALUE_SMOOTHING,
    MIN_PROBABILITY,
    MIN_SINGULAR_VALUE,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


class Loss(NamedTuple):
    """A value, and its gradients in the logits (n, K) and in T (K, K)."""

    value: float
    logits_gradient: FloatArray
    transition_gradient: FloatArray


NoisyLoss = Callable[["FloatArray", "FloatArray", "IntArray"], Loss]
"""A loss of logits (n, K), T (K, K) and labels (n,)."""


def log_transition(transition: FloatArray) -> FloatArray:
    """Logarithms of T (K, K): -inf for zeros, except in columns that are all zero.

    If zeros were raised to a small number, a row that T says must be mislabeled would have no
    gradient. Positive entries are raised to `MIN_PROBABILITY`: a T that is learned would otherwise
    approach zero without end.
    """
    possible = (transition > 0) | (transition.max(axis=0) == 0)
    return np.where(possible, np.log(np.maximum(transition, MIN_PROBABILITY)), -np.inf)


def forward_loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
    """``-log (f(x) T)_y`` (Patrini et al. 2017), which is the cross-entropy if T = I.

    With responsibilities ``r_i = f_i T[i, y] / (f T)_y`` the gradient in the logits is f - r.

    Two classes with probability 0.5 each, and labels that are right with probability 0.9: each
    label has probability 0.5.

    >>> T = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> round(forward_loss(np.zeros((1, 2)), T, np.array([0])).value, 4)  # log 2
    0.6931
    """
    n = len(labels)
    log_f = log_softmax(logits, axis=1)
    joint = log_f + log_transition(transition).T[labels]
    log_q = logsumexp(joint, axis=1, keepdims=True)
    r = np.exp(joint - log_q)
    transition_gradient = -_by_label(_limited_exp(log_f - log_q), labels) / n
    return Loss(-float(log_q.mean()), (np.exp(log_f) - r) / n, transition_gradient)


def backward_loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
    """``-sum_i S[y, i] log f_i(x)`` with ``S = T^-1``: unbiased for the clean loss.

    Its expectation over noisy labels is the clean loss for every f (Natarajan et al. 2013, Patrini
    et al. 2017), because ``sum_j T[i, j] S[j, i'] = [i = i']``. Rows of S sum to one, so the
    gradient in the logits is ``f - S[y]``. S has negative entries, and the loss of a row may be
    negative. With T = I it is the cross-entropy:

    >>> round(backward_loss(np.zeros((1, 2)), np.eye(2), np.array([0])).value, 4)  # log 2
    0.6931
    """
    n = len(labels)
    log_f = log_softmax(logits, axis=1)
    inverse = np.linalg.inv(transition)
    target = inverse[labels]
    inverse_gradient = -_by_label(log_f, labels).T / n  # [label, class]
    value = -float((target * log_f).sum(axis=1).mean())
    return Loss(value, (np.exp(log_f) - target) / n, -(inverse.T @ inverse_gradient @ inverse.T))


def reweighted_loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
    """Cross-entropy with importance weights ``f_y / (f T)_y`` (Liu and Tao 2016).

    If f and T are right, the weighted noisy risk is the clean risk. The gradient includes that of
    the weights. As f may be any function, this minimizes the entropy of f: every f that predicts
    with certainty has a loss of zero, right or wrong. So the minimum estimates nothing, and
    training has to stop early.
    """
    n, rows = len(labels), np.arange(len(labels))
    log_f = log_softmax(logits, axis=1)
    f = np.exp(log_f)
    joint = log_f + log_transition(transition).T[labels]
    log_q = logsumexp(joint, axis=1)
    own = log_f[rows, labels]
    weight = _limited_exp(own - log_q)
    r = np.exp(joint - log_q[:, None])
    one_hot = np.eye(logits.shape[1])[labels]
    # The value is -w log f_y, log w = log f_y - log q_y; d log f_y = e_y - f, d log q_y = r - f.
    in_logits = -(weight * own)[:, None] * (one_hot - r) - weight[:, None] * (one_hot - f)
    in_T = _by_label((weight * own)[:, None] * _limited_exp(log_f - log_q[:, None]), labels)
    return Loss(-float((weight * own).mean()), in_logits / n, in_T / n)


def weighted_loss(weights: FloatArray) -> NoisyLoss:
    """Cross-entropy with given weights (n,); T is not used."""

    def loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
        n, k = logits.shape
        log_f = log_softmax(logits, axis=1)
        own = log_f[np.arange(n), labels]
        in_logits = -weights[:, None] * (np.eye(k)[labels] - np.exp(log_f))
        return Loss(-float((weights * own).mean()), in_logits / n, np.zeros_like(transition))

    return loss


def total_variation(logits: FloatArray, partners: IntArray) -> tuple[float, FloatArray]:
    """Mean total variation between f(x) and f(partner of x), and its gradient in the logits.

    The `partners` (n,) are a permutation of the rows.
    """
    f = np.exp(log_softmax(logits, axis=1))
    difference = f - f[partners]
    size = np.sqrt(difference**2 + ABSOLUTE_VALUE_SMOOTHING**2)
    slope = 0.5 * difference / size / len(f)
    in_f = slope.copy()
    in_f[partners] -= slope  # each row is the partner of one row
    in_logits = f * (in_f - (in_f * f).sum(axis=1, keepdims=True))
    value = 0.5 * float((size - ABSOLUTE_VALUE_SMOOTHING).sum(axis=1).mean())
    return value, in_logits


def log_volume(transition: FloatArray) -> tuple[float, FloatArray]:
    """``log |det T|``, the log-volume of the simplex of T's rows, and its gradient in T.

    Singular values below `MIN_SINGULAR_VALUE` are raised to it, and have no gradient: with two
    equal rows the volume is zero, and its logarithm minus infinity.

    >>> round(log_volume(np.diag([0.5, 0.5]))[0], 4)  # log 1/4
    -1.3863
    """
    left, singular, right = np.linalg.svd(transition)
    limited = np.maximum(singular, MIN_SINGULAR_VALUE)
    gradient = (left * np.where(singular > MIN_SINGULAR_VALUE, 1 / limited, 0.0)) @ right
    return float(np.log(limited).sum()), gradient


def _limited_exp(logs: FloatArray) -> FloatArray:
    """Ratios of probabilities from their logarithms, at most ``1 / MIN_PROBABILITY``."""
    return np.exp(np.minimum(logs, -np.log(MIN_PROBABILITY)))


def _by_label(values: FloatArray, labels: IntArray) -> FloatArray:
    """Sum rows (n, K) by label, [class, label]."""
    return values.T @ np.eye(values.shape[1])[labels]
