"""Print the errors of methods that train a layer when training is stopped early.

    python -m benchmarks.early_stopping DATA_FOLDER [--features svd] [--seeds 1 2 3]

Errors x 100, means over the seeds, beside the paper's. The paper trains T-Vol and T-TV by gradient
steps, finds T near the identity, and has large errors at high noise: here they are stopped after
some number of steps of L-BFGS. T-Revision starts from anchor points: here they are taken from a
layer that was trained for some number of epochs.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from experiments.draws import LEVELS, Draw, draw
from experiments.epochs import train_in_epochs
from experiments.published import published
from experiments.sources import DataFolder, Source

import labelnoise as ln
from labelnoise.baselines.t_revision import anchor_points
from labelnoise.learning.linear import Task
from labelnoise.learning.settings import MAX_STEPS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

STOPS = (1, 5, 20, 100, MAX_STEPS)
EPOCHS = (1, 2, 5, 10, 30)


def stopped(drawn: Draw, method: str) -> FloatArray:
    """Errors of a method after each of STOPS."""
    found = []
    for stop in STOPS:
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", ln.LabelNoiseWarning
            )  # it does not converge, which is the point
            est = ln.estimate(drawn.X, drawn.noisy, method=method, max_iter=stop)
        found.append(ln.transition_error(drawn.transition, est.transition_matrix))
    return 100 * np.array(found)


def anchored(drawn: Draw) -> FloatArray:
    """Errors of anchor points after each of EPOCHS."""
    task = Task(drawn.X, drawn.noisy, n_classes=int(drawn.clean.max()) + 1)
    layers = train_in_epochs(task, np.eye(task.n_classes), np.random.default_rng(0))
    found = [
        ln.transition_error(drawn.transition, anchor_points(layer(task.X)))
        for epoch, layer in enumerate(layers, start=1)
        if epoch in EPOCHS
    ]
    return 100 * np.array(found)


def print_head(what: str, stops: tuple[int, ...]) -> None:
    print(f"\n{what:<26}{''.join(f'{stop:>8}' for stop in stops)}{'paper':>8}")


def print_line(name: str, errors: list[FloatArray], paper: float) -> None:
    cells = "".join(f"{value:>8.1f}" for value in [*np.mean(errors, axis=0), paper])
    print(f"{name:<26}{cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--features", default="svd")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    data, paper = DataFolder(options.folder), published("paper_errors")
    print(f"error x 100, seeds {options.seeds}")
    print_head("anchor points, epochs", EPOCHS)
    for name in ("splice", "twonorm", "waveform"):
        for level in LEVELS:
            draws = [draw(data, Source(name), level, seed) for seed in options.seeds]
            errors = [anchored(drawn) for drawn in draws]
            print_line(f"{name} {level}", errors, paper[name, level, "t-revision"])
    print_head("steps", STOPS)
    for name in ("ag", "jigsaw"):
        source = Source(name, options.features)
        for level in LEVELS:
            draws = [draw(data, source, level, seed) for seed in options.seeds]
            for method in ("t-vol", "t-tv"):
                errors = [stopped(drawn, method) for drawn in draws]
                print_line(f"{method} {name} {level}", errors, paper[name, level, method])


if __name__ == "__main__":
    main()
