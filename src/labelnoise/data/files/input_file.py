"""An input: a file or standard input, read once as a table and copied with other labels."""

from __future__ import annotations

import hashlib
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from labelnoise import checks
from labelnoise.data.files.compression import copied, decompressed, ending_of
from labelnoise.data.files.table import FileTable, ReadOptions, Relabeling
from labelnoise.data.table_options import nearest
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage
from labelnoise.wording import Note

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator, Mapping

STDIN = "-"

FORMATS = {
    "csv": "delimited",
    "jsonl": "json_lines",
    "parquet": "columnar",
    "arrow": "columnar",
    "xlsx": "workbook_openpyxl",
    "npy": "numpy_arrays",
    "npz": "numpy_arrays",
}
"""The module of this package that reads and copies each format."""

ENDINGS = {
    "csv": (".csv", ".tsv", ".tab", ".txt"),
    "jsonl": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "xlsx": (".xlsx",),
    "npy": (".npy",),
    "npz": (".npz",),
}
BY_ENDING = {ending: form for form, endings in ENDINGS.items() for ending in endings}

MARKS = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\x93NUMPY": "npy", b"PK\x03\x04": "xlsx"}
"""First bytes of formats; .npz files begin as workbooks do."""

MARKED = ("parquet", "npy", "npz", "xlsx")
"""Formats whose files always begin with such a mark; Arrow streams do not."""

OTHER_SPREADSHEETS = (".xls", ".ods", ".numbers")


@dataclass(frozen=True, eq=False)
class InputFile:
    """An open file, or standard input."""

    stream: BinaryIO  # the unchanged content, seekable; of a pipe, a copy
    path: str

    @property
    def name(self) -> str:
        """The input as messages call it."""
        return "standard input" if self.path == STDIN else repr(self.path)

    def read(self, options: ReadOptions | None = None) -> FileTable:
        """Read the input as a table."""
        options = options or ReadOptions()
        with ExitStack() as stack, stage("reading"):
            digest = self.digest()
            content = decompressed(self.stream, self.name, stack, options.max_bytes)
            form, notes = _format_of(content, self.path, options)
            table, more = _module_of(form).read(content, self.name, options)
        if not table.num_rows:
            raise LabelNoiseError("file_without_rows", name=self.name)
        return FileTable(table, form, digest, (*notes, *more))

    def copy_with_labels(
        self,
        out: BinaryIO,
        found: FileTable,
        column: str,
        labels: Mapping[int, Any],
        options: ReadOptions | None = None,
    ) -> None:
        """Copy the input in its own format, with other labels in some rows, by position from 0.

        Everything else stays as it is; in text files every line without a new label is the same
        to the byte. If the input has changed since `found` was read from it, with the same options,
        that is an error, so that a copy is complete or is not made.
        """
        options = options or ReadOptions()
        self._refuse_change(found)
        with ExitStack() as stack:
            content = decompressed(self.stream, self.name, stack, options.max_bytes)
            change = Relabeling(found, column, labels)
            _module_of(found.format).copy(content, out, self.name, options, change)
        self._refuse_change(found)

    def digest(self) -> str:
        """SHA-256 of the unchanged content of the input, as it is now."""
        self.stream.seek(0)
        digest = hashlib.file_digest(self.stream, "sha256").hexdigest()  # type: ignore[arg-type]
        self.stream.seek(0)
        return digest

    def _refuse_change(self, found: FileTable) -> None:
        if self.digest() != found.digest:
            raise LabelNoiseError("input_changed", name=self.name)


def read_table(path: str | os.PathLike[str], options: ReadOptions | None = None) -> FileTable:
    """Read a file, or standard input for "-", as a table."""
    with open_input(path) as source:
        return source.read(options)


@contextmanager
def open_input(path: str | os.PathLike[str]) -> Iterator[InputFile]:
    """Open a file, or standard input for "-"."""
    with ExitStack() as stack:
        if str(path) != STDIN:
            stream = stack.enter_context(_opened(Path(path)))
        elif sys.stdin is None or sys.stdin.closed:
            raise LabelNoiseError("standard_input_closed")
        else:
            stream = sys.stdin.buffer
        source = InputFile(stream, str(path))
        if not stream.seekable():  # a pipe
            source = InputFile(copied(stream, source.name, stack), str(path))
        if not source.stream.read(1):
            raise LabelNoiseError("file_is_empty", name=source.name)
        source.stream.seek(0)
        yield source


def _opened(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError as error:
        meant = nearest(path.name, [other.name for other in path.parent.glob("*")])
        similar = None if meant is None else str(path.with_name(meant))
        raise LabelNoiseError("no_such_file", path=str(path), suggestion=similar) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise LabelNoiseError("cannot_read", path=str(path), reason=reason) from error


def _format_of(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[str, tuple[Note, ...]]:
    """The format of a decompressed file of this name, with a note if its name did not decide it."""
    if options.format is not None:
        return checks.one_of(options.format, "format", FORMATS), ()
    ending = ending_of(name)
    if ending in OTHER_SPREADSHEETS:
        raise LabelNoiseError("spreadsheet_not_supported", name=name, ending=ending)
    stream.seek(0)
    first = stream.read(64)
    by_name = BY_ENDING.get(ending)
    by_mark = next((form for mark, form in MARKS.items() if first.startswith(mark)), None)
    if by_mark is None and by_name in MARKED:
        raise LabelNoiseError("not_the_format_of_its_name", name=name, format=by_name)
    if by_mark == "xlsx" and by_name == "npz":
        by_mark = "npz"
    begins_json = first.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"["))
    found = by_mark or by_name or ("jsonl" if begins_json else "csv")
    return found, () if found == by_name else (Note("format_by_content", {"format": found}),)


def fits_format(name: str, form: str) -> bool:
    """Whether a file of some format may have this name.

    >>> fits_format("pets.csv.gz", "csv"), fits_format("pets.parquet", "csv")
    (True, False)
    """
    return BY_ENDING.get(ending_of(name), form) == form


def _module_of(form: str) -> Any:
    try:
        return import_module(f"labelnoise.data.files.{FORMATS[form]}")
    except ModuleNotFoundError as error:
        if error.name != "openpyxl":
            raise
        raise LabelNoiseError(
            "package_missing_for_format", format=form, package="openpyxl", extra="excel"
        ) from error
