"""Every threshold of corrected training and corrected scores, with the benchmark that set it."""

from __future__ import annotations

# Corrected training, checked by `make bench-training`.

MIN_TRAINING_WEIGHT = 1e-3
"""Smallest probability that becomes a weighted copy of a row, and lower limit of the diagonal
entries of T that importance weights are divided by."""

MIN_POSTERIOR = 1e-9
"""Lower limit of P(true class | features), as Bayes' rule must not divide zero by zero."""

# Metrics.

ZERO_SHARE = 1e-12
"""Shares of rows below this count as zero; nothing is divided by them."""

OUTSIDE_RANGE = 1e-9
"""Values outside the range of a metric by less than this are rounding errors."""

# Intervals of corrected scores, checked by `make bench-scores`.

MIN_SCORE_DRAWS, MAX_SCORE_DRAWS = 200, 2000
"""Number of draws behind an interval: fewer than the maximum only if there are many classes."""

BLOCK_NUMBERS, KEPT_NUMBERS, DRAWN_NUMBERS = 2**22, 2**25, 2**28
"""Maximum size of a block of draws, of all values that are kept, and of all draws together, in
numbers."""

# Whether labels fit T, checked by `make bench-scores`.

MISFIT_LEVEL = 1e-3
"""Significance level of the test whether labels fit T."""

MAX_TESTED_CLASSES = 200
"""Maximum number of classes for which the fit is tested: the cost grows with their cube."""

MAX_TESTED_DRAWS = 20
"""Maximum number of draws of T whose fit is tested."""

EM_STEPS = 300
"""Number of EM steps to find the best-fitting shares."""

MIN_ROWS_FOR_CLASS_MEAN = 10
"""Minimum number of rows of each class for an accurate mean over classes."""
