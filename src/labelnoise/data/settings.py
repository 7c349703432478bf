"""Every threshold of reading and encoding tables.

None of them was fitted: they were chosen by hand on ordinary tables. The tests of
`tests/data/test_column_types.py` state what those of columns are to tell apart, and
`make bench-leaks` checks those of leaks on tables with planted ones.
"""

from __future__ import annotations

import re

# Column types.

MOST_LEVELS = 50
"""Distinct texts up to which a column holds categories, however few rows share each."""

FEW_WORDS = 3.0
"""Words that free texts have on average, at least; shorter ones that rarely repeat are ids."""

SAMPLED_TEXTS = 200
"""Texts of a column that are examined, about: up to twice as many."""

ID_NAME = re.compile(
    r"(^|[_\W])(id|idx|index|key|uuid|guid|row|rownum|unnamed)([_\W\d]|$)", re.IGNORECASE
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
"""Names, with camel case taken apart, of columns that say which rows belong together, if values
repeat: who labeled a row, or where it comes from. Numbers with a plural name are counts."""

FEWEST_SOURCES = 5
"""Values that a column with an ambiguous name has, at least: a `source` of "web" and "phone" says
more about a row than where it comes from."""

AMOUNT = re.compile(r"[(+-]?[$€£¥]?\s?[+-]?\d[\d.,]*\s?([%$€£¥)]|[kmKM]|[A-Z]{3})?")
"""Numbers with a currency, a percent sign, a unit of thousands, or separators of thousands."""

DENSE_IDS = 1.5
"""Whole numbers that all differ count the rows, in any order, if they span no more than so many
times their number."""

ROWS_PER_COPIED_LEVEL, MOST_COPIED_LEVELS = 10, 20
"""A column copies the label if each of its values occurs with one label only, each has so many
rows on average, and there are at most so many values, or twice as many as labels."""

PROBED_ROWS = 10_000
"""Rows that may show that a column has more values than a copy of the label could."""

UNSPACED_SCRIPT = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ua4cf\uf900-\ufaff]")
"""Letters of scripts that put no spaces between words; two of them count as a word."""

# Encoding.

RARE_SHARE, RARE_ROWS = 0.01, 10
"""A category is kept if it has at least this share of the rows, or this many rows."""

MOST_CATEGORIES = 500
"""Categories of one column that have an indicator of their own; the rarest others are pooled."""

LARGEST_NUMBER = 1e100
"""Larger numbers have squares beyond the range of floats."""

WEEK, YEAR = 7.0, 365.2425
"""Days of the two periods of dates; each is encoded where dates cover at least two of it."""

MOST_TEXT_DIRECTIONS, MOST_WORDS = 100, 50_000
"""Directions that a column of texts is reduced to, and words and pairs of words it starts from."""

WORDS_PER_NAME = 3
"""Words that a direction of texts is named by: those with the largest weights."""

ROUNDING = 1e-9
"""Directions of texts that vary by less, relative to the first, are rounding errors."""

# Labels.

LABEL_NAMES = ("label", "labels", "target", "y", "class", "category", "given_label", "noisy_label")
"""Columns that are taken for the labels if nobody names one, in any case of letters."""

LARGEST_LABEL = 2**62
"""Whole numbers from here on are not read as integers: 64 bits may not hold them."""

LIKE_MISSING = frozenset({"na", "n/a", "nan", "null", "none", "?", "-", "unknown"})
"""Labels that may mean that there is none."""

SPELLED_ALIKE, MORE_FREQUENT, MOST_COMPARED = 0.8, 10, 200
"""How similar two labels are, and how many times more frequent one is, if the other may be a
misspelling of it; and how many labels are compared."""

# Names of options.

ALMOST_THE_SAME = 0.75
"""How similar a parameter is to the one that was probably meant."""

# Leaks (`make bench-leaks`, `tests/data/test_leaks.py`).

DECISIVE_SHARE = 0.9
"""A column that alone explains this share of the labels' entropy may have been made from the
labels."""

NOTABLE_SHARE, LEAK_LEAD = 0.3, 0.1
"""So may a column that explains this share, and that much more than all other columns together."""

NEARLY_THE_SAME = 0.95
"""Rank correlation above which two columns count as one here."""

RELATED = 0.2
"""Rank correlation with another column that a column must have to stand out among them."""

LEAK_ROWS, LEAK_BINS, MOST_LEAK_FEATURES = 3000, 40, 1000
"""Number of rows that are examined, of bins of a column's values, and of features beyond which no
leak is looked for."""

LEAK_FORESTS, LEAK_TREES, LEAK_LEAF, LEAK_FOLDS = 5, 50, 3, 3
"""Maximum number of forests that are fitted to find what other columns explain together; trees in
each, minimum number of rows in a leaf, and folds in which they predict."""

LEAK_PRIOR = 0.02
"""Weight of the frequencies of labels in what a forest predicts, so that nothing is impossible."""

# Data sets.

MOST_SHOWN = 12
"""Columns that are shown beside a row unless they are named."""

DISTINCT_SHARE, COPIED_SHARE, SAMPLED_ROWS = 0.3, 0.02, 2000
"""Where some column has at least the first share of distinct values, among so many rows, hardly any
rows should be alike; a larger share of copies than the second is worth a note."""

# Files.

BLOCK_BYTES = 2**20
"""Bytes that are read, copied or decompressed at once."""

BYTES_IN_MEMORY = 64 * 2**20
"""Bytes of standard input or of a compressed file that are kept in memory; more go to the disk."""

RESERVED_DISK_BYTES = 2**29
"""Free disk space that decompression leaves alone."""

LONGEST_RECORD_BYTES = 64 * 2**20
"""Longest record of delimited text, and bytes that are parsed at once."""

LONGEST_CELL = 2**27
"""Characters of the longest cell of delimited text."""

SNIFFED_CHARACTERS, SNIFFED_RECORDS, EXAMINED_RECORDS = 2**22, 50, 1000
"""Characters of a text that are looked at first, the header among them; records that decide about
the delimiter, and about decimal commas."""
