"""Print what methods that train a layer say when training is stopped early.

    python benchmarks/early_stopping.py DATA_FOLDER [--features svd] [--seeds 1 2 3]

Errors x 100, means over the seeds, beside the paper's. The paper trains T-Vol and T-TV by gradient
steps, finds T near the identity, and has large errors at high noise: here they are stopped after
so many steps of L-BFGS. T-Revision starts from anchor points: here they are read off a layer that
was trained for so many epochs.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from experiments.draws import LEVELS, Draw, draw
from experiments.library import Library, Source
from experiments.published import published

import labelnoise as ln
from labelnoise.baselines.t_revision import anchor_points
from labelnoise.learning.epochs import train_in_epochs
from labelnoise.learning.linear import STEPS, Task

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

STOPS = (1, 5, 20, 100, STEPS)
EPOCHS = (1, 2, 5, 10, 30)


def stopped(drawn: Draw, method: str) -> FloatArray:
    """Errors of a method after each of STOPS."""
    found = []
    for stop in STOPS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ln.LabelNoiseWarning)  # not converged: the point of it
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


def head(what: str, stops: tuple[int, ...]) -> None:
    print(f"\n{what:<26}{''.join(f'{stop:>8}' for stop in stops)}{'paper':>8}")


def line(name: str, errors: list[FloatArray], paper: float) -> None:
    cells = "".join(f"{value:>8.1f}" for value in [*np.mean(errors, axis=0), paper])
    print(f"{name:<26}{cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--features", default="svd")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    library, paper = Library(options.folder), published("paper_errors")
    print(f"error x 100, seeds {options.seeds}")
    head("anchor points, epochs", EPOCHS)
    for name in ("splice", "twonorm", "waveform"):
        for level in LEVELS:
            draws = [draw(library, Source(name), level, seed) for seed in options.seeds]
            errors = [anchored(drawn) for drawn in draws]
            line(f"{name} {level}", errors, paper[name, level, "t-revision"])
    head("steps", STOPS)
    for name in ("ag", "jigsaw"):
        source = Source(name, options.features)
        for level in LEVELS:
            draws = [draw(library, source, level, seed) for seed in options.seeds]
            for method in ("t-vol", "t-tv"):
                errors = [stopped(drawn, method) for drawn in draws]
                line(f"{method} {name} {level}", errors, paper[name, level, method])


if __name__ == "__main__":
    main()
