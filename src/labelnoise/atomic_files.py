"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import contextlib
import csv
import io
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from labelnoise.errors import LabelNoiseError, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` to `path` in one step."""
    write_bytes_atomically(path, text.encode("utf-8"))


def write_bytes_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to `path` in one step."""
    with written_atomically(path) as stream:
        stream.write(content)


def write_csv_atomically(
    path: str | os.PathLike[str], head: Sequence[str], rows: Iterable[Sequence[Any]]
) -> None:
    """Write a header and rows as comma-separated text, in one step."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    write_text_atomically(path, stream.getvalue())


@contextlib.contextmanager
def written_atomically(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Write to `path` in one step: the old file stays whole until the new one is.

    The content goes to a temporary file beside the target, which then takes the target's
    name. An interruption at any moment (Ctrl-C, a full disk) leaves the old file as it
    was and no temporary file behind.
    """
    if not Path(path).name:
        raise OutputError(f"cannot write {str(path)!r}: it names no file. Choose a path.")
    try:
        target = Path(os.path.realpath(path))  # a link stays one
        if target.exists() and not target.is_file() and not target.is_dir():
            raise OSError("it is no file, but a device or a pipe")
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.tmp")
        try:
            with temporary.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            with contextlib.suppress(FileNotFoundError):
                temporary.chmod(target.stat().st_mode & 0o777)
            temporary.replace(target)
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
    except OSError as error:
        raise OutputError(
            f"cannot write {str(path)!r}: {error.strerror or error}. Choose a path in an existing "
            "folder that you may write to."
        ) from error


def check_writable(path: str | os.PathLike[str]) -> None:
    """Check that a file can be written to `path`, before much work is done for it."""
    if os.path.isdir(path):  # noqa: PTH112 - a name may be too long
        raise OutputError(f"cannot write {str(path)!r}: it is a folder. Name a file in it.")
    with contextlib.suppress(_Checked), written_atomically(path):
        raise _Checked


class _Checked(Exception):  # noqa: N818
    """Leaves a file unwritten."""


def is_file(path: str | os.PathLike[str]) -> bool:
    """Whether there is a file of this name; a name that no file can have names none."""
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False


def read_text(path: str | os.PathLike[str], *, keep_line_ends: bool = False) -> str:
    """Read a text file, its lines ended by newlines or as they are; a failure names it."""
    try:
        text = read_bytes(path).decode("utf-8-sig")  # spreadsheets begin files with a mark
        return text if keep_line_ends else text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise LabelNoiseError(
            f"cannot read {os.fspath(path)!r}: it is not UTF-8 (byte {error.start}). Save it as "
            "UTF-8."
        ) from error


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a file; a file that cannot be read is named, with the reason."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise LabelNoiseError(
            f"cannot read {os.fspath(path)!r}: {reason}. Check the path."
        ) from error
