"""All messages, by code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording import (
    annotators,
    checks,
    command_line,
    data,
    estimates,
    evidence,
    general,
    methods,
    remedies,
    review,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.wording.message import Message

CATALOG: Mapping[str, Message] = {
    **general.MESSAGES,
    **checks.MESSAGES,
    **data.MESSAGES,
    **estimates.MESSAGES,
    **evidence.MESSAGES,
    **methods.MESSAGES,
    **review.MESSAGES,
    **remedies.MESSAGES,
    **annotators.MESSAGES,
    **command_line.MESSAGES,
}
