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


def found_rows(done: Estimated, **selection: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Rows to review as columns, by their ids in the table; and their cells."""
    from labelnoise.review.suspects import Suspects

    return rows_as_columns(done, Suspects(done.estimate).select(**selection))


def rows_as_columns(done: Estimated, rows: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The same for rows that are already chosen."""
    from labelnoise.review.decisions import REVIEWED, with_lines
    from labelnoise.review.suspects import Suspects

    table = done.table
    columns = Suspects(done.estimate).columns(rows, table.ids)
    if table.named_by == "place" and table.source.format == "csv":
        first = 1 if done.data.no_header else 2
        columns = with_lines(columns, table.positions[rows], first)
    taken, named = {*columns, REVIEWED}, {}
    for name, cells in table.content(rows, shown_columns(done)).items():
        free = name
        while free in taken:
            free = f"{free} (data)"
        taken.add(free)
        named[free] = cells
    return columns, named
