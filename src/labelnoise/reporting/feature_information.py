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
N_TABLES, FALSE_ALARMS = 100, 0.05
"""Tables drawn for each feature, and how often a line is crossed if no feature says anything."""


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

    From tables with the margins of `counts` (bins, classes) and nothing else, drawn at random, to
    which a gamma distribution is fitted. Asymptotics (chi-squared, by Wilks) would be wrong: many
    cells hold a row or none.
    """
    from scipy.stats import gamma, random_table

    whole = counts.astype(np.int64)
    margins = whole.sum(axis=1), whole.sum(axis=0)
    rows, columns = (margin[margin > 0] for margin in margins)
    if len(rows) < 2 or len(columns) < 2:
        return 0.0  # always the same: it can say nothing
    drawn = random_table(rows, columns).rvs(N_TABLES, random_state=np.random.default_rng(0))
    found = information_from_histograms(drawn.astype(float))
    mean, variance = float(found.mean()), float(found.var())
    if not variance:
        return mean
    level = 1 - FALSE_ALARMS / n_features
    return float(gamma.ppf(level, mean**2 / variance, scale=variance / mean))
