"""Print the effect of the solver's two weak priors, on generated data.

    python -m benchmarks.priors [--seeds 10]

HOC on twonorm and (two-class) waveform, three sizes, five pairs of noise rates, most of them
unequal, so that the prior towards equally noisy classes is often wrong. Errors x 100, means over
seeds; each column solves for the same counts.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING
from unittest.mock import patch

import numpy as np

import labelnoise as ln
from labelnoise.consensus import solver

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray

RATES = ((0.2, 0.1), (0.1, 0.3), (0.4, 0.4), (0.45, 0.1), (0.05, 0.35))
SIZES = (300, 1000, 4000)
WEIGHTS = {"none": (0.0, 0.0), "prior": (0.1, 0.0), "evenness": (0.0, 20.0), "both": (0.1, 20.0)}


def draw(name: str, n_rows: int, seed: int) -> tuple[ln.NeighborGraph, IntArray]:
    X, y = (ln.make_twonorm if name == "twonorm" else ln.make_waveform)(n_rows, seed)
    return ln.NeighborGraph.build(X - X.mean(axis=0), 20, metric="cosine"), (y == 0).astype(int)


def error_under(graph: ln.NeighborGraph, clean: IntArray, noisy: IntArray) -> dict[str, float]:
    truth = ln.realized_transition(clean, noisy)
    errors = {}
    for name, (prior, evenness) in WEIGHTS.items():
        with patch.multiple(solver, PRIOR_WEIGHT=prior, EVENNESS_WEIGHT=evenness):
            est = ln.estimate(None, noisy, method="hoc", graph=graph)
        errors[name] = 100 * ln.transition_error(truth, est.transition_matrix)
    return errors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=10)
    seeds = range(parser.parse_args().seeds)
    collected: dict[tuple[str, int, tuple[float, float]], list[dict[str, float]]] = defaultdict(
        list
    )
    for name, n_rows, seed in product(("twonorm", "waveform"), SIZES, seeds):
        graph, clean = draw(name, n_rows, seed)
        for e1, e2 in RATES:
            noisy = ln.inject_noise(
                clean, [[1 - e1, e1], [e2, 1 - e2]], np.random.default_rng(seed), exact=True
            )
            collected[name, n_rows, (e1, e2)].append(error_under(graph, clean, noisy))
    print(f"{'error x 100':<32}" + "".join(f"{name:>10}" for name in WEIGHTS))
    for (name, n_rows, rates), draws in collected.items():
        means = [np.mean([errors[name] for errors in draws]) for name in WEIGHTS]
        print(
            f"{name:<10}{n_rows:>6}  e = {rates[0]:<5}{rates[1]:<7}"
            + "".join(f"{m:>10.2f}" for m in means)
        )
    for n_rows in SIZES:
        rows = [errors for (_, n, _), draws in collected.items() if n == n_rows for errors in draws]
        means = [np.mean([errors[name] for errors in rows]) for name in WEIGHTS]
        print(f"{'mean':<10}{n_rows:>6}{'':<16}" + "".join(f"{m:>10.2f}" for m in means))


if __name__ == "__main__":
    main()
