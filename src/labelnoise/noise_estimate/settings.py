"""Thresholds of the sentences about an estimate. They are conventions, not fitted to data."""

from __future__ import annotations

SHOWN_LEVEL = 0.9  # of the intervals that are shown. `make bench-coverage` checks it

# Intervals whose lower end is smaller touch zero, so no label is reported as wrong: the smallest
# positive share that is shown, in steps of 0.1%.
CLEAR_SIGN = 0.001

SAME_RATE_TOLERANCE = 0.005  # noise rates that differ by less are called nearly the same
