"""Every limit and threshold of the reports, by what it decides; layout stays with each chart."""

from __future__ import annotations

# Rows to review. Checked by tests/reporting: a page of any data stays below 5 MB.

MAX_ROWS = 1000  # suspicious rows on a page, unless the caller chooses another number
MAX_ROWS_TO_AUDIT = 100  # the same if the data cannot identify the noise
MIN_ERRORS_TO_SHOW = 0.5  # if fewer errors are expected among all rows to review, none is shown
NEIGHBORS_SHOWN = 5  # similar rows whose labels are shown beside a row
MAX_COLUMNS = 12  # columns of the data that are shown beside a row
MAX_ROW_BYTES = 2_000_000  # of all rows on a page; a heat map of 100 classes may take as much again
MAX_CELL_LENGTH = 20_000  # characters of a cell; the rest is not on the page
FOLDED_LENGTH = 300  # a longer cell is folded, with half of these characters visible
INLINE_CELL_LENGTH = 24  # cells of a row are shown side by side if none is longer: a few fit a line
SHOWN_COLUMN_NAME_LENGTH = 30  # characters of a column name beside its cell
COLUMN_NAME_LENGTH = 100  # characters of a column name in its tooltip

# Charts.

CHART_NAME_LENGTH = 200  # characters of a class name, which occurs many times in charts
MAX_CURVES = 12  # purity curves that are not folded: more would fill several screens
MAX_FEATURES = 20  # features that are shown, the most informative ones

# The review curve: how many errors a review of the first n rows is expected to find.

REVIEW_POINTS = 60
MILESTONES = (0.125, 0.35, 1.0)  # shares of the rows on the page whose results are stated in words
REVIEW_CURVE_END = 0.995  # the curve ends with this share of all errors that can be found

# Words and tables.

NARROW = 0.03  # narrower intervals have a decimal: as whole percents, both ends might be equal
MAX_CONFUSIONS = 8  # that are stated as sentences
MIN_SHARE_OF_CLASS = 0.01  # a confusion is stated if it affects this share of its class,
MIN_SHARE_OF_ERRORS = 0.05  # or this share of all errors
MAX_COLUMNS_OF_READINGS = 8  # classes for a table of correct shares under both readings

# Independence thresholds of features. Checked by `make bench-chance`.

FALSE_ALARM_RATE = 0.05  # that any feature exceeds its threshold if none is related to the labels
MIN_RANDOM_TABLES = 100  # random tables per feature,
MAX_RANDOM_CELLS = 300_000  # or as many as have this many cells in total
