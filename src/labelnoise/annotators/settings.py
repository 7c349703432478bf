"""Every prior and threshold for several annotators, under the benchmark that set or checks it."""

from __future__ import annotations

# The crowd: `make bench-annotators`, simulated part (docs/decisions/028-annotators.md).

COMMON_CORRECT, COMMON_WRONG = 0.5, 0.5
"""Dirichlet prior, in answers, of a row of the crowd's common matrix: right answers, and answers
spread evenly over all labels. It is better than chance, and weak."""

FIRST_CAREFUL_SHARE, CAREFUL_ROWS = 0.8, 4.0
"""Share of careful answers that an annotator starts with, and weight, in answers, of the prior that
it is the average share of the crowd."""

STRENGTHS_PER_E_FOLD, MIN_STRENGTH, MAX_STRENGTH = 4, 1.0, 1000.0
"""Strengths of the prior that are tried, in answers: equally spaced in the logarithm."""

TYPICAL_STRENGTH, STRENGTH_SPREAD = 20.0, 1.0
"""Median of the log-normal prior of the strength, and standard deviation of its logarithm."""

MAX_CURVATURE = 2.0
"""Limit of the second derivative in the correction for uncertain counts: for counts much smaller
than one, the expansion overshoots."""

MAX_ROUNDS, ROUNDS_OF_STRENGTH, TOLERANCE = 200, 5, 1e-5
"""Maximum number of rounds of EM, how often it moves the strength, and the average change of the
rows' probabilities (total variation) below which it ends."""

# Sources that use a single label.

MIN_EXPECTED_OTHERS, MAX_OTHERS_GIVEN = 5.0, 0.05
"""A source uses a single label if, answering like the others, it would have given at least the
first number of other labels, and has given at most this share of them."""

SINGLE_LABEL_ACCURACY = 0.8
"""Share of their answers that are right, in the prior of these sources."""

SINGLE_LABEL_PRIOR = 0.3
"""Weight of that prior, as a share of their answers: rules often err on the same rows, so that
their agreement is worth less than it seems."""

# Features.

RIDGE_PENALTIES = (0.03, 0.3, 3.0)
"""Penalties of the linear model, in units of the average variance of a direction."""

MIN_FITTED = 0.01
"""Lower limit of fitted probabilities; least squares may be outside of [0, 1]."""

MAX_LEVERAGE = 0.999
"""A row with leverage 1 determines its own fit, and leaving it out would divide by zero."""

N_FOLDS = 5
"""Number of folds in which features are fitted to labels that they helped to find."""

MAX_COLUMNS = 2048
"""Maximum number of columns: the cost of the linear model grows with their cube."""

WEIGHT_STEPS = 20
"""Steps of the search for the weights of the features, in each round of EM."""

# Draws: `make bench-annotators`, coverage.

N_DRAWS, MIN_DRAWS, WARM_UP_SHARE = 200, 30, 0.5
"""Draws for the intervals; the minimum number, for many answers; and discarded draws before them,
as a share of their number."""

MAX_ANSWERS_DRAWN = 20_000_000
"""Answers in all draws together: with many answers there are fewer draws."""

MIN_PROBABILITY = 1e-12
"""Smaller probabilities are raised to this before their logarithm is taken."""

# Plain Dawid-Skene: these are crowd-kit's, so that the results are the same.

PLAIN_ROUNDS, PLAIN_TOLERANCE, PLAIN_FLOOR = 100, 1e-5, 1e-10
"""Maximum number of rounds, the gain of the bound per answer below which they end, and the smallest
probability or count."""

# Tables of answers, by convention.

MIN_SHARED_LABELS = 0.5
"""Columns of a table are answers by several annotators if at least this share of their distinct
values occurs in two columns or more."""

# Findings. They are conventions, not fitted to data.

JUDGED_LEVEL = 0.9
"""Level of the intervals that findings use."""

MIN_ANSWERS_JUDGED, AT_RANDOM = 20, 0.2
"""Annotators with fewer answers are not judged; the others answer nearly at random if the interval
of their chance-corrected accuracy ends below the second number."""

MIN_ROWS_WITH_THREE = 50
"""Minimum number of rows with three answers: fewer hardly determine who is right."""

NO_AGREEMENT = 0.05
"""Krippendorff's alpha below which annotators agree no more than by chance."""

USEFUL_WEIGHT = 0.05
"""Features whose weights sum to less were found to say nothing."""
