"""Seconds and memory of every method on the same data, cleanlab's own code among them."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.noise import inject_noise, random_noise
from experiments.draws import Draw
from experiments.library import Source
from labelnoise.metrics import transition_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from experiments.library import Library
    from experiments.store import Cell, Record

CLEANLAB = "cleanlab"
"""Stands for a method: cleanlab's own confident learning with logistic regression."""

SIZES = {"narrow": (6000, 20, 2), "wide": (20_000, 128, 4)}
QUICK_SIZES = {"wide": (3000, 64, 4)}
SPEED_DATA = {name: Source(f"generated, {name}") for name in SIZES}


def generated(n: int, d: int, k: int, seed: int) -> Draw:
    """Normal classes around random centres, with 30% noise."""
    rng = np.random.default_rng(seed)
    clean = rng.integers(k, size=n)
    X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((k, d))[clean]
    return Draw(X, clean, inject_noise(clean, random_noise(k, 0.3, rng), rng))


def speed(cell: Cell, library: Library) -> Record:  # noqa: ARG001 (the data are generated)
    """Seconds, extra memory in MB and error x 100; wants a process of its own."""
    n, d, k = (int(part) for part in cell.level.split(" x "))
    drawn, work = generated(n, d, k, cell.seed), _work(cell.method)
    work(generated(300, d, k, cell.seed))  # what is imported on first use is not the method's
    before = _start_memory()
    start = time.perf_counter()
    T = work(drawn)
    seconds = time.perf_counter() - start
    error = 100 * transition_error(drawn.transition, T)
    return {"seconds": seconds, "megabytes": _megabytes("VmHWM") - before, "error": error}


def _start_memory() -> float:
    """Forget the peak so far, which belongs to the making of the data, and say what is in use."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        return float("nan")
    return _megabytes("VmRSS")


def _megabytes(field: str) -> float:
    """Of this process, as Linux counts it; elsewhere NaN."""
    try:
        status = Path("/proc/self/status").read_text()
    except OSError:
        return float("nan")
    found = re.search(rf"{field}:\s+(\d+) kB", status)
    return int(found[1]) / 1024 if found else float("nan")


def _work(method: str) -> Callable[[Draw], Any]:
    from experiments.jobs import estimated

    if method == CLEANLAB:
        from experiments.speed_cleanlab import transition

        return transition
    return lambda drawn: np.asarray(estimated(method, drawn.X, drawn.noisy).transition_matrix)
