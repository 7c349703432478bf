"""Which features carry most information about the labels, and how much could be coincidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.reporting.settings import (
    FALSE_ALARM_RATE,
    MAX_FEATURES,
    MAX_RANDOM_CELLS,
    MIN_RANDOM_TABLES,
)
from labelnoise.representation.mutual_information import (
    histograms_of_rows,
    information_from_histograms,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class FeatureInformation:
    """Mutual information of a feature with the labels, in nats, and its independence threshold."""

    name: str
    information: float
    threshold: float


def informative_features(
    X: Any, codes: IntArray, names: Sequence[str] = ()
) -> list[FeatureInformation]:
    """Features of X (n, d) with most information about labels (n,); numbered without d names."""
    counts = histograms_of_rows(np.asarray(X, dtype=float), codes, int(codes.max()) + 1)
    information = information_from_histograms(counts)
    d = len(information)
    if len(names) != d:
        names = [f"feature {i}" for i in range(d)]
    return [
        FeatureInformation(
            str(names[i]), float(information[i]), independence_threshold(counts[i], d)
        )
        for i in np.argsort(-information, kind="stable")[:MAX_FEATURES]
    ]


def independence_threshold(counts: FloatArray, n_features: int) -> float:
    """95% quantile, under independence, of the largest mutual information among n_features.

    Under independence of feature and labels, the table `counts` (bins, classes) is distributed as
    a random table with the same margins. Such tables are drawn, and the threshold is the
    ``1 - 0.05 / n_features`` quantile of their information (Bonferroni): the larger of the
    empirical one and, for large tables, of which few are drawn, that of a gamma distribution with
    the same mean and variance. Chi-squared (Wilks) does not hold: many cells are nearly empty.
    """
    from scipy.stats import gamma, random_table

    whole = counts.astype(np.int64)
    margins = whole.sum(axis=1), whole.sum(axis=0)
    rows, columns = (margin[margin > 0] for margin in margins)
    if len(rows) < 2 or len(columns) < 2:
        return 0.0  # a constant carries no information in any table
    n_tables = max(MIN_RANDOM_TABLES, MAX_RANDOM_CELLS // (len(rows) * len(columns)))
    drawn = random_table(rows, columns).rvs(n_tables, random_state=np.random.default_rng(0))
    information = information_from_histograms(drawn.astype(float))
    mean, variance = float(information.mean()), float(information.var())
    level = 1 - FALSE_ALARM_RATE / n_features
    empirical = float(np.quantile(information, level, method="higher"))
    if not variance:
        return empirical
    return max(empirical, float(gamma.ppf(level, mean**2 / variance, scale=variance / mean)))
