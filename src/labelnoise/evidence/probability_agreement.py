"""Agreement of given class probabilities with the labels, and reference values."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from scipy.optimize import linear_sum_assignment

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


class ProbabilityAgreement(NamedTuple):
    """Shares of the labels that the most probable classes agree with, observed and for comparison.

    Attributes
    ----------
    agreed : float
        Observed.
    confidence : float
        Expected by the probabilities themselves: the average of the largest one.
    at_random : float
        If predictions and labels were independent.
    reordered : float
        With the columns in the order that agrees with the most labels.
    by_other_sources : float or None
        Share that the pool of all other sources agrees with, if there are any.
    """

    agreed: float
    confidence: float
    at_random: float
    reordered: float
    by_other_sources: float | None

    @classmethod
    def of(
        cls, pred_proba: FloatArray, codes: IntArray, by_other_sources: float | None = None
    ) -> Self:
        """Compare probabilities (n, K) with labels (n,).

        >>> agreement = ProbabilityAgreement.of(
        ...     np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0, 0])
        ... )
        >>> agreement.agreed, agreement.confidence, agreement.at_random, agreement.reordered
        (0.5, 0.8, 0.5, 0.5)
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
