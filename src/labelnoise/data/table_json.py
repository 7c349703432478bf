"""JSON Lines (or a JSON list) of objects <-> columns."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO

from labelnoise.data.columns import Column, RawTable
from labelnoise.data.plain_columns import can_be_written, column_of, joined, text_of
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from labelnoise.data.reading import Reading

BLOCK_ROWS = 20_000


def read(stream: BinaryIO, reading: Reading) -> RawTable:
    """Columns of JSON Lines; a key that a row lacks is missing in it."""
    parts: dict[str, list[Column]] = {}
    n_rows = 0
    for block in _blocks(stream, reading):
        for name in dict.fromkeys([*parts, *(key for row in block for key in row)]):
            column = column_of([row.get(name) for row in block], as_text=name in reading.as_text)
            earlier = [column_of([None] * n_rows)] if n_rows and name not in parts else []
            parts.setdefault(name, earlier).append(column)
        n_rows += len(block)
    if not n_rows:
        raise LabelNoiseError(f"{reading.name} is empty. Pass one JSON object a line.")
    return RawTable({name: joined(columns) for name, columns in parts.items()})


def rewrite(
    stream: BinaryIO, out: BinaryIO, reading: Reading, column: str, changes: Mapping[int, str]
) -> None:
    """Copy rows with other values of one key in some of them, all else as it is.

    A label is written as it stands in other rows: as a number if they have numbers.
    """
    known = {
        text_of(row[column]): row[column]
        for block in _blocks(stream, reading)
        for row in block
        if row.get(column) is not None
    }
    is_list, place = _begins_a_list(stream), 0
    for block in _blocks(stream, reading):
        for row in block:
            if place in changes:
                row[column] = known.get(changes[place], changes[place])
            start = ("[" if place == 0 else ",") if is_list else ""
            out.write(f"{start}{_dumped(row)}\n".encode())
            place += 1
    out.write(b"]\n" if is_list else b"")


def _dumped(row: dict[str, Any]) -> str:
    """A row as JSON; half of a character, which UTF-8 cannot hold, stays escaped."""
    text = json.dumps(row, ensure_ascii=False)
    return text if can_be_written(text) else json.dumps(row)


def _begins_a_list(stream: BinaryIO) -> bool:
    stream.seek(0)
    return stream.read(4096).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")


def _blocks(stream: BinaryIO, reading: Reading) -> Iterator[list[dict[str, Any]]]:
    total = stream.seek(0, io.SEEK_END)
    is_list = _begins_a_list(stream)
    stream.seek(0)
    rows: list[dict[str, Any]] = []
    if is_list:
        yield _objects(_parsed(stream.read(), reading, 1), reading)
        return
    for number, line in enumerate(stream, start=1):
        if line.strip():
            rows += _objects([_parsed(line, reading, number)], reading, number)
        if len(rows) == BLOCK_ROWS:
            tell("reading", stream.tell(), total)
            yield rows
            rows = []
    if rows:
        yield rows


def _parsed(text: bytes, reading: Reading, line: int) -> Any:
    try:
        return json.loads(text.decode(reading.encoding or "utf-8-sig"))
    except LookupError as error:
        raise LabelNoiseError(
            f"unknown encoding {reading.encoding!r}. Pass for example --encoding cp1252."
        ) from error
    except UnicodeError as error:
        raise LabelNoiseError(
            f"{reading.name} is not {reading.encoding or 'UTF-8'}: see line {line}. Save it as "
            "UTF-8, or name its encoding, for example --encoding cp1252."
        ) from error
    except (json.JSONDecodeError, RecursionError) as error:
        raise LabelNoiseError(
            f"line {line} of {reading.name} is no JSON: {error}. Write one JSON object a line."
        ) from error


def _objects(rows: Any, reading: Reading, line: int = 1) -> list[dict[str, Any]]:
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise LabelNoiseError(
            f'{reading.name} must hold objects, one a line, such as {{"text": "...", "label": '
            f'"cat"}}; line {line} is something else.'
        )
    return rows
