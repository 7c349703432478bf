"""Reading whole files, and writing files so that a reader never sees half of one."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from labelnoise.errors import LabelNoiseError, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator


def write_text_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write `text` to `path` in one step."""
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:  # half of a character
        raise OutputError("cannot_write", path=str(path), reason=str(error)) from error
    write_bytes_atomically(path, content)


def write_bytes_atomically(path: str | os.PathLike[str], content: bytes) -> None:
    """Write `content` to `path` in one step."""
    with written_atomically(path) as stream:
        stream.write(content)


@contextlib.contextmanager
def written_atomically(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Write to `path` in one step: the old file stays complete until the new one is.

    The content goes to a temporary file in the same folder, which is then renamed to the target.
    An interruption at any moment (Ctrl-C, a full disk) leaves the old file as it was, and no
    temporary file. Only its owner can read the temporary file; once it is complete it gets the
    permissions of the old file, or those of any new file.
    """
    with _beside(path) as (temporary, target):
        with open(temporary, "xb", opener=_private) as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        temporary.chmod(_permissions(target))
        temporary.replace(target)


def check_writable(path: str | os.PathLike[str]) -> None:
    """Check that a file can be written to `path`, before much work is done for it."""
    if os.path.isdir(path):  # noqa: PTH112 - a name may be too long
        raise OutputError("cannot_write", path=str(path), reason="it is a folder")
    with _beside(path) as (temporary, _), open(temporary, "xb", opener=_private):
        pass


def make_folder(path: str | os.PathLike[str]) -> None:
    """Make a folder, unless it is there already."""
    try:
        Path(path).mkdir(exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("cannot_write", path=str(path), reason=reason) from error


@contextlib.contextmanager
def _beside(path: str | os.PathLike[str]) -> Iterator[tuple[Path, Path]]:
    """A path for a temporary file, which is deleted in the end, and the path of the target."""
    try:
        if not Path(path).name:
            raise OSError("it does not name a file")
        target = Path(os.path.realpath(path))  # a link stays one
        if target.exists() and not target.is_file() and not target.is_dir():
            raise OSError("it is not a file, but a device or a pipe")
        temporary = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.tmp")
        try:
            yield temporary, target
        finally:
            with contextlib.suppress(OSError):
                temporary.unlink()
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError("cannot_write", path=str(path), reason=reason) from error


def _private(path: str, flags: int) -> int:
    """Open a new file that only its owner can read."""
    return os.open(path, flags, 0o600)


def _permissions(target: Path) -> int:
    """Permissions of the file at `target`, or of a new one if there is none."""
    try:
        return target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0o077)  # there is no other way to read it
        os.umask(mask)
        return 0o666 & ~mask


def read_text(path: str | os.PathLike[str]) -> str:
    """Read a text file in UTF-8, with or without a byte order mark; lines end with newlines."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
        return text.replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        raise LabelNoiseError("not_utf8", path=str(path), position=error.start) from error


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Read a file; the error for one that cannot be read gives its name and the reason."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise LabelNoiseError("cannot_read", path=str(path), reason=reason) from error
