"""Label issues as Excel workbooks (.xlsx), by openpyxl."""

from __future__ import annotations

import io
from typing import Any

from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

from labelnoise.review.delimited import cell

EXACT = 10**15  # numbers from here on lose digits in a workbook, so they are written as text


def to_bytes(columns: dict[str, list[Any]]) -> bytes:
    """Columns as the only sheet of a workbook, the first row names them."""
    book = Workbook(write_only=True)
    sheet = book.create_sheet("label issues")
    sheet.freeze_panes = "A2"
    for values in [list(columns), *zip(*columns.values(), strict=True)]:
        sheet.append([_plain(cell(value)) for value in values])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def _plain(value: Any) -> Any:
    """A value of a type that workbooks have; ids may be of any, and have more digits."""
    if value is None or (isinstance(value, bool | int | float) and abs(value) < EXACT):
        return value
    return ILLEGAL_CHARACTERS_RE.sub("\N{REPLACEMENT CHARACTER}", str(value))
