"""Delimited text <-> columns, block by block: a column is compact before the next block comes."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from labelnoise import checks
from labelnoise.data.old_columns import NOTHING, Column, Numbers, RawTable, Texts
from labelnoise.data.text_layout import Layout
from labelnoise.data.written_numbers import MISSING_NUMBERS, THOUSANDS
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.data.reading import Reading

LONGEST_NUMBER = 40


def read(stream: BinaryIO, reading: Reading) -> RawTable:
    """Columns of delimited text.

    A column is read as numbers until a cell is none; then all its cells are read again as text, so
    that they stay as they were written (007 stays 007).
    """
    layout = Layout.of(stream, reading)
    alone = len(layout.header) == 1  # then it can only be the labels
    as_text = {name for name in layout.header if alone or reading.keeps_text(name)}
    growing = _grown(stream, layout, as_text)
    surprises = {name for name, column in growing.items() if column.failed}
    if surprises:
        growing = _grown(stream, layout, as_text | surprises)
    commas = [name for name, column in growing.items() if "," in column.marks]
    guesses = list(layout.guesses)
    if commas:
        guesses.append(f"numbers of {checks.named(commas)} are written with a decimal comma (--as)")
    columns = {name: column.done() for name, column in growing.items()}
    table = RawTable(columns, tuple(guesses))
    if not table.n_rows:
        raise LabelNoiseError(
            f"{reading.name} has a header and no rows below it. Pass a file with labeled rows."
        )
    return table


def rewrite(
    stream: BinaryIO, out: BinaryIO, reading: Reading, column: str, changes: Mapping[int, str]
) -> None:
    """Copy delimited text with other texts in some rows of a column, all else as it is written."""
    layout = Layout.of(stream, reading)
    place, row = layout.header.index(column), -1 if reading.header else 0
    text = io.TextIOWrapper(out, encoding=layout.encoding, newline="", write_through=True)
    try:
        for cells, written in layout.as_written(stream):
            if cells and row in changes:
                text.write(_with_cell(written, place, layout.delimiter, changes[row]))
            else:
                text.write(written)
            row += bool(cells)
    except UnicodeEncodeError as error:
        raise LabelNoiseError(
            f"{error.object[error.start : error.end]!r} cannot be written in {layout.encoding}, "
            "the encoding of the data. Save them as UTF-8 first."
        ) from error
    finally:
        text.detach()


def _with_cell(record: str, place: int, delimiter: str, cell: str) -> str:
    r"""A record as it is written, with another text in one of its cells.

    >>> _with_cell('1,"a ""b"", c",x\r\n', 1, ",", "d"), _with_cell("5\",x\n", 1, ",", "y,z")
    ('1,"d",x\r\n', '5","y,z"\n')
    """
    ends = [i for i, c in enumerate(record) if c == delimiter]
    start, seen = 0, 0
    for end in [*ends, len(record.rstrip("\r\n"))]:
        quoted = record.startswith('"', start)
        if quoted and record.count('"', start, end) % 2:
            continue  # inside of quotes
        if seen == place:
            break
        start, seen = end + 1, seen + 1
    special = any(c in cell for c in (delimiter, '"', "\r", "\n"))
    told = '"{}"'.format(cell.replace('"', '""')) if quoted or special else cell
    return f"{record[:start]}{told}{record[end:]}"


@dataclass
class _Growing:
    """One column while it is read."""

    as_text: bool
    decimal_comma: bool
    parts: list[np.ndarray[Any, Any]] = field(default_factory=list)
    index: dict[str, int] = field(default_factory=dict)
    failed: bool = False
    marks: set[str] = field(default_factory=set)

    def add(self, cells: Sequence[str]) -> None:
        if self.as_text:
            index = self.index
            codes = [index.setdefault(c, len(index)) if c.strip() else NOTHING for c in cells]
            self.parts.append(np.array(codes, dtype=np.int32))
        elif not self.failed:
            found = numbers_in(cells, decimal_comma=self.decimal_comma)
            if self.decimal_comma:
                self.marks |= {mark for mark in ".," if any(mark in cell for cell in cells)}
            # What points and commas mean together is seen from the whole column.
            if found is None or len(self.marks) > 1:
                self.failed = True
                self.parts.clear()
            else:
                self.parts.append(found)

    def done(self) -> Column:
        whole = np.concatenate(self.parts) if self.parts else np.empty(0)
        self.parts.clear()
        return Texts(whole.astype(np.int32), tuple(self.index)) if self.as_text else Numbers(whole)


def _grown(stream: BinaryIO, layout: Layout, as_text: set[str]) -> dict[str, _Growing]:
    comma = layout.delimiter != ","
    growing = {name: _Growing(name in as_text, comma) for name in layout.header}
    for block in layout.blocks(stream):
        for column, cells in zip(growing.values(), zip(*block, strict=True), strict=True):
            column.add(cells)
    return growing


def numbers_in(cells: Sequence[str], *, decimal_comma: bool = False) -> FloatArray | None:
    """Cells as numbers (n,), NaN where one is missing; None if a cell is something else.

    >>> numbers_in(["1.5", "NA", "-2e3"]).tolist()
    [1.5, nan, -2000.0]
    >>> numbers_in(["1.5", "high"]) is None, numbers_in(["1_000"]) is None
    (True, True)
    >>> numbers_in(["1,5", "2"], decimal_comma=True).tolist()
    [1.5, 2.0]
    >>> numbers_in(["1,234", "999"], decimal_comma=True) is None
    True
    """
    if any("_" in cell or len(cell) > LONGEST_NUMBER for cell in cells):
        return None  # Python takes 1_000 for a number
    try:
        return np.array(list(map(float, cells)))
    except ValueError:
        told = ["nan" if cell.strip().lower() in MISSING_NUMBERS else cell for cell in cells]
    if decimal_comma:
        commas = [cell for cell in told if "," in cell]
        thousands = all(THOUSANDS.fullmatch(cell.strip()) for cell in commas)
        if commas and (thousands or any("." in cell for cell in told)):
            return None  # what commas and points mean is seen from the whole column
        told = [cell.replace(",", ".", 1) for cell in told]
    try:
        return np.array(list(map(float, told)))
    except ValueError:
        return None
