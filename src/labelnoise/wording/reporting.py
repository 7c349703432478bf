"""Messages about reports and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

INTERVAL = " ({level:.0%} interval {lower:.1%} to {upper:.1%})"

MESSAGES: Mapping[str, Message] = {
    "noise_rate_after_review": Message(
        "about {rate:.1%} of the labels are still wrong once the "
        "{n:reviewed row is|reviewed rows are} corrected",
        optional={"level": INTERVAL},
    ),
    "noise_rate_before_review": Message(
        "before the review, about {rate:.1%} of the labels were wrong",
        optional={"level": INTERVAL, "assumption": ", assuming {assumption}"},
    ),
    "unknown_report_format": Message(
        "the ending of {path!r} is not a format of reports",
        "choose one of the endings {formats}",
    ),
    "table_not_a_dataset": Message(
        "table= takes what load_table or Dataset.from_table returned, got {type}",
        "pass the features as X= and what reviewers see as content=",
    ),
    "table_beside_features": Message(
        "table already has features, feature names and ids",
        "pass either table, or X, feature_names and ids",
    ),
    "content_not_one_cell_per_row": Message(
        "content {column!r} has {n_cells:cell|cells} for {n_rows:row|rows}",
        "return one cell for each requested row",
        "check the column: it has no value for some rows",
    ),
}
