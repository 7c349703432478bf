"""Print the cost of searching neighbors among a tenth of the places, as for very many rows.

    python -m benchmarks.fewer_places [DRAWS]

10,000 rows in 12 dimensions, and the search limited to 1,000 places as it is to 100,000 for larger
tables. Prints the error of T and how many of its entries lie in their 90% intervals.
"""

from __future__ import annotations

import sys
from unittest import mock

import numpy as np

import labelnoise as ln

N_ROWS, N_DIMENSIONS = 10_000, 12
TASKS = {
    "two classes": [[0.8, 0.2], [0.1, 0.9]],
    "three classes": [[0.8, 0.15, 0.05], [0.05, 0.9, 0.05], [0.0, 0.3, 0.7]],
}
LIMITS = {"all places": N_ROWS, "1,000 places": 1_000}


def measured(T: list[list[float]], seed: int) -> tuple[float, float]:
    """Error of T x 100, and share of its entries within their intervals."""
    rng = np.random.default_rng(seed)
    y = rng.integers(len(T), size=N_ROWS)
    centers = 0.7 * rng.standard_normal((len(T), N_DIMENSIONS))  # classes overlap
    X = centers[y] + rng.standard_normal((N_ROWS, N_DIMENSIONS))
    noisy = ln.inject_noise(y, T, random_state=seed)
    est = ln.estimate(X, noisy)
    truth, ends = ln.realized_transition(y, noisy).values, est.interval(0.9)
    within = (ends.lower.transition_matrix <= truth) & (truth <= ends.upper.transition_matrix)
    return 100 * ln.transition_error(truth, est.transition_matrix), float(within.mean())


def main() -> None:
    n_draws = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    print(f"{'task':<15}{'searched among':<16}{'error x 100':>12}{'covered':>9}")
    for task, T in TASKS.items():
        for name, most in LIMITS.items():
            with mock.patch("labelnoise.neighbors.places.MAX_SEARCHED_PLACES", most):
                found = np.array([measured(T, seed) for seed in range(n_draws)])
            error, covered = found.mean(axis=0)
            print(f"{task:<15}{name:<16}{error:>12.2f}{covered:>9.0%}", flush=True)


if __name__ == "__main__":
    main()
