"""JSON Lines (or a JSON list) of objects <-> columns."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any, BinaryIO

from labelnoise import checks
from labelnoise.data.old_columns import Column, RawTable, Texts
from labelnoise.data.plain_columns import column_of, joined, text_of
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import tell

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from labelnoise.data.reading import Reading

BLOCK_ROWS = 20_000
DEEPEST = 5
"""Objects in objects that become columns; what lies deeper stays JSON text."""


def read(stream: BinaryIO, reading: Reading) -> RawTable:
    """Columns of JSON Lines; a key that a row lacks is missing in it.

    An object in an object becomes columns of its own: ``{"meta": {"lang": "en"}}`` has 'meta.lang'.
    """
    parts: dict[str, list[Column]] = {}
    keys, lists = set(), set()
    n_rows = 0
    for nested in _blocks(stream, reading):
        block = [_flat(row) for row in nested]
        keys |= {key for row in nested for key in row}
        lists |= {key for row in block for key, value in row.items() if isinstance(value, list)}
        for name in dict.fromkeys([*parts, *(key for row in block for key in row)]):
            column = column_of([row.get(name) for row in block], as_text=reading.keeps_text(name))
            earlier = [column_of([None] * n_rows)] if n_rows and name not in parts else []
            parts.setdefault(name, earlier).append(column)
        n_rows += len(block)
    if not n_rows:
        raise LabelNoiseError(f"{reading.name} is empty. Pass one JSON object a line.")
    columns = {name: joined(some) for name, some in parts.items()}
    within = [name for name in columns if name not in keys]
    as_text = [name for name in columns if name in lists and isinstance(columns[name], Texts)]
    guesses = []
    if within:
        guesses.append(f"objects in objects become columns: {checks.named(within)}")
    if as_text:
        guesses.append(f"lists are read as one text: {checks.named(as_text)} (--drop)")
    return RawTable(columns, tuple(guesses))


def rewrite(
    stream: BinaryIO, out: BinaryIO, reading: Reading, column: str, changes: Mapping[int, str]
) -> None:
    """Copy rows with other values of one key in some of them; other lines stay as they are.

    A label is written as it stands in other rows: as a number if they have numbers.
    """
    values = (_flat(row).get(column) for block in _blocks(stream, reading) for row in block)
    known = {text_of(value): value for value in values if value is not None}
    numbers = all(isinstance(value, int | float) for value in known.values())
    fresh = {text: _as_number(text) if numbers else text for text in changes.values()}
    new = {place: known.get(text, fresh[text]) for place, text in changes.items()}
    if _begins_a_list(stream):
        (rows,) = _blocks(stream, reading)
        told = [_changed(row, column, new, place) for place, row in enumerate(rows)]
        out.write(_written(told, reading) + b"\n")
        return
    place = 0
    stream.seek(0)
    for line in stream:
        if place in new and line.strip():
            row = _changed(_parsed(line, reading, place), column, new, place)
            out.write(_written(row, reading) + line[len(line.rstrip(b"\r\n")) :])
        else:
            out.write(line)
        place += bool(line.strip())


def _flat(row: dict[str, Any], within: str = "", depth: int = 0) -> dict[str, Any]:
    """A row with objects in it spread out, their keys joined by dots; a plain key comes first.

    >>> _flat({"a": {"b": 1, "c": {"d": 2}}, "a.b": 3})
    {'a.b': 3, 'a.c.d': 2}
    """
    found: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict) and value and depth < DEEPEST:
            for name, inner in _flat(value, f"{within}{key}.", depth + 1).items():
                found.setdefault(name, inner)
        else:
            found[f"{within}{key}"] = value
    return found


def _holder(row: dict[str, Any], name: str) -> tuple[dict[str, Any], str]:
    """The object that holds the value `_flat` gives this name, and the key it has there."""
    for key, value in row.items():
        inner = name.removeprefix(f"{key}.")
        if name not in row and isinstance(value, dict) and inner != name and inner in _flat(value):
            return _holder(value, inner)
    return row, name


def _as_number(text: str) -> Any:
    number = int(text) if text.lstrip("-").isdecimal() else None
    return number if str(number) == text else text


def _changed(row: dict[str, Any], column: str, new: Mapping[int, Any], place: int) -> Any:
    if place in new:
        holder, key = _holder(row, column)
        holder[key] = new[place]
    return row


def _written(row: Any, reading: Reading) -> bytes:
    """A row as JSON in the encoding of the file; what that cannot hold is escaped."""
    encoding = (reading.encoding or "utf-8").lower().replace("utf-8-sig", "utf-8")
    try:
        return json.dumps(row, ensure_ascii=False).encode(encoding)
    except UnicodeEncodeError:
        return json.dumps(row).encode(encoding)


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
    except (ValueError, RecursionError) as error:  # no JSON, or a number of thousands of digits
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
