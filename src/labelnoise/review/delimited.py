"""Label issues as cells of a spreadsheet, and as delimited text."""

from __future__ import annotations

import csv
import io
import re
from typing import Any

# How texts begin that a spreadsheet would run, or that are protected from it.
FORMULA = re.compile(r"'*[=+\-@\t\r]")


def to_bytes(columns: dict[str, list[Any]], delimiter: str) -> bytes:
    """Columns as delimited text."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter)
    writer.writerow(map(cell, columns))
    for values in zip(*columns.values(), strict=True):
        writer.writerow(map(cell, values))
    return stream.getvalue().encode("utf-8")


def cell(value: Any) -> Any:
    """A value as a cell: the entries of a list joined by semicolons, texts never run as formulas.

    >>> cell([3, 17]), cell("=1+1"), cell("-1.5"), unprotected(cell("'=1"))
    ('3; 17', "'=1+1", '-1.5', "'=1")
    """
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    if not isinstance(value, str) or not FORMULA.match(value):
        return value
    try:
        float(value)  # a number such as -1.5 is no formula
    except ValueError:
        return f"'{value}"
    return value


def unprotected(value: Any) -> Any:
    """A cell as it was before it was protected."""
    marked = isinstance(value, str) and value.startswith("'") and FORMULA.match(value)
    return value[1:] if marked else value
