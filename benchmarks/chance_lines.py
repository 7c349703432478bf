"""Print how often a feature that is independent of the labels exceeds its threshold in a report.

    python -m benchmarks.chance_lines [TABLES]

Tables of features that are independent of the labels: the share of tables with a feature above its
threshold (nominally 5%), and the share of single features above the 95% quantile of the chi-squared
asymptotics (Wilks).
"""

from __future__ import annotations

import sys

import numpy as np
from scipy.stats import chi2

import labelnoise as ln
from labelnoise.reporting.feature_information import informative_features

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
    print(f"{'features':<12}{'rows':>6}{'features':>10}{'classes':>9}{'exceeded':>10}{'Wilks':>8}")
    for kind, n, d, k, shares in SETTINGS:
        exceeded, asymptotic = [], []
        for seed in range(n_tables):
            rng = np.random.default_rng(seed)
            X, codes = DRAWS[kind](rng, (n, d)), rng.choice(k, size=n, p=shares)
            features = informative_features(X, codes)
            exceeded.append(any(one.information > one.threshold for one in features))
            bins = np.array([min(63, len(np.unique(column))) for column in X.T])
            quantile = chi2.ppf(0.95, np.maximum(bins - 1, 1) * (k - 1)) / (2 * n)
            asymptotic.append((ln.f_mutual_information(X, codes) > quantile).mean())
        shown = f"{np.mean(exceeded):>10.0%}{np.mean(asymptotic):>8.0%}"
        print(f"{kind:<12}{n:>6}{d:>10}{k:>9}{shown}", flush=True)


if __name__ == "__main__":
    main()
