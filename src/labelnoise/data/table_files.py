"""Files (or standard input) -> columns, whatever their format; and back with other labels."""

from __future__ import annotations

import difflib
import gzip
import hashlib
import shutil
import sys
import tempfile
import zlib
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from labelnoise.data.old_columns import RawTable
    from labelnoise.data.reading import Reading

STDIN = "-"
IN_MEMORY = 64 * 1024**2
"""Bytes of standard input that are kept in memory; more go to a temporary file."""

FORMATS = {
    "csv": "labelnoise.data.table_csv",
    "jsonl": "labelnoise.data.table_json",
    "parquet": "labelnoise.data.table_pyarrow",
    "arrow": "labelnoise.data.table_pyarrow",
    "npy": "labelnoise.data.table_numpy",
    "npz": "labelnoise.data.table_numpy",
}
"""The module that reads and rewrites each format."""

ENDINGS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".npy": "npy",
    ".npz": "npz",
}

MARKS = {b"PAR1": "parquet", b"ARROW1": "arrow", b"\x93NUMPY": "npy", b"PK\x03\x04": "npz"}
"""First bytes of the formats that have a mark."""

SPREADSHEETS = (".xls", ".xlsx", ".ods")
GZIPPED = b"\x1f\x8b"


class Source(NamedTuple):
    """A table, the format of its file, and the SHA-256 of its content."""

    table: RawTable
    format: str
    digest: str


class Change(NamedTuple):
    """Other texts for some rows of a column."""

    column: str
    texts: Mapping[int, str]


def read_source(path: str, reading: Reading) -> Source:
    """Read a file, or standard input for "-"."""
    with opened(path) as stream:
        return read_stream(stream, path, reading)


def read_stream(stream: BinaryIO, path: str, reading: Reading) -> Source:
    """Read what `opened` has opened."""
    form, guesses = _format_of(stream, path, reading)
    table = _module(form).read(stream, reading)
    stream.seek(0)
    digest = hashlib.sha256()
    while block := stream.read(2**20):
        digest.update(block)
    return Source(replace(table, guesses=(*guesses, *table.guesses)), form, digest.hexdigest())


def rewrite_stream(
    stream: BinaryIO, out: BinaryIO, source: Source, reading: Reading, change: Change
) -> None:
    """Copy what was read to `out` in its format, with other texts in some rows of one column."""
    _module(source.format).rewrite(stream, out, reading, change.column, change.texts)


def ending_fits(path: str, form: str) -> bool:
    """Whether a file of some format may have this name."""
    ending = Path(path.lower().removesuffix(".gz")).suffix
    return ENDINGS.get(ending, form) == form


@contextmanager
def opened(path: str) -> Iterator[BinaryIO]:
    """A file or standard input, to be read more than once; unzipped if need be."""
    with _given(path) as given, ExitStack() as kept:
        stream = given if given.seekable() else _copied(given, path, kept)
        first = stream.read(len(GZIPPED))
        stream.seek(0)
        if not first:
            raise LabelNoiseError(f"{_called(path)} is empty. Pass a table with labeled rows.")
        yield (
            _copied(gzip.GzipFile(fileobj=stream, mode="rb"), path, kept)
            if first == GZIPPED
            else stream
        )


def _copied(stream: Any, path: str, kept: ExitStack) -> BinaryIO:
    """All that a stream holds, in memory or in a temporary file, from its beginning."""
    spooled = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
    copy: Any = kept.enter_context(spooled)
    try:
        shutil.copyfileobj(stream, copy)
    except (OSError, EOFError, zlib.error) as error:
        raise LabelNoiseError(
            f"{_called(path)} cannot be read: {error}. Is it complete?"
        ) from error
    copy.seek(0)
    return cast("BinaryIO", copy)


@contextmanager
def _given(path: str) -> Iterator[BinaryIO]:
    if path != STDIN:
        with _open_file(Path(path)) as stream:
            yield stream
        return
    if sys.stdin is None or sys.stdin.closed:
        raise LabelNoiseError("standard input is closed. Pipe a table into it, or name a file.")
    yield sys.stdin.buffer


def _open_file(path: Path) -> BinaryIO:
    try:
        return path.open("rb")
    except IsADirectoryError as error:
        raise LabelNoiseError(f"{str(path)!r} is a folder. Name a file in it.") from error
    except FileNotFoundError as error:
        raise LabelNoiseError(f"there is no file {str(path)!r}.{_similar(path)}") from error
    except OSError as error:
        raise LabelNoiseError(
            f"cannot read {str(path)!r}: {error.strerror or error}. Check the path."
        ) from error


def _similar(path: Path) -> str:
    try:
        names = [other.name for other in path.parent.iterdir()]
    except OSError:
        return " Check the path."
    near = difflib.get_close_matches(path.name, names, 1)
    return f" Did you mean {str(path.with_name(near[0]))!r}?" if near else " Check the path."


def _called(path: str) -> str:
    return "standard input" if path == STDIN else repr(path)


def _format_of(stream: BinaryIO, path: str, reading: Reading) -> tuple[str, tuple[str, ...]]:
    """The format, and what was guessed about it in words."""
    if reading.format is not None:
        return checks.one_of(reading.format, "format", FORMATS), ()
    stream.seek(0)
    first = stream.read(64)
    marked = next((form for mark, form in MARKS.items() if first.startswith(mark)), None)
    name = Path(path).name.lower().removesuffix(".gz")
    ending = ENDINGS.get(Path(name).suffix)
    if ending in MARKS.values() and marked is None and ending != "arrow":
        raise LabelNoiseError(
            f"{_called(path)} is no {ending} file, whatever its name says: it begins with "
            f"{first[:8]!r}. Save it again, or pass --format if it is something else."
        )
    if Path(name).suffix in SPREADSHEETS:
        raise LabelNoiseError(f"{_called(path)} is a spreadsheet. Save the sheet as CSV.")
    if marked or ending:
        form = marked or str(ending)
        odd = ending is not None and form != ending
        return form, (f"the file is {form}, going by its first bytes (--format)",) if odd else ()
    form = "jsonl" if first.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") else "csv"
    return form, (f"the input is read as {form} (--format)",)


def _module(form: str) -> Any:
    try:
        return import_module(FORMATS[form])
    except ModuleNotFoundError as error:
        raise LabelNoiseError(
            f"{form} files need pyarrow. Install it: pip install 'labelnoise[parquet]'."
        ) from error
