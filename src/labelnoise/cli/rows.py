"""Rows to review, by their names in the table, with their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelnoise.cli.work import Estimated
    from labelnoise.data.labelled_table import LabelledTable

NEIGHBORS = 5


def found_rows(done: Estimated, **asked: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Rows to review as columns, by their names in the table; and their cells."""
    from labelnoise.remedies.label_issues import find_label_issues

    issues = find_label_issues(done.estimate, done.table.y, output="table", **asked)
    return _named(done.table, dict(issues))


def rows_as_columns(done: Estimated, rows: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The same for rows that were chosen otherwise."""
    import numpy as np

    from labelnoise.remedies.label_issues import Suspects

    names = np.arange(done.estimate.n_rows)
    return _named(done.table, Suspects(done.estimate).columns(rows, names, NEIGHBORS))


def _named(
    table: LabelledTable, columns: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Columns with the names of rows in the place of positions, and cells of these rows."""
    from labelnoise.remedies.issue_files import REVIEWED

    rows = columns["row"]
    columns["row"] = table.ids[rows]
    columns["neighbors"] = [
        table.ids[near].tolist() if near else [] for near in columns["neighbors"]
    ]
    taken, named = {*columns, REVIEWED}, {}
    for name, cells in table.content(rows).items():
        free = name
        while free in taken:
            free = f"{free} (data)"
        taken.add(free)
        named[free] = cells
    return columns, named
