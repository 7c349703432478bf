"""Free parameters (K, K) -> transition matrices, so that T can be learned by gradient descent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.special import expit, softmax

from labelnoise.learning.settings import MIN_INITIAL_PROBABILITY

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


class Parametrization(Protocol):
    """A differentiable map from free parameters to T."""

    def transition(self, free: FloatArray) -> FloatArray:
        """T (K, K) from free parameters (K, K)."""

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """The gradient in the free parameters, from that in T (chain rule)."""


class SoftmaxRows:
    """``T[i] = softmax(free[i])``: any T without zeros."""

    def transition(self, free: FloatArray) -> FloatArray:
        """T from logits."""
        T: FloatArray = softmax(free, axis=1)
        return T

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """Through the softmax of each row."""
        T = self.transition(free)
        return T * (transition_gradient - (transition_gradient * T).sum(axis=1, keepdims=True))


class DominantRows:
    """``I + sigmoid(free)`` off the diagonal, rows divided by their sums (Li et al. 2021).

    No entry exceeds the diagonal of its row. The diagonal of `free` is not used.
    """

    def transition(self, free: FloatArray) -> FloatArray:
        """T from free parameters."""
        raw = np.where(np.eye(len(free), dtype=bool), 1.0, expit(free))
        return raw / raw.sum(axis=1, keepdims=True)

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """Through the division and the sigmoid."""
        off_diagonal = ~np.eye(len(free), dtype=bool)
        raw = np.where(off_diagonal, expit(free), 1.0)
        total = raw.sum(axis=1, keepdims=True)
        T = raw / total
        mean = (transition_gradient * T).sum(axis=1, keepdims=True)
        raw_gradient = (transition_gradient - mean) / total
        return np.where(off_diagonal, raw_gradient * raw * (1 - raw), 0.0)


def logits_of(transition: FloatArray) -> FloatArray:
    """Free parameters of `SoftmaxRows` for a given T (K, K), whose zeros become very small."""
    return np.log(np.maximum(transition, MIN_INITIAL_PROBABILITY))
