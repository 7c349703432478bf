"""How given class probabilities fare with the labels, and what to compare that with."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


class ProbabilityAgreement(NamedTuple):
    """Shares of the labels that probabilities agree with, and would if things were otherwise."""

    agreed: float
    claimed: float  # as they themselves say
    by_chance: float  # if predictions and labels had nothing to do with each other
    rearranged: float  # with its columns in the order that suits the labels best
    by_other_sources: float | None  # what everything else agrees with

    @classmethod
    def of(
        cls, pred_proba: FloatArray, codes: IntArray, by_other_sources: float | None = None
    ) -> Self:
        """Compare probabilities (n, K) with labels (n,).

        >>> ProbabilityAgreement.of(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0, 0]))
        ProbabilityAgreement(agreed=0.5, claimed=0.8, by_chance=0.5, rearranged=0.5, by_other_sources=None)
        """
        predicted, k = pred_proba.argmax(axis=1), pred_proba.shape[1]
        pairs = np.zeros((k, k))
        np.add.at(pairs, (predicted, codes), 1 / len(codes))
        shares = [np.bincount(which, minlength=k) / len(codes) for which in (predicted, codes)]
        return cls(
            float((predicted == codes).mean()),
            float(pred_proba.max(axis=1).mean()),
            float(shares[0] @ shares[1]),
            float(pairs[linear_sum_assignment(pairs, maximize=True)].sum()),
            by_other_sources,
        )
