"""An audit loop: look at a few rows, learn from them, look at the next.

    python examples/audit_loop.py

The classes overlap, so features and labels alone leave open how much of the disagreement is noise.
Each round the estimate names the 60 rows that would tell most, somebody looks at them (here: the
truth), and they are fused into it. It stops when the verdict is "reliable".
"""

from __future__ import annotations

import numpy as np

import labelnoise as ln

ROWS_A_ROUND, MOST_ROUNDS = 60, 8


def main() -> None:
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=3000)
    X = 0.9 * true[:, None] * [1, 1, 0, 0] + rng.normal(size=(3000, 4))
    labels = ln.inject_noise(true, [[0.85, 0.15], [0.25, 0.75]], random_state=0)
    print(f"in truth {np.mean(labels != true):.1%} of the labels are wrong\n")

    est = ln.estimate(X, labels)
    for audit in range(MOST_ROUNDS + 1):
        ends = est.interval(0.9)
        print(
            f"{audit * ROWS_A_ROUND:4d} rows audited: {est.noise_rate:.1%} wrong "
            f"({ends.lower.noise_rate:.1%} to {ends.upper.noise_rate:.1%}), {est.diagnosis.verdict}"
        )
        if est.diagnosis.verdict == "reliable":
            break
        rows = est.suggest_audit(ROWS_A_ROUND)
        est = est.with_audit(rows, true[rows])  # somebody looks at these rows

    fixed = labels.copy()
    issues = ln.find_label_issues(est, labels, budget=300)
    fixed[issues["row"]] = true[issues["row"]]  # and then at the 300 most suspicious ones
    print(f"\nafter a review of 300 rows {np.mean(fixed != true):.1%} of the labels are wrong")


if __name__ == "__main__":
    main()
