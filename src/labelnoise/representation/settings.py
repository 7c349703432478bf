"""Every threshold of the representations, under what set it."""

from __future__ import annotations

# Histograms: as in the published code, with departures that `make bench-accuracy` checks
# (docs/decisions/004-histograms.md).

N_BINS = 63
"""Bins of the published code: 64 edges."""

TAIL_SHARE = 0.005
"""Share of the rows below the lowest and above the highest inner edge of the bins."""

CELL_PSEUDO_COUNT = 0.5
"""Count added to the cells of non-empty bins for divergences that are infinite at zero."""

# Weights and decorrelation: as in the published code, checked by `make bench-accuracy`
# (docs/decisions/005-weight-power.md).

MIN_RELATIVE_WEIGHT = 1e-8
"""Weight of the least informative coordinate, relative to the range, as published."""

NULL_VARIANCE = 1e-10
"""Directions with less than this share of the largest variance are rounding errors."""

# Memory: `make bench-memory`.

PAIRS_PER_BLOCK = 4_000_000
"""(row, column) pairs counted at once: limits the memory of the flat index."""
