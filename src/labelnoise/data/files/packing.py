"""Compressed files: unpacked to a temporary file, within limits; and packed again."""

from __future__ import annotations

import bz2
import gzip
import io
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
    from collections.abc import Callable, Iterator

GZIP, BZIP2, ZSTANDARD, ZIP = ".gz", ".bz2", ".zst", ".zip"
MARKS = {b"\x1f\x8b": GZIP, b"BZh": BZIP2, b"\x28\xb5\x2f\xfd": ZSTANDARD}
"""First bytes of packed files; a ZIP archive may be a workbook or a set of arrays as well."""

ENDINGS = (GZIP, BZIP2, ZSTANDARD, ZIP)
UNREADABLE = (OSError, EOFError, zlib.error, zipfile.BadZipFile, RuntimeError, NotImplementedError)
"""What is raised for packed files that are cut short, damaged or encrypted."""

OPEN: dict[str, Callable[[BinaryIO], Any]] = {
    GZIP: lambda stream: gzip.GzipFile(fileobj=stream, mode="rb"),
    BZIP2: lambda stream: bz2.BZ2File(stream, "rb"),
    ZSTANDARD: lambda stream: pa.CompressedInputStream(_KeptOpen(stream), "zstd"),
    ZIP: lambda stream: _only_member(zipfile.ZipFile(stream)),
}


def unpacked(stream: BinaryIO, name: str, kept: ExitStack, max_bytes: int | None) -> BinaryIO:
    """The content of a stream: itself, or a temporary file if it is packed.

    Parameters
    ----------
    stream : seekable binary stream
    name : str
        What the file is called in messages.
    kept : ExitStack
        Closes the temporary file.
    max_bytes : int or None
        Size from which on unpacking stops with an error.
    """
    packing = packing_of(stream)
    if packing is None:
        return stream
    try:
        with OPEN[packing](stream) as source:
            return copied(source, name, kept, max_bytes)
    except UNREADABLE as error:
        raise LabelNoiseError("cannot_unpack", name=name, reason=str(error)) from error


def packing_of(stream: BinaryIO) -> str | None:
    """How a stream is packed, None if it is not."""
    stream.seek(0)
    first = stream.read(4)
    stream.seek(0)
    if first == b"PK\x03\x04":
        return ZIP if _holds_one_file(stream) else None
    return next((packing for mark, packing in MARKS.items() if first.startswith(mark)), None)


def copied(source: Any, name: str, kept: ExitStack, max_bytes: int | None = None) -> BinaryIO:
    """All that a stream holds, in memory or in a temporary file, from its beginning."""
    spooled = tempfile.SpooledTemporaryFile(BYTES_IN_MEMORY)  # noqa: SIM115 (`kept` closes it)
    copy: Any = kept.enter_context(spooled)
    n_bytes = 0
    while block := source.read(BLOCK_BYTES):
        n_bytes += len(block)
        if max_bytes is not None and n_bytes > max_bytes:
            raise LabelNoiseError("unpacks_beyond_memory", name=name, gigabytes=max_bytes / 2**30)
        if n_bytes > BYTES_IN_MEMORY and _free_disk() < RESERVED_DISK_BYTES:
            raise LabelNoiseError("unpacks_beyond_disk", name=name, folder=tempfile.gettempdir())
        copy.write(block)
    copy.seek(0)
    return copy


@contextmanager
def packed(out: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """A stream into `out` that packs as the ending of a file's name says."""
    path = PurePath(name)
    if path.suffix == GZIP:  # no name and no time: the same content gives the same file
        with gzip.GzipFile(fileobj=out, mode="wb", filename="", mtime=0) as stream:
            yield stream  # type: ignore[misc]
    elif path.suffix == BZIP2:
        with bz2.BZ2File(out, "wb") as stream:
            yield stream  # type: ignore[misc]
    elif path.suffix == ZSTANDARD:
        content = io.BytesIO()
        yield content
        out.write(pa.compress(content.getvalue(), "zstd", asbytes=True))
    elif path.suffix == ZIP:
        with (
            zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
            archive.open(zipfile.ZipInfo(path.stem), "w", force_zip64=True) as stream,
        ):
            yield stream  # type: ignore[misc]
    else:
        yield out


def without_packing(name: str) -> str:
    """A file's name without the ending of its packing.

    >>> without_packing("pets.CSV.gz"), without_packing("pets.csv")
    ('pets.CSV', 'pets.csv')
    """
    path = PurePath(name)
    return path.stem if path.suffix.lower() in ENDINGS else path.name


class _KeptOpen(io.RawIOBase):
    """A stream that stays open when Arrow closes it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n_bytes: int = self._stream.readinto(buffer)
        return n_bytes


def _members(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Files in an archive, without folders and what macOS adds."""
    return [
        member
        for member in archive.infolist()
        if not member.is_dir() and not member.filename.startswith("__MACOSX/")
    ]


def _holds_one_file(stream: BinaryIO) -> bool:
    """Whether a ZIP archive is just packing: not a workbook, nor arrays of NumPy."""
    try:
        names = [member.filename for member in _members(zipfile.ZipFile(stream))]
    except zipfile.BadZipFile:
        return True  # to be refused as a packed file that cannot be read
    finally:
        stream.seek(0)
    return "[Content_Types].xml" not in names and not all(n.endswith(".npy") for n in names)


def _only_member(archive: zipfile.ZipFile) -> Any:
    members = _members(archive)
    if len(members) != 1:
        raise zipfile.BadZipFile(f"it holds {len(members)} files, not one")
    return archive.open(members[0])


def _free_disk() -> int:
    return shutil.disk_usage(tempfile.gettempdir()).free
