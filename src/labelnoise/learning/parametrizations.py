"""Free parameters (K, K) -> transition matrices, so that T can be learned by gradient descent."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit, softmax

from labelnoise.learning.settings import MIN_INITIAL_PROBABILITY

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


class SoftmaxRows:
    """``T[i] = softmax(free[i])``: any T without zeros."""

    def transition(self, free: FloatArray) -> FloatArray:
        """T (K, K) from free parameters (K, K)."""
        return softmax(free, axis=1)

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """The gradient in the free parameters, from that in T (chain rule)."""
        T = self.transition(free)
        return T * (transition_gradient - (transition_gradient * T).sum(axis=1, keepdims=True))


class DominantRows:
    """``I + sigmoid(free)`` off the diagonal, rows divided by their sums (Li et al. 2021).

    No entry exceeds the diagonal of its row. The diagonal of `free` is not used.
    """

    def transition(self, free: FloatArray) -> FloatArray:
        """T (K, K) from free parameters (K, K)."""
        raw = np.where(np.eye(len(free), dtype=bool), 1.0, expit(free))
        return raw / raw.sum(axis=1, keepdims=True)

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """The gradient in the free parameters, from that in T (chain rule)."""
        raw = np.where(np.eye(len(free), dtype=bool), 1.0, expit(free))
        total = raw.sum(axis=1, keepdims=True)
        mean = (transition_gradient * raw / total).sum(axis=1, keepdims=True)
        return (transition_gradient - mean) / total * raw * (1 - raw)  # zero on the diagonal


Parametrization = SoftmaxRows | DominantRows


def logits_of(transition: FloatArray) -> FloatArray:
    """Free parameters of `SoftmaxRows` for a given T (K, K), whose zeros become very small."""
    return np.log(np.maximum(transition, MIN_INITIAL_PROBABILITY))
