"""Thresholds of what the command line shows; colors for a quick look, chosen by hand."""

from __future__ import annotations

LARGE, NOTICEABLE = 0.1, 0.03
"""Confusions from which on T's entries are red, and yellow."""
