"""Print error, coverage and verdict by the number of audited rows, suggested or random.

    python -m benchmarks.audit [--seeds 0 1 2]

1500 rows of overlapping classes, one task with a rare class, under three kinds of noise: by class;
near the boundary, where people hesitate; and by appearance, where people label what a row looks
like. Errors are average total variation times 100; "covered" is the share of entries of T inside
their 90% intervals; "misled" counts verdicts of "reliable" with an error above 8.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
from sklearn.datasets import make_blobs, make_moons
from sklearn.neighbors import NearestNeighbors

import labelnoise as ln

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

N_ROWS = 1500
AUDITED = (0, 50, 100, 200, 300, 500)
CENTERS = {
    "normal": np.eye(2, 6) * 1.6,
    "three": 2.0 * np.eye(3, 2)[::-1],
    "rare": np.array([[0.0, 0.0], [6.0, 0.0], [7.5, 0.0]]),
}
SHARES = {"rare": (0.48, 0.48, 0.04)}
TASKS = ("normal", "moons", "three", "blobs", "rare")
NOISES = ("by class", "boundary", "appearance")
WAYS = ("suggested", "random")
MISLED = 0.08


def features(task: str, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Rows (n, d) and true classes."""
    if task == "moons":
        X, clean = make_moons(N_ROWS, noise=0.4, random_state=int(rng.integers(2**31)))
        return X, clean
    if task == "blobs":
        state = int(rng.integers(2**31))
        X, clean = make_blobs(N_ROWS, centers=4, cluster_std=3.0, random_state=state)
        return X, clean
    centers = CENTERS[task]
    clean = rng.choice(len(centers), N_ROWS, p=SHARES.get(task))
    return centers[clean] + rng.standard_normal((N_ROWS, centers.shape[1])), clean


def posterior(X: FloatArray, clean: IntArray) -> FloatArray:
    """P(class | x), (n, K): the frequencies of the true classes around x."""
    nearest = NearestNeighbors(n_neighbors=60).fit(X).kneighbors(return_distance=False)
    return np.eye(clean.max() + 1)[clean[nearest]].mean(axis=1)


def labels(noise: str, X: FloatArray, clean: IntArray, rng: np.random.Generator) -> IntArray:
    """Noisy labels."""
    n_classes = int(clean.max()) + 1
    if noise == "by class":
        return ln.inject_noise(clean, ln.symmetric_noise(n_classes, 0.2), rng)
    eta = posterior(X, clean)
    ordered = np.sort(eta, axis=1)
    eta[np.arange(N_ROWS), clean] = -1.0
    if noise == "boundary":
        chance = 0.5 * np.exp(-2 * (ordered[:, -1] - ordered[:, -2]))
    else:
        chance = np.minimum(0.9, 1.2 * np.minimum(eta.max(axis=1), 0.75))
    return np.where(rng.random(N_ROWS) < chance, eta.argmax(axis=1), clean)


def audits(cell: tuple[str, str, int]) -> FloatArray:
    """Error, coverage and misleading verdict, [how, audited rows, three numbers]."""
    task, noise, seed = cell
    rng = np.random.default_rng(seed)
    X, clean = features(task, rng)
    noisy = labels(noise, X, clean, rng)
    truth = ln.realized_transition(clean, noisy)
    est = ln.estimate(X, noisy)
    found = np.empty((2, len(AUDITED), 3))
    for (h, how), (k, n) in product(enumerate(WAYS), enumerate(AUDITED)):
        chosen = rng.choice(N_ROWS, n, replace=False)
        rows = est.suggest_audit(n) if how == "suggested" and n else chosen
        audited = est.with_audit(rows, clean[rows])
        ends = audited.interval(0.9)
        low, high = ends.lower.transition_matrix, ends.upper.transition_matrix
        error = ln.transition_error(truth, audited.transition_matrix)
        covered = ((low <= truth.values + 1e-12) & (truth.values <= high + 1e-12)).mean()
        misled = audited.diagnosis.verdict == "reliable" and error > MISLED
        found[h, k] = 100 * error, 100 * covered, misled
    return found


def print_row(task: str, noise: str, how: str, values: FloatArray) -> None:
    """One line: error and coverage by number of audited rows, and the number of misled."""
    errors_and_coverages = "".join(f"{e:>8.2f}{c:>7.0f}%" for e, c in values[:, :2])
    misled = values[:, 2].sum()
    print(f"{task:<8}{noise:<12}{how:<12}{errors_and_coverages}{misled:>8.0f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    seeds = parser.parse_args().seeds
    print(f"seeds {seeds}\n{'audited rows':<32}" + "".join(f"{n:>16}" for n in AUDITED))
    print(f"{'':<32}" + "   error covered" * len(AUDITED) + "  misled")
    by_noise = defaultdict(list)
    with ProcessPoolExecutor(2) as pool:
        for task, noise in product(TASKS, NOISES):
            found = np.array(list(pool.map(audits, [(task, noise, seed) for seed in seeds])))
            means = found.mean(axis=0)
            means[..., 2] *= len(seeds)
            by_noise[noise].append(means)
            for how, values in zip(WAYS, means, strict=True):
                print_row(task, noise, how, values)
    for noise, of_tasks in by_noise.items():
        means = np.mean(of_tasks, axis=0)
        means[..., 2] *= len(TASKS)
        for how, values in zip(WAYS, means, strict=True):
            print_row("mean", noise, how, values)


if __name__ == "__main__":
    main()
