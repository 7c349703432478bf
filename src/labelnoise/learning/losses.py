"""Losses of a softmax layer under label noise, with their gradients.

f(x) is the model's guess at the clean posterior, given by logits (n, K). Means over rows.
Likelihoods are worked out in log space: no row has a loss of infinity.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray, IntArray

TINY = 1e-12
"""Smaller entries of T count as this, zeros apart; ratios of chances are held below its inverse."""

FLAT = 1e-6
"""Singular values of T below this count as this."""

SOFT = 1e-6
"""Differences below this are rounded off at the kink of the total variation."""


class Loss(NamedTuple):
    """A value, and its gradients in the logits (n, K) and in T (K, K)."""

    value: float
    in_logits: FloatArray
    in_transition: FloatArray


def log_transition(transition: FloatArray) -> FloatArray:
    """Logarithms of T (K, K); what is impossible stays so, unless a label is impossible for all.

    With a floor under zero, a row that is surely mistaken would have no slope to follow. A T that
    is being learnt has no zeros, and is held above the floor: it would drift without end.
    """
    possible = (transition > 0) | (transition.max(axis=0) == 0)
    return np.where(possible, np.log(np.maximum(transition, TINY)), -np.inf)


def forward_loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
    """``-log (f(x) T)_y``: T = I makes it the cross-entropy.

    With responsibilities ``r_i = f_i T[i, y] / (f T)_y`` the gradient in the logits is f - r.

    Examples
    --------
    Even odds between two classes, labels right with 0.9: either label has probability 0.5.

    >>> T = np.array([[0.9, 0.1], [0.1, 0.9]])
    >>> round(forward_loss(np.zeros((1, 2)), T, np.array([0])).value, 4)  # log 2
    0.6931
    """
    n = len(labels)
    log_f = log_softmax(logits, axis=1)
    joint = log_f + log_transition(transition).T[labels]
    log_q = logsumexp(joint, axis=1, keepdims=True)
    r = np.exp(joint - log_q)
    in_transition = -_by_label(_held(log_f - log_q), labels) / n
    return Loss(-float(log_q.mean()), (np.exp(log_f) - r) / n, in_transition)


def backward_loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
    """``-sum_i S[y, i] log f_i(x)`` with ``S = T^-1``: on average over labels the clean loss.

    That holds for every f, whatever the features (Natarajan et al. 2013, Patrini et al. 2017),
    because ``sum_j T[i, j] S[j, i'] = [i = i']``. Rows of S sum to one, so the gradient in the
    logits is ``f - S[y]``; but S has negative entries, and the loss of a row may be below zero.

    Examples
    --------
    T = I makes it the cross-entropy.

    >>> round(backward_loss(np.zeros((1, 2)), np.eye(2), np.array([0])).value, 4)  # log 2
    0.6931
    """
    n = len(labels)
    log_f = log_softmax(logits, axis=1)
    inverse = np.linalg.inv(transition)
    target = inverse[labels]
    in_inverse = -_by_label(log_f, labels).T / n  # [label, class]
    value = -float((target * log_f).sum(axis=1).mean())
    return Loss(value, (np.exp(log_f) - target) / n, -(inverse.T @ in_inverse @ inverse.T))


def reweighted_loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
    """Cross-entropy with importance weights ``f_y / (f T)_y`` (Liu and Tao 2016).

    If f and T are right, the weighted noisy risk is the clean risk. The gradient goes through the
    weights as well, and f is free: what is minimized is then the entropy of f, and any f that is
    sure of itself has a loss of zero, right or wrong. So the minimum is no estimate of anything,
    and training has to stop on the way.
    """
    n, rows = len(labels), np.arange(len(labels))
    log_f = log_softmax(logits, axis=1)
    f = np.exp(log_f)
    joint = log_f + log_transition(transition).T[labels]
    log_q = logsumexp(joint, axis=1)
    own = log_f[rows, labels]
    weight = _held(own - log_q)
    r = np.exp(joint - log_q[:, None])
    one_hot = np.eye(logits.shape[1])[labels]
    # The value is -w log f_y, log w = log f_y - log q_y; d log f_y = e_y - f, d log q_y = r - f.
    change = -(weight * own)[:, None] * (one_hot - r) - weight[:, None] * (one_hot - f)
    in_transition = _by_label((weight * own)[:, None] * _held(log_f - log_q[:, None]), labels)
    return Loss(-float((weight * own).mean()), change / n, in_transition / n)


def weighted_loss(weights: FloatArray) -> Callable[[FloatArray, FloatArray, IntArray], Loss]:
    """Cross-entropy with given weights (n,), as a loss of logits, T and labels; T has no part."""

    def loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
        n, k = logits.shape
        log_f = log_softmax(logits, axis=1)
        own = log_f[np.arange(n), labels]
        change = -weights[:, None] * (np.eye(k)[labels] - np.exp(log_f))
        return Loss(-float((weights * own).mean()), change / n, np.zeros_like(transition))

    return loss


def separation(logits: FloatArray, partners: IntArray) -> tuple[float, FloatArray]:
    """Mean total variation between f(x) and f(partner), and its gradient in the logits.

    Parameters
    ----------
    logits : (n, K) array
    partners : (n,) int array
        A permutation of the rows.
    """
    f = np.exp(log_softmax(logits, axis=1))
    apart = f - f[partners]
    size = np.sqrt(apart**2 + SOFT**2)
    pull = 0.5 * apart / size / len(f)
    in_f = pull.copy()
    in_f[partners] -= pull  # each row is the partner of one row
    in_logits = f * (in_f - (in_f * f).sum(axis=1, keepdims=True))
    return 0.5 * float((size - SOFT).sum(axis=1).mean()), in_logits


def log_volume(transition: FloatArray) -> tuple[float, FloatArray]:
    """``log |det T|`` and its gradient: the smaller, the tighter the simplex of T's rows.

    Singular values below a floor count as the floor: a T whose rows fall together has no volume,
    and no gradient that would lead out of there.

    >>> round(log_volume(np.diag([0.5, 0.5]))[0], 4)  # log 1/4
    -1.3863
    """
    left, singular, right = np.linalg.svd(transition)
    held = np.maximum(singular, FLAT)
    gradient = (left * np.where(singular > FLAT, 1 / held, 0.0)) @ right
    return float(np.log(held).sum()), gradient


def _held(logs: FloatArray) -> FloatArray:
    """Exponentials, none above ``1 / TINY``: ratios of chances where one is all but impossible."""
    ratio: FloatArray = np.exp(np.minimum(logs, -np.log(TINY)))
    return ratio


def _by_label(values: FloatArray, labels: IntArray) -> FloatArray:
    """Sum rows (n, K) by label, [class, label]."""
    k = values.shape[1]
    order = np.argsort(labels, kind="stable")
    edges = np.searchsorted(labels[order], np.arange(k + 1))
    sums = np.concatenate([np.zeros((1, k)), np.cumsum(values[order], axis=0)])
    return (sums[edges[1:]] - sums[edges[:-1]]).T
