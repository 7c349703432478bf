"""Rows to review, by their names in the table, with their cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelnoise.cli.calls import Call
from labelnoise.data.dataset import Dataset
from labelnoise.data.settings import MOST_SHOWN
from labelnoise.representation.mutual_information import f_mutual_information
from labelnoise.review.decisions import REVIEWED, with_spreadsheet_rows
from labelnoise.review.suspects import Suspects

LIKE_AN_ID = "column_looks_like_id"
SPREADSHEET_FORMATS = ("csv", "xlsx")


def shown_columns(call: Call, dataset: Dataset) -> list[str]:
    """Columns for reviewers: those that were specified, or texts and the most informative ones."""
    if call.data.shown or len(dataset.showable) <= MOST_SHOWN:
        return list(dataset.shown)
    _, codes = np.unique(dataset.y, return_inverse=True)
    most: dict[str, float] = {}
    information = f_mutual_information(dataset.X, codes, "kl").tolist()
    for name, amount in zip(dataset.feature_columns, information, strict=True):
        most[name] = max(amount, most.get(name, 0.0))
    most |= {one.name: float("inf") for one in dataset.column_types if one.type == "text"}
    chosen = set(sorted(dataset.showable, key=lambda name: -most.get(name, 0.0))[:MOST_SHOWN])
    return [name for name in dataset.showable if name in chosen]


def columns_of_rows(
    call: Call, dataset: Dataset, suspects: Suspects, rows: Any
) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """What is known of some rows (m,), as columns, and their cells, in columns of other names."""
    columns = suspects.columns(rows, dataset.ids)
    first = first_spreadsheet_row(call, dataset)
    if first is not None:
        columns = with_spreadsheet_rows(columns, dataset.positions[rows], first)
    content: dict[str, list[Any]] = {}
    for name, cells in dataset.content(rows, shown_columns(call, dataset)).items():
        free = name
        while free in (*columns, *content, REVIEWED):
            free = f"{free} (data)"
        content[free] = cells
    return columns, content


def without_identifiers(
    call: Call, dataset: Dataset, content: dict[str, list[Any]]
) -> dict[str, list[Any]]:
    """Content without identifiers, unless they were specified or there is nothing else."""
    ids = {one.name for one in dataset.column_types if one.reason.code == LIKE_AN_ID}
    others = {name: cells for name, cells in content.items() if name not in ids}
    return content if call.data.shown or not others else others


def first_spreadsheet_row(call: Call, dataset: Dataset) -> int | None:
    """The number that a spreadsheet would show beside the first row of the data.

    None if spreadsheets do not open the format, if rows have ids, or if some lines are blank.
    """
    if dataset.id_source is not None or dataset.format not in SPREADSHEET_FORMATS:
        return None
    if any(note.code == "blank_lines_skipped" for note in dataset.notes):
        return None
    return 1 if call.data.no_header else 2
