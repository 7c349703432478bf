"""Print how often 90% intervals of corrected scores contain the score on clean labels.

    python -m benchmarks.clean_scores DATA_FOLDER [--draws 20]

A random diagonally dominant T with a noise rate of 20 or 40%, at most 6000 rows of a set; half of
them train a logistic regression on their noisy labels, the other half are the test set, scored on
its noisy labels. T is the true one, or estimated from the noisy labels of the training half.
"Covered" is the share of draws whose interval contains the accuracy on the clean labels of the
same test rows (intervals are for the population that rows come from, so a little wider than is
needed here); errors are mean absolute differences from it, in points. On heart, titanic and
flare-solar there are hardly any clear-cut examples of a class, and the verdict is "rough": they are
shown and not counted. Fails if less than 85% or more than 95% of the others are covered, for the
true or for the estimated T.

Then other metrics, with T known and rows drawn from a known table of K classes, one predicted right
in one of ten cases and the others in nine: how many of the intervals (of every class or cell, or of
the mean) contain the population's value, and how often a warning is issued although T is right.
"""

from __future__ import annotations

import argparse
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.families import IMPURE, TABLES, TEXTS, load, some_rows
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import labelnoise as ln

RATES = (0.2, 0.4)
MAX_ROWS = 6000
LEVEL, MIN_COVERAGE, MAX_COVERAGE = 0.9, 0.85, 0.95


def score(cell: tuple[str, float, int, Path]) -> Any:
    """[true or estimated T, (covered, width, error, naive error, reliable)]."""
    warnings.simplefilter("ignore")
    name, rate, seed, data = cell
    rng = np.random.default_rng([seed, int(100 * rate)])
    X, clean = some_rows(*load(data, name), MAX_ROWS, rng)
    T = ln.random_noise(int(clean.max()) + 1, rate, rng)
    noisy = ln.inject_noise(clean, T, rng)
    half = len(X) // 2
    model = make_pipeline(StandardScaler(), LogisticRegression(max_iter=1000, C=0.01))
    predicted = model.fit(X[:half], noisy[:half]).predict(X[half:])
    truth = float((predicted == clean[half:]).mean())
    est = ln.estimate(X[:half], noisy[:half])
    found = []
    for noise in (T, est):
        result = ln.corrected_score(noisy[half:], predicted, noise, level=LEVEL)
        found.append(
            (
                result.lower <= truth <= result.upper,
                result.upper - result.lower,
                abs(result.value - truth),
                abs(result.naive - truth),
                est.diagnosis.verdict == "reliable",
            )
        )
    return 100 * np.array(found, dtype=float)


METRICS = (
    ("recall", None),
    ("recall", "macro"),
    ("precision", "macro"),
    ("f1", "macro"),
    ("confusion_matrix", None),
)


def score_with_known_noise(cell: tuple[int, int, float, int]) -> Any:
    """[metric, (covered, warned)] in percent, for `n` rows a class and noise of a rate."""
    warnings.simplefilter("always")
    k, n, rate, seed = cell
    rng = np.random.default_rng([seed, k, n, int(100 * rate)])
    right = np.array([0.1] + [0.9] * (k - 1))
    table = np.where(np.eye(k, dtype=bool), right[:, None], (1 - right[:, None]) / (k - 1))
    predicted_so = table.sum(axis=0)
    precision, f1 = right / predicted_so, 2 * right / (1 + predicted_so)
    truths = (right, right.mean(), precision.mean(), f1.mean(), n * table)
    T = ln.symmetric_noise(k, rate)
    clean = rng.integers(k, size=n * k)
    predicted = (rng.random(n * k)[:, None] > np.cumsum(table[clean], axis=1)).sum(axis=1)
    noisy = ln.inject_noise(clean, T, rng)
    found = []
    for (metric, average), truth in zip(METRICS, truths, strict=True):
        with warnings.catch_warnings(record=True) as warned:
            result = ln.corrected_score(noisy, predicted, T, metric=metric, average=average)
        held = (result.lower <= truth) & (truth <= result.upper)
        held = np.where(np.isnan(result.lower), np.nan, held)
        found.append((np.nanmean(held), len(warned) > 0))
    return 100 * np.array(found, dtype=float)


def print_scores_with_known_noise(pool: ProcessPoolExecutor) -> None:
    names = [f"{average or 'each'} {metric}" for metric, average in METRICS]
    print("\nT known: intervals that contain the value (calls with a warning), %")
    print(f"{'K':<4}{'rows a class':<14}{'noise':<7}" + "".join(f"{name:>24}" for name in names))
    for k, n, rate in product((3, 10), (5, 20, 100), (0.0, 0.2)):
        values = np.mean(
            list(pool.map(score_with_known_noise, [(k, n, rate, i) for i in range(100)])), axis=0
        )
        shown = "".join(f"{f'{held:.1f} ({warning:.0f})':>24}" for held, warning in values)
        print(f"{k:<4}{n:<14}{rate:<7.0%}{shown}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--draws", type=int, default=20)
    options = parser.parse_args()
    columns = ("covered", "width", "error", "naive", "reliable")
    print(f"{'set':<14}{'noise':<7}{'T':<11}" + "".join(f"{column:>10}" for column in columns))
    counted = []
    with ProcessPoolExecutor(2) as pool:
        for name, rate in product(("digits", *TABLES, *TEXTS), RATES):
            cells = [(name, rate, 100 + i, options.data) for i in range(options.draws)]
            mean = np.mean(list(pool.map(score, cells)), axis=0)
            for how, values in zip(("true", "estimated"), mean, strict=True):
                shown = "".join(f"{value:>10.1f}" for value in values)
                print(f"{name:<14}{rate:<7.0%}{how:<11}{shown}", flush=True)
            if name not in IMPURE:
                counted.append(mean)
        means = np.mean(counted, axis=0)
        for how, values in zip(("true", "estimated"), means, strict=True):
            shown = "".join(f"{value:>10.1f}" for value in values)
            print(f"{'all':<14}{'':<7}{how:<11}{shown}")
        print_scores_with_known_noise(pool)
    inside = all(100 * MIN_COVERAGE <= covered <= 100 * MAX_COVERAGE for covered in means[:, 0])
    limits = f"{MIN_COVERAGE:.0%} and {MAX_COVERAGE:.0%}"
    print(f"\naccuracy covered between {limits}: {'yes' if inside else 'no'}")
    return 0 if inside else 1


if __name__ == "__main__":
    raise SystemExit(main())
