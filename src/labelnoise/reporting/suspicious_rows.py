"""The rows that a report shows for review, and what reviewing them yields."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.containers import row_ids
from labelnoise.data.plain_columns import text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import IntArray
    from labelnoise.remedies.label_issues import Suspects
    from labelnoise.reporting.about import About

NEIGHBORS = 5
MOST_BYTES, LONGEST_CELL = 2_000_000, 20_000
"""Bytes of all rows together, and characters of a cell, that a page shows: it must stay below 5 MB,
of which a map of a hundred classes may take two."""

ROW_BYTES, CELL_BYTES = 1000, 150
"""What a row and a cell take on a page beside their text."""

YIELD_POINTS = 60


@dataclass(frozen=True)
class SuspiciousRow:
    """A row whose label is probably wrong, with evidence."""

    row: Any
    given: str
    suggested: str
    p_wrong: float
    p_suggested: float
    neighbors: list[str]  # labels of the rows nearest to it
    content: dict[str, str]


@dataclass(frozen=True)
class Yield:
    """What is expected if so many rows are reviewed, the most suspicious first."""

    n_reviewed: int
    n_found: float
    share_found: float
    precision: float


def suspicious_rows(suspects: Suspects, about: About, chosen: IntArray) -> list[SuspiciousRow]:
    """The chosen rows, as many of them as a page can hold."""
    if not len(chosen):
        return []
    names = row_ids(about.ids, len(suspects.given), None)
    columns = suspects.columns(chosen, names, NEIGHBORS)
    content = {} if about.content is None else about.content(chosen)
    texts = {str(name): [_text(cell) for cell in cells] for name, cells in content.items()}
    told = [columns[name] for name in ("row", "given", "suggested") for _ in range(2)]
    shown = [*texts.values(), *([str(text) for text in column] for column in told)]
    n_shown = _that_fit(shown, len(chosen))
    return [
        SuspiciousRow(
            row=_plain(columns["row"][i]),
            given=str(columns["given"][i]),
            suggested=str(columns["suggested"][i]),
            p_wrong=round(float(columns["p_wrong"][i]), 6),
            p_suggested=round(float(columns["p_suggested"][i]), 4),
            neighbors=[str(label) for label in columns["neighbor_labels"][i]],
            content={name: cells[i] for name, cells in texts.items()},
        )
        for i in range(n_shown)
    ]


def yields(suspects: Suspects) -> list[Yield]:
    """The yield of reviewing more and more rows, until hardly an error is found any more."""
    order = suspects.in_order_of_review(per_class=True)
    found = np.cumsum(suspects.p_wrong[order])
    if not len(found):
        return []
    total = max(float(found[-1]), float(suspects.n_wrong), 1e-9)
    most = int(np.searchsorted(found, 0.995 * found[-1])) + 1
    most = min(len(order), max(most, 10))
    at = np.unique(np.linspace(1, most, min(most, YIELD_POINTS)).round().astype(np.int64))
    return [
        Yield(int(n), float(found[n - 1]), float(found[n - 1] / total), float(found[n - 1] / n))
        for n in at
    ]


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    text = f"{cell:.6g}" if isinstance(cell, float) else text_of(cell)
    return text if len(text) <= LONGEST_CELL else text[:LONGEST_CELL] + "…"


def _that_fit(texts: Sequence[Sequence[str]], n_rows: int) -> int:
    """How many of the rows fit on a page, at least one."""
    sizes = np.full(n_rows, float(ROW_BYTES))
    for cells in texts:
        sizes += [CELL_BYTES + len(html.escape(cell).encode("utf-8", "replace")) for cell in cells]
    return max(min(1, n_rows), int((np.cumsum(sizes) <= MOST_BYTES).sum()))


def _plain(name: Any) -> Any:
    plain = name.item() if isinstance(name, np.generic) else name
    if isinstance(plain, float) and not math.isfinite(plain):
        return str(plain)
    return plain if isinstance(plain, str | int | float) else str(plain)
