"""Parquet, Arrow and Feather files <-> columns, by pyarrow."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.feather as pf
import pyarrow.parquet as pq

from labelnoise import checks
from labelnoise.data.old_columns import NOTHING, Column, Dates, Numbers, RawTable, Texts, Vectors
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from labelnoise.data.reading import Reading

MICROSECONDS_A_DAY = 86_400e6
FILE_MARK = b"ARROW1"
"""How an Arrow file begins; a stream of the same has no mark."""


def read(stream: BinaryIO, reading: Reading) -> RawTable:
    """Columns of a table."""
    return columns_of(_table(stream, reading), reading)


def columns_of(table: Any, reading: Reading) -> RawTable:
    """Columns of an Arrow table; those of a type that says nothing here are left out."""
    name = reading.name
    if not table.num_rows:
        raise LabelNoiseError(f"{name} has no rows. Pass a table with labeled rows.")
    twice = sorted(name for name, times in Counter(table.column_names).items() if times > 1)
    if twice:
        raise LabelNoiseError(
            f"{name} has several columns named {checks.named(twice)}. Give each a name of its own."
        )
    columns, guesses = {}, []
    for field in table.schema:
        column = _column(
            table.column(field.name).combine_chunks(), as_text=reading.keeps_text(field.name)
        )
        if column is None:
            guesses.append(f"column {field.name!r} is left out: its type is {field.type}")
        else:
            columns[str(field.name)] = column
    return RawTable(columns, tuple(guesses))


def rewrite(
    stream: BinaryIO, out: BinaryIO, reading: Reading, column: str, changes: Mapping[int, str]
) -> None:
    """Copy a table with other values in some rows of a column, of its type if they fit into it."""
    table = _table(stream, reading)
    place, field = table.column_names.index(column), table.schema.field(column)
    new = _changed(table.column(column).combine_chunks(), changes)
    table = table.set_column(place, field.with_type(new.type), new)
    stream.seek(0)
    if _is_parquet(stream):
        pq.write_table(table, out)
    else:
        is_file = stream.read(len(FILE_MARK)) == FILE_MARK
        options = pa.ipc.IpcWriteOptions(compression="lz4" if is_file else None, use_threads=False)
        new = pa.ipc.new_file if is_file else pa.ipc.new_stream
        with new(out, table.schema, options=options) as writer:
            writer.write_table(table)


def _changed(array: Any, changes: Mapping[int, str]) -> Any:
    """An array with other texts in some places; categories keep their order, new ones come last."""
    if pa.types.is_dictionary(array.type):
        texts = array.dictionary.cast(pa.string()).to_pylist()
        added = [text for text in dict.fromkeys(changes.values()) if text not in texts]
        position = {text: i for i, text in enumerate([*texts, *added])}
        codes = array.indices.to_pylist()
        for row, text in changes.items():
            codes[row] = position[text]
        levels = pa.array([*texts, *added]) if added else array.dictionary
        with contextlib.suppress(pa.ArrowInvalid):  # a class that the type cannot hold
            levels = levels.cast(array.type.value_type)
        try:
            codes = pa.array(codes, type=array.type.index_type)
        except pa.ArrowInvalid:  # more levels than the type can count
            codes = pa.array(codes, type=pa.int32())
        return pa.DictionaryArray.from_arrays(codes, levels, ordered=array.type.ordered)
    if pa.types.is_string_view(array.type):  # Arrow cannot replace their values
        return _changed(array.cast(pa.string()), changes).cast(array.type)
    new = pa.array([changes[row] for row in sorted(changes)], type=pa.string())
    try:
        new = new.cast(array.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):  # a class that the type cannot hold
        array = _told_texts(array)
    changed = np.zeros(len(array), dtype=bool)
    changed[list(changes)] = True
    return pc.replace_with_mask(array, pa.array(changed), new)


def _told_texts(array: Any) -> Any:
    """An array as texts; NaN is nothing."""
    if pa.types.is_floating(array.type):
        array = pc.if_else(pc.is_nan(array), None, array)
    try:
        return array.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise LabelNoiseError(
            f"a column of type {array.type} cannot be read as text: {error}. Save its values as "
            "texts or numbers."
        ) from error


def _is_parquet(stream: BinaryIO) -> bool:
    stream.seek(0)
    found = stream.read(4) == b"PAR1"
    stream.seek(0)
    return found


def parquet_table(stream: BinaryIO) -> Any:
    """An Arrow table, read without Arrow's threads: they may abort a Python that ends."""
    return pq.ParquetFile(stream, pre_buffer=False).read(use_threads=False)


def _table(stream: BinaryIO, reading: Reading) -> Any:
    is_parquet = _is_parquet(stream)
    stream.seek(0)
    try:
        if is_parquet:
            return parquet_table(stream)
        try:
            return pf.read_table(stream, use_threads=False)
        except pa.ArrowInvalid:  # the stream format has no mark at its beginning
            stream.seek(0)
            options = pa.ipc.IpcReadOptions(use_threads=False)
            return pa.ipc.open_stream(stream, options=options).read_all()
    except (pa.ArrowException, OSError, ValueError) as error:
        first = str(error).splitlines()[0].rstrip(".")
        raise LabelNoiseError(
            f"{reading.name} cannot be read as a {'Parquet' if is_parquet else 'Arrow'} file: "
            f"{first}. Is it complete? Pass --format if it is something else."
        ) from error


def _column(array: Any, *, as_text: bool) -> Column | None:
    """A column of what an Arrow array holds; None for types that say nothing here."""
    if pa.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if pa.types.is_null(array.type):
        return Numbers(np.full(len(array), np.nan))
    if as_text and not pa.types.is_nested(array.type):
        return _texts(_told_texts(array))
    return next((make(array) for fits, make in MAKERS.items() if fits(array.type)), None)


def _floats(array: Any) -> Any:
    values = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.array(values, dtype=np.float64)


def _texts(array: Any) -> Texts:
    coded = array.dictionary_encode()
    codes = coded.indices.fill_null(NOTHING).to_numpy(zero_copy_only=False)
    return Texts(codes.astype(np.int32), tuple(coded.dictionary.cast(pa.string()).to_pylist()))


def _vectors(array: Any) -> Vectors | None:
    kind = array.type.value_type
    if not (pa.types.is_floating(kind) or pa.types.is_integer(kind)) or array.null_count:
        return None
    lengths = np.unique(pc.list_value_length(array).to_numpy(zero_copy_only=False))
    flat = array.flatten()
    if len(lengths) != 1 or not lengths[0] or flat.null_count:
        return None
    return Vectors(_floats(flat).reshape(len(array), int(lengths[0])))


def _dates(array: Any) -> Dates:
    zone = getattr(array.type, "tz", None)
    moments = array.cast(pa.timestamp("us", tz=zone), safe=False)
    return Dates(_floats(moments.cast(pa.int64())) / MICROSECONDS_A_DAY)


def _numbers(array: Any) -> Numbers:
    return Numbers(_floats(array))


MAKERS: dict[Callable[[Any], bool], Callable[[Any], Column | None]] = {
    pa.types.is_boolean: lambda array: _texts(array.cast(pa.string())),
    pa.types.is_string: _texts,
    pa.types.is_large_string: _texts,
    pa.types.is_string_view: _texts,
    pa.types.is_integer: _numbers,
    pa.types.is_floating: _numbers,
    pa.types.is_decimal: _numbers,
    pa.types.is_date: _dates,
    pa.types.is_timestamp: _dates,
    pa.types.is_list: _vectors,
    pa.types.is_large_list: _vectors,
    pa.types.is_fixed_size_list: _vectors,
}
"""What Arrow types become, the first that fits."""
