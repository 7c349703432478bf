"""Every prior and threshold of the consensus methods, with the benchmark that set it."""

from __future__ import annotations

# Findings, set by `make bench-verdicts`.

NO_SIGNAL, FAINT_SIGNAL = 0.6, 1.6
"""Standard errors beyond the edge of what chance reaches: with two classes 2 and 3 in all."""

RARE_SHARE = 0.05
"""A class below this share of its fair share 1/K is as good as empty."""
