"""Messages about reports and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Message] = {
    "unknown_report_format": Message(
        "the name {path!r} does not end in a format that a report can have",
        "end it in one of {formats}",
    ),
    "content_not_one_cell_per_row": Message(
        "content {column!r} has {n_cells:cell|cells} for {n_rows:row|rows}",
        "return one cell for each requested row",
        "check the column: it has no value for some rows",
    ),
}
