"""Data frames -> numbers: numeric columns as they are, categories one-hot."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

MAX_CATEGORIES = 50
"""More different texts than this, in more than half of the rows, are no categories."""


def features(X: Any) -> FloatArray:
    """Turn an array, a sparse matrix or a pandas, polars or pyarrow frame into (n, d) floats."""
    frame = nw.from_native(_plainly_named(X), pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise LabelNoiseError("X is a lazy frame. Call its collect() and pass the result.")
    if not isinstance(frame, nw.DataFrame):
        return checks.feature_matrix(X)
    columns = [_encode(column) for column in frame.iter_columns()]  # by place, not by name
    return checks.feature_matrix(np.hstack(columns) if columns else np.empty((len(frame), 0)))


def _plainly_named(X: Any) -> Any:
    """Name a pandas frame's columns by distinct texts: pandas allows any names, also twice."""
    if not nw.dependencies.is_pandas_dataframe(X):
        return X
    names = [str(name) for name in X.columns]
    distinct = (
        names if len(set(names)) == len(names) else [f"{n} #{i}" for i, n in enumerate(names)]
    )
    return X.set_axis(distinct, axis=1)


def _encode(column: Any) -> np.ndarray[Any, Any]:
    """One narwhals series as (n, 1) numbers, or (n, categories) indicators."""
    dtype = column.dtype
    if dtype.is_numeric() or dtype == nw.Boolean:
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
    if dtype.is_temporal() or dtype.is_nested():
        raise LabelNoiseError(
            f"column {column.name!r} has type {dtype}, which is neither a number nor a category. "
            "Drop it, or turn it into numbers."
        )
    return one_hot(_as_text(column), str(column.name))


def _as_text(column: Any) -> np.ndarray[Any, Any]:
    """Categories as text; a missing value is a category of its own."""
    filled = column.cast(nw.String).fill_null("(missing)")
    return filled.to_numpy().astype(str)


def one_hot(values: np.ndarray[Any, Any], name: str) -> FloatArray:
    """Indicator columns, one for each distinct value in sorted order.

    >>> one_hot(np.array(["b", "a", "b"]), "letter")
    array([[0., 1.],
           [1., 0.],
           [0., 1.]])
    """
    distinct, codes = np.unique(values, return_inverse=True)
    if len(distinct) > max(MAX_CATEGORIES, len(values) // 2):
        raise LabelNoiseError(
            f"column {name!r} has {len(distinct)} different values in {len(values)} rows and looks "
            "like an identifier or free text. Drop it, or replace it with an embedding."
        )
    checks.dense_size((len(values), len(distinct)), f"column {name!r} as indicators")
    indicators = np.zeros((len(values), len(distinct)))
    indicators[np.arange(len(values)), codes.ravel()] = 1.0
    return indicators
