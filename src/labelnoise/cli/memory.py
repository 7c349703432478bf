"""How much memory an estimate takes, and may take."""

from __future__ import annotations

import os
import re

from labelnoise.cli.calls import CallError
from labelnoise.errors import LabelNoiseError

UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
DEFAULT_SHARE = 0.75
MEGABYTE = 1024**2


LARGEST = 1e9
"""Of whatever unit: more is a slip."""


def memory_limit(said: str | None) -> int | None:
    """Bytes that may be used: those that were said, or most of the machine's.

    >>> memory_limit("1.5GB"), memory_limit("512m")
    (1610612736, 536870912)
    """
    if said is None:
        try:
            whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, ValueError, OSError):  # not on every system
            return None
        return int(DEFAULT_SHARE * whole)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", said, re.IGNORECASE)
    if not found or not 0 < float(found[1]) < LARGEST:
        raise CallError(f"--max-memory must be a size, got {said!r}. Pass for example 4GB.")
    return int(float(found[1]) * UNITS[found[2].upper()])


def needed_memory(n_rows: int, n_features: int, n_classes: int) -> int:
    """Bytes that an estimate takes at most, as measured (benchmarks/memory_needed.py).

    The process itself; copies of the features; up to 80 neighbors of each row, in few
    dimensions 320; and the posteriors of every class at several scales.
    """
    neighbors = min(n_rows, 320 if n_features <= 8 else 80)
    each = 64 * n_features + 18 * neighbors + 200 * n_classes
    return 320 * MEGABYTE + n_rows * each


def refuse_too_large(shape: tuple[int, int, int], limit: int | None) -> None:
    """Refuse work on so many rows, features and classes that needs more than the limit."""
    n_rows, n_features, n_classes = shape
    needed = needed_memory(n_rows, n_features, n_classes)
    if limit is not None and needed > limit:
        raise LabelNoiseError(
            f"{n_rows:,} rows of {n_features} features and {n_classes} classes need about "
            f"{needed / 1024**3:.1f} GB, more than the {limit / 1024**3:.1f} GB allowed. Raise "
            "--max-memory, use fewer --features, or a sample of the rows."
        )
