"""Every prior and threshold of the evidence, under the benchmark that set or checks it."""

from __future__ import annotations

# Neighborhoods and the linear posterior: `make bench-ablation` shows what each contributes,
# `make bench-accuracy` the errors (docs/decisions/010-linear-posterior.md).

NEIGHBORHOOD_SIZES = (5, 10, 20, 40, 80, 160, 320)
"""Sizes of a neighborhood, in rows."""

MAX_NEIGHBORHOOD_IN_HIGH_DIMENSIONS = 80
"""Largest neighborhood in more dimensions than a k-d tree is used for: more neighbors are costly
and not near there, and the linear posterior does what they would."""

MAX_NEIGHBORHOOD_SHARE = 1 / 3
"""Largest neighborhood as a share of all rows."""

RIDGE_PENALTIES = (0.03, 0.3, 3.0)
"""Penalties, in units of the number of rows times the average variance of a coordinate."""

MIN_FITTED_PROBABILITY = 0.01
"""Least squares may leave [0, 1]; probabilities below this are raised to it."""

MAX_LEVERAGE = 0.999
"""A row with leverage 1 determines its own fit, and leaving it out would divide by zero."""

MAX_LINEAR_COLUMNS = 1024
"""Columns beyond which the linear posterior is not used: its cost grows with their cube."""

# Pooling: `make bench-accuracy` and, with many classes, `make bench-hard`
# (docs/decisions/014-pooling.md).

PSEUDO_COUNT, MIN_PSEUDO_COUNT_OF_CLASS = 2.0, 0.2
"""Rows with the overall label frequencies that are added to every neighborhood, and the least that
each class gets of them, in rows: with less, a single neighbor would dominate the logarithm."""

POOL_WEIGHT_PRECISION = 20.0
"""Precision of the normal prior of the pool's weights around equal weights: about +-0.2."""

MIN_POOLED_PROBABILITY = 1e-12
"""A pool may be certain, but no label is impossible."""

UNIFORM_SHARE = 0.001
"""Share of a uniform distribution mixed into the probabilities of classifiers and users."""

N_FOLDS = 5
"""Folds in which the user's classifiers are cross-fitted."""

GROUP_FOLDS = 10
"""Folds of whole groups, if groups are given: each row is scored by the rows of other folds."""

NEARLY_ALL = 0.9
"""Groups are refused as another name of the labels if each label has more than this share of its
rows in one fold that the others can hardly do without."""

PROBABILITY_SUM_TOLERANCE = 0.01
"""How far from 1 the sum of a classifier's probabilities may be."""

# Choice of the representation: `make bench-ablation` compares it with fixed ones.

TRIAL_POINTS = 1500
"""Points that the candidates are tried on: enough to show how they differ."""

MAX_TRIAL_NEIGHBORHOOD = 40
"""Largest neighborhood of a trial, in rows."""

MAX_DECORRELATED_COLUMNS = 1024
"""Columns beyond which decorrelation costs more than the neighbor search."""

# Ranks: `make bench-accuracy`; unmixing, with many classes, `make bench-hard`
# (docs/decisions/010-linear-posterior.md).

TIE_DECIMALS = 6
"""Scores that agree to this many decimals are ties; the rest is rounding."""

MIN_SINGULAR_VALUE = 0.02
"""Singular values of T below this share of the largest are not inverted: they would add noise."""

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
"""Probabilities that agree with a larger share of the labels than the first, or with a share that
exceeds their confidence by the second, may have been trained on these labels: models are usually
less accurate on new rows than they are confident."""

REORDERING_GAIN = 0.05
"""Share of the labels that another order of the columns may gain by chance."""

COPY_STANDARD_ERRORS, COPY_MARGIN = 4.0, 0.1
"""Duplicates that agree more often than nearest neighbors do, by this many standard errors and by
this much, may be copies."""

CLUSTER_RANKS = (1, 2, 3, 4, 6, 8, 11, 16, 22, 32, 45, 64)
"""Ranks of neighbors between which the growth of distances is measured."""

LARGEST_CLUSTER = 0.1
"""Last of these ranks, as a share of the rows per class: larger clusters may be classes."""

CLUSTER_GROWTH = 1.25
"""Distances that grow this many times faster at the edge of a cluster than in it show clusters."""

FLATTEST = 1e-3
"""Growth below this is none: distances within clusters may be nothing but rounding."""

NEAR_COPY_RANK, NEAR_COPY_CHANCE, NEAR_COPY_SHARE = 5, 0.01, 0.1
"""Neighbor beside whose distance that of the nearest is looked at; the share of independent rows
whose nearest neighbor would seem a copy; and the share of rows from which on there are copies."""

EDGE_AMONG_NUMBERS, MOST_LEVELS = 0.5, 30
"""Share of the rise in distance at the edge of clusters that numbers alone must show, so that rows
with the same categories do not count as clusters; columns with at most so many values are
categories."""

UNANIMOUS = 0.93
"""Agreement within clusters above which shared errors would not show: where labels disagree within
clusters, the noise can be seen."""

MOST_TIES = 0.1
"""With a larger share of neighbors at equal distances, growth says nothing about clusters, unless
numbers among the features show them."""

EXAMINED_PLACES = 20_000
"""Places whose neighbors are examined for clusters."""

CONFINED_SHARE = 0.05
"""Share of all rows above which labels that lie in few groups leave the noise rate open."""

FEW_GROUPS = 20
"""Number of groups below which little is known about how far rows of a group share errors."""

MIN_ROWS_OF_CLASS, LEAST_ROWS_OF_CLASS = 30, 10
"""Labeled rows below which a class's row of T rests on too little; and if most rows have labels
with fewer than the second, nothing is known: chance alone makes a few rows look alike."""

MIN_DIAGONAL_LEAD = 0.02
"""A diagonal entry that leads its row of T by less may belong to another class."""
