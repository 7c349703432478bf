"""Transition matrices to learn: free numbers (K, K) -> rows that are distributions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np
from scipy.special import expit, softmax

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


class MatrixForm(Protocol):
    """A way to write T with free numbers."""

    def matrix(self, free: FloatArray) -> FloatArray:
        """T (K, K) from free numbers (K, K)."""

    def pull(self, free: FloatArray, in_transition: FloatArray) -> FloatArray:
        """A gradient in T as one in the free numbers."""


class SoftmaxRows:
    """``T[i] = softmax(free[i])``: any T without zeros."""

    def matrix(self, free: FloatArray) -> FloatArray:
        """T from logits."""
        found: FloatArray = softmax(free, axis=1)
        return found

    def pull(self, free: FloatArray, in_transition: FloatArray) -> FloatArray:
        """Through the softmax of each row."""
        T = self.matrix(free)
        return T * (in_transition - (in_transition * T).sum(axis=1, keepdims=True))

    @staticmethod
    def of(transition: FloatArray) -> FloatArray:
        """Free numbers of a given T."""
        return np.log(np.maximum(transition, 1e-6))


class DominantRows:
    """``I + sigmoid(free)`` off the diagonal, rows divided by their sums (Li et al. 2021).

    No entry exceeds the diagonal of its row. The diagonal of `free` is not used.
    """

    def matrix(self, free: FloatArray) -> FloatArray:
        """T from free numbers."""
        raw = np.where(np.eye(len(free), dtype=bool), 1.0, expit(free))
        return raw / raw.sum(axis=1, keepdims=True)

    def pull(self, free: FloatArray, in_transition: FloatArray) -> FloatArray:
        """Through the division and the sigmoid."""
        off = ~np.eye(len(free), dtype=bool)
        raised = np.where(off, expit(free), 1.0)
        total = raised.sum(axis=1, keepdims=True)
        T = raised / total
        in_raised = (in_transition - (in_transition * T).sum(axis=1, keepdims=True)) / total
        return np.where(off, in_raised * raised * (1 - raised), 0.0)
