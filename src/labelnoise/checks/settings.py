"""Limits of the checks. They decide what is refused, never a result: tests/test_bad_input.py."""

from __future__ import annotations

MIN_ROWS = 3
"""A row and its two neighbors: the smallest data a consensus can be taken on."""

DENSE_LIMIT_BYTES = 2 * 1024**3
"""The largest dense copy that is made of a sparse matrix without being asked."""

PROBABILITY_SUM_TOLERANCE = 1e-3
"""How far from 1 the sum of given probabilities may be: single precision and rounding."""

LONG_LABEL = 100
"""Characters of a label beyond which labels are kept as objects: an array of texts gives every
label the room of the longest."""

MANY_CLASSES, FEW_ROWS_PER_CLASS = 1000, 3
"""With more classes than this, and fewer rows than this in the median class, labels look like
identifiers, even if every second row repeats one."""
