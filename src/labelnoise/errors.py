"""Errors and warnings: each carries a code and the facts, and is worded when it is read."""

from __future__ import annotations

import sys
import warnings
from typing import Any

from labelnoise.wording import Note


class LabelNoiseError(ValueError):
    """Something in the input or the request cannot be used as it stands.

    Attributes
    ----------
    note : Note
        What is wrong, as a code and its facts. ``str(error)`` words it for Python.
    """

    def __init__(self, code: str, /, **facts: Any) -> None:
        super().__init__(code)
        self.note = Note(code, facts)

    def __str__(self) -> str:
        return self.note.text()


def wrong_shape(name: str, shape: tuple[int, ...], expected: str) -> LabelNoiseError:
    """The error for an array whose shape is not the `expected` one."""
    return LabelNoiseError("wrong_shape", name=name, shape=tuple(shape), expected=expected)


class LabelNoiseTypeError(LabelNoiseError, TypeError):
    """A value has a type that cannot be used, whatever its content."""


class OutputError(LabelNoiseError):
    """A result could not be written."""


class NotIdentifiableError(LabelNoiseError):
    """The data do not determine the transition matrix, whatever the method."""


class LabelNoiseWarning(UserWarning):
    """The work went on, but the user should know about something.

    Attributes
    ----------
    note : Note
        What it is, as a code and its facts. ``str(warning)`` words it for Python.
    """

    def __init__(self, note: Note) -> None:
        super().__init__(note)
        self.note = note

    def __str__(self) -> str:
        return self.note.text()


def warn_user(code: str | Note, /, **facts: Any) -> None:
    """Warn at the line of the user's code that called labelnoise, not at a line inside it."""
    note = code if isinstance(code, Note) else Note(code, facts)
    level, frame = 1, sys._getframe()
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] == "labelnoise":
        level, frame = level + 1, frame.f_back
    warnings.warn(LabelNoiseWarning(note), stacklevel=level)
