"""Thresholds of what the command line shows; colors for a quick look, chosen by hand."""

from __future__ import annotations

LARGE, NOTICEABLE = 0.1, 0.03
"""Probabilities of confusions at which entries of T become red, and yellow."""
