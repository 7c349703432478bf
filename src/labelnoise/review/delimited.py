"""Label issues as delimited text, which people open in spreadsheets."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING, Any

from labelnoise.atomic_files import read_text
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

Columns = dict[str, list[Any]]

DELIMITERS = (",", ";", "\t")
"""What we write, and what spreadsheets make of it."""

FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""How texts begin that a spreadsheet would run, or that are protected from it."""


def to_bytes(columns: Columns, delimiter: str) -> bytes:
    """Columns as delimited text; the entries of a list are joined by semicolons."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(map(_cell, columns))
    for cells in zip(*columns.values(), strict=True):
        writer.writerow(map(_cell, cells))
    return stream.getvalue().encode("utf-8")


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return _protected(value) if isinstance(value, str) else value


def _protected(text: str) -> str:
    """A text that no spreadsheet runs as a formula; numbers need no protection.

    >>> _protected("=1+1"), _protected("-1.5"), unprotected(_protected("'=1"))
    ("'=1+1", '-1.5', "'=1")
    """
    if not FORMULA.match(text):
        return text
    try:
        float(text)
    except ValueError:
        return f"'{text}"
    return text


def unprotected(value: Any) -> Any:
    """A cell as it was before it was protected."""
    marked = isinstance(value, str) and value.startswith("'") and FORMULA.match(value)
    return value[1:] if marked else value


def from_file(path: Path) -> Columns:
    """Columns of such a file; a spreadsheet may have saved it with another delimiter."""
    text = read_text(path, keep_line_ends=True)  # line ends may be part of a cell
    records = _records(text, _delimiter(text), path)
    return as_columns([cells for _, cells in records], [line for line, _ in records], path)


def _delimiter(text: str) -> str:
    """The delimiter that makes `row` a column, or else the most columns."""
    heads = {}
    for delimiter in DELIMITERS:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
        try:
            heads[delimiter] = next(reader, [])
        except csv.Error:
            heads[delimiter] = []
    return max(DELIMITERS, key=lambda d: ("row" in heads[d], len(heads[d])))


def _records(text: str, delimiter: str, path: Path) -> list[tuple[int, list[str]]]:
    """The line that each record ends in, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    usual = csv.field_size_limit(max(len(text), 1))  # a cell may be as long as we wrote it
    try:
        return [(reader.line_num, cells) for cells in reader if cells]
    except csv.Error as error:
        raise LabelNoiseError(
            "decisions_not_delimited", path=str(path), reason=str(error), line=reader.line_num
        ) from error
    finally:
        csv.field_size_limit(usual)


def as_columns(records: Sequence[Sequence[Any]], lines: Sequence[int], path: Path) -> Columns:
    """Columns by name from records, the first of which names them; `lines` are their numbers."""
    if not records:
        raise LabelNoiseError("decisions_file_empty", path=str(path))
    header = ["" if name is None else str(name) for name in records[0]]
    repeated = sorted({name for name in header if name and header.count(name) > 1})
    if repeated:
        raise LabelNoiseError("decisions_columns_repeated", path=str(path), columns=repeated)
    for line, cells in zip(lines, records, strict=True):
        if len(cells) != len(header):
            facts = {"line": line, "n_cells": len(cells), "n_columns": len(header)}
            raise LabelNoiseError("decisions_line_length", path=str(path), **facts)
    return {
        unprotected(name): [unprotected(cells[i]) for cells in records[1:]]
        for i, name in enumerate(header)
    }
