"""Every prior and threshold of the rank gate, with the benchmark that set it."""

from __future__ import annotations

# Findings, set by `make bench-verdicts`.

LEAST_PURE, PURE_ERRORS = 0.05, 7.0
"""Share of a class's rows that must lie where it is all but alone: the first, and the second over
the root of the number of its places. The end of a curve that hardly levels off is a guess."""

MOST_PURE, MOST_OF_TWO = 0.5, 0.65
"""No larger share is ever asked for; the second with two classes, which leave but one curve."""

STRAINED = 0.055
"""Strain above which an error of T that matters would go unnoticed, and only classes that are
alone nearly everywhere are believed."""

WIDE, VAGUE, BLIND = 0.2, 0.35, 0.6
"""Widths of a 90% interval of a diagonal entry of T: on average above the first T is a rough
guess; a row above the second is one; and above the third it is hardly more than none."""

FEW_PLACES = 30
"""Distinct places below which no curve can be seen along a ranking."""

FAR_APART, APART, TIMES = 0.12, 0.05, 2.0
"""Bounds of the noise rate that differ by the first, or by the second and this many times, change
what one would do."""

ALIKE = 0.4
"""Odds ratio of the labels of two classes, of several, above which they are hardly told apart."""

AHEAD = 0.05
"""Share of the labels by which probabilities may agree better than the features do."""

FEW_NEIGHBORS = 10
"""Neighbors below which scores are too coarse to rank rows by."""
