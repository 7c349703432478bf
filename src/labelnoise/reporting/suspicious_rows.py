"""The rows that a report shows for review, and what reviewing them yields."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.containers import row_ids
from labelnoise.data.plain_columns import text_of
from labelnoise.reporting.words import short_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import IntArray
    from labelnoise.remedies.label_issues import Suspects
    from labelnoise.reporting.about import About

NEIGHBORS = 5
MOST_BYTES, LONGEST_CELL, LONGEST_NAME = 2_000_000, 20_000, 100
"""Bytes of all rows together, and characters of a cell and of its column's name, that a page shows:
it must stay below 5 MB, of which a map of a hundred classes may take two."""

ROW_BYTES, CELL_BYTES = 1000, 60
"""What a row and a cell take on a page beside their texts."""

YIELD_POINTS = 60
TOLD_PARTS = (0.125, 0.35, 1.0)
"""Parts of the rows on the page whose yield is told in words."""


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
    """The chosen rows; if a page cannot hold all of them, those that were chosen first."""
    if not len(chosen):
        return []
    names = row_ids(about.ids, len(suspects.given), None)
    columns = suspects.columns(chosen, names, NEIGHBORS)
    content = {} if about.content is None else about.content(chosen)
    heads = short_names([str(name) for name in content], LONGEST_NAME)
    texts = dict(
        zip(heads, ([_text(cell) for cell in cells] for cells in content.values()), strict=True)
    )
    twice = [[str(text) for text in columns[name]] for name in ("row", "given", "suggested")]
    fixed = ROW_BYTES + sum(CELL_BYTES + 2 * _n_bytes(name) for name in texts)
    n_shown = _that_fit([*texts.values(), *twice, *twice], fixed)
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


def yields(suspects: Suspects, n_shown: int) -> list[Yield]:
    """The yield of reviewing more and more rows, until hardly an error is found any more.

    Those that `some_yields` tells of are among them, however many more rows there are.
    """
    order = suspects.in_order_of_review(per_class=True)
    found = np.cumsum(suspects.p_wrong[order])
    if not len(found):
        return []
    total = max(float(found[-1]), float(suspects.n_wrong), 1e-9)
    most = int(np.searchsorted(found, 0.995 * found[-1])) + 1
    most = min(len(order), max(most, 10))
    evenly = np.linspace(1, most, min(most, YIELD_POINTS)).round().astype(int).tolist()
    return [
        Yield(n, float(found[n - 1]), float(found[n - 1] / total), float(found[n - 1] / n))
        for n in sorted({*evenly, *_told(min(n_shown, len(order)))})
    ]


def some_yields(points: Sequence[Yield], n_shown: int) -> list[Yield]:
    """What some numbers of rows yield; none beyond those that a page shows."""
    told = _told(n_shown)
    return [point for point in points if point.n_reviewed in told]


def _told(n_shown: int) -> set[int]:
    return {max(1, round(part * n_shown)) for part in TOLD_PARTS}


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    text = f"{cell:.6g}" if isinstance(cell, float) else text_of(cell)
    return text if len(text) <= LONGEST_CELL else text[:LONGEST_CELL] + "…"


def _that_fit(texts: Sequence[Sequence[str]], fixed: int) -> int:
    """How many of the rows fit on a page, at least one: these texts, and so many other bytes."""
    sizes = [fixed + sum(map(_n_bytes, row)) for row in zip(*texts, strict=True)]
    return max(1, int((np.cumsum(sizes) <= MOST_BYTES).sum()))


def _n_bytes(text: str) -> int:
    return len(html.escape(text).encode("utf-8", "replace"))


def _plain(name: Any) -> Any:
    plain = name.item() if isinstance(name, np.generic) else name
    if isinstance(plain, float) and not math.isfinite(plain):
        return str(plain)
    return plain if isinstance(plain, str | int | float) else str(plain)
