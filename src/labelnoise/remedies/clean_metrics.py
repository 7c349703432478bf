"""Metrics of a classifier as functions of the joint distribution of true and predicted classes.

All take shares ``C[..., true, predicted]`` that sum to one over the last two axes. Entries may be
negative where C was worked out from noisy labels: nothing is clipped. What is divided by nothing is
NaN, and takes no part in averages; what is divided by a negative share is infinite, and makes
averages infinite: it could be anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

NOTHING = 1e-12
"""Shares below this are of nothing: there is nothing to divide by."""

Metric = Callable[["FloatArray"], "FloatArray"]


def accuracy(joint: FloatArray) -> FloatArray:
    """Share of right predictions, (...)."""
    right: FloatArray = _right(joint).sum(axis=-1)
    return right


def recall(joint: FloatArray) -> FloatArray:
    """Of the rows of each class, the share predicted so, (..., K); NaN for a class without rows.

    >>> recall(np.array([[0.3, 0.2], [0.0, 0.5]]))
    array([0.6, 1. ])
    """
    return _over(_right(joint), _true(joint))


def precision(joint: FloatArray) -> FloatArray:
    """Of the rows predicted as each class, the share that is of it, (..., K).

    0 for a class that has rows but is never predicted, as in scikit-learn; NaN if it has none.

    >>> precision(np.array([[0.3, 0.0, 0.2], [0.1, 0.0, 0.4], [0.0, 0.0, 0.0]]))
    array([0.75, 0.  , 0.  ])
    """
    predicted, true = _predicted(joint), _true(joint)
    found = _over(_right(joint), predicted)
    return np.where((predicted <= NOTHING) & (true > NOTHING), 0.0, found)


def f1(joint: FloatArray) -> FloatArray:
    """Harmonic mean of precision and recall of each class, (..., K)."""
    return _over(_right(joint), _either(joint))


class OfClass(NamedTuple):
    """A metric that every class has one of, and the share of rows that it divides by."""

    values: Metric  # (..., K)
    divisor: Metric  # (..., K)

    def held_at(self, joint: FloatArray, *, alone: bool) -> OfClass:
        """The same metric; classes with nothing to divide by in this `joint` stay conventions.

        They keep their value there, 0 or NaN, wherever the metric is taken. `alone`, they have
        none: a convention has no interval.
        """
        nothing = self.nothing(joint)
        kept = np.full(nothing.shape, np.nan) if alone else self.values(joint)
        return OfClass(lambda other: np.where(nothing, kept, self.values(other)), self.divisor)

    def nothing(self, joint: FloatArray) -> Any:
        """Classes with nothing to divide by, (K,) bool."""
        return np.abs(self.divisor(joint)) <= NOTHING


def _true(joint: FloatArray) -> FloatArray:
    """Share of rows that are of each class, (..., K)."""
    share: FloatArray = joint.sum(axis=-1)
    return share


def _predicted(joint: FloatArray) -> FloatArray:
    """Share of rows that are predicted as each class, (..., K)."""
    share: FloatArray = joint.sum(axis=-2)
    return share


def _either(joint: FloatArray) -> FloatArray:
    """Half the share of rows that are of each class and of those predicted so, (..., K)."""
    return (_true(joint) + _predicted(joint)) / 2


OF_CLASS: Mapping[str, OfClass] = MappingProxyType(
    {
        "precision": OfClass(precision, _predicted),
        "recall": OfClass(recall, _true),
        "f1": OfClass(f1, _either),
    }
)


AVERAGES = ("macro", "weighted", "micro")
METRICS = ("accuracy", "balanced_accuracy", *OF_CLASS, "confusion_matrix")


def averaged(values: FloatArray, joint: FloatArray, average: str) -> FloatArray:
    """One number for those of the classes that have one, from `values` (..., K).

    "macro" is their mean; "weighted" lets classes count by how many rows they truly have.
    """
    weights = _true(joint) if average == "weighted" else np.ones_like(values)
    weights = np.where(np.isnan(values), 0.0, weights)
    open_to_all = np.isinf(values).any(axis=-1)
    total = np.where(np.isfinite(values), weights * values, 0.0).sum(axis=-1)
    return np.where(open_to_all, np.inf, _over(total, weights.sum(axis=-1)))


def metric_named(
    name: str, average: str | None, n_rows: float, held_at: FloatArray | None = None
) -> Metric:
    """The metric as a function of the joint distribution; a confusion matrix counts rows.

    Pooling all rows ("micro") gives the accuracy, as every row has one class and one prediction;
    so does the mean of recalls weighted by what they divide by. With `held_at`, a joint
    distribution, classes with nothing to divide by there keep their value in averages, and have
    none on their own.
    """
    if name == "confusion_matrix":
        return lambda joint: joint * n_rows
    if name == "balanced_accuracy":
        name, average = "recall", "macro"
    if name == "accuracy" or average == "micro" or (name, average) == ("recall", "weighted"):
        return accuracy
    of_class = OF_CLASS[name]
    if held_at is not None:
        of_class = of_class.held_at(held_at, alone=average is None)
    if average is None:
        return of_class.values
    return lambda joint: averaged(of_class.values(joint), joint, average)


@dataclass(frozen=True)
class Asked:
    """A metric that is asked of labels and predictions.

    Attributes
    ----------
    metric : str
        One of `METRICS`.
    average : str or None
        One of `AVERAGES`; None keeps one number a class.
    counts : (K, K) array
        Rows by label and prediction.
    undo : (K, K) array
        ``T'^-1``, which turns them into rows by true class and prediction.
    """

    metric: str
    average: str | None
    counts: FloatArray
    undo: FloatArray

    @property
    def n_rows(self) -> int:
        """Rows that are scored."""
        return int(self.counts.sum())

    @cached_property
    def joint(self) -> FloatArray:
        """Shares by true class and prediction, (K, K)."""
        return self.undo @ self.counts / self.n_rows

    @property
    def of_class(self) -> str:
        """The metric of single classes behind this one, if there is one."""
        return "recall" if self.metric == "balanced_accuracy" else self.metric

    @property
    def name(self) -> str:
        """The metric in words."""
        averages = self.metric in OF_CLASS and self.average is not None
        return f"{self.average} {self.metric}" if averages else self.metric

    @property
    def mean_of_classes(self) -> bool:
        """Whether classes count alike, however few rows they have."""
        averages = self.metric in OF_CLASS and self.average == "macro"
        return self.metric == "balanced_accuracy" or averages

    @property
    def by_class(self) -> bool:
        """Whether classes have numbers of their own, alone or in a mean."""
        return self.mean_of_classes or (self.metric in OF_CLASS and self.average is None)

    @property
    def most(self) -> float:
        """The largest value that the metric allows; the smallest is 0."""
        return math.inf if self.metric == "confusion_matrix" else 1.0

    @cached_property
    def value(self) -> FloatArray:
        """The metric on clean labels."""
        return self._metric(self.n_rows)(self.joint)

    @property
    def naive(self) -> FloatArray:
        """The metric on the labels as they are."""
        return self._metric(self.n_rows)(self.counts / self.n_rows)

    @property
    def more(self) -> FloatArray:
        """Rows to add to the counts (K, K) before shares are drawn around them.

        As Jeffreys has it for one share: half a row for what is counted, and half a row for what
        is not. Cells count themselves. Else right predictions are counted: of every class, where
        classes have numbers of their own, and of all rows where these share in one.
        """
        k = len(self.counts)
        if self.metric == "confusion_matrix":
            return np.full((k, k), 0.5)
        right = np.eye(k)
        each = 0.5 * right + 0.5 / (k - 1) * (1 - right)
        return each if self.by_class else each / k

    @property
    def of_drawn(self) -> Metric:
        """The metric to take of drawn shares.

        In a mean over classes the added rows of all of them pull in one direction. How far is
        known, and taken off. Rows that are added to a matrix come on top of its own.
        """
        more = self.more
        rows = self.n_rows + float(more.sum())
        measure = self._metric(rows, held_at=self.joint)
        if not self.mean_of_classes:
            return measure
        before, after = self.value, measure(self.undo @ (self.counts + more) / rows)
        pull = after - before if np.isfinite(before) and np.isfinite(after) else 0.0
        return lambda joint: measure(joint) - pull

    def _metric(self, n_rows: float, held_at: FloatArray | None = None) -> Metric:
        return metric_named(self.metric, self.average, n_rows, held_at)


def _right(joint: FloatArray) -> Any:
    return np.diagonal(joint, axis1=-2, axis2=-1)


def _over(part: Any, whole: FloatArray) -> FloatArray:
    """Ratio; NaN where there is nothing to divide by, infinite where it is less than nothing."""
    undefined = np.where(whole < -NOTHING, np.inf, np.nan)
    ratio: FloatArray = np.divide(part, whole, out=undefined, where=whole > NOTHING)
    return ratio
