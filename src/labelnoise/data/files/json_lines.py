"""JSON Lines, or one JSON list of objects: read by Arrow, copied line by line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa
from pyarrow import json as pa_json

from labelnoise import checks
from labelnoise.data.files.table import block_size, one_type
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.data.files.table import ReadOptions, Relabeling
    from labelnoise.wording import Note

Row = dict[str, Any]

BLANK = b"\xef\xbb\xbf \t\r\n"
"""White space and the UTF-8 byte order mark."""


def read(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[pa.Table, tuple[Note, ...]]:
    """Read objects as rows; a key that a row lacks is missing in it.

    An object within an object becomes columns of its own: ``{"meta": {"lang": "en"}}`` has
    ``meta.lang``. A key whose values are of several kinds becomes a column of texts.
    """
    del options
    table = _by_arrow(stream)
    if table is None:
        table = _as_table([row for _, row in _rows(stream, name) if row is not None])
    while any(pa.types.is_struct(field.type) for field in table.schema):
        table = table.flatten()
    checks.distinct_names(table.column_names, name)
    return table, ()


def copy(
    stream: BinaryIO, out: BinaryIO, name: str, options: ReadOptions, change: Relabeling
) -> None:
    """Copy rows with other labels; other lines stay as they are."""
    del options
    if _is_list(stream):
        objects = [row for _, row in _rows(stream, name) if row is not None]
        for position, label in change.labels.items():
            _set(objects[position], change.column, label)
        out.write(json.dumps(objects, ensure_ascii=False, indent=2).encode() + b"\n")
        return
    position = 0
    for line, row in _rows(stream, name):
        written = line
        if row is not None and position in change.labels:
            _set(row, change.column, change.labels[position])
            end = line[len(line.rstrip(b"\r\n")) :]
            written = json.dumps(row, ensure_ascii=False).encode() + end
        position += row is not None
        out.write(written)


def _by_arrow(stream: BinaryIO) -> pa.Table | None:
    """The table as Arrow reads it; None where Arrow refuses, as for values of several kinds."""
    try:
        return pa_json.read_json(
            pa.PythonFile(stream, mode="r"),
            pa_json.ReadOptions(use_threads=False, block_size=block_size(stream)),
        )
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return None


def _is_list(stream: BinaryIO) -> bool:
    stream.seek(0)
    return stream.read(256).lstrip(BLANK).startswith(b"[")


def _rows(stream: BinaryIO, name: str) -> Iterator[tuple[bytes, Row | None]]:
    """Each line with its row, None if it is blank; the rows of a list have empty lines."""
    if _is_list(stream):
        stream.seek(0)
        yield from ((b"", row) for row in _parsed(b"".join(stream), name, 1, list))
        return
    stream.seek(0)
    for number, line in enumerate(stream, start=1):
        yield line, _parsed(line, name, number, dict) if line.strip(BLANK) else None


def _parsed(text: bytes, name: str, line: int, kind: type) -> Any:
    """An object, or a list of objects."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelNoiseError("not_json_lines", name=name, line=line, reason=str(error)) from error
    objects = value if kind is list else [value]
    if not all(isinstance(one, dict) for one in objects):
        raise LabelNoiseError("not_json_lines", name=name, line=line, reason="it is not an object")
    return value


def _as_table(rows: list[Row]) -> pa.Table:
    """Rows as columns, each of one type: texts where values are of several kinds."""
    keys = dict.fromkeys(key for row in rows for key in row)
    try:
        return pa.table({key: one_type([row.get(key) for row in rows], _as_text) for key in keys})
    except UnicodeEncodeError:  # halves of surrogate pairs, which UTF-8 cannot encode
        text = json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace")
        return _as_table(json.loads(text))


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
