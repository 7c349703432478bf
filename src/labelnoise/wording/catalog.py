"""All messages, by code."""

from collections.abc import Mapping

from labelnoise.wording import (
    annotators,
    checks,
    data,
    estimates,
    evidence,
    general,
    methods,
    remedies,
    review,
)
from labelnoise.wording.message import Message

CATALOG: Mapping[str, Message] = (
    general.MESSAGES
    | annotators.MESSAGES
    | checks.MESSAGES
    | data.MESSAGES
    | estimates.MESSAGES
    | evidence.MESSAGES
    | methods.MESSAGES
    | remedies.MESSAGES
    | review.MESSAGES
)
