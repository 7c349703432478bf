"""What the command line exits with."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes; they never change their meaning."""

    DONE = 0
    GATE = 1
    """The work was done and the answer is no: too much noise, or the data cannot tell."""

    CALL = 2
    """An unknown option, a missing argument, or options that contradict each other."""

    INPUT = 3
    """The data cannot be read or used."""

    OUTPUT = 4
    """A result could not be written."""

    BUG = 5
    """Something that should not happen."""

    INTERRUPTED = 130
    """Ctrl-C."""
