"""Thresholds of the words for an estimate; conventions of how numbers are told, not fitted."""

from __future__ import annotations

SHOWN_LEVEL = 0.9
"""Level of the intervals that are shown. `make bench-coverage` checks it."""

CLEAR_SIGN = 0.001
"""Lower end of an interval from which on labels are said to be wrong; below, it touches zero.

The smallest share that is shown, rounded to tenths of a percent.
"""

ALIKE = 0.005
"""Noise rates that differ by less are called nearly the same: half a point, by convention."""
