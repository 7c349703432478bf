"""Parquet and Arrow (Feather) files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import parquet

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.data.files.table import ReadOptions, Relabeling
    from labelnoise.wording import Note


def read(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[pa.Table, tuple[Note, ...]]:
    """Read a table as it was saved."""
    del options
    stream.seek(0)
    is_parquet = stream.read(4) == b"PAR1"
    stream.seek(0)
    try:
        if is_parquet:
            # Arrow's own threads may abort a process that ends, so none are used.
            return parquet.ParquetFile(stream, pre_buffer=False).read(use_threads=False), ()
        return _read_arrow(stream), ()
    except (pa.ArrowException, OSError) as error:
        raise LabelNoiseError("damaged_file", name=name, reason=str(error)) from error


def copy(
    stream: BinaryIO, out: BinaryIO, name: str, options: ReadOptions, change: Relabeling
) -> None:
    """Write the table with other labels, of the same type if the type can hold them."""
    table, _ = read(stream, name, options)
    place = table.schema.get_field_index(change.column)
    field = table.schema.field(place)
    values = relabeled(table.column(place), change.labels)
    table = table.set_column(place, field.with_type(values.type), values)
    if change.found.format == "parquet":
        parquet.write_table(table, out)
    else:
        with pa.ipc.new_file(out, table.schema) as writer:
            writer.write_table(table)


def relabeled(column: pa.ChunkedArray, labels: Mapping[int, Any]) -> pa.ChunkedArray:
    """A column with other values in some rows; texts if its type cannot hold them."""
    plain = column.type
    if pa.types.is_dictionary(plain):
        plain = plain.value_type
        column = column.cast(plain)
    positions = sorted(labels)
    values = [labels[position] for position in positions]
    try:
        new = _array(values, plain)
    except (pa.ArrowInvalid, pa.ArrowTypeError, ValueError):
        column, new = column.cast(pa.string()), _array(values, pa.string())
    chosen = np.zeros(len(column), dtype=bool)
    chosen[positions] = True
    return pc.replace_with_mask(column.combine_chunks(), pa.array(chosen), new)


def _array(values: list[Any], kind: pa.DataType) -> pa.Array:
    """Values as an array of some type."""
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return pa.array([str(value) for value in values], kind)
    return pa.array(values).cast(kind)


def _read_arrow(stream: BinaryIO) -> pa.Table:
    serial = pa.ipc.IpcReadOptions(use_threads=False)
    try:
        with pa.ipc.open_file(pa.PythonFile(stream, mode="r"), options=serial) as reader:
            return reader.read_all()
    except pa.ArrowInvalid:
        stream.seek(0)
        with pa.ipc.open_stream(stream, options=serial) as reader:
            return reader.read_all()
