"""Checks of tables of numbers: features and class probabilities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise.checks.settings import DENSE_LIMIT_BYTES, MIN_ROWS, PROBABILITY_SUM_TOLERANCE
from labelnoise.errors import (
    LabelNoiseError,
    LabelNoiseTypeError,
    NotIdentifiableError,
    warn_user,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.checks.label_codes import Label

GIB = 1024**3


def n_rows(X: Any) -> int | None:
    """Number of rows of a table of any kind, before it is encoded; None if it has none.

    >>> n_rows([[1, 2], [3, 4], [5, 6]]), n_rows(np.zeros((4, 2))), n_rows(3.0)
    (3, 4, None)
    """
    if not hasattr(X, "shape") and hasattr(X, "__array__"):
        X = np.asarray(X)
    if hasattr(X, "shape"):
        return int(X.shape[0]) if X.shape else None
    return len(X) if isinstance(X, Sized) and not isinstance(X, Mapping) else None


def feature_matrix(X: Any, min_rows: int = MIN_ROWS) -> FloatArray:
    """Check features and return them as a dense float64 array of shape (n, d)."""
    from sklearn.utils import check_array

    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise LabelNoiseError("masked_features")
    is_sparse = sparse.issparse(X)
    if is_sparse:
        dense_size(X.shape, "X, which is sparse,")
        X = X.toarray()  # centering the columns leaves no zeros anyway
    lenient: dict[str, Any] = {"ensure_min_samples": 0, "ensure_min_features": 0}
    try:
        matrix = check_array(X, dtype=np.float64, order="C", ensure_all_finite=False, **lenient)
    except (TypeError, ValueError) as error:
        lines = str(error).splitlines()  # between the first and the last, there may be the array
        reason = ". ".join(dict.fromkeys(line.rstrip(":.") for line in (lines[0], lines[-1])))
        raise LabelNoiseTypeError("features_not_usable", reason=reason) from error
    if matrix.shape[1] == 0:
        raise LabelNoiseError("no_features", shape=matrix.shape)
    if matrix.shape[0] < min_rows:
        raise LabelNoiseError("too_few_rows", n_rows=matrix.shape[0], minimum=min_rows)
    _check_finite(matrix)
    return matrix


def dense_size(shape: tuple[int, int], name: str) -> None:
    """Check that a dense table of this shape stays within the limit."""
    needed = shape[0] * shape[1] * 8
    if needed > DENSE_LIMIT_BYTES:
        raise LabelNoiseError(
            "features_too_large", name=name, needed=needed / GIB, limit=DENSE_LIMIT_BYTES / GIB
        )


def _check_finite(X: FloatArray) -> None:
    # A sum is finite only if all its terms are, so that usually no mask of X's size is needed.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()):
            return
    rows, columns = np.nonzero(~np.isfinite(X))
    if not rows.size:
        return
    facts = {"n_values": len(rows), "n_rows": len(np.unique(rows))}
    raise LabelNoiseError("features_not_finite", **facts, row=int(rows[0]), column=int(columns[0]))


def constant_columns(X: FloatArray) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which columns of X are constant, (d,); it is an error if all are."""
    constant: np.ndarray[tuple[int], np.dtype[np.bool_]] = X.max(axis=0) == X.min(axis=0)
    if constant.all():
        raise NotIdentifiableError("features_constant")
    return constant


def varying_columns(X: FloatArray) -> FloatArray:
    """Drop constant columns of X (n, d) with a warning; it is an error if none is left."""
    constant = constant_columns(X)
    if constant.any():
        columns = np.flatnonzero(constant).tolist()
        warn_user("constant_columns_dropped", n=len(columns), n_columns=X.shape[1], columns=columns)
        X = X[:, ~constant]
    return X


def same_length(values: Any, n_rows: int, name: str) -> None:
    """Check that something has as many rows as an estimate was made from."""
    if len(values) != n_rows:
        facts = {"name": name, "n": len(values), "n_rows": n_rows}
        raise LabelNoiseError("wrong_length", **facts, of="the estimate")


def distinct_columns(X: Any, table: str = "X") -> None:
    """Check that no two columns of a frame have the same name."""
    distinct_names(_column_names(X), table)


def distinct_names(names: Iterable[str], table: str) -> None:
    """Check that all names of columns differ."""
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        raise LabelNoiseError("repeated_column_names", table=table, columns=repeated)


def _column_names(table: Any) -> list[str]:
    """Names of a frame's columns; none for an array."""
    names = "column_names" if hasattr(table, "column_names") else "columns"  # pyarrow, all others
    return [str(name) for name in getattr(table, names, ())]


def probabilities(values: Any, n_rows: int | None, classes: Sequence[Label]) -> FloatArray:
    """Check class probabilities: one row each, one column for each class, sums of one."""
    array = _columns_by_class(values, [str(label) for label in classes])
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise LabelNoiseError(
            "probabilities_not_a_table", shape=array.shape, dtype=str(array.dtype)
        )
    array = array.astype(np.float64)
    shape = (len(array) if n_rows is None else n_rows, len(classes))
    if array.shape != shape:
        raise LabelNoiseError(
            "probabilities_of_wrong_shape", shape=array.shape, expected=shape, classes=classes
        )
    # Written so that NaN is refused, too.
    not_negative = array.min(axis=1) >= -PROBABILITY_SUM_TOLERANCE
    valid = not_negative & (np.abs(array.sum(axis=1) - 1) <= PROBABILITY_SUM_TOLERANCE)
    wrong = np.flatnonzero(~valid)
    if wrong.size:
        first = int(wrong[0])
        facts = {"n": len(wrong), "row": first, "values": array[first].round(4).tolist()}
        raise LabelNoiseError("probabilities_do_not_sum_to_one", **facts)
    array = np.maximum(array, 0.0)
    return array / array.sum(axis=1, keepdims=True)


def _columns_by_class(values: Any, classes: list[str]) -> np.ndarray[Any, Any]:
    """Probabilities as an array; columns that are named by class are put in the classes' order."""
    names = _column_names(values)
    array = np.asarray(values)
    if names == classes or not set(names) & set(classes):
        return array
    if sorted(names) != sorted(classes):
        raise LabelNoiseError("probabilities_partly_named", columns=names, classes=classes)
    return array[:, [names.index(name) for name in classes]]
