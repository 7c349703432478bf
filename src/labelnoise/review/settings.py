"""Every threshold of the review, with the benchmark that set or checks it."""

from __future__ import annotations

# Ranking of suspects, checked by `make bench-finding`.

N_NEIGHBORS = 5  # shown as evidence, unless the caller chooses another number
MIN_EXPECTED_ERRORS = 1e-9  # lower limit of expected numbers of errors, which are divided by

# Comparison of two estimates. `make bench-review` checks estimates of the noise that is left after
# a review; the level itself is a convention.

CERTAIN_CHANGE = 0.95  # probability above which a change of the noise is stated as a fact

DECIMALS = 4  # of probabilities in files for reviewers
