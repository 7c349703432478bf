"""Time the estimator against the published code, and the graph against a bare matrix product.

    python -m benchmarks.speed [--published CSV]

Each number is a ratio within one run on this machine, except that the seconds of the published
code come from the CSV (they were measured on one core of a busy two-core machine).
"""

from __future__ import annotations

import argparse
import csv
import time
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING

import numpy as np

import labelnoise as ln
from labelnoise.evidence.settings import MAX_NEIGHBORHOOD_IN_HIGH_DIMENSIONS as K_OF_FIT

if TYPE_CHECKING:
    from collections.abc import Callable

MIN_SPEEDUP = {"a-kl": 20.0, "rank-gated": 10.0}
MAX_GRAPH_RATIO = 2.5
MAX_FIT_RATIO = 3.0


def best_seconds(work: Callable[[], object], repeats: int = 3) -> float:
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return min(times)


def estimator_seconds(method: str) -> float:
    X, y = ln.make_twonorm(5920, random_state=0)
    noisy = ln.inject_noise(y, ln.TransitionMatrix([[0.8, 0.2], [0.1, 0.9]]), 0)
    return best_seconds(lambda: ln.estimate(X, noisy, method=method))


def published_seconds(path: Path) -> float:
    with path.open(newline="") as stream:
        rows = [
            r for r in csv.DictReader(stream) if (r["dataset"], r["method"]) == ("twonorm", "A-KL")
        ]
    return mean(float(row["seconds"]) for row in rows)


def graph_seconds(engine: str) -> tuple[float, float]:
    """Seconds of the exact graph of 20,000 x 384 with k = 50, and of the bare product."""
    X = np.random.default_rng(0).standard_normal((20_000, 384)).astype(np.float32)

    def product() -> None:
        for start in range(0, len(X), 2000):
            X[start : start + 2000] @ X.T

    graph = best_seconds(lambda: ln.NeighborGraph.build(X, 50, engine=engine), repeats=2)
    return graph, best_seconds(product)


def fit_seconds() -> tuple[float, float]:
    """Seconds of a whole fit with intervals on 20,000 x 384, K = 4, and of its graph alone."""
    rng = np.random.default_rng(0)
    y = rng.integers(4, size=20_000)
    X = 0.15 * rng.standard_normal((4, 384))[y] + rng.standard_normal((20_000, 384))
    noisy = ln.inject_noise(y, ln.symmetric_noise(4, 0.2), rng)
    graph = best_seconds(lambda: ln.NeighborGraph.build(X, K_OF_FIT, metric="cosine"), repeats=2)
    return best_seconds(lambda: ln.estimate(X, noisy), repeats=2), graph


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--published", type=Path)
    options = parser.parse_args()
    failed = []

    for method, least in MIN_SPEEDUP.items():
        ours = estimator_seconds(method)
        print(f"{method} on twonorm, 5920 x 20: {ours:.3f} s")
        if options.published and options.published.exists():
            theirs = published_seconds(options.published)
            print(
                f"  published A-KL {theirs:.1f} s: {theirs / ours:.0f} times faster "
                f"(at least {least:.0f})"
            )
            if theirs / ours < least:
                failed.append(f"speed of {method} relative to the published code")
        else:
            print("  published code: no timings given (--published), not compared")

    fit, graph = fit_seconds()
    print(f"rank-gated with intervals, 20000 x 384, K = 4: {fit:.2f} s")
    print(
        f"  its exact graph {graph:.2f} s (k = {K_OF_FIT}): ratio {fit / graph:.2f} "
        f"(at most {MAX_FIT_RATIO})"
    )
    if fit / graph > MAX_FIT_RATIO:
        failed.append("ratio of the fit to its graph")

    for engine in ("faiss", "brute"):
        graph, product = graph_seconds(engine)
        limit = f" (at most {MAX_GRAPH_RATIO})" if engine == "faiss" else ""
        print(f"exact graph, 20000 x 384, k = 50, {engine}: {graph:.2f} s")
        print(f"  bare matrix product {product:.2f} s: ratio {graph / product:.2f}{limit}")
        if engine == "faiss" and graph / product > MAX_GRAPH_RATIO:
            failed.append("ratio of the graph to the bare product")

    print("too slow: " + ", ".join(failed) if failed else "all within the limits")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
