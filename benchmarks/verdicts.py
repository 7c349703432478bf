"""Print how often the verdict is "reliable", and how often it should not be.

    python -m benchmarks.verdicts [--seeds 0 1 ... 9]

Two normal classes at several distances (in standard deviations) under 20% noise: the closer they
are, the less the data can tell. Also features without any information, three classes in a row of
which two overlap, of equal size or with one rare, 25 classes of which the r-th most frequent has
1/r of the rows of the first, and digits. "Entries" and "rate" are the shares of entries of T and of
noise rates in their 90% intervals. "Misled" counts verdicts of "reliable" with an error above 0.08.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import numpy as np
from sklearn.datasets import load_digits

import labelnoise as ln

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

MISLED, MAX_MISLED = 0.08, 0.02
NORMAL = [(5, 0.9, 2000), (5, 1.1, 2000), (2, 1.3, 2000), (20, 1.3, 2000), (10, 1.6, 2000)]
NORMAL += [(5, 2.0, 2000), (5, 2.7, 2000), (5, 4.0, 2000), (5, 0.9, 10_000), (5, 1.8, 10_000)]
OTHERS = ("no information", "three in a row", "one of three rare", "25 classes, skewed", "digits")
Task = tuple[int, float, int] | str


def draw(task: Task, rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Features and true classes."""
    if task == "digits":
        X, clean = load_digits(return_X_y=True)
        return X[:, X.std(axis=0) > 0], clean
    if task == "no information":
        return rng.standard_normal((2000, 5)), rng.integers(3, size=2000)
    if task == "three in a row":
        clean = rng.integers(3, size=3000)
        return np.array([[0.0], [4.0], [4.5]])[clean] + rng.standard_normal((3000, 2)), clean
    if task == "one of three rare":
        clean = rng.choice(3, 1500, p=[0.48, 0.48, 0.04])
        return np.array([[0.0], [6.0], [7.5]])[clean] + rng.standard_normal((1500, 2)), clean
    if task == "25 classes, skewed":
        frequency = 1 / np.arange(1, 26)
        clean = rng.choice(25, 5000, p=frequency / frequency.sum())
        centers = 2.2 * rng.standard_normal((25, 10))
        return centers[clean] + rng.standard_normal((5000, 10)), clean
    assert not isinstance(task, str)
    d, apart, n = task
    clean = rng.integers(2, size=n)
    return rng.standard_normal((n, d)) + apart / np.sqrt(d) * clean[:, None], clean


def measured(cell: tuple[Task, int]) -> tuple[float, bool, float, bool]:
    """Error, whether "reliable", share of entries in their intervals, and whether the rate is."""
    task, seed = cell
    rng = np.random.default_rng(seed)
    X, clean = draw(task, rng)
    noisy = ln.inject_noise(clean, ln.symmetric_noise(int(clean.max()) + 1, 0.2), rng)
    truth, est = ln.realized_transition(clean, noisy), ln.estimate(X, noisy)
    ends = est.interval(0.9)
    low, high = ends.lower.transition_matrix, ends.upper.transition_matrix
    inside = ((low <= truth.values) & (truth.values <= high)).mean()
    error = ln.transition_error(truth, est.transition_matrix)
    covered = ends.lower.noise_rate <= (noisy != clean).mean() <= ends.upper.noise_rate
    return error, est.diagnosis.verdict == "reliable", float(inside), bool(covered)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(10)))
    seeds = parser.parse_args().seeds
    print(f"seeds {seeds}\n{'':<34}error x 100   entries      rate  reliable  misled")
    n_misled = n_reliable = 0
    with ProcessPoolExecutor(2) as pool:
        for task in (*NORMAL, *OTHERS):
            found = np.array(list(pool.map(measured, [(task, seed) for seed in seeds])))
            error, reliable, inside, covered = found.T
            misled = int(((error > MISLED) & (reliable > 0)).sum())
            n_misled, n_reliable = n_misled + misled, n_reliable + int(reliable.sum())
            name = task if isinstance(task, str) else f"{task[0]}-d, {task[1]} apart, n = {task[2]}"
            print(
                f"{name:<34}{100 * error.mean():>11.2f}{inside.mean():>10.0%}"
                f"{covered.mean():>10.0%}{reliable.mean():>10.0%}{misled:>8}",
                flush=True,
            )
    print(f"{n_misled} of {n_reliable} verdicts 'reliable' were misleading")
    if n_misled > MAX_MISLED * n_reliable:
        raise SystemExit(f"more than {MAX_MISLED:.0%} are misleading")


if __name__ == "__main__":
    main()
