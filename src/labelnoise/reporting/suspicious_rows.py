"""The rows that a report shows for review, and what reviewing them yields."""

from __future__ import annotations

import html
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.containers import row_ids
from labelnoise.data.plain_columns import text_of
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import IntArray
    from labelnoise.reporting.about import About
    from labelnoise.review.suspects import Suspects

NEIGHBORS = 5
MOST_BYTES, LONGEST_CELL = 2_000_000, 20_000
"""Bytes of all rows together, and characters of a cell, that a page shows: it must stay below 5 MB,
of which a map of a hundred classes may take more than two."""

ROW_BYTES, CELL_BYTES, FOLD_BYTES = 1000, 60, 100
"""What a row, a cell, and a fold take on a page beside their texts."""

FOLDED = 300
"""Characters of a cell beyond which a page folds it away, and shows the first half of them."""

LONGEST_NAME = 100
"""Characters of a column's name that a page tells when pointed at."""

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
    """What is expected if so many rows are reviewed, in the order in which a budget takes them."""

    n_reviewed: int
    n_found: float
    share_found: float
    precision: float


def suspicious_rows(suspects: Suspects, about: About, chosen: IntArray) -> list[SuspiciousRow]:
    """The chosen rows in the order of suspicion; those chosen first, if a page cannot hold all.

    If the data cannot tell which rows are wrong, they stay in the order in which they were chosen.
    """
    if not len(chosen):
        return []
    names = row_ids(about.ids, len(suspects.given), None)
    columns = suspects.columns(chosen, names, NEIGHBORS)
    content = _content(about, chosen)
    rows = [
        SuspiciousRow(
            row=_plain(columns["row"][i]),
            given=text_of(str(columns["given"][i])),
            suggested=text_of(str(columns["suggested"][i])),
            p_wrong=round(float(columns["p_wrong"][i]), 6),
            p_suggested=round(float(columns["p_suggested"][i]), 4),
            neighbors=[text_of(str(label)) for label in columns["neighbor_labels"][i]],
            content={name: cells[i] for name, cells in content.items()},
        )
        for i in range(len(chosen))
    ]
    n_shown = max(1, int((np.cumsum([_size(row) for row in rows]) <= MOST_BYTES).sum()))
    told = suspects.est.diagnosis.can_tell
    order = np.argsort(suspects.places(chosen[:n_shown])) if told else range(n_shown)
    return [rows[i] for i in order]


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


def _content(about: About, chosen: IntArray) -> dict[str, list[str]]:
    """Cells of the chosen rows as texts, by column."""
    found = {} if about.content is None else about.content(chosen)
    columns = {text_of(name): [_text(cell) for cell in cells] for name, cells in found.items()}
    for name, cells in columns.items():
        if len(cells) != len(chosen):
            raise LabelNoiseError(
                f"content {name!r} has {len(cells)} cells for {len(chosen)} rows. Return one for "
                "each of the rows that are asked for."
            )
    return columns


def _text(cell: Any) -> str:
    if cell is None:
        return ""
    text = f"{cell:.6g}" if isinstance(cell, float) else text_of(cell)
    return text if len(text) <= LONGEST_CELL else text[:LONGEST_CELL] + "…"


def _size(row: SuspiciousRow) -> int:
    """Bytes of a row on a page, hardly fewer than it takes."""
    twice = sum(_n_bytes(str(text)) for text in (row.row, row.given, row.suggested))
    names = sum(CELL_BYTES + 2 * _n_bytes(name[:LONGEST_NAME]) for name in row.content)
    folds = [text[: FOLDED // 2] for text in row.content.values() if len(text) > FOLDED]
    cells = sum(map(_n_bytes, row.content.values()))
    return ROW_BYTES + 2 * twice + names + cells + sum(FOLD_BYTES + _n_bytes(one) for one in folds)


def _n_bytes(text: str) -> int:
    return len(html.escape(text).encode())


def _plain(name: Any) -> Any:
    plain = name.item() if isinstance(name, np.generic) else name
    if isinstance(plain, float) and not math.isfinite(plain):
        return str(plain)
    return plain if isinstance(plain, int | float) else text_of(str(plain))
