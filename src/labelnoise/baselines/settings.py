"""Every constant of the baselines, under what set it (docs/decisions/015-baselines.md)."""

from __future__ import annotations

# Published values.

ANCHOR_PERCENTILE = 97.0
"""T-Revision: larger probabilities are outliers, and no anchor points."""

VOLUME_WEIGHT = 1e-4
"""T-Vol: weight of the log-volume."""

TOTAL_VARIATION_WEIGHT = 0.1
"""T-TV: weight of the total variation."""

INITIAL_FREE_PARAMETER = -2.0
"""T-Vol: free parameters of T at the start, off the diagonal ``sigmoid(-2) = 0.12`` beside 1."""

INITIAL_DIAGONAL = 0.5
"""T-TV: diagonal of T at the start."""

# Our own, checked by `make bench-accuracy`.

CONFIDENCE_TOLERANCE = 1e-6
"""Confident learning: a probability this close below a threshold has reached it, as in cleanlab."""

MAX_LOGISTIC_STEPS = 2000
"""Confident learning: steps of the logistic regression."""

HELD_OUT_FOLDS = 10
"""T-Revision: rows are divided into this many folds, and one is held out to decide when to stop."""

MAX_REWEIGHTINGS = 10
"""T-Revision: how often importance weights are computed, at most."""

N_PARTNERS = 4
"""T-TV: rows that each row is compared with. They are drawn once, so that the loss is a fixed
function that can be minimized."""

MIN_SELECTED_ROWS, MIN_SELECTED_SHARE = 30, 1 / 50
"""Selective classification: a selection has at least as many rows, and this share of all rows."""

N_TREES = 200
"""Selective classification: trees of the default forest."""

# Range and order of the features; neither changes a result.

MAX_MAGNITUDE = 1e30
"""Columns with larger numbers, or only with numbers below its inverse, are rescaled: forests and
squares could not represent them."""

N_SORTED_COLUMNS = 8
"""Columns by whose values rows are sorted; each takes time."""
