"""Excel workbooks (.xlsx), by openpyxl (extra ``excel``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import BadZipFile

import openpyxl
import pyarrow as pa
from openpyxl.utils.exceptions import InvalidFileException

from labelnoise import checks
from labelnoise.data.files.table import one_type
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from labelnoise.data.files.table import ReadOptions, Relabeling

UNREADABLE = (BadZipFile, InvalidFileException, KeyError, ValueError, OSError)
"""What openpyxl raises for a file that is not a workbook."""


def read(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[pa.Table, tuple[Note, ...]]:
    """Read the sheet that was open when the workbook was saved; its first row names the columns."""
    book = _opened(stream, name, read_only=True)
    try:
        title, n_sheets = book.active.title, len(book.sheetnames)
        every = list(book.active.iter_rows(values_only=True))
    finally:
        book.close()
    filled = [i for i, row in enumerate(every) if any(cell is not None for cell in row)]
    if not filled:
        raise LabelNoiseError("file_without_rows", name=name)
    rows = [every[i] for i in filled]
    header = [str(c).strip() if c is not None else "" for c in rows[0]] if options.header else []
    body = rows[1:] if options.header else rows
    names = header or [f"c{i}" for i in range(1, len(rows[0]) + 1)]
    checks.distinct_names(names, name)
    body = [(*row, *[None] * (len(names) - len(row))) for row in body]  # empty cells at the end
    table = pa.table({one: one_type([row[i] for row in body]) for i, one in enumerate(names)})
    notes = [Note("sheet_chosen", {"sheet": title, "n": n_sheets})] if n_sheets > 1 else []
    if filled[-1] + 1 > len(filled):
        notes.append(Note("blank_lines_skipped"))
    return table, tuple(notes)


def copy(
    stream: BinaryIO, out: BinaryIO, name: str, options: ReadOptions, change: Relabeling
) -> None:
    """Save the workbook with other labels; formats of cells and other sheets stay."""
    book = _opened(stream, name, read_only=False)
    place = change.found.table.column_names.index(change.column)
    filled = [row for row in book.active.iter_rows() if any(c.value is not None for c in row)]
    body = filled[1:] if options.header else filled
    for row, label in change.labels.items():
        body[row][place].value = label
    book.save(out)


def _opened(stream: BinaryIO, name: str, *, read_only: bool) -> Any:
    try:
        return openpyxl.load_workbook(stream, read_only=read_only, data_only=read_only)
    except UNREADABLE as error:
        raise LabelNoiseError("damaged_file", name=name, reason=str(error)) from error
