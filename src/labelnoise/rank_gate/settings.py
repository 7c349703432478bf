"""Every prior and threshold of the rank gate, under the benchmark that set or checks it."""

from __future__ import annotations

# The model and its priors: `make bench-accuracy` for the errors, `make bench-coverage` for the
# widths of the intervals (docs/decisions/009-rank-gate.md, 011-intervals.md).

TEMPER = 0.5
"""Weight of a row in the likelihood. Its label is used twice, as the row's own and in its
neighbors' scores; neighbors share the errors of their scores, which doubles the variance."""

SEEN_RIGHT, SEEN_WRONG = 1.0, 1.0
"""Dirichlet prior of a row of T in the first fit: as if one row of the class had been seen labeled
right, and one wrong, in equal parts by all other classes."""

SHARED_ROWS, SHARING_ROUNDS = 5.0, 3
"""Weight of the prior of each row of T, in rows that err like all classes together, and refits in
which that prior settles: `make bench-tables` (docs/decisions/024-clean-and-rare.md)."""

CONFUSION_SHARE = 0.5
"""Part of the prior of wrong labels that follows how often each label is wrong in all classes; the
rest follows how often it is used."""

SLOPE_SHAPE, SLOPE_SCALE = 1.0, 2.0
"""Inverse gamma prior of a slope, whose logarithm is most probably log 2. It falls off slowly
toward clear separation, and fast toward zero, where the model degenerates: no noise, and
features that say nothing."""

CROSS_SPREAD = 0.3
"""Standard deviation of the prior of each cross weight, for three classes or more. Without them,
overlap of some classes counts as noise; with more, estimates for classes that are apart lose
precision (docs/decisions/027-cross-weights.md)."""

PRIOR_ROWS = 20.0
"""Weight, in rows, of the prior that true classes are about as frequent as labels."""

# The search for the mode: `make bench-speed`.

PARAMETER_LIMIT = 60.0
"""Log-odds and log-slopes beyond this mean that the search has left every plausible region."""

SMALLEST_PROBABILITY = 1e-250
"""Below this a probability counts as zero, and its inverse is still a number."""

LARGEST_VALUE = 1e15
"""Stands for infinity in a line search, which interpolates."""

MAX_SEARCH_STEPS, SEARCH_TOLERANCE = 1500, 1e-4
"""Maximum number of steps of the search, and the gain of the log-posterior below which a step is
the last."""

START_ROUNDS = 20
"""Rounds in which the offsets are first set, so that classes are as frequent as labels."""

MAX_RERANKINGS = 2
"""Times that rows are ranked again by what T makes of the scores, with three classes or more."""

# Draws: `make bench-coverage`.

MIN_DRAWS = 20
"""Fewer draws say nothing about an interval."""

MAX_CLASSES_SAMPLED = 2
"""Classes up to which the posterior is sampled: there a hundred draws pin down its mean. The number
of parameters, and with it the error of an average of so many draws, grows as K squared."""

SHARED_VARIANCE, UNSURE_SHARE = 3.0, 0.1
"""Variance that neighbors' shared errors add for many classes, in units of what independent rows
have, once this share of a class's rows is unsure. Rows that are surely of a class add none:
their labels are independent draws, whoever their neighbors are."""

MIN_WORTH = 2.0
"""Weight, in rows, of a row of T about which nothing is known: that of its prior."""

MAX_HALVINGS = 8
"""Times that a draw of slopes and offsets is moved half the way back to the mode."""

NUMBERS_PER_BLOCK = 2_000_000
"""Scores that are held in memory at once while Fisher information is summed over rows."""

JITTER = 1e-6
"""Added to the diagonal of Fisher information, so that it can be factored where data are not
informative."""

LEAPS, WARM_UP_TRAJECTORIES = 3, 40
"""Steps of a Hamiltonian trajectory (of about 0.6 each: a quarter of a round trip), and
trajectories before the first draw."""

ACCEPTED_SHARE, LARGEST_LEAP = 0.8, 1.2
"""Share of trajectories to accept, to which the step adapts while warming up, and its limit."""

# The two readings: `make bench-coverage`, and `make bench-accuracy` for labels by people.

IMPURITY = 0.3
"""Average impurity of a class's purest rows, as a share of the class's overlap with the others.
No curve can tell a plateau of rows that are all of one class from one where a few are not; the more
classes overlap elsewhere, the more are not."""

REACHED_TOO_FAR = 0.3
"""How much purer than pure a curve may seem, in units of the average impurity: its end is
extrapolated, and may lie too far out as well."""

MAX_IMPURITY = 0.4
"""Largest share of a class's purest rows that may be of other classes."""

DOUBT = 0.02
"""Probability, spread over all classes, that a row is not of the class that its surroundings point
to, if labels err by instance."""

# Findings: `make bench-verdicts` (docs/decisions/012-verdicts.md).

JUDGED_LEVEL = 0.9
"""Level of the intervals that the diagnosis looks at."""

FAINTEST_GAIN = 0.1
"""Standard errors below which features show nothing."""

PURE = 0.95
"""Clean posterior above which a row counts as clear-cut."""

MIN_PURE_SHARE, PURE_SHARE_ERRORS = 0.05, 7.0
"""Share of a class's rows that must be clear-cut: the first, and the second over the root of the
number of its places. The end of a curve that hardly levels off is a guess."""

MAX_PURE_SHARE, MAX_PURE_SHARE_OF_TWO = 0.5, 0.65
"""No larger share is ever required; the second with two classes, which have only one curve."""

UNSUPPORTED_CLAIM = 0.055
"""What T claims relative to what the features show, above which an error of T that matters would go
unnoticed, and only classes that are clear-cut nearly everywhere are believed."""

WIDE, VERY_WIDE, UNKNOWN = 0.2, 0.35, 0.6
"""Widths of a 90% interval of a diagonal entry of T: above the first, on average, error rates are
uncertain; above the second, those of one class are; above the third, an entry is unknown."""

FEW_PLACES, ALL_DISTINCT = 30, 0.9
"""Distinct places below which no curve can be seen along a ranking, unless there are hardly more
rows: the second is their share from which on rows are distinct."""

FAR_APART, APART, TIMES = 0.12, 0.05, 2.0
"""Readings of the noise rate that differ by the first, or by the second and this many times, lead
to different decisions."""

UNCLEAR_ROWS, UNCLEAR_ROWS_OF_TWO = 0.4, 0.5
"""Share of the rows that belong to classes without clear-cut ones, from which on readings that
differ cannot tell noise from overlap: by APART, or by FAR_APART with two classes, whose intervals
show more of this (`make bench-tables`, docs/decisions/024-clean-and-rare.md)."""

CLAIMED_NOISE = 0.05
"""Noise rate above which an estimate claims something that overlapping classes would look like, if
most rows are of classes without clear-cut ones and the readings are far apart."""

ALIKE = 0.4
"""Odds ratio of the labels of two classes, of several, above which labels hardly separate them."""

AHEAD = 0.05
"""Share of the labels by which probabilities may agree better than the features do."""

FEW_NEIGHBORS = 10
"""Neighbors below which scores are too coarse to rank rows by."""

# Purity curves, to show: no result depends on them.

CURVE_STEPS = 14
"""Steps of a purity curve, equal in ``-log(1 - u)``: each holds a share of the rows above it."""

ROWS_AT_THE_TOP = 20
"""Rows that the last step holds at least, so that a share can be seen."""

# Audits: `make bench-audit` (docs/decisions/013-audit.md).

EVEN_SHARE = 0.5
"""Share of suggested rows that are drawn without regard to what the fit says about them."""

MIN_AUDITED, MIN_AUDITED_OF_CLASS = 100, 20
"""Audited rows that are enough to settle what the fit left open, and how many must truly be of a
class to settle what it left open about that class: others say nothing about its row of T."""

MIN_AUDITED_AGAINST_FIT, CONTRADICTION_PROBABILITY = 300, 0.9
"""Audited rows that can settle anything if they contradict the fit: if the probability that it is
far off is larger than the second number."""

OTHER_READING = 0.25
"""Probability that the reading not in use holds, before any row was audited."""

LEAST_CHANCE = 1e-12
"""Chances below this count as this: an audited row may prove any of them wrong."""

KNOTS = (-6.0, -3.0, -1.0, -0.0, 0.0, 1.0, 3.0, 6.0)
"""Leads between which the correction is linear. At 0 it may jump: there a label ceases to agree
with its surroundings, and the fit itself may jump."""

REACH, JUMP = 2.0, 2.0
"""Length scale of the correction: leads further apart have shifts that are hardly related. And how
far apart, in that sense, the two sides of 0 are."""

SPREADS = (0.3, 1.0, 2.5)
"""Standard deviations of the shift that are tried, equally probable beforehand, in log-odds."""

MEANS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
"""Common shifts of all labels that are tried: a fit that takes overlap for noise does so
everywhere."""

USUAL_MEAN = 1.0
"""Standard deviation of the common shift, beforehand."""

PAIR_SHARE, MAX_CLASSES_PAIRED = 0.5, 30
"""Part of the variance that belongs to single pairs of classes, if there are more than two, and the
number of classes beyond which pairs have none: few would have audited rows, and all of them cost
time in proportion to the fourth power."""

MAX_NEWTON_STEPS, NEWTON_TOLERANCE = 50, 1e-8
"""Maximum number of Newton steps, and the gain below which one is the last."""
