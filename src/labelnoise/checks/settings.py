"""Limits of the checks. They decide what is refused, and change no result (tests/checks)."""

from __future__ import annotations

MIN_ROWS = 3
"""A row and its two nearest neighbors."""

DENSE_LIMIT_BYTES = 2 * 1024**3
"""The largest dense copy that is made of a sparse matrix or an encoded table."""

PROBABILITY_SUM_TOLERANCE = 1e-3
"""How far from 1 the sum of given probabilities may be: single precision and rounding."""

LONG_LABEL = 100
"""Characters of a label beyond which labels are kept as objects: in an array of texts, every label
takes as much memory as the longest."""

MANY_CLASSES, FEW_ROWS_PER_CLASS = 1000, 3
"""With more classes than the first, and fewer rows in the median class than the second, labels look
like identifiers, even if every second row repeats one. (With fewer classes they do if there are
more classes than half of the rows.)"""
