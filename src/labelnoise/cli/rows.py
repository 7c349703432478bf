"""Rows to review, by their names in the table, with their cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelnoise.cli.work import Estimated


def shown_columns(done: Estimated) -> list[str]:
    """Columns that reviewers see: as said, or texts and those that tell most about the labels."""
    from labelnoise.data.labeled_table import MOST_SHOWN

    table = done.table
    if done.data.text_column or len(table.showable) <= MOST_SHOWN:
        return list(table.shown)
    import numpy as np

    from labelnoise.representation.mutual_information import f_mutual_information

    _, codes = np.unique(table.y, return_inverse=True)
    told: dict[str, float] = {}
    information = f_mutual_information(table.X, codes, "kl")
    for name, amount in zip(table.feature_columns, information.tolist(), strict=True):
        told[name] = max(amount, told.get(name, 0.0))
    told |= {role.name: float("inf") for role in table.roles if role.kind == "text"}
    most = set(sorted(table.showable, key=lambda name: -told.get(name, 0.0))[:MOST_SHOWN])
    return [name for name in table.showable if name in most]


def found_rows(done: Estimated, **asked: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Rows to review as columns, by their names in the table; and their cells."""
    from labelnoise.review.suspects import find_label_issues

    issues = find_label_issues(done.estimate, done.table.y, output="table", **asked)
    return _named(done, dict(issues))


def rows_as_columns(done: Estimated, rows: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The same for rows that were chosen otherwise."""
    import numpy as np

    from labelnoise.reporting.suspicious_rows import NEIGHBORS
    from labelnoise.review.suspects import Suspects

    names = np.arange(done.estimate.n_rows)
    return _named(done, Suspects(done.estimate).columns(rows, names, NEIGHBORS))


def _named(done: Estimated, columns: dict[str, Any]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Columns with the names of rows in the place of positions, and cells of these rows."""
    from labelnoise.review.decisions import REVIEWED

    table, rows = done.table, columns["row"]
    columns["row"] = table.ids[rows]
    columns["neighbors"] = [
        table.ids[near].tolist() if near else [] for near in columns["neighbors"]
    ]
    taken, named = {*columns, REVIEWED}, {}
    for name, cells in table.content(rows, shown_columns(done)).items():
        free = name
        while free in taken:
            free = f"{free} (data)"
        taken.add(free)
        named[free] = cells
    return columns, named
