"""Every prior and threshold of the evidence, under the benchmark that set or checks it."""

from __future__ import annotations

# Neighborhoods and the linear posterior: `make bench-ablation` shows what each contributes,
# `make bench-accuracy` the errors (docs/decisions/010-linear-posterior.md).

NEIGHBORHOOD_SIZES = (5, 10, 20, 40, 80, 160, 320)
"""Sizes of a neighborhood, in rows."""

MAX_NEIGHBORHOOD_IN_HIGH_DIMENSIONS = 80
"""Largest neighborhood in more dimensions than a k-d tree is used for: more neighbors are costly
and not near there, and the linear posterior serves the same purpose."""

MAX_NEIGHBORHOOD_SHARE = 1 / 3
"""Largest neighborhood as a share of all rows."""

RIDGE_PENALTIES = (0.03, 0.3, 3.0)
"""Penalties, in units of the number of rows times the average variance of a coordinate."""

MIN_FITTED_PROBABILITY = 0.01
"""Lower limit of fitted probabilities; least squares may be outside of [0, 1]."""

MAX_LEVERAGE = 0.999
"""A row with leverage 1 determines its own fit, and leaving it out would divide by zero."""

MAX_LINEAR_COLUMNS = 1024
"""Maximum number of columns for the linear posterior: its cost grows with their cube."""

# Pooling: `make bench-accuracy` and, with many classes, `make bench-hard`
# (docs/decisions/014-pooling.md).

PSEUDO_COUNT, MIN_PSEUDO_COUNT_OF_CLASS = 2.0, 0.2
"""Rows with the overall label frequencies that are added to every neighborhood, and the minimum for
each class, in rows: with less, a single neighbor would dominate the logarithm."""

POOL_WEIGHT_PRECISION = 20.0
"""Precision of the normal prior of the pool's weights around equal weights: a standard deviation of
about 0.2."""

MIN_POOLED_PROBABILITY = 1e-12
"""Lower limit of pooled probabilities: a pool may be certain, but no label is impossible."""

UNIFORM_SHARE = 0.001
"""Share of a uniform distribution mixed into the probabilities of classifiers and users."""

N_FOLDS = 5
"""Number of folds in which the user's classifiers are cross-fitted."""

GROUP_FOLDS = 10
"""Number of folds of whole groups, if groups are given: each row is scored by the rows of other
folds."""

NEARLY_ALL = 0.9
"""Groups are rejected as another name of the labels if, for every label, more than this share of
its rows is in a single fold and few are in others."""

CLASSIFIER_SUM_TOLERANCE = 0.01
"""Maximum difference between 1 and the sum of a classifier's probabilities."""

# Choice of the representation: `make bench-ablation` compares it with fixed ones.

TRIAL_POINTS = 1500
"""Number of points on which the candidates are compared: enough to show their differences."""

MAX_TRIAL_NEIGHBORHOOD = 40
"""Largest neighborhood of a trial, in rows."""

MAX_DECORRELATED_COLUMNS = 1024
"""Maximum number of columns that are decorrelated: more cost more than the neighbor search."""

# Ranks: `make bench-accuracy`; unmixing, with many classes, `make bench-hard`
# (docs/decisions/010-linear-posterior.md).

TIE_DECIMALS = 6
"""Scores that agree to this many decimals are ties; smaller differences are rounding errors."""

# Memory: `make bench-memory`.

NEIGHBORS_PER_BLOCK = 4_000_000
"""Neighbors of training rows whose labels are gathered at once."""

NEW_LABELS_PER_BLOCK = 8_000_000
"""Label counts around new rows that are gathered at once."""

# Findings: `make bench-verdicts` (docs/decisions/012-verdicts.md).

MIN_GAIN, CLEAR_GAIN = 2.0, 3.0
"""Standard errors by which scores must predict labels better than label frequencies do: below the
first they predict nothing, below the second only a little."""

SUSPICIOUS_AGREEMENT, SUSPICIOUS_EXCESS = 0.995, 0.1
"""Probabilities may come from a model that was trained on these labels if they agree with a larger
share of them than the first, or exceed their own confidence by more than the second: on new rows,
models are usually less accurate than they are confident."""

REORDERING_GAIN = 0.05
"""Share of the labels that another order of the columns may gain by chance."""

COPY_STANDARD_ERRORS, COPY_MARGIN = 4.0, 0.1
"""Duplicates may be copies if they agree more often than nearest neighbors do, by this many
standard errors and by this much."""

CLUSTER_RANKS = (1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64)
"""Ranks of neighbors between which the growth of distances is measured."""

MAX_CLUSTER_SHARE = 0.1
"""Largest of these ranks, as a share of the rows per class: larger clusters may be classes."""

CLUSTER_GROWTH = 1.25
"""Ratio of the slopes of log-distance at the edge of a cluster and inside it, from which on there
are clusters."""

MIN_SLOPE = 1e-3
"""Smaller slopes are raised to this: distances within clusters may be rounding errors only."""

NEAR_COPY_RANK, NEAR_COPY_CHANCE, NEAR_COPY_SHARE = 5, 0.01, 0.1
"""Near-copies: the rank of the neighbor with which the nearest is compared; the share of
independent rows whose nearest neighbor would be taken for a copy; and the minimum share of rows
with such a neighbor."""

EDGE_AMONG_NUMBERS, MAX_CATEGORIES = 0.5, 30
"""Share of the rise in log-distance at the edge of clusters that numbers alone must show, as rows
with the same categories do not count as clusters; and the maximum number of values of a column that
is taken for categories."""

UNANIMOUS = 0.93
"""Minimum agreement within clusters for a finding: where labels disagree within clusters, the noise
is visible."""

MAX_TIED_SHARE = 0.1
"""If a larger share of neighbors is at equal distances, distances do not show clusters, unless
there are numbers among the features that do."""

EXAMINED_PLACES = 20_000
"""Number of places whose neighbors are examined for clusters."""

CONFINED_SHARE = 0.05
"""Maximum share of rows whose labels occur in few groups only; with more, the noise rate remains
open."""

FEW_GROUPS = 20
"""With fewer groups, the correlation of errors within groups is hardly known."""

MIN_ROWS_OF_CLASS, MIN_ROWS_OF_IDENTIFIABLE_CLASS = 30, 10
"""Minimum number of labeled rows of a class: with fewer than the first, its row of T is uncertain;
if most rows have labels with fewer than the second, nothing is known, as a few rows may look alike
by chance."""

MIN_DIAGONAL_LEAD = 0.05
"""If a diagonal entry leads its row of T by less, the row may belong to another class: one that
lies within a larger class and is nowhere the likeliest ends just inside the limit of T."""
