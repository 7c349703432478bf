"""All messages, by code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording import (
    baselines,
    checks,
    command_line,
    consensus,
    data,
    estimates,
    evidence,
    rank_gate,
    remedies,
    reporting,
    review,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.wording.message import Message

CATALOG: Mapping[str, Message] = {
    **checks.MESSAGES,
    **data.MESSAGES,
    **estimates.MESSAGES,
    **evidence.MESSAGES,
    **rank_gate.MESSAGES,
    **consensus.MESSAGES,
    **baselines.MESSAGES,
    **review.MESSAGES,
    **remedies.MESSAGES,
    **reporting.MESSAGES,
    **command_line.MESSAGES,
}
