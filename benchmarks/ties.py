"""Print the error of HOC with three ways of breaking ties between identical rows.

    python -m benchmarks.ties DATA_FOLDER [--seeds 1 2 3]

Titanic has 14 distinct rows, and flare-solar many identical ones. The published code takes the
first of several equally near rows for the row itself and removes it, so that a row with duplicates
can stay among its own neighbors and agree with itself. Errors x 100 of the same solver on counts
from 50 rounds, means over three noise levels and the seeds.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from benchmarks.tabular_errors import LEVELS, draw

import labelnoise as ln
from labelnoise.consensus.counts import ConsensusCounts
from labelnoise.consensus.solver import solve_consensus

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

ROUNDS = 50


def distances(X: FloatArray) -> FloatArray:
    unit = X / np.linalg.norm(X, axis=1, keepdims=True)
    return 1 - unit @ unit.T


def rounds(X: FloatArray, y: IntArray, *, published: bool, seed: int) -> ConsensusCounts:
    """Count triplets on subsamples of half the rows, ties going to the lower index."""
    rng = np.random.default_rng(seed)
    third = np.zeros((2, 2, 2))
    for _ in range(ROUNDS):
        kept = rng.choice(len(X), len(X) // 2, replace=False)
        away = distances(X[kept])
        itself = away.argmin(axis=1) if published else np.arange(len(kept))
        away[np.arange(len(kept)), itself] = np.inf
        first, second = np.argsort(away, axis=1, kind="stable")[:, :2].T
        labels = y[kept]
        np.add.at(third, (labels, labels[first], labels[second]), 1)
    return ConsensusCounts(third * len(X) / third.sum(), independent_pairs=3.0 * len(X))


def error(truth: ln.TransitionMatrix, counts: ConsensusCounts) -> float:
    solution = solve_consensus(counts, rng=np.random.default_rng(0))
    return 100 * ln.transition_error(truth, solution.transition)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    print(f"{'error x 100':<14}{'averaged':>12}{'by index':>12}{'published':>12}")
    for name in ("titanic", "flare-solar"):
        rows = []
        for level in LEVELS:
            for seed in options.seeds:
                X, noisy, truth = draw(options.folder, name, level, seed)
                ours = ln.estimate(X, noisy, method="hoc").transition_matrix
                rows.append(
                    [
                        100 * ln.transition_error(truth, ours),
                        error(truth, rounds(X, noisy, published=False, seed=seed)),
                        error(truth, rounds(X, noisy, published=True, seed=seed)),
                    ]
                )
        print(f"{name:<14}" + "".join(f"{mean:12.2f}" for mean in np.mean(rows, axis=0)))


if __name__ == "__main__":
    main()
