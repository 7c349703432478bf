"""How much memory an estimate takes, and may take."""

from __future__ import annotations

import os
import re

from labelnoise.cli.settings import MEMORY_SHARE
from labelnoise.errors import LabelNoiseError

UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
MEGABYTE, GIGABYTE = 1024**2, 1024**3


def memory_limit(size: str | None) -> int | None:
    """Bytes that may be used: the given size, or most of the machine's memory.

    >>> memory_limit("1.5GB"), memory_limit("512m")
    (1610612736, 536870912)
    """
    if size is None:
        try:
            whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, ValueError, OSError):  # not on every system
            return None
        return int(MEMORY_SHARE * whole)
    found = re.fullmatch(r"(\d{1,9}(?:\.\d+)?) ?([KMGT]?)(?:i?B)?", size, re.IGNORECASE)
    if not found:
        facts = {"option": "--max-memory", "value": size, "example": "4GB"}
        raise LabelNoiseError("invalid_option_value", **facts)
    return int(float(found[1]) * UNITS[found[2].upper()])


def needed_memory(n_rows: int, n_features: int, n_classes: int) -> int:
    """Bytes that an estimate takes at most, as measured (benchmarks/memory_needed.py).

    The process itself; copies of the features; up to 80 neighbors of each row, in few
    dimensions 320; and the posteriors of every class at several scales.
    """
    neighbors = min(n_rows, 320 if n_features <= 8 else 80)
    each = 64 * n_features + 18 * neighbors + 200 * n_classes
    return 320 * MEGABYTE + n_rows * each


def refuse_too_large(n_rows: int, n_features: int, n_classes: int, limit: int | None) -> None:
    """Refuse work that needs more memory than the limit."""
    needed = needed_memory(n_rows, n_features, n_classes)
    if limit is not None and needed > limit:
        facts = {"n_rows": n_rows, "n_features": n_features, "n_classes": n_classes}
        sizes = {"needed": needed / GIGABYTE, "limit": limit / GIGABYTE}
        raise LabelNoiseError("too_large_for_memory", **facts, **sizes)
