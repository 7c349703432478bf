"""Messages about files, columns and data sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Message] = {
    "no_such_file": Message(
        "there is no file {path!r}", "", optional={"suggestion": ". Did you mean {suggestion!r}?"}
    ),
    "column_predicts_label": Message(
        "column {column!r} alone predicts the labels almost perfectly: if it was made from them, "
        "it makes wrong labels look right",
        "leave it out, or, if it was not made from the labels, name its type: "
        "column_types={{{column!r}: 'category'}}",
        "leave it out (--drop {column}), or, if it was not made from the labels, name its type "
        "(--as {column}=category)",
    ),
}
