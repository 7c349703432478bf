"""Numbers reported by the paper and by its published code, as data."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

PAPER, CODE = "paper", "code"
"""Publishers: the paper (a single seed), and its published code run on seeds 1 to 3."""


@cache
def published(name: str, field: str = "error") -> dict[tuple[str, ...], float]:
    """Read the numbers of ``<name>.csv``, by set, level and method as far as it has them.

    >>> published("paper_errors")["heart", "low", "hoc"]
    9.82
    """
    text = files(__package__).joinpath(f"{name}.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    keys = [key for key in rows[0] if key in ("set", "level", "method")]
    return {tuple(row[key] for key in keys): float(row[field]) for row in rows}
