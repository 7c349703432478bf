"""The rows that a report shows for review, and what a review of them is expected to find."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.containers import row_ids
from labelnoise.errors import LabelNoiseError
from labelnoise.reporting.settings import (
    COLUMN_NAME_LENGTH,
    MAX_CELL_LENGTH,
    MAX_ROW_BYTES,
    MAX_ROWS_TO_AUDIT,
    MILESTONES,
    MIN_ERRORS_TO_SHOW,
    NEIGHBORS_SHOWN,
    REVIEW_CURVE_END,
    REVIEW_POINTS,
)
from labelnoise.reporting.words import as_text

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray
    from labelnoise.reporting.context import ReportContext
    from labelnoise.review.suspects import Suspects

ROW_BYTES, CELL_BYTES = 1100, 150  # of markup on a page for a row, and for a cell


@dataclass(frozen=True)
class SuspiciousRow:
    """A row whose label is probably wrong, with the evidence."""

    row: Any
    given: str
    suggested: str
    p_wrong: float
    p_suggested: float
    neighbors: list[str]  # labels of the most similar rows
    line: int | None  # row number in a spreadsheet
    content: dict[str, str]


@dataclass(frozen=True)
class ReviewPoint:
    """Expected result of a review of the first `n_reviewed` rows."""

    n_reviewed: int
    n_found: float
    share_found: float
    precision: float


def suspicious_rows(suspects: Suspects, context: ReportContext) -> list[SuspiciousRow]:
    """The rows to show, most suspicious first; if a page cannot hold all, those chosen first."""
    chosen = _rows_to_show(suspects, context.max_rows)
    if not len(chosen):
        return []
    ids = row_ids(context.ids, len(suspects.given), None)
    columns = suspects.columns(chosen, ids, NEIGHBORS_SHOWN)
    content = _content(context, chosen)
    rows = [
        SuspiciousRow(
            row=name if isinstance(name, int | float) else as_text(str(name)),
            given=as_text(str(columns["given"][i])),
            suggested=as_text(str(columns["suggested"][i])),
            p_wrong=round(float(columns["p_wrong"][i]), 6),
            p_suggested=round(float(columns["p_suggested"][i]), 4),
            neighbors=[as_text(str(label)) for label in columns["neighbor_labels"][i]],
            line=None if context.lines is None else int(context.lines[chosen[i]]),
            content={name: cells[i] for name, cells in content.items()},
        )
        for i, name in enumerate(columns["row"].tolist())
    ]
    n_shown = max(1, int((np.cumsum([_n_bytes(row) for row in rows]) <= MAX_ROW_BYTES).sum()))
    if not suspects.est.diagnosis.can_tell:
        return rows[:n_shown]
    return [rows[i] for i in np.argsort(suspects.rank_of(chosen[:n_shown]))]


def _rows_to_show(suspects: Suspects, max_rows: int) -> IntArray:
    """Positions of the rows to review: as many as labels are expected to be wrong.

    None if hardly any error is expected among them. If the data cannot identify the noise, the
    rows whose true labels would help most. Rows that a smaller page would show come first.
    """
    if not suspects.est.diagnosis.can_tell:
        return suspects.rows.suggest(min(MAX_ROWS_TO_AUDIT, max_rows))
    rows = suspects.review_order(per_class=True)[: max(suspects.n_wrong, 1)]
    few = suspects.p_wrong[rows].sum() < MIN_ERRORS_TO_SHOW
    return rows[:0] if few else rows[:max_rows]


def review_curve(suspects: Suspects, n_shown: int) -> list[ReviewPoint]:
    """Expected results of larger and larger budgets, until hardly any error is left to find.

    The `milestones` are always among the points.
    """
    order = suspects.review_order(per_class=True)
    found = np.cumsum(suspects.p_wrong[order])
    if not len(found):
        return []
    total = suspects.n_errors
    last = int(np.searchsorted(found, REVIEW_CURVE_END * found[-1])) + 1
    last = min(len(order), max(last, 10))
    evenly = np.linspace(1, last, min(last, REVIEW_POINTS)).round().astype(int).tolist()
    return [
        ReviewPoint(n, float(found[n - 1]), float(found[n - 1] / total), float(found[n - 1] / n))
        for n in sorted({*evenly, *milestones(min(n_shown, len(order)))})
    ]


def milestones(n_shown: int) -> set[int]:
    """Numbers of reviewed rows whose results are stated in words, if a page shows `n_shown`."""
    return {max(1, round(share * n_shown)) for share in MILESTONES}


def _content(context: ReportContext, chosen: IntArray) -> dict[str, list[str]]:
    """Cells of the chosen rows as text, by column."""
    content = {} if context.content is None else context.content(chosen)
    for name, cells in content.items():
        if len(cells) != len(chosen):
            facts = {"n": len(cells), "n_rows": len(chosen)}
            raise LabelNoiseError("wrong_length", name=f"content {name!r}", **facts)
    return {as_text(name): [_cell(cell) for cell in cells] for name, cells in content.items()}


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    text = f"{cell:.6g}" if isinstance(cell, float) else as_text(cell)
    return text if len(text) <= MAX_CELL_LENGTH else text[:MAX_CELL_LENGTH] + "…"


def _n_bytes(row: SuspiciousRow) -> float:
    """An upper bound of the bytes that a row takes on a page."""
    names = [name[:COLUMN_NAME_LENGTH] for name in row.content]
    twice, cells = (
        len(html.escape("".join(texts)).encode())
        for texts in ([str(row.row), row.given, row.suggested, *names], row.content.values())
    )
    return ROW_BYTES + CELL_BYTES * len(names) + 2 * twice + 1.5 * cells
