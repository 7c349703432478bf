"""One annotator: T, what happened in the answers, and intervals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import beta

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.noise_estimate import SHOWN_LEVEL
from labelnoise.uncertainty import Interval, Limits

if TYPE_CHECKING:
    from labelnoise.annotators.sampler import Moments
    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.transition import TransitionMatrix


@dataclass(frozen=True, eq=False, repr=False)
class Annotator:
    """One annotator.

    Attributes
    ----------
    name : label
    transition_matrix : TransitionMatrix
        T, the probability of each answer given the true class.
    class_shares : (K,) array
        Expected true classes of the rows that were answered.
    n_answers : int
    kappa : float
        Accuracy beyond chance: Cohen's kappa of the answers with the true classes.
    single_label : bool
        Whether (nearly) all answers are the same label: then T has equal rows, and what is
        informative is which rows are answered.
    realized : (K, K) array
        What happened in these answers: expected shares of each label, given the true class. T
        differs from it by the chance of few answers.
    interval_parts : tuple of Moments or None
        Of T and of the noise rate.
    """

    name: Label
    transition_matrix: TransitionMatrix
    class_shares: FloatArray
    n_answers: int
    kappa: float
    single_label: bool
    realized: FloatArray
    interval_parts: tuple[Moments, Moments] | None = None

    @property
    def noise_rate(self) -> float:
        """Expected share of wrong answers, to rows of the classes that were answered."""
        return float(self.class_shares @ self.transition_matrix.noise_rates)

    def interval(self, level: float = SHOWN_LEVEL) -> Interval:
        """Where T and the noise rate lie with probability `level`; class shares are as estimated.

        Every number has a beta distribution with the mean and the variance of the draws; the
        interval is extended to the estimate if necessary. It holds if answers are independent,
        given the true class.
        """
        checks.level(level)
        if self.interval_parts is None:
            raise LabelNoiseError("no_draws_of_annotators")
        point = (self.transition_matrix.values, self.noise_rate)
        ends = [
            ends_of(moments, np.asarray(at), level)
            for moments, at in zip(self.interval_parts, point, strict=True)
        ]
        lower, upper = (Limits(ends[0][i], self.class_shares, float(ends[1][i])) for i in range(2))
        return Interval(lower, upper, self.transition_matrix.classes, level)

    def __repr__(self) -> str:
        single = ", a single label" if self.single_label else ""
        return (
            f"{self.name}: {self.n_answers} answers{single}, {self.noise_rate:.1%} wrong\n"
            f"{self.transition_matrix!r}"
        )


def ends_of(moments: Moments, point: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Ends of intervals of probabilities."""
    mean = np.clip(moments.mean, 1e-9, 1 - 1e-9)
    weight = np.maximum(mean * (1 - mean) / moments.variance - 1, 1e-3)
    low, high = (
        beta.ppf(q, weight * mean, weight * (1 - mean)) for q in ((1 - level) / 2, (1 + level) / 2)
    )
    return np.minimum(low, point), np.maximum(high, point)
