"""Print the peak memory of large jobs, each in a process of its own.

    python -m benchmarks.memory

"Extra" is the peak of the resident memory over what the process held before the job, data
included. Linux and macOS only (resource.getrusage).
"""

from __future__ import annotations

import multiprocessing
import resource
import sys
import time
from typing import TYPE_CHECKING

import numpy as np
import psutil

import labelnoise as ln

if TYPE_CHECKING:
    from collections.abc import Callable

MEGABYTE = 1024**2
LIMITS = {"graph": 500, "many classes": 500, "rank-gated": 1200, "rank-gated, wide": 900}


def graph() -> Callable[[], str]:
    X = np.random.default_rng(0).standard_normal((20_000, 384)).astype(np.float32)
    ln.NeighborGraph.build(X[:500], 50)  # imports on first use do not count

    def work() -> str:
        built = ln.NeighborGraph.build(X, 50)
        return f"{built.n_places} x {built.k} neighbors"

    return work


def many_classes() -> Callable[[], str]:
    """K = 100 well separated classes, n = 50,000, 30% noise."""
    rng = np.random.default_rng(0)
    centers = 6 * rng.standard_normal((100, 16))
    y = rng.integers(100, size=50_000)
    X = centers[y] + rng.standard_normal((50_000, 16))
    T = ln.random_noise(100, 0.3, 0)
    noisy = ln.inject_noise(y, T, 0)
    ln.estimate(X[:2000], noisy[:2000] % 3, method="hoc")  # as above

    def work() -> str:
        est = ln.estimate(X, noisy, method="hoc")
        return f"error {100 * ln.transition_error(T, est.transition_matrix):.2f}"

    return work


def rank_gated() -> Callable[[], str]:
    """The same task, by the default method with intervals."""
    rng = np.random.default_rng(0)
    centers = 6 * rng.standard_normal((100, 16))
    y = rng.integers(100, size=50_000)
    X = centers[y] + rng.standard_normal((50_000, 16))
    noisy = ln.inject_noise(y, ln.random_noise(100, 0.3, 0), 0)
    truth = ln.realized_transition(y, noisy)
    ln.estimate(X[:2000], noisy[:2000] % 3)

    def work() -> str:
        est = ln.estimate(X, noisy)
        return f"error {100 * ln.transition_error(truth, est.transition_matrix):.2f}"

    return work


def rank_gated_wide() -> Callable[[], str]:
    """20,000 x 384, four classes, with intervals."""
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=20_000)
    X = 0.15 * rng.standard_normal((4, 384))[y] + rng.standard_normal((20_000, 384))
    noisy = ln.inject_noise(y, ln.symmetric_noise(4, 0.2), rng)
    truth = ln.realized_transition(y, noisy)
    ln.estimate(X[:2000], noisy[:2000])

    def work() -> str:
        est = ln.estimate(X, noisy)
        return f"error {100 * ln.transition_error(truth, est.transition_matrix):.2f}"

    return work


JOBS = {
    "graph": graph,
    "many classes": many_classes,
    "rank-gated": rank_gated,
    "rank-gated, wide": rank_gated_wide,
}
TITLES = {
    "graph": "exact graph, 20000 x 384 float32, k = 50",
    "many classes": "hoc, K = 100, n = 50000, d = 16",
    "rank-gated": "rank-gated, K = 100, n = 50000, d = 16",
    "rank-gated, wide": "rank-gated, K = 4, n = 20000, d = 384",
}


def measure(name: str) -> tuple[float, float, str]:
    """Extra megabytes, seconds and the result of one job, in words."""
    work = JOBS[name]()
    before = psutil.Process().memory_info().rss
    started = time.perf_counter()
    result = work()
    seconds = time.perf_counter() - started
    unit = 1 if sys.platform == "darwin" else 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return max(0, peak - before) / MEGABYTE, seconds, result


def main() -> int:
    failed = False
    for name, limit in LIMITS.items():
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            extra, seconds, result = pool.apply(measure, (name,))
        print(f"{TITLES[name]}: {extra:.0f} MB extra (at most {limit}), {seconds:.1f} s, {result}")
        failed |= extra > limit
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
