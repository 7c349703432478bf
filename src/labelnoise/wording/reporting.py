"""Messages about reports and plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.wording.message import Message

MESSAGES: Mapping[str, Message] = {}
