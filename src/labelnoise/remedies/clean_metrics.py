"""Metrics of a classifier as functions of the joint distribution of true and predicted classes.

All take shares ``C[..., true, predicted]`` that sum to one over the last two axes. Shares may be
negative where C was computed from noisy labels: nothing is clipped. A ratio with a zero denominator
is NaN and is left out of averages. A ratio with a negative denominator is undetermined: it is
infinite, and so are averages that contain it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labelnoise import checks
from labelnoise.remedies.settings import ZERO_SHARE

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.transition import TransitionMatrix

Metric = Callable[["FloatArray"], "FloatArray"]


def accuracy(joint: FloatArray) -> FloatArray:
    """Share of correct predictions, (...)."""
    return np.asarray(np.trace(joint, axis1=-2, axis2=-1))


def recall(joint: FloatArray) -> FloatArray:
    """Share of each class that is predicted correctly, (..., K); NaN for a class without rows.

    >>> recall(np.array([[0.3, 0.2], [0.0, 0.5]]))
    array([0.6, 1. ])
    """
    return _ratio(_correct(joint), _true(joint))


def precision(joint: FloatArray) -> FloatArray:
    """Share of the predictions of each class that are correct, (..., K).

    0 for a class that has rows but is never predicted, as in scikit-learn; NaN if it has none.

    >>> precision(np.array([[0.3, 0.0, 0.2], [0.1, 0.0, 0.4], [0.0, 0.0, 0.0]]))
    array([0.75, 0.  , 0.  ])
    """
    predicted, true = _predicted(joint), _true(joint)
    found = _ratio(_correct(joint), predicted)
    return np.where((predicted <= ZERO_SHARE) & (true > ZERO_SHARE), 0.0, found)


def f1(joint: FloatArray) -> FloatArray:
    """Harmonic mean of precision and recall of each class, (..., K)."""
    return _ratio(_correct(joint), _mean_share(joint))


def _correct(joint: FloatArray) -> Any:
    return np.diagonal(joint, axis1=-2, axis2=-1)


def _true(joint: FloatArray) -> FloatArray:
    """Share of rows that are of each class, (..., K)."""
    return np.asarray(joint.sum(axis=-1))


def _predicted(joint: FloatArray) -> FloatArray:
    """Share of rows that are predicted as each class, (..., K)."""
    return np.asarray(joint.sum(axis=-2))


def _mean_share(joint: FloatArray) -> FloatArray:
    return (_true(joint) + _predicted(joint)) / 2


class ClassMetric(NamedTuple):
    """A metric with a value for every class, and the share of rows that is its denominator."""

    values: Metric  # (..., K)
    denominator: Metric  # (..., K)

    def undefined(self, joint: FloatArray) -> Any:
        """Classes whose denominator is zero, (K,) bool."""
        return np.abs(self.denominator(joint)) <= ZERO_SHARE

    def with_conventions(self, joint: FloatArray, *, averaged: bool) -> Metric:
        """The values, with a fixed one for classes that are undefined in this `joint`.

        In averages it is their value there, 0 or NaN. Single values are NaN, because a convention
        has no interval.
        """
        undefined = self.undefined(joint)
        kept = self.values(joint) if averaged else np.full(undefined.shape, np.nan)
        return lambda other: np.where(undefined, kept, self.values(other))


CLASS_METRICS = {
    "precision": ClassMetric(precision, _predicted),
    "recall": ClassMetric(recall, _true),
    "f1": ClassMetric(f1, _mean_share),
}
AVERAGES = ("macro", "weighted", "micro")
METRICS = ("accuracy", "balanced_accuracy", *CLASS_METRICS, "confusion_matrix")


def metric_named(
    name: str, average: str | None, n_rows: float, conventions_of: FloatArray | None = None
) -> Metric:
    """The metric as a function of the joint distribution; a confusion matrix counts rows.

    The "micro" average is the accuracy, because every row has one class and one prediction; so is
    the "weighted" average of recalls. With `conventions_of`, a joint distribution, classes that are
    undefined there keep their value in averages, and have no single value.
    """
    if name == "confusion_matrix":
        return lambda joint: joint * n_rows
    if name == "balanced_accuracy":
        name, average = "recall", "macro"
    if name == "accuracy" or average == "micro" or (name, average) == ("recall", "weighted"):
        return accuracy
    values = CLASS_METRICS[name].values
    if conventions_of is not None:
        averaged = average is not None
        values = CLASS_METRICS[name].with_conventions(conventions_of, averaged=averaged)
    if average is None:
        return values
    return lambda joint: _averaged(values(joint), joint, average)


def _averaged(values: FloatArray, joint: FloatArray, average: str) -> FloatArray:
    """Mean (...) of the `values` (..., K) of classes that have one.

    "macro" gives classes equal weights, "weighted" their true shares of the rows.
    """
    weights = _true(joint) if average == "weighted" else np.ones_like(values)
    weights = np.where(np.isnan(values), 0.0, weights)
    total = np.where(np.isfinite(values), weights * values, 0.0).sum(axis=-1)
    unbounded = np.isinf(values).any(axis=-1)
    return np.where(unbounded, np.inf, _ratio(total, weights.sum(axis=-1)))


@dataclass(frozen=True)
class CorrectedMetric:
    """A metric on clean labels, computed from counts of noisy labels and T."""

    metric: str  # one of METRICS
    average: str | None  # one of AVERAGES; None keeps one number per class
    counts: FloatArray  # (K, K), rows by label and prediction
    T: TransitionMatrix

    @cached_property
    def inverse(self) -> FloatArray:
        """``T'^-1``, which turns the counts into rows by true class and prediction."""
        return self.T.inverse().T

    @property
    def n_rows(self) -> int:
        """Number of scored rows."""
        return int(self.counts.sum())

    @cached_property
    def joint(self) -> FloatArray:
        """Shares by true class and prediction, (K, K)."""
        return self.inverse @ self.counts / self.n_rows

    @property
    def class_names(self) -> Any:
        """The classes, as an array (K,)."""
        return checks.label_array(self.T.classes)

    @property
    def class_metric(self) -> str:
        """The metric of single classes behind this one, if there is one."""
        return "recall" if self.metric == "balanced_accuracy" else self.metric

    @property
    def is_class_mean(self) -> bool:
        """Whether it is the unweighted mean over classes, however few rows they have."""
        macro = self.metric in CLASS_METRICS and self.average == "macro"
        return self.metric == "balanced_accuracy" or macro

    @cached_property
    def value(self) -> FloatArray:
        """The metric on clean labels."""
        return metric_named(self.metric, self.average, self.n_rows)(self.joint)

    @property
    def naive(self) -> FloatArray:
        """The metric on the noisy labels."""
        return metric_named(self.metric, self.average, self.n_rows)(self.counts / self.n_rows)

    @property
    def pseudo_counts(self) -> FloatArray:
        """Rows to add to the counts (K, K) before shares are drawn around them.

        Jeffreys' prior of each share of interest: half a row where an event was counted, half a
        row where it was not. For a confusion matrix every cell is of interest; for a metric that
        uses values of single classes the correct predictions of each class; otherwise those of
        all rows together.
        """
        k = len(self.counts)
        if self.metric == "confusion_matrix":
            return np.full((k, k), 0.5)
        correct = np.eye(k)
        each = 0.5 * correct + 0.5 / (k - 1) * (1 - correct)
        by_class = self.is_class_mean or (self.metric in CLASS_METRICS and self.average is None)
        return each if by_class else each / k

    @property
    def of_draws(self) -> Metric:
        """The metric to compute from drawn shares.

        In a mean over classes, the pseudo-counts of all classes cause a bias in one direction,
        which is known and subtracted. In a confusion matrix they are added to the number of rows.
        """
        added = self.pseudo_counts
        rows = self.n_rows + float(added.sum())
        metric = metric_named(self.metric, self.average, rows, conventions_of=self.joint)
        if not self.is_class_mean:
            return metric
        before, after = self.value, metric(self.inverse @ (self.counts + added) / rows)
        shift = after - before if np.isfinite(before) and np.isfinite(after) else 0.0
        return lambda joint: metric(joint) - shift


def _ratio(part: Any, whole: FloatArray) -> FloatArray:
    """Ratio; NaN where the denominator is zero, infinite where it is negative."""
    undefined = np.where(whole < -ZERO_SHARE, np.inf, np.nan)
    return np.divide(part, whole, out=undefined, where=whole > ZERO_SHARE)
