"""One root error and one root warning; every message ends with what to do next."""

from __future__ import annotations

import sys
import warnings


class LabelNoiseError(ValueError):
    """Something in the input or the request cannot be used as it stands."""


class LabelNoiseTypeError(LabelNoiseError, TypeError):
    """A value has a type that cannot be used, whatever its content."""


class OutputError(LabelNoiseError):
    """A result could not be written."""


class NotIdentifiableError(LabelNoiseError):
    """The data cannot tell the transition matrix, however long one computes."""


class LabelNoiseWarning(UserWarning):
    """The work went on, but the user should know about something."""


def warn_user(message: str) -> None:
    """Warn with the place in the user's code that called labelnoise, not a place inside it."""
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "labelnoise":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, LabelNoiseWarning, stacklevel=level)
