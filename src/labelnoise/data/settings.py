"""Every threshold of reading and encoding tables.

All were chosen by hand on ordinary tables; none was fitted. `tests/data/test_column_types.py`
states which columns they have to distinguish, and `make bench-leaks` checks those of leaks on
tables with planted leaks.
"""

from __future__ import annotations

import re

# Column types.

MOST_LEVELS = 50
"""Columns with at most this many distinct texts hold categories, however rare each of them is."""

FEW_WORDS = 3.0
"""Minimum average number of words of free texts; shorter texts that rarely repeat are ids."""

SAMPLED_TEXTS = 200
"""Minimum number of distinct texts of a longer column that are examined; at most twice as many."""

ID_NAME = re.compile(
    r"(^|[_\W])(id|idx|index|key|uuid|guid|row|rownum|rownames?|unnamed)([_\W\d]|$)", re.IGNORECASE
)
CAMEL_CASE_ID_NAME = re.compile(r"[a-z](Id|ID|Key|Index)$")
"""Names of columns that identify rows."""

GROUP_NAME = re.compile(
    r"^(annotator|rater|label+er|worker|batch|session|recording|patient"
    r"|participant|(?P<ambiguous>user|speaker|source|site|operator|subject))(?P<plural>s?)"
    r"[_\W]?(?P<suffix>id|no|nr|num|number|code|key|name|\d+)?$"
    r"|(^|[_\W])id$",
    re.IGNORECASE,
)
"""Names (with camel case split) of columns that say which rows belong together, if their values
repeat: who labeled a row, or where it comes from. Numbers in a column with a plural name are
counts."""

FEWEST_SOURCES = 5
"""Minimum number of values of a group column with an ambiguous name: a `source` that is "web" or
"phone" is a feature."""

AMOUNT = re.compile(r"[(+-]?[$€£¥]?\s?[+-]?\d[\d.,]*\s?([%$€£¥)]|[kmKM]|[A-Z]{3})?")
"""Numbers with a currency, a percent sign, a suffix such as k or M, or thousands separators."""

DENSE_IDS = 1.5
"""Distinct integers are row numbers, in any order, if their range is less than this multiple of
their count."""

ROWS_PER_COPIED_LEVEL, MOST_COPIED_LEVELS = 10, 20
"""A column copies the label if each of its values occurs with one label only, values have at least
the first number of rows on average, and there are at most as many values as the second number, or
twice as many as labels."""

PROBED_ROWS = 10_000
"""Rows that are examined first: they may already have more values than a copy of the label."""

UNSPACED_SCRIPT = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff]")
"""Characters of scripts without spaces between words; two of them count as one word."""

# Encoding.

RARE_SHARE, RARE_ROWS = 0.01, 10
"""A category gets its own indicator if it has at least this share of the rows, or this many
rows."""

MOST_CATEGORIES = 500
"""Maximum number of indicators per column; the rarest categories are pooled."""

LARGEST_NUMBER = 1e100
"""Numbers above this are not used: their squares may exceed the range of floats."""

WEEK, YEAR = 7.0, 365.2425
"""Lengths in days of the two periods of dates; one is encoded if dates span it at least twice."""

MOST_TEXT_DIRECTIONS, MOST_WORDS = 100, 50_000
"""Maximum number of directions that a column of texts is reduced to, and of words and pairs of
words that are counted."""

WORDS_PER_NAME = 3
"""Words that name a direction of texts: those with the largest weights."""

ROUNDING = 1e-9
"""Directions of texts with a smaller range, relative to the widest, are rounding errors."""

# Labels.

LABEL_NAMES = ("label", "labels", "target", "y", "class", "category", "given_label", "noisy_label")
"""Columns that are taken for the labels if no column is specified; case does not matter."""

LARGEST_LABEL = 2**62
"""Whole numbers from this on are not converted to integers: 64 bits may not hold them."""

LIKE_MISSING = frozenset({"na", "n/a", "nan", "null", "none", "?", "-", "unknown"})
"""Labels that may stand for a missing label."""

SPELLED_ALIKE, MORE_FREQUENT, MOST_COMPARED = 0.8, 10, 200
"""A label may be a misspelling of another if they are at least this similar and the other is at
least this many times as frequent; the third is the maximum number of labels that are compared."""

# Names of options.

ALMOST_THE_SAME = 0.75
"""Minimum similarity of a misspelled parameter and the one that was probably meant."""

# Leaks (`make bench-leaks`, `tests/data/test_leaks.py`).

DECISIVE_SHARE = 0.9
"""A column that explains this share of the labels' entropy on its own may have been made from
them."""

NOTABLE_SHARE, LEAK_LEAD = 0.3, 0.1
"""So may a column that explains the first share, and exceeds what all other columns explain
together by the second."""

NEARLY_THE_SAME = 0.95
"""Rank correlation above which two columns count as one in the search for leaks."""

RELATED = 0.2
"""Minimum rank correlation with some other column of a number that leads all other columns."""

LEAK_ROWS, LEAK_BINS, MOST_LEAK_FEATURES = 3000, 40, 1000
"""Maximum number of rows that are examined, of bins of a column's values, and of features: with
more features, no leak is searched for."""

LEADING_COLUMNS = 4
"""Number of columns that are left out to see what the others say, those that explain most alone:
one by one and together; more if there are more classes, as a model has a probability for each."""

LEAK_FORESTS, LEAK_TREES, LEAK_LEAF, LEAK_FOLDS = 5, 50, 3, 3
"""Maximum number of forests that are fitted to measure what other columns explain together; trees
per forest, minimum number of rows in a leaf, and folds of the cross-fitting."""

LEAK_PRIOR = 0.02
"""Weight of the label frequencies in the predictions of a forest, so that no label has probability
zero."""

# Data sets.

MOST_SHOWN = 12
"""Maximum number of columns that reviewers are shown unless columns are specified."""

# Files.

BLOCK_BYTES = 2**20
"""Bytes that are read, copied or decompressed at once."""

BYTES_IN_MEMORY = 64 * 2**20
"""Bytes of standard input or of a decompressed file that stay in memory; longer ones go to disk."""

RESERVED_DISK_BYTES = 2**29
"""Free disk space that decompression leaves alone."""

LONGEST_RECORD_BYTES = 64 * 2**20
"""Maximum size of a record of delimited text, and of a block that is parsed at once."""

LONGEST_CELL = 2**27
"""Maximum number of characters in a cell of delimited text."""

SNIFFED_CHARACTERS, SNIFFED_RECORDS, EXAMINED_RECORDS = 2**22, 50, 1000
"""Characters at the beginning of a text that are examined, header included; records that determine
the delimiter, and whether there are decimal commas."""

END_BYTES = 1024
"""Bytes at the end of a text that are examined for an open quote."""

PROBED_TEXTS = 100
"""Texts that are parsed as numbers or dates before the whole column is."""

# Synthetic noise.

MAX_REDRAWS = 10_000
"""Maximum number of draws of a row of T before a rate is refused as too high."""
