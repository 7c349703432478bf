"""Tests of tables of numbers: features and class probabilities."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise.checks.arguments import named
from labelnoise.errors import (
    LabelNoiseError,
    LabelNoiseTypeError,
    NotIdentifiableError,
    warn_user,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks.label_codes import Label

DENSE_LIMIT_BYTES = 2 * 1024**3
"""The largest dense copy that is made of a sparse matrix without being asked."""

TOLERANCE = 1e-3
"""How far from 1 the sum of given probabilities may be: single precision and rounding."""

MIN_ROWS = 3
"""A row and its two neighbors: the smallest data a consensus can be taken on."""


def feature_matrix(X: Any, min_rows: int = MIN_ROWS) -> FloatArray:
    """Check features and return them as a dense float64 array of shape (n, d)."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise LabelNoiseError("X has masked values. Impute them or drop those rows.")
    X = _dense(X) if sparse.issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise LabelNoiseError(
            f"X has {X.ndim} dimension(s), expected 2 (rows by features). Reshape your data: "
            "X.reshape(-1, 1) if it is a single feature, X.reshape(1, -1) if it is a single row."
        )
    if X.shape[1] == 0:
        raise LabelNoiseError(
            f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required. "
            "Pass at least one column of features."
        )
    if X.shape[0] < min_rows:
        raise LabelNoiseError(
            f"n_samples = {X.shape[0]}: X has {X.shape[0]} row(s), and at least "
            f"{min_rows} rows are required. Pass more data."
        )
    X = _as_float(X)
    _check_finite(X)
    return X


def _dense(X: Any) -> np.ndarray[Any, Any]:
    """Densify a sparse matrix: distances after centring have no zeros left to save."""
    dense_size(X.shape, "X, which is sparse,")
    dense: np.ndarray[Any, Any] = X.toarray()
    return dense


def dense_size(shape: tuple[int, int], what: str) -> None:
    """Check that a dense table of this shape stays within the limit."""
    needed = shape[0] * shape[1] * 8
    if needed > DENSE_LIMIT_BYTES:
        raise LabelNoiseError(
            f"{what} takes {needed / 1024**3:.1f} GiB in dense form, more than "
            f"{DENSE_LIMIT_BYTES / 1024**3:.0f} GiB. Reduce it first, for example with "
            "sklearn.decomposition.TruncatedSVD(n_components=128)."
        )


def _as_float(X: np.ndarray[Any, Any]) -> FloatArray:
    if X.dtype.kind == "c":
        raise LabelNoiseError(
            "Complex data not supported: pass real and imaginary parts as columns."
        )
    if X.dtype.kind not in "biuf":
        try:
            return np.ascontiguousarray(X.astype(np.float64))
        except (TypeError, ValueError) as error:
            raise LabelNoiseTypeError(
                f"X has dtype {X.dtype} with values that are not numbers ({error}). Encode text "
                "and categories as numbers, or pass a pandas or polars frame: its text columns are "
                "one-hot encoded."
            ) from error
    return np.ascontiguousarray(X, dtype=np.float64)


def _check_finite(X: FloatArray) -> None:
    # A sum is finite only if all its terms are: the usual case needs no mask of X's size.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()):
            return
    bad = ~np.isfinite(X)
    if not bad.any():
        return
    row, column = np.argwhere(bad)[0]
    kind = "a NaN" if np.isnan(X[row, column]) else "an infinity"
    raise LabelNoiseError(
        f"X contains NaN or infinity: {int(bad.sum())} value(s) in {int(bad.any(axis=1).sum())} "
        f"row(s), the first {kind} at row {row}, column {column}. Impute or drop them, for "
        "example with sklearn.impute.SimpleImputer()."
    )


def constant_columns(X: FloatArray, n_rows: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which columns of X are constant, (d,); it is an error if all are."""
    constant: np.ndarray[tuple[int], np.dtype[np.bool_]] = X.max(axis=0) == X.min(axis=0)
    if constant.all():
        raise NotIdentifiableError(
            f"every column of X is constant: all {n_rows} rows are identical, so the features say "
            "nothing about the labels and T is not identifiable. Check how X was built, or pass "
            "other features."
        )
    return constant


def varying_columns(X: FloatArray, weights: FloatArray) -> FloatArray:
    """Drop constant columns with a warning; no column left is an error.

    Parameters
    ----------
    X : (n, d) array
    weights : (n,) array
        How many rows each row of `X` stands for (only the sum is used, in the message).
    """
    constant = constant_columns(X, int(weights.sum()))
    if constant.any():
        columns = np.flatnonzero(constant).tolist()
        warn_user(
            f"{len(columns)} of {X.shape[1]} columns of X are constant and were left out "
            f"(columns {named(columns)}). Drop them to silence this warning."
        )
        X = X[:, ~constant]
    return X


def same_length(values: Any, n_rows: int, name: str) -> None:
    """Check that something has a row for each of the rows expected."""
    if len(values) != n_rows:
        raise LabelNoiseError(
            f"{name} has {len(values)} rows, but the estimate was made from {n_rows}. Pass the "
            "same rows."
        )


def distinct_columns(X: Any, frame: str = "X") -> None:
    """Check that no two columns of a frame have one name: scikit-learn remembers names."""
    names = _column_names(X)
    twice = sorted(name for name, times in Counter(names).items() if times > 1)
    if twice:
        raise LabelNoiseError(
            f"{frame} has several columns named {named(twice)}. Give each a name of its own."
        )


def _column_names(table: Any) -> list[str]:
    """Names of a frame's columns, none for what is no frame."""
    names = "column_names" if hasattr(table, "column_names") else "columns"  # pyarrow, all others
    return [str(name) for name in getattr(table, names, ())]


def probabilities(values: Any, n_rows: int | None, classes: Sequence[Label]) -> FloatArray:
    """Check class probabilities: one row each, one column for each class, sums of one."""
    names = _column_names(values)
    wanted = [str(label) for label in classes]
    array = np.asarray(values)
    if names != wanted and sorted(names) == sorted(wanted):
        array = array[:, [names.index(name) for name in wanted]]  # columns named by class
    elif names != wanted and set(names) & set(wanted):
        raise LabelNoiseError(
            f"pred_proba has the columns {named(names)}, but the classes are {named(wanted)}. Name "
            "all columns by their class, or pass an array with columns in that order."
        )
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise LabelNoiseError(
            f"pred_proba must be a table of numbers, got shape {array.shape} and dtype "
            f"{array.dtype}. Pass the output of predict_proba; for two classes, "
            "numpy.column_stack([1 - p, p])."
        )
    array = array.astype(np.float64)
    shape = (len(array) if n_rows is None else n_rows, len(classes))
    if array.shape != shape:
        raise LabelNoiseError(
            f"pred_proba has shape {array.shape}, expected {shape}: one row for each label and one "
            f"column for each class, in the order {named(classes)}. Name classes without rows in "
            "classes=."
        )
    sums = array.sum(axis=1)
    # Written so that NaN is wrong too.
    right = (array.min(axis=1) >= -TOLERANCE) & (np.abs(sums - 1) <= TOLERANCE)
    wrong = np.flatnonzero(~right)
    if wrong.size:
        raise LabelNoiseError(
            f"pred_proba must hold probabilities that sum to 1 in each row; {wrong.size} row(s) do "
            f"not, the first is row {wrong[0]} with {array[wrong[0]].round(4).tolist()}. Pass the "
            "output of predict_proba, not of decision_function."
        )
    return np.maximum(array, 0.0) / sums[:, None]
