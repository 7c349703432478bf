"""Sheets of .xlsx files, read by openpyxl."""

from __future__ import annotations

import io
from typing import Any
from zipfile import BadZipFile

from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

NOT_EXCEL = (BadZipFile, InvalidFileException, KeyError, ValueError)
"""What openpyxl raises for a file that is not a workbook."""


def first_sheet(content: bytes) -> list[list[Any]]:
    """Rows of the sheet that was open when the workbook was saved, without empty ones.

    All are as long as the first, which names the columns.
    """
    book = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    try:
        rows = [list(cells) for cells in book.active.values]
    finally:
        book.close()
    filled = [row for row in rows if any(cell is not None for cell in row)]
    width = len(filled[0]) if filled else 0
    return [(row + [None] * width)[:width] for row in filled]
