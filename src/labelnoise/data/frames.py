"""Data frames -> numbers: numeric columns as they are, categories one-hot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

MAX_CATEGORIES = 50
"""More different texts than this, in more than half of the rows, are no categories."""


@dataclass(frozen=True)
class Encoding:
    """How the columns of a frame became numbers, to encode other rows alike.

    `categories` has the distinct texts of each column, None for a column of numbers; it is None
    altogether for arrays.
    """

    categories: tuple[np.ndarray[Any, Any] | None, ...] | None

    def __call__(self, X: Any) -> FloatArray:
        """Encode other rows, (m, d); texts that were not seen get no indicator."""
        frame = _frame(X)
        if frame is None or self.categories is None:
            if (frame is None) != (self.categories is None):
                raise LabelNoiseError(
                    "these rows and those the estimator was fitted on are not of one kind: pass "
                    "a frame for a frame, an array for an array."
                )
            return checks.feature_matrix(X, min_rows=1)
        columns = list(frame.iter_columns())
        if len(columns) != len(self.categories):
            raise LabelNoiseError(
                f"X has {len(columns)} columns, the estimator was fitted on "
                f"{len(self.categories)}. Pass the same columns."
            )
        encoded = [
            _numbers(column) if known is None else indicators(_as_text(column), known)
            for column, known in zip(columns, self.categories, strict=True)
        ]
        return checks.feature_matrix(np.hstack(encoded), min_rows=1)


def features(X: Any) -> FloatArray:
    """Turn an array, a sparse matrix or a pandas, polars or pyarrow frame into (n, d) floats."""
    return encode(X)[1]


def encode(X: Any) -> tuple[Encoding, FloatArray]:
    """Features as floats (n, d), and how to encode other rows alike."""
    frame = _frame(X)
    if frame is None:
        return Encoding(None), checks.feature_matrix(X)
    known: list[np.ndarray[Any, Any] | None] = []
    columns = []
    for column in frame.iter_columns():  # by place, not by name
        if _is_numeric(column):
            known.append(None)
            columns.append(_numbers(column))
        else:
            texts = _as_text(column)
            distinct = distinct_texts(texts, str(column.name))
            known.append(distinct)
            columns.append(indicators(texts, distinct))
    matrix = np.hstack(columns) if columns else np.empty((len(frame), 0))
    return Encoding(tuple(known)), checks.feature_matrix(matrix)


def names_of_features(X: Any, encoding: Encoding) -> tuple[str, ...]:
    """Names of the features that a frame was encoded into; none for arrays."""
    frame = _frame(X)
    if frame is None or encoding.categories is None:
        return ()
    names: list[str] = []
    for column, known in zip(frame.columns, encoding.categories, strict=True):
        names += [column] if known is None else [f"{column}={level}" for level in known]
    return tuple(names)


def _frame(X: Any) -> Any:
    """A narwhals frame, or None for what is no frame."""
    frame = nw.from_native(_plainly_named(X), pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise LabelNoiseError("X is a lazy frame. Call its collect() and pass the result.")
    return frame if isinstance(frame, nw.DataFrame) else None


def _plainly_named(X: Any) -> Any:
    """Name a pandas frame's columns by distinct texts: pandas allows any names, also twice."""
    if not nw.dependencies.is_pandas_dataframe(X):
        return X
    names = [str(name) for name in X.columns]
    distinct = (
        names if len(set(names)) == len(names) else [f"{n} #{i}" for i, n in enumerate(names)]
    )
    return X.set_axis(distinct, axis=1)


def _is_numeric(column: Any) -> bool:
    dtype = column.dtype
    if dtype.is_temporal() or dtype.is_nested():
        raise LabelNoiseError(
            f"column {column.name!r} has type {dtype}, which is neither a number nor a category. "
            "Drop it, or turn it into numbers."
        )
    return bool(dtype.is_numeric() or dtype == nw.Boolean)


def _numbers(column: Any) -> FloatArray:
    """One numeric narwhals series as (n, 1) floats."""
    if not _is_numeric(column):
        raise LabelNoiseError(
            f"column {column.name!r} held numbers when the estimator was fitted and now has type "
            f"{column.dtype}. Pass the same columns in the same order."
        )
    missing = column.is_null().to_numpy().astype(bool)
    values = np.zeros(len(column)) if missing.any() else column.to_numpy().astype(np.float64)
    missing |= np.isnan(values)
    if missing.any():
        raise LabelNoiseError(
            f"column {column.name!r} has {int(missing.sum())} missing value(s) (NaN), the "
            f"first at row {int(missing.argmax())}. Impute or drop them, for example with "
            "sklearn.impute.SimpleImputer()."
        )
    return values[:, None]


def _as_text(column: Any) -> np.ndarray[Any, Any]:
    """Categories as text; a missing value is a category of its own."""
    filled = column.cast(nw.String).fill_null("(missing)")
    return filled.to_numpy().astype(str)


def distinct_texts(values: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """Categories of a column in sorted order; too many of them are no categories."""
    distinct = np.unique(values)
    if len(distinct) > max(MAX_CATEGORIES, len(values) // 2):
        raise LabelNoiseError(
            f"column {name!r} has {len(distinct)} different values in {len(values)} rows and looks "
            "like an identifier or free text. Drop it, or replace it with an embedding."
        )
    checks.dense_size((len(values), len(distinct)), f"column {name!r} as indicators")
    return distinct


def indicators(values: np.ndarray[Any, Any], known: np.ndarray[Any, Any]) -> FloatArray:
    """Indicator columns, one for each known text in its order.

    >>> indicators(np.array(["b", "a", "z"]), np.array(["a", "b"]))
    array([[0., 1.],
           [1., 0.],
           [0., 0.]])
    """
    found = np.minimum(np.searchsorted(known, values), len(known) - 1)
    table = np.zeros((len(values), len(known)))
    table[np.arange(len(values)), found] = known[found] == values
    return table
