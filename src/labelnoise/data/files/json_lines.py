"""JSON Lines, or one JSON list of objects: read by Arrow, copied line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
from pyarrow import json as pa_json

from labelnoise.data.files.table import block_size
from labelnoise.data.settings import DEEPEST_OBJECT
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.data.files.table import ReadOptions, Relabeling

Row = dict[str, Any]


def read(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[pa.Table, tuple[Note, ...]]:
    """Read objects as rows; a key that a row lacks is missing in it.

    An object within an object becomes columns of its own: ``{"meta": {"lang": "en"}}`` has
    ``meta.lang``. A key whose values are of several kinds becomes a column of texts.
    """
    table = None if _is_list(stream, options) else _by_arrow(stream, options)
    if table is None:
        rows = [row for row, _ in _rows(stream, name, options) if row is not None]
        table = _as_table(rows)
    flat = _flattened(table)
    nested = [column for column in flat.column_names if column not in table.column_names]
    return flat, (Note("nested_objects", {"columns": nested}),) if nested else ()


def copy(
    stream: BinaryIO, out: BinaryIO, name: str, options: ReadOptions, change: Relabeling
) -> None:
    """Copy rows with other labels; other lines stay as they are."""
    encoding = options.encoding or "utf-8"
    one_list, position, changed = _is_list(stream, options), 0, []
    for row, line in _rows(stream, name, options):
        if row is not None and position in change.labels:
            _set(row, change.column, change.labels[position])
            end = line[len(line.rstrip("\r\n")) :]
            line = json.dumps(row, ensure_ascii=False) + end  # noqa: PLW2901
        position += row is not None
        if one_list:
            changed.append(row)
        else:
            out.write(line.encode(encoding))
    if one_list:
        out.write(json.dumps(changed, ensure_ascii=False, indent=2).encode(encoding) + b"\n")


def _by_arrow(stream: BinaryIO, options: ReadOptions) -> pa.Table | None:
    """The table as Arrow reads it; None where Arrow refuses, as for values of several kinds."""
    if options.encoding is not None:
        return None
    try:
        return pa_json.read_json(
            pa.PythonFile(stream, mode="r"),
            pa_json.ReadOptions(use_threads=False, block_size=block_size(stream)),
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _is_list(stream: BinaryIO, options: ReadOptions) -> bool:
    stream.seek(0)
    first = stream.read(256).decode(options.encoding or "utf-8", "ignore")
    return first.lstrip("\ufeff \t\r\n").startswith("[")


def _rows(stream: BinaryIO, name: str, options: ReadOptions) -> Iterator[tuple[Row | None, str]]:
    """Rows with the line each stands on; None for a blank line. A list has no lines."""
    encoding = options.encoding or "utf-8"
    one_list = _is_list(stream, options)
    stream.seek(0)
    lines = [stream.read()] if one_list else stream
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode(encoding)
            blank = not text.strip("\ufeff \t\r\n")
            value: Any = None if blank else json.loads(text.removeprefix("\ufeff"))
        except (ValueError, RecursionError) as error:
            raise LabelNoiseError(
                "not_json_lines", name=name, line=number, reason=str(error)
            ) from error
        values: list[Any] = value if one_list else [value]
        if not all(isinstance(one, dict) or (one is None and not one_list) for one in values):
            raise LabelNoiseError(
                "not_json_lines", name=name, line=number, reason="it is not an object"
            )
        yield from ((one, "" if one_list else text) for one in values)


def _as_table(rows: list[Row]) -> pa.Table:
    """Rows as columns, each of one type: texts where values are of several kinds."""
    names = dict.fromkeys(key for row in rows for key in row)
    try:
        return pa.table({name: _column([row.get(name) for row in rows]) for name in names})
    except UnicodeEncodeError:  # halves of surrogate pairs, which UTF-8 cannot encode
        text = json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")
        return _as_table(json.loads(text))


def _column(values: list[Any]) -> pa.Array:
    try:
        return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else as_text(value) for value in values])


def as_text(value: Any) -> str:
    """A value of JSON as a text: itself, or as it is written.

    >>> as_text("one"), as_text(1), as_text([True])
    ('one', '1', '[true]')
    """
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _flattened(table: pa.Table) -> pa.Table:
    """Columns of objects as columns of their own; what lies deeper than a limit becomes text."""
    for _ in range(DEEPEST_OBJECT):
        if not any(pa.types.is_struct(field.type) for field in table.schema):
            return table
        table = table.flatten()
    texts = [
        _column([None if v is None else as_text(v) for v in column.to_pylist()])
        if pa.types.is_struct(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(texts, names=table.column_names)


def _set(row: Row, column: str, label: Any) -> None:
    """Set the value that has this name in the table: of a key, or of one within an object."""
    while column not in row:
        key = next(
            (k for k in row if column.startswith(f"{k}.") and isinstance(row[k], dict)), None
        )
        if key is None:
            break
        row, column = row[key], column.removeprefix(f"{key}.")
    row[column] = label
