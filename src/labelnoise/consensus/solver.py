"""Consensus counts -> T and the clean prior: the equations of HOC, solved."""

from __future__ import annotations

import contextlib
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import OptimizeResult, minimize
from scipy.special import softmax
from threadpoolctl import threadpool_limits

from labelnoise.consensus.settings import (
    COARSE_SMOOTHINGS,
    EVENNESS_WEIGHT,
    MAX_CLASSES_FOR_FULL_RUNS,
    MAX_EVENNESS_WEIGHT,
    MAX_ROWS_FOR_SCALE,
    MAX_STEPS,
    PRIOR_WEIGHT,
    SMOOTHING,
    TOLERANCE,
    TRIAL_STEPS,
)
from labelnoise.errors import NotIdentifiableError

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.consensus.counts import ConsensusCounts


@dataclass(frozen=True)
class ConsensusSolution:
    """T (K, K), clean prior p (K,), and whether the search converged."""

    transition: FloatArray
    prior: FloatArray
    converged: bool


# The matrices are small, and threads would only slow each other down.
@threadpool_limits.wrap(limits=1, user_api="blas")
def solve_consensus(
    counts: ConsensusCounts, *, n_starts: int = 4, rng: np.random.Generator
) -> ConsensusSolution:
    """Find T and p whose consensus probabilities come closest to the counts.

    If a row and its two nearest neighbors share their true class k, and labels err
    independently, the frequencies of labels, pairs and triplets are

        c1 = sum_k p_k T_k,   c2 = sum_k p_k T_k T_k^T,   c3 = sum_k p_k T_k (x) T_k (x) T_k

    with T_k the k-th row of T. As in the published code, the sum of the three (unsquared) norms
    of the misfits is minimized, with ``(max_j T_kj - T_kk)^2`` added for each row whose largest
    entry is not on the diagonal. Departures, each with a reason:

    - L-BFGS with analytic gradients from several starts, of which the best result is kept (with
      more than 8 classes, only the start that leads after 40 steps is followed to its end). The
      published code runs Adam once and returns its last step.
    - Two weak priors: ``0.1 / sqrt(n)`` times the cross-entropy of p against the label
      frequencies, and ``min(20 / sqrt(n), 0.3)`` times the variance of T's diagonal, with each
      class weighted by its label frequency. On weak evidence the best fit is often a corner with
      an almost empty class. The priors express that, without evidence to the contrary, p is near
      the label frequencies and classes are equally noisy.
    """
    loss = _Loss(counts)
    starts = _starts(counts, n_starts, rng)
    if loss.n_classes > MAX_CLASSES_FOR_FULL_RUNS:
        smooth = loss.smoothed(COARSE_SMOOTHINGS[0])
        trials = [_descend(smooth, start, TRIAL_STEPS) for start in starts]
        starts = [min(trials, key=lambda trial: trial.fun).x]
    end = min((_run(loss, start) for start in starts), key=lambda run: run.fun)
    # Status 1 is the limit of steps. Status 2, no better point along the line, is the usual end at
    # a minimum near the kink of a norm, for lack of floating-point digits.
    return ConsensusSolution(*loss.unpack(end.x), end.status != 1)


def _run(loss: _Loss, at: FloatArray) -> OptimizeResult:
    """Minimize the loss through all smoothings, the coarsest first."""
    for smoothing in COARSE_SMOOTHINGS:
        at = _descend(loss.smoothed(smoothing), at, MAX_STEPS).x
    return _descend(loss, at, MAX_STEPS)


def _descend(loss: _Loss, start: FloatArray, steps: int) -> OptimizeResult:
    options: Any = {"maxiter": steps, "maxfun": 2 * steps, "ftol": loss.tolerance, "gtol": 1e-7}
    return minimize(loss, start, jac=True, method="L-BFGS-B", options=options)


def _starts(counts: ConsensusCounts, n_starts: int, rng: np.random.Generator) -> list[FloatArray]:
    """Starts: from the label pairs, from the closed form (K = 2), then random ones."""
    n_classes = len(counts.first)
    p = counts.first / counts.total
    diagonals = [3 * np.eye(n_classes) - 2 * rng.random((n_classes,) * 2) for _ in range(n_starts)]
    starts = [_logits(_root_of_pairs(counts), p)]
    if n_classes == 2:
        with contextlib.suppress(NotIdentifiableError):
            starts.append(_logits(*solve_binary(counts)))
    starts += [_logits(softmax(diagonal, axis=1), p) for diagonal in diagonals]
    return starts[:n_starts]


def _logits(T: FloatArray, p: FloatArray) -> FloatArray:
    return np.log(np.concatenate([np.clip(T, 1e-4, None).ravel(), np.clip(p, 1e-3, None)]))


def _root_of_pairs(counts: ConsensusCounts) -> FloatArray:
    """A first guess of T: the square root of the pair frequencies c2, with rows of sum 1."""
    second = counts.second / counts.total
    values, vectors = np.linalg.eigh((second + second.T) / 2)
    root = (vectors * np.sqrt(np.maximum(values, 0))) @ vectors.T
    root = np.maximum(root, 0) + 1e-6
    return root / root.sum(axis=1, keepdims=True)


class _Loss:
    """The loss and its gradient in the logits of T and p.

    The norms do not need the model's (K, K, K) array: with ``G = T T^T`` the model of order m
    has squared norm ``p^T G^m p`` (entrywise powers), and its inner product with the counts of
    order m needs one contraction.
    """

    def __init__(self, counts: ConsensusCounts) -> None:
        # Rounded, so that sums in another order do not lead the search to another result.
        third = np.round(counts.third / counts.total, 12)
        self.n_classes = n = len(third)
        self.first = third.sum(axis=(1, 2))
        self._squares = [float((c**2).sum()) for c in (self.first, third.sum(axis=2), third)]
        axes = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
        # The model is symmetric, so only the symmetric part of the counts matters.
        symmetric = sum(third.transpose(a) for a in axes) / 6
        self._third = np.ascontiguousarray(symmetric).reshape(n * n, n)
        second = third.sum(axis=2)
        self._second = (second + second.T) / 2
        root = np.sqrt(min(counts.total, MAX_ROWS_FOR_SCALE))
        self._prior_weight = PRIOR_WEIGHT / root
        self._evenness_weight = min(EVENNESS_WEIGHT / root, MAX_EVENNESS_WEIGHT)
        self.smoothing = SMOOTHING / root
        self.tolerance = TOLERANCE / root

    def smoothed(self, smoothing: float) -> _Loss:
        """The same loss with a larger smoothing of its norms (never a smaller one)."""
        other = copy(self)
        other.smoothing = max(smoothing, self.smoothing)
        return other

    def unpack(self, logits: FloatArray) -> tuple[FloatArray, FloatArray]:
        n = self.n_classes
        T = softmax(logits[: n * n].reshape(n, n), axis=1)
        p = softmax(logits[n * n :])
        return T, p

    def __call__(self, logits: FloatArray) -> tuple[float, FloatArray]:
        T, p = self.unpack(logits)
        value, grad_T, grad_p = self._fit(T, p)
        n = self.n_classes
        diagonal, largest = np.diag(T), T.argmax(axis=1)
        lead = T[np.arange(n), largest] - diagonal
        value += float(lead @ lead)
        np.add.at(grad_T, (np.arange(n), largest), 2 * lead)
        spread = diagonal - self.first @ diagonal
        value += self._evenness_weight * float(self.first @ spread**2)
        grad_T[np.diag_indices(n)] += 2 * self._evenness_weight * self.first * spread - 2 * lead
        value -= self._prior_weight * float(self.first @ np.log(np.maximum(p, 1e-300)))
        grad_p -= self._prior_weight * self.first / np.maximum(p, 1e-300)
        # Through the softmax: d/dlogit = x (g - <x, g>).
        in_T = T * (grad_T - (T * grad_T).sum(axis=1, keepdims=True))
        in_p = p * (grad_p - p @ grad_p)
        return value, np.concatenate([in_T.ravel(), in_p])

    def _fit(self, T: FloatArray, p: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Sum of the three norms, without priors, and its gradients in T and p."""
        gram = T @ T.T
        value, grad_T, grad_p = 0.0, np.zeros_like(T), np.zeros_like(p)
        for order, counted in enumerate(self._contractions(T), start=1):
            inner = (T * counted).sum(axis=1)  # of c_m with the m-th power of T_k
            power = gram**order
            squared = self._squares[order - 1] - 2 * p @ inner + p @ power @ p
            norm = np.sqrt(max(squared, 0.0) + self.smoothing**2)
            value += norm
            slope = (p * gram ** (order - 1)) @ T - counted
            grad_T += order * p[:, None] * slope / norm
            grad_p += (power @ p - inner) / norm
        return float(value), grad_T, grad_p

    def _contractions(self, T: FloatArray) -> list[FloatArray]:
        """c1, c2 T_k and c3 T_k T_k for every k, each (K, K) with row k for class k."""
        n = self.n_classes
        third = (self._third @ T.T).reshape(n, n, n)  # [a, b, k]
        return [
            np.broadcast_to(self.first, (n, n)),
            T @ self._second,
            np.einsum("abk,kb->ka", third, T),
        ]


def solve_binary(counts: ConsensusCounts) -> tuple[FloatArray, FloatArray]:
    """Closed form for two classes, from the frequencies of one, two and three labels 1.

    With ``t_k = P(observed = 1 | true = k)`` these are the moments of a variable that takes the
    value t_k with probability p_k. So t_0 and t_1 are the two nodes of Gauss quadrature: the
    roots of ``t^2 - s t + d``, with s = t_0 + t_1 and d = t_0 t_1 from
    ``m_{j+2} = s m_{j+1} - d m_j``.

    Rows of T (2, 2) are probabilities if the counts come from the model; other counts can give
    entries outside [0, 1].

    >>> from labelnoise.consensus.counts import ConsensusCounts
    >>> T, p = np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0.6, 0.4])
    >>> exact = ConsensusCounts(np.einsum("k,ka,kb,kc->abc", p, T, T, T), independent_pairs=1)
    >>> solve_binary(exact)[0].round(6)
    array([[0.9, 0.1],
           [0.3, 0.7]])
    """
    third = counts.third / counts.total
    one = third.sum(axis=(1, 2))[1]
    two = (third[1, 1].sum() + third[1, :, 1].sum() + third[:, 1, 1].sum()) / 3
    three = third[1, 1, 1]
    variance = two - one**2
    if variance <= 1e-12:
        raise NotIdentifiableError("labels_not_predicted", source="nearest neighbors")
    s = (three - one * two) / variance
    d = s * one - two
    root = np.sqrt(max(s**2 / 4 - d, 0.0))
    low, high = s / 2 - root, s / 2 + root
    ones = (one - low) / max(high - low, 1e-12)
    return np.array([[1 - low, low], [1 - high, high]]), np.array([1 - ones, ones])
