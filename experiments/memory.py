"""Memory of this process, as Linux counts it."""

from __future__ import annotations

import re
from pathlib import Path


def reset_peak() -> float:
    """Reset the peak of resident memory; return what is in use, in MB (NaN if unknown)."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return float("nan")
    return megabytes("VmRSS")


def megabytes(field: str) -> float:
    """A field of /proc/self/status, such as VmRSS or VmHWM; NaN where there is none."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return float("nan")
    match = re.search(rf"{field}:\s+(\d+) kB", status)
    return int(match[1]) / 1024 if match else float("nan")
