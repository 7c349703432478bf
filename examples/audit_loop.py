"""An audit loop: check a few rows by hand, learn from them, check the next.

    python examples/audit_loop.py

The classes overlap, so features and labels alone do not show how much of the disagreement is noise.
In each round the estimate suggests 60 rows, someone checks them (here, the true labels are known),
and the answers improve the estimate. The loop ends when the estimate is reliable.
"""

from __future__ import annotations

import numpy as np

import labelnoise as ln

ROWS_PER_ROUND, MAX_ROUNDS = 60, 8


def main() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=3000)
    X = 0.9 * true[:, None] * [1, 1, 0, 0] + rng.normal(size=(3000, 4))
    labels = ln.inject_noise(true, [[0.85, 0.15], [0.25, 0.75]], random_state=0)
    print(f"truth: {np.mean(labels != true):.1%} of the labels are wrong\n")

    est = ln.estimate(X, labels)
    for n_rounds in range(MAX_ROUNDS + 1):
        ends = est.interval(0.9)
        print(
            f"{n_rounds * ROWS_PER_ROUND:4d} rows checked: {est.noise_rate:.1%} wrong "
            f"({ends.lower.noise_rate:.1%} to {ends.upper.noise_rate:.1%}), {est.diagnosis.verdict}"
        )
        if est.diagnosis.verdict == "reliable":
            break
        rows = est.suggest_audit(ROWS_PER_ROUND)
        est = est.with_audit(rows, true[rows])  # somebody checks these rows

    corrected = labels.copy()
    issues = ln.find_label_issues(est, labels, budget=300)
    corrected[issues["row"]] = true[issues["row"]]  # and the 300 most suspicious rows
    print(f"\nafter a review of 300 rows: {np.mean(corrected != true):.1%} of the labels are wrong")


if __name__ == "__main__":
    main()
