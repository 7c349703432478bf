"""Metrics of a classifier as functions of the joint distribution of true and predicted classes.

All take shares ``C[..., true, predicted]`` that sum to one over the last two axes. Entries may be
negative where C was worked out from noisy labels: nothing is clipped. What is divided by nothing is
NaN, and takes no part in averages; what is divided by a negative share is infinite, and makes
averages infinite: it could be anything.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

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
    return _over(_right(joint), joint.sum(axis=-1))


def precision(joint: FloatArray) -> FloatArray:
    """Of the rows predicted as each class, the share that is of it, (..., K).

    0 for a class that has rows but is never predicted, as in scikit-learn; NaN if it has none.

    >>> precision(np.array([[0.3, 0.0, 0.2], [0.1, 0.0, 0.4], [0.0, 0.0, 0.0]]))
    array([0.75, 0.  , 0.  ])
    """
    predicted, true = joint.sum(axis=-2), joint.sum(axis=-1)
    found = _over(_right(joint), predicted)
    return np.where((predicted <= NOTHING) & (true > NOTHING), 0.0, found)


def f1(joint: FloatArray) -> FloatArray:
    """Harmonic mean of precision and recall of each class, (..., K)."""
    return _over(2 * _right(joint), joint.sum(axis=-1) + joint.sum(axis=-2))


OF_CLASS: Mapping[str, Metric] = MappingProxyType(
    {"precision": precision, "recall": recall, "f1": f1}
)
"""Metrics that every class has one of."""


AVERAGES = ("macro", "weighted", "micro")
METRICS = ("accuracy", "balanced_accuracy", *OF_CLASS, "confusion_matrix")


def averaged(of_class: Metric, joint: FloatArray, average: str) -> FloatArray:
    """One number for those of the classes that have one.

    "macro" is their mean; "weighted" lets classes count by how many rows they truly have;
    "micro" pools all rows, which is the accuracy, as every row has one class and one prediction.
    """
    if average == "micro":
        return accuracy(joint)
    values = of_class(joint)
    weights = joint.sum(axis=-1) if average == "weighted" else np.ones_like(values)
    weights = np.where(np.isnan(values), 0.0, weights)
    open_to_all = np.isinf(values).any(axis=-1)
    total = np.where(np.isfinite(values), weights * values, 0.0).sum(axis=-1)
    return np.where(open_to_all, np.inf, _over(total, weights.sum(axis=-1)))


def metric_named(name: str, average: str | None, n_rows: int) -> Metric:
    """The metric as a function of the joint distribution; a confusion matrix counts rows."""
    if name in OF_CLASS:
        of_class = OF_CLASS[name]
        return of_class if average is None else lambda joint: averaged(of_class, joint, average)
    whole: dict[str, Metric] = {
        "accuracy": accuracy,
        "balanced_accuracy": lambda joint: averaged(recall, joint, "macro"),
        "confusion_matrix": lambda joint: joint * n_rows,
    }
    return whole[name]


def _right(joint: FloatArray) -> Any:
    return np.diagonal(joint, axis1=-2, axis2=-1)


def _over(part: Any, whole: FloatArray) -> FloatArray:
    """Ratio; NaN where there is nothing to divide by, infinite where it is less than nothing."""
    undefined = np.where(whole < -NOTHING, np.inf, np.nan)
    ratio: FloatArray = np.divide(part, whole, out=undefined, where=whole > NOTHING)
    return ratio
