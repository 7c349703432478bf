"""Every threshold of reading and encoding tables.

All were chosen by hand on ordinary tables; none was fitted. `tests/data/test_column_types.py`
states which columns they have to distinguish, and `make bench-leaks` checks those of leaks on
tables with planted leaks.
"""

from __future__ import annotations

import re

# Column types.

MOST_LEVELS, FEW_WORDS = 50, 3.0
"""Columns with at most this many distinct texts hold categories, however rare each of them is. If
there are more, they are free texts with at least so many words on average, or else ids."""

SAMPLED_TEXTS = 200
"""Minimum number of distinct texts of a longer column that are examined; at most twice as many."""

ID_NAME = re.compile(
    r"(?i:(^|[_\W])(id|idx|index|key|uuid|guid|row|rownum|rownames?|unnamed)([_\W\d]|$))"
    r"|[a-z](Id|ID|Key|Index)$|^\s*$"
)
"""Names of columns that identify rows; pandas writes its index without a name."""

GROUP_NAME = re.compile(
    r"^(annotator|rater|label+er|worker|batch|session|recording|patient"
    r"|participant|(?P<ambiguous>user|speaker|source|site|operator|subject))(?P<plural>s?)"
    r"[_\W]?(?P<suffix>id|no|nr|num|number|code|key|name|\d+)?$"
    r"|(^|[_\W])id$",
    re.IGNORECASE,
)
"""Names (with camel case split) of columns that say which rows belong together, if their values
repeat. Numbers in a column with a plural name are counts."""

FEWEST_SOURCES = 5
"""Minimum number of values if the name is ambiguous: a `source` "web" or "phone" is a feature."""

AMOUNT = re.compile(r"[(+-]?[$€£¥]?\s?[+-]?\d[\d.,]*\s?([%$€£¥)]|[kmKM]|[A-Z]{3})?")
"""Numbers with a currency, a percent sign, a suffix such as k or M, or thousands separators."""

DENSE_IDS = 1.5
"""Distinct integers whose range is less than this multiple of their count are row numbers."""

ROWS_PER_COPIED_LEVEL, MOST_COPIED_LEVELS, PROBED_ROWS = 10, 20, 10_000
"""A column copies the label if each of its values occurs with one label only, values have at least
the first number of rows on average, and there are at most as many values as the second number, or
twice as many as labels. If there are more in the first rows, no others are read."""

UNSPACED_SCRIPT = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff]")
"""Characters of scripts without spaces between words; two of them count as one word."""

# Encoding.

RARE_SHARE, RARE_ROWS = 0.01, 10
"""A category gets its own indicator if it has at least this share of the rows, or so many rows."""

MOST_CATEGORIES = 500
"""Maximum number of indicators per column; the rarest categories are pooled."""

LARGEST_NUMBER = 1e100
"""Numbers above this are not used: their squares may exceed the range of floats."""

WEEK, YEAR = 7.0, 365.2425
"""Lengths in days of the two periods of dates; one is encoded if dates span it at least twice."""

MOST_TEXT_DIRECTIONS, MOST_WORDS, WORDS_PER_NAME = 100, 50_000, 3
"""Maximum number of directions of a column of texts, and of words and pairs of words that are
counted; number of words that name a direction, those with the largest weights."""

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

ALMOST_THE_SAME = 0.75
"""Minimum similarity of a misspelled parameter and the one that was probably meant."""

# Leaks (`make bench-leaks`, `tests/data/test_leaks.py`).

DECISIVE_SHARE, NOTABLE_SHARE, LEAK_LEAD = 0.9, 0.3, 0.1
"""A column may have been made from the labels if it explains the first share of their entropy on
its own, or the second and more than all other columns together by the third."""

NEARLY_THE_SAME, RELATED = 0.95, 0.2
"""Rank correlation above which two columns count as one, and minimum with some other column of a
number that leads all others."""

LEAK_ROWS, LEAK_BINS, MOST_LEAK_FEATURES = 3000, 40, 1000
"""Maximum number of rows that are examined, of bins of a column's values, and of features."""

LEADING_COLUMNS = 4
"""Number of columns, those that explain most alone, that are left out one by one and together; more
if there are more classes, as a model has a probability for each."""

LEAK_FORESTS, LEAK_TREES, LEAK_LEAF, LEAK_FOLDS, LEAK_PRIOR = 5, 50, 3, 3, 0.02
"""Maximum number of forests that measure what other columns explain together; trees per forest,
minimum number of rows in a leaf, folds of the cross-fitting, and weight of the label frequencies in
predictions, so that no label has probability zero."""

# Reading.

MOST_SHOWN = 12
"""Maximum number of columns that reviewers are shown unless columns are specified."""

BLOCK_BYTES = 2**20
"""Bytes that are read, copied or decompressed at once."""

BYTES_IN_MEMORY, RESERVED_DISK_BYTES = 64 * 2**20, 2**29
"""Bytes of standard input or of a decompressed file that stay in memory; longer ones go to disk, of
which so much stays free."""

LONGEST_RECORD_BYTES, LONGEST_CELL = 64 * 2**20, 2**27
"""Maximum size of a record, which is parsed at once, and number of characters in a cell."""

SNIFFED_CHARACTERS, SNIFFED_RECORDS, EXAMINED_RECORDS = 2**22, 50, 1000
"""Characters at the beginning of a text that are examined, header included; records that determine
the delimiter, and whether there are decimal commas."""

END_BYTES = 1024
"""Bytes at the end of a text that are examined for an open quote."""

PROBED_TEXTS = 100
"""Texts that are parsed as numbers or dates before the whole column is."""

MAX_REDRAWS = 10_000
"""Maximum number of draws of a row of T before a rate is refused as too high."""
