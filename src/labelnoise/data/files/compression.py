"""Compressed files: decompressed to a temporary file, within limits, and compressed again."""

from __future__ import annotations

import shutil
import tempfile
import zipfile
import zlib
from contextlib import ExitStack, contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, BinaryIO

import pyarrow as pa

from labelnoise.data.settings import BLOCK_BYTES, BYTES_IN_MEMORY, RESERVED_DISK_BYTES
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator

ZIP = "zip"
CODECS = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd", ".zip": ZIP}
"""How files with these endings are compressed: by a codec of Arrow, or as a ZIP archive."""

MARKS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\x28\xb5\x2f\xfd": "zstd", b"PK\x03\x04": ZIP}
"""First bytes of compressed files; workbooks and sets of arrays are ZIP archives, too."""

UNREADABLE = (OSError, EOFError, RuntimeError, zipfile.BadZipFile, zlib.error)
"""What is raised for compressed files that are cut short, damaged or encrypted."""


def decompressed(stream: BinaryIO, name: str, stack: ExitStack, max_bytes: int | None) -> BinaryIO:
    """The content of a stream: itself, or if it is compressed a temporary file on the stack."""
    stream.seek(0)
    first = stream.read(4)
    stream.seek(0)
    codec = next((codec for mark, codec in MARKS.items() if first.startswith(mark)), None)
    if codec is None:
        return stream
    try:
        if codec == ZIP:
            return _unzipped(stream, name, stack, max_bytes)
        with pa.CompressedInputStream(_Unclosed(stream), codec) as source:
            return copied(source, name, stack, max_bytes)
    except UNREADABLE as error:
        raise LabelNoiseError("damaged_file", name=name, reason=str(error)) from error


def copied(source: Any, name: str, stack: ExitStack, max_bytes: int | None = None) -> BinaryIO:
    """All that a stream holds, in memory or in a temporary file, from its beginning."""
    spooled = tempfile.SpooledTemporaryFile(BYTES_IN_MEMORY)  # noqa: SIM115 (`stack` closes it)
    copy: Any = stack.enter_context(spooled)
    n_bytes = 0
    while block := source.read(BLOCK_BYTES):
        n_bytes += len(block)
        if max_bytes is not None and n_bytes > max_bytes:
            raise LabelNoiseError("unpacks_beyond_memory", name=name, gigabytes=max_bytes / 2**30)
        folder = tempfile.gettempdir()
        if n_bytes > BYTES_IN_MEMORY and shutil.disk_usage(folder).free < RESERVED_DISK_BYTES:
            raise LabelNoiseError("unpacks_beyond_disk", name=name, folder=folder)
        copy.write(block)
    copy.seek(0)
    return copy


@contextmanager
def compressed(out: BinaryIO, name: str) -> Iterator[Any]:
    """A stream into `out` that compresses as the ending of a file's name says."""
    path = PurePath(name)
    codec = CODECS.get(path.suffix.lower())
    if codec is None:
        yield out
    elif codec == ZIP:
        with (
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open(path.stem, "w", force_zip64=True) as stream,
        ):
            yield stream
    else:
        with pa.CompressedOutputStream(_Unclosed(out), codec) as stream:
            yield stream


def ending_of(name: str) -> str:
    """A file's ending in lower case, without that of its compression.

    >>> ending_of("pets.CSV.gz"), ending_of("pets.csv")
    ('.csv', '.csv')
    """
    path = PurePath(name.lower())
    return PurePath(path.stem).suffix if path.suffix in CODECS else path.suffix


class _Unclosed:
    """A stream that stays open when Arrow closes it."""

    closed = False

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def close(self) -> None:
        """Leave the stream open."""


def _unzipped(stream: BinaryIO, name: str, stack: ExitStack, max_bytes: int | None) -> BinaryIO:
    """The only file in an archive, besides what macOS adds; workbooks and arrays as they are."""
    with zipfile.ZipFile(stream) as archive:
        files = [
            file
            for file in archive.namelist()
            if not file.endswith("/") and not file.startswith("__MACOSX/")
        ]
        if "[Content_Types].xml" in files or all(file.endswith(".npy") for file in files):
            return stream
        if len(files) != 1:
            raise zipfile.BadZipFile(f"it holds {len(files)} files, not one")
        with archive.open(files[0]) as source:
            return copied(source, name, stack, max_bytes)
