"""Every threshold of corrected training and corrected scores, with the benchmark that set it."""

from __future__ import annotations

# Corrected training, checked by `make bench-training`.

MIN_TRAINING_WEIGHT = 1e-3
"""Smallest probability that becomes a weighted copy of a row, and smallest diagonal entry of T that
importance weights are divided by."""

MIN_POSTERIOR = 1e-9
"""Lower limit of P(true class | features), so that Bayes' rule never divides zero by zero."""

# Metrics.

ZERO_SHARE = 1e-12
"""Shares of rows below this count as zero; nothing is divided by them."""

OUTSIDE_RANGE = 1e-9
"""Values outside the range of a metric by less than this are inside, but for rounding."""

# Intervals of corrected scores, checked by `make bench-scores`.

MIN_SCORE_DRAWS, MAX_SCORE_DRAWS = 200, 2000
"""Draws behind an interval: fewer than the most only where many classes make each draw large."""

BLOCK_NUMBERS, KEPT_NUMBERS, DRAWN_NUMBERS = 2**22, 2**25, 2**28
"""Numbers that are worked on at once, that are kept of all draws, and that all draws have."""

MIN_DRAWS_BEYOND = 5
"""Draws beyond an end of an interval, below which the end is inaccurate."""

# Whether labels fit T, checked by `make bench-scores`.

MISFIT_LEVEL = 1e-3
"""Significance level of the test whether labels fit T."""

MAX_TESTED_CLASSES = 200
"""Classes up to which the fit is tested, as the cost grows with their cube."""

MAX_TESTED_DRAWS = 20
"""Draws of T whose fit is tested."""

EM_STEPS = 300
"""Steps of the EM algorithm that finds the best-fitting shares."""

SIGNIFICANT_ERRORS = 3.0
"""Standard errors by which a share has to be negative to be so by more than chance."""

MIN_ROWS_FOR_CLASS_MEAN = 10
"""Rows of a class below which a mean over classes is inaccurate."""
