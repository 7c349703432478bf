"""Every limit and threshold of the reports, by what it decides; layout stays with each chart."""

from __future__ import annotations

# --- Rows to review. Checked by tests/reporting: a page of any data stays below 5 MB.

MAX_ROWS = 1000
"""Suspicious rows on a page, unless the caller chooses another number."""

MAX_ROWS_TO_AUDIT = 100
"""Rows shown if the data cannot identify the noise: those whose true labels would help most."""

MIN_EXPECTED_ERRORS = 0.5
"""If fewer errors than this are expected among all rows to review, none of them is shown."""

NEIGHBORS_SHOWN = 5
"""Labels of similar rows that are shown beside a row."""

MAX_COLUMNS = 12
"""Columns of the data that are shown beside a row."""

MAX_ROW_BYTES = 2_000_000
"""Bytes of all rows together on a page; a map of a hundred classes may take two million more."""

MAX_CELL_LENGTH = 20_000
"""Characters of a cell that are shown at all."""

FOLDED_LENGTH = 300
"""A cell with more characters than this is folded on the page, with half of these visible."""

# --- The review curve: how many errors a review of the first n rows is expected to find.

REVIEW_POINTS = 60
"""Points of the curve."""

MILESTONES = (0.125, 0.35, 1.0)
"""Shares of the rows on the page for which the expected result is also stated in words."""

REVIEW_CURVE_END = 0.995
"""The curve ends where this share of all errors that can be found has been found."""

# --- Numbers in words.

NARROW = 0.03
"""Intervals narrower than this are given with a decimal, so that rounding does not empty them."""

# --- Confusions that are stated as sentences.

MAX_CONFUSIONS = 8
"""Largest number of them."""

MIN_SHARE_OF_CLASS, MIN_SHARE_OF_ERRORS = 0.01, 0.05
"""A confusion is stated if it affects at least this share of its class, or of all errors."""

MAX_COLUMNS_OF_READINGS = 8
"""Largest number of classes whose correct shares are listed for both readings of the data."""

# --- Features and their independence thresholds. Checked by `make bench-chance`.

MAX_FEATURES = 20
"""Features that are shown, the most informative ones."""

FALSE_ALARM_RATE = 0.05
"""Probability that any feature exceeds its threshold if none is related to the labels."""

MIN_RANDOM_TABLES, MAX_RANDOM_CELLS = 100, 300_000
"""Random tables per feature: as many as have this many cells together, and at least this many."""
