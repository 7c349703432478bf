"""Every limit and threshold of the reports, by what it decides; layout stays with each chart."""

from __future__ import annotations

# --- Rows to review. Checked by tests/reporting: a page of any data stays below 5 MB.

MAX_ROWS = 1000
"""Maximum number of suspicious rows on a page, unless the caller chooses another."""

MAX_ROWS_TO_AUDIT = 100
"""Maximum number of rows if the data cannot identify the noise: those whose true labels would help
most."""

MIN_ERRORS_TO_SHOW = 0.5
"""If fewer errors than this are expected among all rows to review, none of them is shown."""

NEIGHBORS_SHOWN = 5
"""Number of similar rows whose labels are shown beside a row."""

MAX_COLUMNS = 12
"""Maximum number of columns of the data that are shown beside a row."""

MAX_ROW_BYTES = 2_000_000
"""Bytes of all rows together on a page; a heat map of a hundred classes may take as much again."""

MAX_CELL_LENGTH = 20_000
"""Maximum number of characters of a cell; the rest is not on the page."""

FOLDED_LENGTH = 300
"""A cell with more characters than this is folded on the page, with half of these visible."""

INLINE_CELL_LENGTH = 24
"""Cells of a row are shown side by side if none has more characters than this: a few fit a line."""

SHOWN_COLUMN_NAME_LENGTH, COLUMN_NAME_LENGTH = 30, 100
"""Characters of a column name beside its cell, and in its tooltip."""

# --- Charts.

CHART_NAME_LENGTH = 200
"""Characters of a class name in charts and their tooltips, where each name occurs many times."""

MAX_CURVES = 12
"""Maximum number of purity curves that are not folded: more would fill several screens."""

# --- The review curve: how many errors a review of the first n rows is expected to find.

REVIEW_POINTS = 60
"""Number of points of the curve."""

MILESTONES = (0.125, 0.35, 1.0)
"""Shares of the rows on the page for which the expected result is also stated in words."""

REVIEW_CURVE_END = 0.995
"""The curve ends where this share of all errors that can be found has been found."""

# --- Numbers in words.

NARROW = 0.03
"""Narrower intervals are shown with a decimal: as whole percents, both ends might be equal."""

# --- Confusions that are stated as sentences.

MAX_CONFUSIONS = 8
"""Maximum number of them."""

MIN_SHARE_OF_CLASS, MIN_SHARE_OF_ERRORS = 0.01, 0.05
"""A confusion is stated if it affects at least this share of its class, or of all errors."""

MAX_COLUMNS_OF_READINGS = 8
"""Maximum number of classes for a table of correct shares under both readings."""

# --- Features and their independence thresholds. Checked by `make bench-chance`.

MAX_FEATURES = 20
"""Maximum number of features that are shown, the most informative ones."""

FALSE_ALARM_RATE = 0.05
"""Probability that any feature exceeds its threshold if none is related to the labels."""

MIN_RANDOM_TABLES, MAX_RANDOM_CELLS = 100, 300_000
"""Random tables per feature: as many as have this many cells in total, and at least this many."""
