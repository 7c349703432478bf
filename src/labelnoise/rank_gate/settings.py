"""Every prior and threshold of the rank gate, under the benchmark that set or checks it."""

from __future__ import annotations

# The model and its priors: `make bench-accuracy` for the errors, `make bench-coverage` for the
# widths of the intervals (docs/decisions/009-rank-gate.md, 011-intervals.md).

TEMPER = 0.5
"""Weight of a row in the likelihood. Its label is used twice, as the row's own and in its
neighbors' scores; neighbors share the errors of their scores, which doubles the variance."""

PRIOR_CORRECT, PRIOR_WRONG = 1.0, 1.0
"""Dirichlet prior of a row of T in the first fit: one correctly labeled row of the class, and one
wrongly labeled row, split evenly over all other classes."""

SHARED_ROWS, SHARING_ROUNDS = 5.0, 3
"""Weight, in rows, of the prior that a row of T has the errors of all classes together, and the
number of refits in which that prior settles: `make bench-tables`
(docs/decisions/024-clean-and-rare.md)."""

MAX_SHARED_ERROR_RATE = 0.5
"""Largest share of wrong labels in that prior."""

CONFUSION_SHARE = 0.5
"""Part of the prior of wrong labels that is proportional to the frequency of each wrong label in
all classes; the rest is proportional to the frequency of the label."""

SLOPE_SHAPE, SLOPE_SCALE = 1.0, 2.0
"""Inverse gamma prior of a slope, with the mode of its logarithm at log 2. The density decreases
slowly toward clear separation, and fast toward zero, where the model degenerates: no noise, and
uninformative features."""

CROSS_SPREAD = 0.3
"""Standard deviation of the prior of each cross weight, for three classes or more. Without cross
weights, overlap of some classes counts as noise; with a larger spread, estimates for classes that
are well separated lose precision (docs/decisions/027-cross-weights.md)."""

PRIOR_ROWS = 20.0
"""Weight, in rows, of the prior that true classes are about as frequent as labels."""

# The search for the mode: `make bench-speed`.

PARAMETER_LIMIT = 60.0
"""Log-odds and log-slopes beyond this mean that the search has left every plausible region."""

MIN_POSITIVE_PROBABILITY = 1e-250
"""Smaller probabilities count as zero. The inverse of this one is still finite."""

MAX_OBJECTIVE = 1e15
"""Replaces infinity in the line search, which interpolates."""

MAX_SEARCH_STEPS, SEARCH_TOLERANCE = 1500, 1e-4
"""Maximum number of steps of the search, and the gain of the log-posterior below which it ends."""

FLAT_GRADIENT = 1.0
"""A search whose line search fails has converged if no entry of the scaled gradient is larger."""

START_ROUNDS = 20
"""Rounds in which the offsets are initialized, until classes are as frequent as labels."""

START_TOP_DIVISOR, START_PSEUDO_COUNT = 3, 0.5
"""T starts from the labels at the top of each class's ranking: the top is the share of rows with
the class's label, divided by the first. The second is a pseudo-count, spread over all labels."""

MAX_RERANKINGS = 2
"""How often rows are ranked again by ``scores T^{-1}``, with three classes or more."""

# Draws: `make bench-coverage`.

MIN_POSTERIOR_DRAWS = 20
"""Fewer draws do not determine an interval."""

MAX_CLASSES_SAMPLED = 2
"""Maximum number of classes for which the posterior is sampled: a hundred draws are enough for its
mean. The number of parameters, and with it the error of such a mean, grows as K squared."""

SHARED_VARIANCE, UNSURE_SHARE = 3.0, 0.1
"""Variance that neighbors' shared errors add for many classes, in units of the variance of
independent rows, if at least this share of a class's rows is unsure. Rows that surely belong to a
class add none: their labels are independent draws."""

MIN_EFFECTIVE_ROWS = 2.0
"""Weight, in rows, of a row of T about which nothing is known: the weight of its prior."""

DIAGONAL_MARGIN = 1e-9
"""Diagonal entries of drawn matrices stay this far from 0 and 1, where odds are infinite."""

MIN_GAMMA_SHAPE, MIN_GAMMA_DRAW = 1e-3, 1e-12
"""Smallest shape of the gamma draws that distribute wrong labels, and smallest draw: draws of a
smaller shape are often rounded to zero, and a row of zeros cannot be normalized."""

MAX_EXCESS_DEVIATIONS = 3.0
"""A draw whose log-posterior is lower than expected by more than this many standard deviations is
moved back toward the mode."""

MAX_HALVINGS = 8
"""How often such a draw is moved half of the way back."""

NUMBERS_PER_BLOCK = 2_000_000
"""Scores that are held in memory at once while Fisher information is summed over rows."""

JITTER = 1e-6
"""Added to the diagonal of matrices that are factored, in case they are singular: of Fisher
information where the data are uninformative, and of the covariance of the correction."""

LEAPFROG_STEPS, WARM_UP_TRAJECTORIES = 3, 40
"""Steps of a Hamiltonian trajectory (of size 0.6 or so: a quarter of a period), and number of
trajectories before the first draw."""

INITIAL_STEP_SIZE, MIN_STEP_SIZE, MAX_STEP_SIZE = 0.5, 0.01, 1.2
"""Step size of the first trajectory, and its limits."""

STEP_JITTER = (0.8, 1.2)
"""Each trajectory multiplies the step size by a random factor in this range: trajectories of equal
length could be periodic."""

TARGET_ACCEPTANCE = 0.8
"""Share of accepted trajectories to which the step size adapts during warm-up."""

ADAPTATION_DELAY, ADAPTATION_SCALE, AVERAGING_POWER = 5, 0.2, 0.75
"""Dual averaging: t0, gamma and kappa of Hoffman and Gelman (2014)."""

# The two readings: `make bench-coverage`, and `make bench-accuracy` for labels by people.

IMPURITY = 0.3
"""Average share of other classes in the purest rows of a class, in units of its overlap with the
others. No curve shows whether all rows of a plateau are of one class; the more classes overlap
elsewhere, the fewer are."""

HIDDEN_OVERLAP = 0.15
"""Part of the noise rate that is added to the overlap for that purpose: the noisier labels are, the
less a curve shows of the overlap."""

TYPICAL_IMPURITY = 0.5
"""Impurity by which probabilities of single rows are mixed, in units of the average impurity."""

EXTRAPOLATION_ERROR = 0.3
"""Largest error of a curve that is extrapolated beyond purity, in units of the average impurity."""

MAX_IMPURITY = 0.4
"""Maximum share of a class's purest rows that may be of other classes."""

LIKELIEST_CLASS_SMOOTHING = 0.02
"""Share of a uniform distribution that is mixed into the likeliest class of a row, if labels err by
instance."""

# Findings: `make bench-verdicts` (docs/decisions/012-verdicts.md).

JUDGED_LEVEL = 0.9
"""Level of the intervals that the diagnosis uses."""

MIN_LOG_GAIN = 0.1
"""Smaller predictive gains, in standard errors, are raised to this before T is compared with it."""

PURE = 0.95
"""Clean posterior above which a row counts as clear-cut."""

MIN_PURE_SHARE, PURE_SHARE_ERRORS = 0.05, 7.0
"""Required share of clear-cut rows in a class: the first, plus the second divided by the square
root of the number of its places. Where a curve hardly levels off, its end is a guess."""

MAX_PURE_SHARE, MAX_PURE_SHARE_OF_TWO = 0.5, 0.65
"""Maximum required share; the second for two classes, which have only one curve."""

UNSUPPORTED_CLAIM = 0.055
"""Ratio of what T claims to what the features show, above which a serious error of T would go
unnoticed. Classes above it need the maximum share of clear-cut rows."""

WIDE, VERY_WIDE, UNKNOWN = 0.2, 0.35, 0.6
"""Widths of the 90% intervals of diagonal entries of T: if the average exceeds the first, error
rates are uncertain; if an entry exceeds the second, the rate of that class is; entries above the
third are unknown."""

FEW_PLACES, ALL_DISTINCT = 30, 0.9
"""Minimum number of distinct places along a ranking for a curve to be visible, unless nearly all
rows are distinct: at least the second as a share."""

LARGE_GAP, SMALL_GAP, GAP_RATIO = 0.12, 0.05, 2.0
"""Readings of the noise rate lead to different decisions if they differ by more than the first, or
by more than the second and by this factor."""

UNCLEAR_ROWS, UNCLEAR_ROWS_OF_TWO = 0.4, 0.5
"""If at least this share of the rows belongs to classes without clear-cut rows, and readings differ
by SMALL_GAP, noise cannot be told from overlap. With two classes the second share and LARGE_GAP
apply, as their intervals show more of the difference. Readings need not differ if the interval
excludes zero, nor need more than one of two classes be unclear (`make bench-tables`,
docs/decisions/024-clean-and-rare.md)."""

CLAIMED_NOISE, CLAIMED_MUCH_NOISE = 0.05, 0.3
"""Minimum noise rate for that finding: an estimate of less noise claims too little to be mistaken
for overlap. Above the second, half of the share of rows is enough."""

MAX_CONFUSION_RATIO = 0.4
"""Odds ratio of the labels of two classes, among three or more, above which labels hardly separate
them."""

MAX_AGREEMENT_LEAD = 0.05
"""Probabilities may agree with at most this share of the labels more than the features do."""

FEW_NEIGHBORS = 10
"""With fewer neighbors, scores are too coarse to rank rows by."""

MAX_ATTEMPTS, MAX_CLASSES_COMPARED = 8, 30
"""Maximum number of sets of columns that are left out to compare estimates, and of classes: with
more, a fit takes long, and the rows that are examined say little about each of them."""

DRAWS_OF_CHECK, MARGIN, MARGIN_IF_UNCLEAR = 100, 0.01, 0.1
"""Draws of an estimate without some columns, and how far its interval of the noise rate must lie
above the interval with them; the last if intervals are wide or classes have no clear-cut rows
(`make bench-leaks`, `make bench-tables`; docs/decisions/025-leaks-and-groups.md)."""

# Purity curves, for display: no result depends on them.

CURVE_STEPS = 14
"""Steps of a purity curve, equal in ``-log(1 - u)``: each holds a share of the rows above it."""

MIN_ROWS_OF_LAST_STEP = 20
"""Minimum number of rows in the last step, where a share would otherwise be too noisy."""

# Audits: `make bench-audit` (docs/decisions/013-audit.md).

EVEN_SHARE = 0.5
"""Share of the suggested rows that are drawn without regard to their predictions."""

MIN_AUDITED, MIN_AUDITED_OF_CLASS = 100, 20
"""Number of audited rows that settles open findings, and the number of them that must truly be of a
class to settle findings about that class: other rows are uninformative about its row of T."""

MIN_KNOWN_SHARE = 0.9
"""Share of the rows whose classes must be known from an audit to settle findings about all rows."""

MIN_AUDITED_AGAINST_FIT, CONTRADICTION_PROBABILITY = 300, 0.9
"""Number of audited rows that settles findings if they contradict the fit: if the probability of a
large error of the fit exceeds the second number."""

OTHER_READING = 0.25
"""Prior probability, before any audit, that the reading not in use holds."""

MIN_CLASS_PROBABILITY = 1e-12
"""Smaller probabilities are raised to this: an audited row may prove any of them wrong."""

KNOTS = (-6.0, -3.0, -1.0, -0.0, 0.0, 1.0, 3.0, 6.0)
"""Margins between which the correction is linear. It may jump at 0, where a label ceases to agree
with its surroundings: the fit may jump there, too."""

KNOT_LENGTH_SCALE, KNOT_JUMP = 2.0, 2.0
"""Length scale of the correction, beyond which shifts are nearly independent, and the distance in
the same units that the two sides of 0 are given."""

SHIFT_SPREADS = (0.3, 1.0, 2.5)
"""Standard deviations of the shift that are tried, in log-odds, with equal prior probabilities."""

SHIFT_MEANS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
"""Common shifts of all labels that are tried: a fit that takes overlap for noise does so for all
labels."""

SHIFT_MEAN_SPREAD = 1.0
"""Prior standard deviation of the common shift."""

PAIR_SHARE, MAX_CLASSES_PAIRED = 0.5, 30
"""Share of the variance that belongs to single pairs of classes, if there are more than two, and
the maximum number of classes for which there are such terms: with more, few pairs have audited
rows, and the computing time grows with the fourth power of the number of classes."""

MAX_NEWTON_STEPS, NEWTON_TOLERANCE = 50, 1e-8
"""Maximum number of Newton steps, and the gain below which the last one has been taken."""
