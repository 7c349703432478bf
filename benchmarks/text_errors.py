"""Print the error on two text sets, for sentence embeddings and for a lower-quality representation.

    python -m benchmarks.text_errors DATA_FOLDER [--seeds 0 1 2 3 4]

DATA_FOLDER holds {ag,jigsaw}_{minilm,svd}.npy and {ag,jigsaw}_y.npy. Noise as in the paper:
diagonal 1 - e with e = 1 / (1 + r / sqrt(K - 1)) for r = 8, 4, 1.5, wrong labels distributed by a
Dirichlet; labels are drawn row by row, and the true T is the realized one. Errors are average total
variation times 100, mean and standard error over seeds.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from experiments.draws import text_draw
from experiments.jobs import paper_options
from experiments.text import load_text

import labelnoise as ln

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

LEVELS = {"low": "low", "med": "medium", "high": "high"}
SETS, FEATURES = ("ag", "jigsaw"), ("minilm", "svd")
METHODS = ("rank-gated", "a-kl", "hoc")
MAX_MEAN = {"minilm": 2.1, "svd": 4.0}


def draw(
    folder: Path, name: str, features: str, level: str, seed: int
) -> tuple[FloatArray, IntArray, ln.TransitionMatrix]:
    """Features, noisy labels and the realized T of one draw."""
    X, y = load_text(name, folder, features)
    drawn = text_draw(X, y, LEVELS[level], seed)
    return drawn.X, drawn.noisy, drawn.transition


def score(cell: tuple[Path, str, str, str, int]) -> list[float]:
    """Error x 100 of each method on one draw."""
    X, noisy, T = draw(*cell)
    found = [ln.estimate(X, noisy, method=m, **paper_options(m, text=True)) for m in METHODS]
    return [100 * ln.transition_error(T, est.transition_matrix) for est in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2, 3, 4])
    options = parser.parse_args()
    failed = []
    print(f"seeds {options.seeds}\n{'error x 100':<20}" + "".join(f"{m:>18}" for m in METHODS))
    with ProcessPoolExecutor(2) as pool:
        for features in FEATURES:
            means = []
            for name, level in product(SETS, LEVELS):
                cells = [(options.folder, name, features, level, seed) for seed in options.seeds]
                errors = np.array(list(pool.map(score, cells)))
                mean, spread = errors.mean(axis=0), errors.std(axis=0)
                spread /= max(len(cells) - 1, 1) ** 0.5
                shown = "".join(f"{m:>10.2f} +- {s:.2f}" for m, s in zip(mean, spread, strict=True))
                print(f"{name + ' ' + features + ' ' + level:<20}{shown}", flush=True)
                means.append(mean)
                if features == "svd" and mean[0] > mean[1:].min():
                    failed.append(f"rank-gated is not the best on {name} {features} {level}")
            overall = np.mean(means, axis=0)
            print(f"{'mean ' + features:<20}" + "".join(f"{m:>18.2f}" for m in overall) + "\n")
            if overall[0] > MAX_MEAN[features]:
                failed.append(f"{features}: mean {overall[0]:.2f} is above {MAX_MEAN[features]}")
    print("\n".join(failed) if failed else "all within the limits")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
