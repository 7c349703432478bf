"""Every threshold and size of the command line, chosen by hand unless a benchmark is named."""

from __future__ import annotations

WIDTH = 100
"""Width of text that goes into a file or a pipe, in characters."""

LARGE, NOTICEABLE = 0.1, 0.03
"""Probabilities of confusions from which entries of T are red, and yellow."""

MAX_CLASSES = 12
"""Maximum number of classes whose T is shown as a table; of more, only confusions are shown."""

MAX_LISTED = 20
"""Maximum number of classes, or of labels, in a list."""

MAX_NAME, MAX_CLASS_NAME, MAX_CELL, CONTENT_LENGTH = 16, 30, 24, 60
"""Characters of the name of a class in T and in a list, of the name and of the content of a row."""

N_SHOWN = 15
"""Rows that are shown on the terminal."""

ROWS_TO_AUDIT = 100
"""Rows that --for-audit finds unless there is a budget."""

MEMORY_SHARE = 0.75
"""Share of the machine's memory that may be used unless a limit is given
(`benchmarks/memory_needed.py`)."""

NEARLY_CLEAN = 0.05
"""If there is no clear sign of wrong labels, and at most this share may be wrong, a gate passes."""
