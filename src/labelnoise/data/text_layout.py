"""How delimited text is laid out: encoding, delimiter, header, and its rows in blocks."""

from __future__ import annotations

import codecs
import csv
import io
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import tell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from labelnoise.data.reading import Reading

Record = list[str]

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
UNICODE = ("utf-8", "utf-8-sig")  # spreadsheets put a mark at the beginning
BLOCK_ROWS, BLOCK_CELLS = 50_000, 2_000_000
SNIFFED_RECORDS, SNIFFED_CHARACTERS = 50, 2**20
LONGEST_CELL = 2**27


@dataclass(frozen=True)
class Layout:
    """The layout of a text, given or guessed, and the names of its columns."""

    reading: Reading
    header: tuple[str, ...]  # without spaces around the names
    delimiter: str
    encoding: str

    @classmethod
    def of(cls, stream: BinaryIO, reading: Reading) -> Layout:
        """Look at the beginning of a text."""
        encoding = reading.encoding or _encoding(stream)
        beginning = _beginning(stream, encoding, reading)
        delimiter = reading.delimiter or likely_delimiter(beginning)
        with _explained(stream, reading, encoding) as at:
            first = next(
                (
                    row
                    for row in _records(io.StringIO(beginning, ""), delimiter, at, whole=False)
                    if row
                ),
                None,
            )
        if first is None:
            raise LabelNoiseError(
                f"{reading.name} is empty. Pass a file with a header and labeled rows."
            )
        header = tuple(cell.strip() for cell in first)
        if reading.header:
            _check_header(header, reading.name)
        else:
            header = tuple(f"c{i}" for i in range(1, len(first) + 1))
        return cls(reading, header, delimiter, encoding)

    def blocks(self, stream: BinaryIO) -> Iterator[list[Record]]:
        """Rows below the header, so many at a time; every row has a cell for each column."""
        total = stream.seek(0, io.SEEK_END)
        with (
            _explained(stream, self.reading, self.encoding) as at,
            _text(stream, self.encoding) as text,
        ):
            rows = (row for row in _records(text, self.delimiter, at) if row)
            if self.reading.header:
                next(rows)
            size = max(1, min(BLOCK_ROWS, BLOCK_CELLS // len(self.header)))
            while True:
                block = list(islice(rows, size))
                if not block:
                    return
                self._check_width(block, stream)
                tell("reading", min(stream.tell(), total), total)
                yield block

    def as_written(self, stream: BinaryIO) -> Iterator[tuple[Record, str]]:
        """Every record, header and empty ones among them, with the text it was read from."""
        with (
            _explained(stream, self.reading, self.encoding) as at,
            _text(stream, self.encoding) as text,
        ):
            lines = _Remembered(text)
            for row in _records(lines, self.delimiter, at):
                yield row, lines.taken()

    def _check_width(self, block: list[Record], stream: BinaryIO) -> None:
        width = len(self.header)
        if all(map(width.__eq__, map(len, block))):
            return
        stream.seek(0)
        text = io.TextIOWrapper(stream, encoding=self.encoding, newline="")
        at = _Place()
        first = next(
            row for row in _records(text, self.delimiter, at) if len(row) not in (0, width)
        )
        text.detach()
        raise LabelNoiseError(
            f"{self.reading.name} is no table: the record that ends in line {at.line} has "
            f"{len(first)} cell(s), the header {width}. Are cells separated by {self.delimiter!r}? "
            "If not, pass --delimiter; if so, put cells that contain one in double quotes."
        )

    @property
    def guesses(self) -> tuple[str, ...]:
        """What was guessed and may surprise, in words."""
        said = []
        expected = "\t" if ".tsv" in self.reading.name.lower() else ","
        if self.reading.delimiter is None and self.delimiter != expected:
            said.append(f"cells are separated by {DELIMITERS[self.delimiter]} (--delimiter)")
        if self.reading.encoding is None and self.encoding not in UNICODE:
            said.append(f"the text is {self.encoding} (--encoding)")
        return tuple(said)


def likely_delimiter(beginning: str) -> str:
    r"""The delimiter that cuts the first records into most cells, equally many in each.

    >>> likely_delimiter("a;b\n1,5;2\n3,5;4\n")
    ';'
    """
    best, most = ",", 1
    for delimiter in DELIMITERS:
        try:
            with _long_cells():
                reader = csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter)
                rows = [row for row in islice(reader, SNIFFED_RECORDS) if row]
        except csv.Error:
            continue
        complete = rows[:-1] if len(rows) > 2 else rows  # the last one may be cut short
        widths = {len(row) for row in complete}
        if len(widths) == 1 and max(widths) > most:
            best, most = delimiter, max(widths)
    return best


def _check_header(header: tuple[str, ...], name: str) -> None:
    twice = sorted(column for column, times in Counter(header).items() if times > 1)
    if twice:
        raise LabelNoiseError(
            f"{name} has several columns named {checks.named(twice)}. Give each a name of its own."
        )
    if len(header) > 1 and all(map(_is_number, header)):
        raise LabelNoiseError(
            f"the first line of {name} has only numbers ({', '.join(header[:4])}"
            f"{', ...' if len(header) > 4 else ''}) and names no columns. Add a header, or pass "
            "--no-header: columns are called c1, c2, ... then."
        )


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _encoding(stream: BinaryIO) -> str:
    stream.seek(0)
    first = stream.read(len(codecs.BOM_UTF8))
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    return "utf-8-sig" if first == codecs.BOM_UTF8 else "utf-8"


def _beginning(stream: BinaryIO, encoding: str, reading: Reading) -> str:
    with _explained(stream, reading, encoding), _text(stream, encoding) as text:
        return text.read(SNIFFED_CHARACTERS)


@contextmanager
def _text(stream: BinaryIO, encoding: str) -> Iterator[io.TextIOWrapper]:
    """A stream from its beginning as text, line ends as they are; it stays open afterwards."""
    stream.seek(0)
    try:
        text = io.TextIOWrapper(stream, encoding=encoding, newline="")
    except LookupError as error:
        raise LabelNoiseError(
            f"unknown encoding {encoding!r}. Pass for example --encoding cp1252."
        ) from error
    try:
        yield text
    finally:
        text.detach()


@dataclass
class _Place:
    """How far a text was read."""

    line: int = 0


class _Remembered:
    """Lines, and what was taken of them since somebody asked."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines, self._taken = iter(lines), [""]

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        self._taken.append(next(self._lines))
        return self._taken[-1]

    def taken(self) -> str:
        text = "".join(self._taken)
        self._taken.clear()
        return text


def _records(
    lines: Iterable[str], delimiter: str, at: _Place, *, whole: bool = True
) -> Iterator[Record]:
    """Records of lines; if these are all, a quote that is never closed is an error."""
    reader = csv.reader(lines, delimiter=delimiter, strict=whole)
    for row in reader:
        at.line = reader.line_num
        yield row


@contextmanager
def _explained(stream: BinaryIO, reading: Reading, encoding: str) -> Iterator[_Place]:
    """Say where a text could not be read, and what to try."""
    at = _Place()
    try:
        with _long_cells():
            yield at
    except UnicodeError as error:
        used = "UTF-8" if encoding in UNICODE else encoding
        raise LabelNoiseError(
            f"{reading.name} is not {used} text: see line {_undecodable(stream, encoding)}. Save "
            "it as UTF-8, or name its encoding, for example --encoding cp1252."
        ) from error
    except csv.Error as error:
        raise LabelNoiseError(
            f"{reading.name} cannot be read as a table: {error}, in what begins after line "
            f"{at.line}. Is a double quote open there that is never closed? Pass --format if it is "
            "no text with delimiters."
        ) from error


def _undecodable(stream: BinaryIO, encoding: str) -> int:
    """The first line that is not in this encoding."""
    stream.seek(0)
    for number, line in enumerate(stream, start=1):
        try:
            line.decode(encoding)
        except UnicodeError:
            return number
    return 1  # an encoding of several bytes, cut in the middle of a line


@contextmanager
def _long_cells() -> Iterator[None]:
    usual = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(usual)
