"""Every prior and threshold of the consensus methods, under the benchmark that set it."""

from __future__ import annotations

# Subsampling: half of the rows and at least 2 K^2, as published
# (docs/decisions/001-closed-form-consensus.md). The exact average needs no further choice.

SUBSAMPLE_SHARE, MIN_ROWS_PER_CLASS_PAIR = 0.5, 2
"""Rows of a subsample: this share of all, but at least this many times K^2."""

MAX_MISSED_PROBABILITY = 1e-4
"""How much of the probability of all neighbor pairs a graph may miss by ending too early."""

MAX_DEPTH = 200
"""Most neighbors that a row needs: with half of the rows kept, 30 miss next to nothing."""

MIN_SHARE_COUNTED = 0.5
"""A graph in which fewer rows than this have two kept neighbors is refused."""

BLOCK_BYTES = 64 * 1024**2
"""Memory for the labels around a block of rows: `make bench-memory`."""

# Solver: `python -m benchmarks.priors` (docs/decisions/003-weak-priors.md). Tolerance, smoothing
# and the weights of both priors are divided by the square root of the number of rows, as sampling
# noise in the counts shrinks at that rate and they should stay small beside it.

TOLERANCE = 1e-6
"""The search ends when a step lowers the loss by a smaller share of it."""

SMOOTHING = 0.05
"""Added, squared, under the square root of each norm, which is not differentiable at 0."""

COARSE_SMOOTHINGS = (0.1, 0.01, 0.001)
"""Larger smoothings to go through first: where one order of the counts is matched exactly, its
norm has a kink, and the gradients of the other orders would not lead the search away from it."""

PRIOR_WEIGHT = 0.1
"""Weight of the cross-entropy of p against the label frequencies."""

EVENNESS_WEIGHT, MAX_EVENNESS_WEIGHT = 20.0, 0.3
"""Weight of the variance of T's diagonal, and its maximum: with a few hundred rows, data with very
uneven noise should still outweigh it."""

MAX_ROWS_FOR_SCALE = 1e6
"""With more rows than this, rounding errors exceed sampling noise, so these are not reduced
further."""

MAX_CLASSES_FOR_FULL_RUNS = 8
"""With more classes, only the start that leads after the trial steps is run to its end: with 60
classes a run takes seconds."""

TRIAL_STEPS, MAX_STEPS = 40, 3000
"""Steps of a trial, and of a run."""

# Findings: `make bench-verdicts` (docs/decisions/008-diagnosis-of-the-consensus.md).

NO_SIGNAL, WEAK_SIGNAL = 0.6, 1.6
"""Eigenvalues of the label pairs, in standard errors beyond the largest that unrelated labels are
expected to have: below the first there is no signal, below the second a weak one. With two classes
they are 2 and 3 standard errors above 0."""

NEARLY_EMPTY = 0.05
"""A class whose estimated share is below this fraction of 1/K is reported as nearly empty."""
