"""Seconds and memory of every method on the same data, cleanlab's own code among them."""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.generators import make_twonorm
from labelnoise.data.noise import inject_noise, random_noise
from labelnoise.experiments.draws import Draw
from labelnoise.experiments.library import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.experiments.library import Library
    from labelnoise.experiments.store import Cell, Record

CLEANLAB = "cleanlab"
"""Stands for a method: cleanlab's own confident learning with logistic regression."""

MEGABYTE = 2**20 if sys.platform == "darwin" else 2**10  # getrusage's unit differs
SIZES = {"narrow": (6000, 20, 2), "wide": (20_000, 128, 4)}
QUICK_SIZES = {"wide": (3000, 64, 4)}
SPEED_DATA = {name: Source(f"generated, {name}") for name in SIZES}


def generated(n: int, d: int, k: int) -> Draw:
    """Twonorm, or for more classes normal ones around random centres, at 30% noise."""
    rng = np.random.default_rng(0)
    if k == 2:
        X, clean = make_twonorm(n, rng)
    else:
        clean = rng.integers(k, size=n)
        X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((k, d))[clean]
    return Draw(X, clean, inject_noise(clean, random_noise(k, 0.3, rng), rng))


def speed(cell: Cell, library: Library) -> Record:  # noqa: ARG001 (the data are generated)
    """Seconds, extra memory in MB and error x 100; wants a process of its own."""
    n, d, k = (int(part) for part in cell.level.split(" x "))
    drawn, work = generated(n, d, k), _work(cell.method)
    work(generated(300, d, k))  # what is imported on first use is not the method's
    before, start = _peak(), time.perf_counter()
    T = work(drawn)
    seconds = time.perf_counter() - start
    error = 100 * float(np.abs(np.asarray(drawn.transition) - T).sum()) / (2 * k)
    return {"seconds": seconds, "megabytes": _peak() - before, "error": error}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MEGABYTE


def _work(method: str) -> Callable[[Draw], Any]:
    from labelnoise.experiments.jobs import estimated

    if method == CLEANLAB:
        from labelnoise.experiments.speed_cleanlab import transition

        return transition
    return lambda drawn: np.asarray(estimated(method, drawn.X, drawn.noisy).transition_matrix)
