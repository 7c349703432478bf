"""Print how often a feature that says nothing crosses the line of chance in a report.

    python benchmarks/chance_lines.py [TABLES]

Tables of features that have nothing to do with the labels: the share of tables with a bar above
its line (5% is meant), and the share of single features above what chi-squared asymptotics (Wilks)
would take for 5%.
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.stats import chi2

import labelnoise as ln
from labelnoise.reporting.about import About
from labelnoise.reporting.feature_information import strongest_features

EVEN, SKEWED = None, (0.8, 0.1, 0.05, 0.03, 0.02)
SETTINGS = (
    ("normal", 2000, 30, 10, EVEN),
    ("normal", 3000, 30, 3, EVEN),
    ("normal", 500, 30, 10, EVEN),
    ("normal", 2000, 300, 5, SKEWED),
    ("cauchy", 3000, 30, 3, EVEN),
    ("six levels", 1000, 20, 5, EVEN),
    ("1% ones", 800, 25, 5, SKEWED),
    ("1% ones", 800, 300, 5, SKEWED),
    ("0.4% ones", 3000, 300, 5, SKEWED),
)
DRAWS = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "cauchy": lambda rng, shape: rng.standard_cauchy(size=shape),
    "six levels": lambda rng, shape: rng.integers(6, size=shape).astype(float),
    "1% ones": lambda rng, shape: (rng.random(shape) < 0.01).astype(float),
    "0.4% ones": lambda rng, shape: (rng.random(shape) < 0.004).astype(float),
}


def main() -> None:
    n_tables = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"{'features':<12}{'rows':>6}{'features':>10}{'classes':>9}{'crossed':>9}{'Wilks':>8}")
    for kind, n, d, k, shares in SETTINGS:
        crossed, asymptotic = [], []
        for seed in range(n_tables):
            rng = np.random.default_rng(seed)
            X, codes = DRAWS[kind](rng, (n, d)), rng.choice(k, size=n, p=shares)
            found = strongest_features(About(X=X), codes)
            crossed.append(any(one.information > one.by_chance for one in found))
            bins = np.array([min(63, len(np.unique(column))) for column in X.T])
            line = chi2.ppf(0.95, np.maximum(bins - 1, 1) * (k - 1)) / (2 * n)
            asymptotic.append((ln.f_mutual_information(X, codes) > line).mean())
        shown = f"{np.mean(crossed):>9.0%}{np.mean(asymptotic):>8.0%}"
        print(f"{kind:<12}{n:>6}{d:>10}{k:>9}{shown}", flush=True)


if __name__ == "__main__":
    main()
