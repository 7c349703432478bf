"""Cross-fitting: class probabilities of each row from models that were not trained on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from labelnoise.errors import LabelNoiseError
from labelnoise.evidence.settings import CLASSIFIER_SUM_TOLERANCE

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def stratified_folds(codes: IntArray, n_folds: int, rng: np.random.Generator) -> IntArray:
    """A fold for every row, (n,), with each class spread as evenly as possible.

    Classes are assigned in the order in which they first occur in a random permutation, so their
    codes do not matter.

    >>> folds = stratified_folds(np.array([0, 0, 0, 0, 1, 1]), 2, np.random.default_rng(0))
    >>> np.bincount(folds), np.bincount(folds[:4])
    (array([3, 3]), array([2, 2]))
    """
    shuffled = rng.permutation(len(codes))
    _, first, position = np.unique(codes[shuffled], return_index=True, return_inverse=True)
    order = shuffled[np.argsort(first[position], kind="stable")]
    folds = np.empty(len(codes), dtype=np.int64)
    folds[order] = np.arange(len(codes)) % n_folds
    return folds


def cross_fitted_probabilities(
    model: Any, X: Any, codes: IntArray, folds: IntArray, classes: np.ndarray[Any, Any]
) -> FloatArray:
    """Probabilities (n, K) of each row from a model trained on all folds but its own.

    X may be anything that the model accepts; it is trained on the labels ``classes[codes]``.
    """
    probabilities = np.empty((len(codes), len(classes)))
    for fold in np.unique(folds):
        inside, outside = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
        fitted = fit_clone(model, select_rows(X, inside), classes[codes[inside]])
        probabilities[outside] = predict_all_classes(fitted, select_rows(X, outside), classes)
    off = np.abs(probabilities.sum(axis=1) - 1)
    # This form also refuses NaN.
    if not ((probabilities >= 0).all() and (off < CLASSIFIER_SUM_TOLERANCE).all()):
        raise LabelNoiseError("not_distributions", name=f"predictions of {type(model).__name__}")
    return probabilities


def select_rows(X: Any, rows: IntArray) -> Any:
    """Some rows of a table of any kind: an array, a sparse matrix, a data frame, a list."""
    return _safe_indexing(X, rows)


def fit_clone(model: Any, X: Any, labels: np.ndarray[Any, Any]) -> Any:
    """A trained copy of the user's model; its exceptions are reported as coming from the model."""
    try:
        return clone(model).fit(X, labels)
    except LabelNoiseError:
        raise
    except Exception as error:
        raise _failure(model, X, error) from error


def predict_all_classes(fitted: Any, X: Any, classes: np.ndarray[Any, Any]) -> FloatArray:
    """Predicted probabilities (m, K); zero for classes the model was not trained on."""
    n_rows, name = _num_samples(X), type(fitted).__name__
    if not n_rows:
        return np.zeros((0, len(classes)))
    if not hasattr(fitted, "predict_proba"):
        raise LabelNoiseError("classifier_without_predict_proba", model=name)
    try:
        predicted, trained_on = np.asarray(fitted.predict_proba(X)), np.asarray(fitted.classes_)
    except Exception as error:
        raise _failure(fitted, X, error) from error
    if predicted.shape != (n_rows, len(trained_on)):
        raise LabelNoiseError(
            "wrong_shape",
            name=f"predict_proba of {name}",
            shape=predicted.shape,
            expected=str((n_rows, len(trained_on))),
        )
    return columns_of_all_classes(predicted, trained_on, classes)


def _failure(model: Any, X: Any, error: Exception) -> LabelNoiseError:
    return LabelNoiseError(
        "classifier_failed",
        model=type(model).__name__,
        shape=tuple(getattr(X, "shape", (_num_samples(X),))),
        error=f"{type(error).__name__}: {error}",
    )


def columns_of_all_classes(
    values: FloatArray,
    trained_on: np.ndarray[Any, Any],
    classes: np.ndarray[Any, Any],
    others: float = 0.0,
) -> FloatArray:
    """Columns (m, k) of the classes a model was trained on, placed among all classes, (m, K).

    >>> a_and_c = np.array([[0.3, 0.7]])
    >>> columns_of_all_classes(a_and_c, np.array(["a", "c"]), np.array(["a", "b", "c"]))
    array([[0.3, 0. , 0.7]])
    """
    position = {label: i for i, label in enumerate(classes.tolist())}
    placed = np.full((len(values), len(classes)), others)
    placed[:, [position[label] for label in trained_on.tolist()]] = values
    return placed
