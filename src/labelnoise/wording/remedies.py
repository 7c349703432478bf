"""Messages about corrected training and corrected scores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Message] = {
    "given_matrix": Message("labels err as the given matrix says"),
    "labels_do_not_fit_matrix": Message(
        "the given noise does not fit the labels: no mix of clean classes would give label "
        "frequencies like these, and chance does not explain it",
        "check that T belongs to these labels, with rows for true classes",
    ),
}
