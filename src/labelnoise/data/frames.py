"""Tables of any library -> Arrow tables: pandas, polars, pyarrow, Hugging Face datasets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import pyarrow as pa

from labelnoise import checks
from labelnoise.data.label_column import doubtful_labels
from labelnoise.data.table_options import refuse_unknown_column
from labelnoise.errors import LabelNoiseError, warn_user

if TYPE_CHECKING:
    import numpy as np

UNCONVERTIBLE = (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError)
"""What Arrow raises for a column of mixed Python objects, or of numbers beyond 64 bits."""


def is_table(value: Any) -> bool:
    """Whether a value has named columns, in the form of any library we know."""
    if isinstance(value, pa.Table | pa.RecordBatch) or _is_hugging_face(value):
        return True
    if nw.dependencies.is_pandas_dataframe(value):  # narwhals refuses some names of columns
        return True
    known = nw.from_native(value, pass_through=True)
    return isinstance(known, nw.DataFrame | nw.LazyFrame)


def as_arrow(table: Any, name: str = "X") -> pa.Table:
    """A table of any kind as an Arrow table; columns of mixed values become text."""
    found = _converted(table, name)
    checks.distinct_columns(found, name)
    return found.rename_columns([str(column) for column in found.column_names])


def split_column(table: Any, name: str, parameter: str) -> tuple[pa.Table, np.ndarray[Any, Any]]:
    """All columns of a table except one, and the values (n,) of that one.

    `parameter` is what the name was passed as. For "y", a warning names labels that may stand for a
    missing label, or that differ only in spelling.
    """
    if not is_table(table):
        raise LabelNoiseError("column_name_without_table", name=parameter, column=name)
    found = as_arrow(table)
    refuse_unknown_column(name, found.column_names, "X", parameter)
    values = found[name]
    if pa.types.is_dictionary(values.type):
        values = values.cast(values.type.value_type)
    if parameter == "y":
        for note in doubtful_labels(values):
            warn_user(note)
    return found.drop_columns([name]), values.to_numpy()


def _converted(table: Any, name: str) -> pa.Table:
    if isinstance(table, pa.Table):
        return table
    if isinstance(table, pa.RecordBatch):
        return pa.Table.from_batches([table])
    if _is_hugging_face(table):
        return table.with_format("arrow")[:]
    if nw.dependencies.is_pandas_dataframe(table):  # by position: it allows any names, also twice
        columns = [_series(table.iloc[:, i]) for i in range(table.shape[1])]
        return pa.Table.from_arrays(columns, names=[str(column) for column in table.columns])
    known = nw.from_native(table, pass_through=True)
    if isinstance(known, nw.LazyFrame):
        raise LabelNoiseError("lazy_frame", table=name)
    return known.to_arrow()


def _series(series: Any) -> pa.Array:
    try:
        found = pa.array(series, from_pandas=True)
    except UNCONVERTIBLE:
        missing = series.isna()
        found = pa.array(series.astype(str).where(~missing, None), type=pa.string())
    kind = found.type
    if pa.types.is_dictionary(kind) and isinstance(kind.value_type, pa.BaseExtensionType):
        # Categories of a type of pandas' own: intervals, as pandas.cut makes them, or periods.
        found = pa.array(series.cat.rename_categories(str), from_pandas=True)
    return found.combine_chunks() if isinstance(found, pa.ChunkedArray) else found


def _is_hugging_face(value: Any) -> bool:
    kind = type(value)
    return kind.__name__ == "Dataset" and kind.__module__.partition(".")[0] == "datasets"
