"""Label issues as delimited text, which people open in spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import re
from typing import TYPE_CHECKING, Any

from labelnoise import checks
from labelnoise.atomic_files import read_text
from labelnoise.data.text_layout import likely_delimiter
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from pathlib import Path

Columns = dict[str, list[Any]]
SNIFFED = 2**16
FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""How texts begin that a spreadsheet would run, or that are guarded from it."""


def to_bytes(columns: Columns, delimiter: str) -> bytes:
    """Columns as delimited text; lists are JSON."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(map(_written, columns))
    for cells in zip(*columns.values(), strict=True):
        writer.writerow(map(_written, cells))
    return stream.getvalue().encode("utf-8")


def _written(cell: Any) -> Any:
    if isinstance(cell, list):
        return json.dumps(cell, ensure_ascii=False, default=str)
    return _guarded(cell) if isinstance(cell, str) else cell


def _guarded(text: str) -> str:
    """A text that no spreadsheet runs as a formula; numbers are none.

    >>> _guarded("=1+1"), _guarded("-1.5"), _unguarded(_guarded("'=1"))
    ("'=1+1", '-1.5', "'=1")
    """
    if not FORMULA.match(text):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def _unguarded(text: str) -> str:
    return text[1:] if text.startswith("'") and FORMULA.match(text) else text


def from_file(path: Path, delimiter: str) -> Columns:
    """Columns of such a file; a spreadsheet may have saved it with another delimiter."""
    beginning = read_text(path, keep_line_ends=True)[:SNIFFED]
    if "row" not in beginning.partition("\n")[0].replace('"', "").strip().split(delimiter):
        delimiter = likely_delimiter(beginning)
    records = _records(path, delimiter)
    if not records:
        raise LabelNoiseError(f"{str(path)!r} is empty. Its first line must name the columns.")
    (_, header), *rows = records
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise LabelNoiseError(
            f"{str(path)!r} has several columns named {checks.named(twice)}. Keep one of each."
        )
    for line, cells in rows:
        if len(cells) != len(header):
            raise LabelNoiseError(
                f"{str(path)!r} is no table: line {line} has {len(cells)} cells, the first line "
                f"{len(header)}. Separate cells by {delimiter!r}."
            )
    return {
        _unguarded(name): [_unguarded(cells[i]) for _, cells in rows]
        for i, name in enumerate(header)
    }


def _records(path: Path, delimiter: str) -> list[tuple[int, list[str]]]:
    """The line that each record ends in, and its cells."""
    text = read_text(path, keep_line_ends=True)  # they may be part of a cell
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    usual = csv.field_size_limit(max(len(text), 1))  # a cell may be as long as we wrote it
    try:
        return [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise LabelNoiseError(
            f"{str(path)!r} is no table: {error} in line {reader.line_num}. Save it as CSV again."
        ) from error
    finally:
        csv.field_size_limit(usual)
