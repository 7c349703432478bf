"""Delimited text (CSV, TSV and the like): read by Arrow, copied line by line."""

from __future__ import annotations

import codecs
import csv
import io
import re
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

import pyarrow as pa
from pyarrow import csv as pa_csv

from labelnoise import checks
from labelnoise.data.columns import MISSING_TEXTS
from labelnoise.data.files.table import block_size
from labelnoise.data.settings import (
    END_BYTES,
    EXAMINED_RECORDS,
    LONGEST_CELL,
    SNIFFED_CHARACTERS,
    SNIFFED_RECORDS,
)
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from labelnoise.data.files.table import ReadOptions, Relabeling

DELIMITERS = ",;\t|"
UTF8, UTF8_WITH_MARK, UTF16 = "utf-8", "utf-8-sig", "utf-16"
DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+\s*")
RAGGED = re.compile(r"Row #(?P<row>\d+): Expected (?P<n_columns>\d+) columns, got (?P<n_cells>\d+)")
THOUSANDS = re.compile(r"\s*[+-]?\d{1,3},\d{3}\s*")


class Layout(NamedTuple):
    """How delimited text is laid out."""

    delimiter: str
    encoding: str
    decimal_commas: bool
    first: list[str]  # cells of the first record

    @classmethod
    def of(cls, stream: BinaryIO, name: str, options: ReadOptions) -> Layout:
        """Determine from the beginning of a stream what the options do not specify."""
        if options.delimiter is not None and len(options.delimiter) != 1:
            raise LabelNoiseError("delimiter_not_one_character", delimiter=options.delimiter)
        encoding = options.encoding or _encoding(stream)
        with _text(stream, name, encoding) as text:
            beginning = text.read(SNIFFED_CHARACTERS)
            delimiter = options.delimiter or likely_delimiter(beginning)
            reader = csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter)
            records = filter(None, reader)
            first = next(records, None)
            commas = _has_decimal_commas(islice(records, EXAMINED_RECORDS), delimiter)
        if first is None:
            raise LabelNoiseError("file_without_rows", name=name)
        return cls(delimiter, encoding, commas, first)

    def notes(self, options: ReadOptions) -> Iterator[Note]:
        """Unusual properties of the layout."""
        if options.delimiter is None and self.delimiter not in ",\t":
            yield Note("delimiter_guessed", {"delimiter": self.delimiter})
        if self.decimal_commas:
            yield Note("decimal_commas")


def read(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[pa.Table, tuple[Note, ...]]:
    """Read delimited text: numbers, dates and truth values are converted, texts stay as written."""
    layout = Layout.of(stream, name, options)
    names = [cell.strip() for cell in layout.first]
    if not options.header:
        names = [f"c{i}" for i in range(1, len(names) + 1)]
    checks.distinct_names(names, name)
    if options.header and not options.numeric_header and _are_numbers(names):
        raise LabelNoiseError("header_of_numbers", name=name, header=names)
    stream.seek(0)
    try:
        table = pa_csv.read_csv(
            pa.PythonFile(stream, mode="r"),
            pa_csv.ReadOptions(
                use_threads=False,  # the memory of one block, and no pool at the end of the process
                block_size=block_size(stream),
                encoding="utf8" if layout.encoding == UTF8_WITH_MARK else layout.encoding,
                autogenerate_column_names=not options.header,
            ),
            pa_csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True),
            _conversion(layout, names, options),
        )
    except (pa.ArrowInvalid, pa.ArrowKeyError, UnicodeError) as error:
        raise _explained(stream, name, layout, error) from error
    if _ends_in_open_quote(stream, table):
        raise LabelNoiseError("quote_not_closed", name=name)
    blank = [Note("blank_lines_skipped")] if _has_blank_lines(stream, name, layout) else []
    return table.rename_columns(names), (*layout.notes(options), *blank)


def copy(
    stream: BinaryIO, out: BinaryIO, name: str, options: ReadOptions, change: Relabeling
) -> None:
    """Copy text with other labels; lines without a new one are the same to the byte."""
    layout = Layout.of(stream, name, options)
    place = change.found.table.column_names.index(change.column)
    with _text(stream, name, layout.encoding) as text:
        encoder = codecs.getincrementalencoder(layout.encoding)()
        lines: list[str] = []
        row = -1 if options.header else 0
        for record in csv.reader(_recorded(text, lines), delimiter=layout.delimiter):
            written = "".join(lines)
            lines.clear()
            if record and row in change.labels:
                written = _changed(written, record, place, str(change.labels[row]), layout)
            row += bool(record)
            out.write(encoder.encode(written))
    if row != change.found.table.num_rows:
        raise LabelNoiseError("input_changed", name=name)


def likely_delimiter(beginning: str) -> str:
    """The delimiter that splits the first records into the most cells, equally many in each."""
    best, most = ",", 1
    for delimiter in DELIMITERS:
        reader = csv.reader(io.StringIO(beginning, newline=""), delimiter=delimiter)
        rows = [row for row in islice(reader, SNIFFED_RECORDS) if row]
        complete = rows[:-1] if len(rows) > 2 else rows  # the last one may be cut short
        widths = {len(row) for row in complete}
        if len(widths) == 1 and max(widths) > most:
            best, most = delimiter, max(widths)
    return best


def _has_decimal_commas(records: Iterable[list[str]], delimiter: str) -> bool:
    """Whether some cell is a number such as 1,5; except between semicolons, 1,234 may be 1234."""
    return delimiter != "," and any(
        DECIMAL_COMMA.fullmatch(cell) and (delimiter == ";" or not THOUSANDS.fullmatch(cell))
        for record in records
        for cell in record
    )


def _are_numbers(names: list[str]) -> bool:
    """Whether several names are all numbers, as in a file without a header."""
    try:
        _ = [float(name) for name in names]
    except ValueError:
        return False
    return len(names) > 1


def _conversion(layout: Layout, names: list[str], options: ReadOptions) -> pa_csv.ConvertOptions:
    """How cells become values: as pandas would read them, except texts that mean "missing"."""
    written = layout.first if options.header else [f"f{i}" for i in range(len(names))]
    as_text = {
        cell: pa.string()
        for cell, name in zip(written, names, strict=True)
        if options.keeps_text(name)
    }
    return pa_csv.ConvertOptions(
        column_types=as_text,
        null_values=list(MISSING_TEXTS),
        strings_can_be_null=False,
        true_values=["true", "True", "TRUE"],
        false_values=["false", "False", "FALSE"],
        decimal_point="," if layout.decimal_commas else ".",
    )


def _recorded(text: Iterable[str], lines: list[str]) -> Iterator[str]:
    """The lines of a text, added to a list as they are read."""
    for line in text:
        lines.append(line)
        yield line


def _changed(written: str, record: list[str], place: int, label: str, layout: Layout) -> str:
    """A record with another label, its line ending as before."""
    ended = written[len(written.rstrip("\r\n")) :]
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=layout.delimiter, lineterminator=ended)
    writer.writerow([*record[:place], label, *record[place + 1 :]])
    return stream.getvalue()


def _encoding(stream: BinaryIO) -> str:
    stream.seek(0)
    first = stream.read(len(codecs.BOM_UTF8))
    if first.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return UTF16
    return UTF8_WITH_MARK if first == codecs.BOM_UTF8 else UTF8


@contextmanager
def _text(stream: BinaryIO, name: str, encoding: str) -> Iterator[io.TextIOWrapper]:
    """A stream from its beginning as text, line ends as they are; it stays open afterwards."""
    stream.seek(0)
    try:
        text = io.TextIOWrapper(stream, encoding=encoding, newline="")
    except LookupError as error:
        raise LabelNoiseError("unknown_encoding", encoding=encoding) from error
    usual = csv.field_size_limit(LONGEST_CELL)
    try:
        yield text
    except UnicodeError as error:
        raise _not_decodable(stream, name, encoding) from error
    except csv.Error as error:
        raise LabelNoiseError("not_delimited_text", name=name, reason=str(error)) from error
    finally:
        csv.field_size_limit(usual)
        text.detach()


def _has_blank_lines(stream: BinaryIO, name: str, layout: Layout) -> bool:
    """Whether a line before the last row is blank."""
    with _text(stream, name, layout.encoding) as text:
        if not any(line in ("\n", "\r\n", "\r") for line in text):
            return False
        text.seek(0)  # blank lines within quoted cells are no records
        records = csv.reader(text, delimiter=layout.delimiter)
        return any(not record for record in records) and any(records)


def _ends_in_open_quote(stream: BinaryIO, table: pa.Table) -> bool:
    """Whether a quote that is never closed made the rest of the text a part of the last cell."""
    last = table.column(table.num_columns - 1)
    if not len(last) or not pa.types.is_string(last.type):
        return False
    size = stream.seek(0, io.SEEK_END)
    stream.seek(max(0, size - END_BYTES))
    end = stream.read().rstrip(b"\r\n\0 ")  # UTF-16 has zeros between letters
    return "\n" in (last[-1].as_py() or "") and not end.endswith(b'"')


def _explained(stream: BinaryIO, name: str, layout: Layout, error: Exception) -> LabelNoiseError:
    """Why Arrow could not read a text."""
    reason = str(error)
    ragged = RAGGED.search(reason)
    if ragged:
        facts = {key: int(number) for key, number in ragged.groupdict().items()}
        return LabelNoiseError("ragged_rows", name=name, delimiter=layout.delimiter, **facts)
    if isinstance(error, UnicodeError) or "invalid UTF8" in reason:
        return _not_decodable(stream, name, layout.encoding)
    if "straddling" in reason:
        return LabelNoiseError("quote_not_closed", name=name)
    return LabelNoiseError("not_delimited_text", name=name, reason=reason)


def _not_decodable(stream: BinaryIO, name: str, encoding: str) -> LabelNoiseError:
    """The error for bytes that are not text in this encoding, with the first line that has some."""
    shown = "UTF-8" if encoding in (UTF8, UTF8_WITH_MARK) else encoding
    stream.seek(0)
    text = io.TextIOWrapper(stream, encoding=encoding, errors="replace")
    try:
        line = next((i for i, line in enumerate(text, start=1) if "\ufffd" in line), 1)
    except UnicodeError:  # no byte order mark
        line = 1
    finally:
        text.detach()
    return LabelNoiseError("not_this_encoding", name=name, encoding=shown, line=line)
