"""Errors in the call itself, as opposed to errors in the data."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator


class CallError(LabelNoiseError):
    """The options cannot be used together, or as they stand."""


@contextmanager
def options_checked() -> Iterator[None]:
    """Turn any error inside into an error in the call."""
    try:
        yield
    except LabelNoiseError as error:
        raise CallError(error.note.code, **error.note.facts) from error
