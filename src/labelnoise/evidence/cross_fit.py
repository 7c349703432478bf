"""Rows -> class probabilities from models that never saw the row: cross-fitting."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


ROUNDED = 0.01
"""How far from 1 the sum of predicted probabilities may be."""


def stratified_folds(codes: IntArray, n_folds: int, rng: np.random.Generator) -> IntArray:
    """A fold for every row, (n,), with each class spread as evenly as can be.

    Classes are dealt in the order in which the shuffle meets them: their numbers do not matter.

    >>> folds = stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> np.bincount(folds), np.bincount(folds[:4])
    (array([3, 3]), array([2, 2]))
    """
    shuffled = rng.permutation(len(codes))
    _, first_met, number = np.unique(codes[shuffled], return_index=True, return_inverse=True)
    order = shuffled[np.argsort(first_met[number], kind="stable")]
    folds = np.empty(len(codes), dtype=np.int64)
    folds[order] = np.arange(len(codes)) % n_folds
    return folds


def cross_fitted_probabilities(
    model: Any, X: Any, codes: IntArray, folds: IntArray, classes: np.ndarray[Any, Any]
) -> FloatArray:
    """Probabilities (n, K) of each row from a model trained on all folds but its own.

    X may be anything that the model takes; the model sees labels as `classes` (K,) names them.
    """
    found = np.empty((len(codes), len(classes)))
    for fold in np.unique(folds):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        fitted = trained(model, select_rows(X, inside), classes[codes[inside]])
        found[outside] = all_classes(fitted, select_rows(X, outside), classes)
    # Written so that NaN is wrong too.
    if not ((found >= 0).all() and (np.abs(found.sum(axis=1) - 1) < ROUNDED).all()):
        raise LabelNoiseError(
            f"{type(model).__name__} predicts probabilities that are negative, NaN or do not sum "
            "to 1. Pass a classifier whose predict_proba returns probabilities."
        )
    return found


def select_rows(X: Any, rows: IntArray) -> Any:
    """Some rows of a table of any kind: an array, a sparse matrix, a frame, a list."""
    return _safe_indexing(X, rows)


def trained(model: Any, X: Any, labels: np.ndarray[Any, Any]) -> Any:
    """A copy of the user's model, trained; what it raises is told apart from our own errors."""
    try:
        return clone(model).fit(X, labels)
    except LabelNoiseError:
        raise
    except Exception as error:
        shape = getattr(X, "shape", (_num_samples(X),))
        what = f"be trained on features of shape {shape} and labels such as {labels[:1].tolist()}"
        raise _incapable(model, what, error) from error


def _incapable(model: Any, what: str, error: Exception) -> LabelNoiseError:
    return LabelNoiseError(
        f"{type(model).__name__} could not {what}: {type(error).__name__}: {error}. Pass a "
        "classifier that can."
    )


def all_classes(fitted: Any, X: Any, classes: np.ndarray[Any, Any]) -> FloatArray:
    """Predicted probabilities (m, K), none for classes the model was not shown."""
    n_rows = _num_samples(X)
    if not n_rows:
        return np.zeros((0, len(classes)))
    if not hasattr(fitted, "predict_proba"):
        raise LabelNoiseError(
            f"{type(fitted).__name__} predicts no probabilities, which are needed to see which "
            "labels are wrong. Wrap it in CalibratedClassifierCV, or let the noise be estimated."
        )
    try:
        predicted, shown = np.asarray(fitted.predict_proba(X)), np.asarray(fitted.classes_)
    except Exception as error:
        raise _incapable(fitted, "predict probabilities", error) from error
    if predicted.shape != (n_rows, len(shown)):
        raise LabelNoiseError(
            f"{type(fitted).__name__} predicts probabilities of shape {predicted.shape} for "
            f"{n_rows} rows and {len(shown)} classes. Pass another classifier."
        )
    return columns_of_all_classes(predicted, shown, classes)


def columns_of_all_classes(
    values: FloatArray,
    shown: np.ndarray[Any, Any],
    classes: np.ndarray[Any, Any],
    others: float = 0.0,
) -> FloatArray:
    """Columns (m, k) of the classes that a model was shown among those of all, (m, K).

    >>> columns_of_all_classes(np.array([[0.3, 0.7]]), np.array(["a", "c"]), np.array(["a", "b", "c"]))
    array([[0.3, 0. , 0.7]])
    """
    place = {label: i for i, label in enumerate(classes.tolist())}
    found = np.full((len(values), len(classes)), others)
    found[:, [place[label] for label in shown.tolist()]] = values
    return found
