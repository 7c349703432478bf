"""Thresholds of the sentences about an estimate. They are conventions, not fitted to data."""

from __future__ import annotations

SHOWN_LEVEL = 0.9  # of the intervals that are shown. `make bench-coverage` checks it

CLEAR_SIGN = 0.001
"""Intervals whose lower end is smaller count as touching zero, so no label is reported as wrong.

The smallest positive share that is shown, in steps of 0.1%.
"""

SAME_RATE_TOLERANCE = 0.005  # noise rates that differ by less are called nearly the same
