"""Every threshold of the review, with the benchmark that set or checks it."""

from __future__ import annotations

# Ranking of suspects, checked by `make bench-finding`.

N_NEIGHBORS = 5
"""Neighbors that are shown as evidence unless another number is asked for."""

MIN_EXPECTED_ERRORS = 1e-9
"""Expected numbers of errors are held above this: a label without errors still has rows to rank,
and shares of errors are divided by their number."""

# Comparison of two estimates. `make bench-review` checks what an estimate says is left after a
# review; the level itself is a convention.

CERTAIN_CHANGE = 0.95
"""Probability from which on a change of the noise is stated as a fact."""

# Files of label issues.

DECIMALS = 4
"""Decimals of probabilities in files that people read."""
