"""The error that experiments raise, and a reader of files that raises it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class ExperimentError(ValueError):
    """An experiment cannot run as requested; the message gives the reason and the remedy."""


def read_text(path: Path) -> str:
    """Read a UTF-8 file, with or without the byte order mark that spreadsheets write."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ExperimentError(
            f"cannot read {str(path)!r}: {error.strerror}. Check the path."
        ) from error
    except UnicodeDecodeError as error:
        raise ExperimentError(
            f"cannot read {str(path)!r}: it is not UTF-8 (byte {error.start}). Save it as UTF-8."
        ) from error
