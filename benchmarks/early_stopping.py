"""Print what T-Vol and T-TV say when the search for T is stopped early.

    python benchmarks/early_stopping.py DATA_FOLDER [--features minilm] [--seeds 1 2 3]

The paper trains both by gradient steps, finds T near the identity, and has large errors at high
noise. Errors x 100 after so many steps of L-BFGS, means over the seeds, beside the paper's.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np

import labelnoise as ln
from labelnoise.experiments.draws import LEVELS, Draw, draw
from labelnoise.experiments.library import Library, Source
from labelnoise.experiments.published import published
from labelnoise.learning.linear import STEPS

METHODS = ("t-vol", "t-tv")
STOPS = (1, 5, 20, 100, STEPS)


def error(drawn: Draw, method: str, max_iter: int) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore", ln.LabelNoiseWarning
        )  # that it did not converge is the point
        est = ln.estimate(drawn.X, drawn.noisy, method=method, max_iter=max_iter)
    return 100 * ln.transition_error(drawn.transition, est.transition_matrix)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--features", default="minilm")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    library, paper = Library(options.folder), published("paper_errors")
    print(f"seeds {options.seeds}; error x 100 after so many steps")
    heads = "".join(f"{stop:>8}" for stop in STOPS)
    print(f"{'':<16}{'':<8}{heads}{'paper':>8}")
    for name in ("ag", "jigsaw"):
        for level in LEVELS:
            draws = [
                draw(library, Source(name, options.features), level, seed) for seed in options.seeds
            ]
            for method in METHODS:
                errors = [
                    np.mean([error(drawn, method, stop) for drawn in draws]) for stop in STOPS
                ]
                cells = "".join(f"{value:>8.1f}" for value in [*errors, paper[name, level, method]])
                print(f"{name + ' ' + level:<16}{method:<8}{cells}", flush=True)


if __name__ == "__main__":
    main()
