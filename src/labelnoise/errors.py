"""One root error and one root warning; every message ends with what to do next."""

from __future__ import annotations


class LabelNoiseError(ValueError):
    """Something in the input or the request cannot be used as it stands."""


class LabelNoiseTypeError(LabelNoiseError, TypeError):
    """A value has a type that cannot be used, whatever its content."""


class NotIdentifiableError(LabelNoiseError):
    """The data cannot tell the transition matrix, however long one computes."""


class LabelNoiseWarning(UserWarning):
    """The work went on, but the user should know about something."""
