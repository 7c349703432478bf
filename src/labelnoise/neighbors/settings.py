"""Every threshold of the neighbor search, with the benchmark that set it."""

from __future__ import annotations

DEFAULT_MEMORY_MB = 256
"""Working memory of the neighbor search, beside the data and the graph itself."""
