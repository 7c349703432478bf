"""Which features say most about the labels, and how much of that may be chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.representation.mutual_information import (
    histograms_of_rows,
    information_from_histograms,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.reporting.about import About

MOST_FEATURES = 20
FALSE_ALARMS = 0.05
"""How often a line is crossed if no feature says anything."""

LEAST_TABLES, MOST_CELLS = 100, 300_000
"""Tables drawn for a feature: so many cells in all, and at least so many tables."""


@dataclass(frozen=True)
class Feature:
    """How much a feature says about the labels, in nats; and how much chance alone would."""

    name: str
    information: float
    by_chance: float


def strongest_features(about: About, codes: IntArray) -> list[Feature]:
    """The features that say most about the labels (n,), the strongest first."""
    if about.X is None:
        return []
    counts = histograms_of_rows(np.asarray(about.X, dtype=float), codes, int(codes.max()) + 1)
    information = information_from_histograms(counts)
    names = about.names_of_features(len(information))
    return [
        Feature(names[i], float(information[i]), by_chance(counts[i], len(information)))
        for i in np.argsort(-information, kind="stable")[:MOST_FEATURES]
    ]


def by_chance(counts: FloatArray, n_features: int) -> float:
    """Information that the best of so many features without any exceeds in 1 of 20 tables.

    From tables with the margins of `counts` (bins, classes) and nothing else, drawn at random: by
    their quantile, and by that of a gamma distribution fitted to them, whichever is higher. The
    latter is there for large tables, of which few are drawn, and is too low for small ones. By
    asymptotics (chi-squared, Wilks) it would be wrong: many cells hold a row or none.
    """
    from scipy.stats import gamma, random_table

    whole = counts.astype(np.int64)
    margins = whole.sum(axis=1), whole.sum(axis=0)
    rows, columns = (margin[margin > 0] for margin in margins)
    if len(rows) < 2 or len(columns) < 2:
        return 0.0  # always the same: it can say nothing
    n_tables = max(LEAST_TABLES, MOST_CELLS // (len(rows) * len(columns)))
    drawn = random_table(rows, columns).rvs(n_tables, random_state=np.random.default_rng(0))
    found = information_from_histograms(drawn.astype(float))
    mean, variance = float(found.mean()), float(found.var())
    level = 1 - FALSE_ALARMS / n_features
    seen = float(np.quantile(found, level, method="higher"))
    if not variance:
        return seen
    return max(seen, float(gamma.ppf(level, mean**2 / variance, scale=variance / mean)))
