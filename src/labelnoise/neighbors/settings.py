"""Every threshold of the neighbor search, under the benchmark that set it."""

from __future__ import annotations

# Engines: `make bench-speed` and `make bench-memory` (docs/decisions/006-engines.md).

MAX_TREE_DIMENSIONS = 8
"""Up to this many dimensions a k-d tree is faster than matrix products, and more precise."""

DEFAULT_MEMORY_MB = 256
"""Working memory of a search in MB, in addition to the data and the graph itself."""

N_SPARE_CANDIDATES = 8
"""Candidates requested beyond k: the point itself, and room for ties at the far end."""

GATHERED_BYTES = 4 * 1024**2
"""Coordinates of candidates gathered at once: few enough to stay in the cache."""

MAX_QUERIES = 16_384
"""Points queried at once: enough to keep an engine busy, few enough to show progress."""

# Ties: `python -m benchmarks.ties` (docs/decisions/002-ties-and-order.md).

SAME_POINT = 2.0**-40
"""Points that differ by less than this fraction of the largest coordinate are the same: such
differences are rounding errors."""

TIE_DIGITS = 6
"""Distances that agree to this many digits of a neighborhood's radius are ties."""

# Very many rows: `make bench-large`, with `python -m benchmarks.fewer_places`
# (docs/decisions/020-many-rows.md).

MAX_SEARCHED_PLACES = 100_000
"""Maximum number of places searched for neighbors. Of more places, this many are searched, evenly
spaced: the time of a search grows with their square, and neighbors would hardly be nearer."""
