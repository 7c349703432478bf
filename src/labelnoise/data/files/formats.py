"""The formats of files, and how they are recognized by name and first bytes."""

from __future__ import annotations

from importlib import import_module
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

from labelnoise import checks
from labelnoise.data.files.compression import uncompressed_name
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from labelnoise.data.files.table import ReadOptions

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


def format_of(stream: BinaryIO, name: str, options: ReadOptions) -> tuple[str, tuple[Note, ...]]:
    """The format of a decompressed file of this name, with a note if its name did not decide it."""
    if options.format is not None:
        return checks.one_of(options.format, "format", FORMATS), ()
    plain = uncompressed_name(name)
    ending = PurePath(plain.lower()).suffix
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
    ending = PurePath(uncompressed_name(name).lower()).suffix
    return BY_ENDING.get(ending, form) == form


def module_of(form: str) -> Any:
    """The module that reads and copies a format."""
    try:
        return import_module(f"labelnoise.data.files.{FORMATS[form]}")
    except ModuleNotFoundError as error:
        if error.name != "openpyxl":
            raise
        raise LabelNoiseError(
            "package_missing_for_format", format=form, package="openpyxl", extra="excel"
        ) from error
