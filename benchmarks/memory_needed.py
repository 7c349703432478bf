"""Compare the peak memory of estimates with the prediction that ``--max-memory`` uses.

    python -m benchmarks.memory_needed

Tables of several shapes, each in a process of its own. Fails if one needs more than predicted.
Linux and macOS only (resource.getrusage).
"""

from __future__ import annotations

import multiprocessing
import resource
import sys

import numpy as np

import labelnoise as ln
from labelnoise.cli.memory import needed_memory

SHAPES = [
    (1_000, 5, 2),
    (50_000, 16, 100),
    (20_000, 384, 4),
    (200_000, 5, 2),
    (200_000, 5, 10),
    (30_000, 768, 3),
    (100_000, 20, 20),
]
"""Rows, features, classes."""


def peak(shape: tuple[int, int, int]) -> float:
    """The peak memory in bytes while T is estimated."""
    n_rows, n_features, n_classes = shape
    rng = np.random.default_rng(0)
    y = rng.integers(n_classes, size=n_rows)
    X = 3 * rng.standard_normal((n_classes, n_features))[y]
    X += rng.standard_normal((n_rows, n_features))
    ln.estimate(X, ln.inject_noise(y, ln.symmetric_noise(n_classes, 0.2), 0))
    unit = 1 if sys.platform == "darwin" else 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit)


def main() -> int:
    failed = False
    for shape in SHAPES:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            used = pool.apply(peak, (shape,))
        predicted = needed_memory(*shape)
        print(
            "{:,} rows x {} features, {} classes: ".format(*shape)
            + f"{used / 1024**3:.2f} GB, {predicted / 1024**3:.2f} GB predicted"
        )
        failed |= used > predicted
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
