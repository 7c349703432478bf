"""Print the estimated and the true share of labels that are wrong after a review.

    python -m benchmarks.after_review DATA/uci

The paper's tabular sets with 20% of the labels flipped at random; the most suspicious rows are
reviewed and corrected. "Refitted" is an estimate from the corrected labels alone, which misses
most of the errors that are left.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import numpy as np
from experiments.tabular import load_tabular

import labelnoise as ln

BUDGETS = (50, 150, 400)
SETS = ("heart", "banana", "titanic", "splice", "twonorm", "waveform")


def main(folder: Path) -> None:
    warnings.simplefilter("ignore", ln.LabelNoiseWarning)
    print(
        f"{'set':10} {'rows':>5} {'left':>6} {'estimate':>9} {'90% interval':>14} {'refitted':>9}"
        "  verdict"
    )
    errors, held, widths = [], [], []
    for name in SETS:
        X, clean = load_tabular(name, folder)
        noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.2), random_state=1)
        est = ln.estimate(X, noisy)
        for budget in (b for b in BUDGETS if b <= len(noisy) / 2):
            rows = ln.find_label_issues(est, noisy, budget=budget)["row"]
            fixed = noisy.copy()
            fixed[rows] = clean[rows]
            truth = float(np.mean(fixed != clean))
            audited = est.with_audit(rows, clean[rows])
            left, low, high = audited.noise_left()
            assert low is not None
            assert high is not None
            suggested = est.suggest_audit(budget)
            estimates = (est, audited, est.with_audit(suggested, clean[suggested]))
            widths.append([_width(one) for one in estimates])
            refitted = ln.estimate(X, fixed).noise_rate
            errors.append(abs(left - truth))
            held.append(low <= truth <= high)
            numbers = f"{left:9.1%} {low:6.1%} to {high:5.1%} {refitted:9.1%}"
            print(f"{name:10} {budget:5d} {truth:6.1%} {numbers}  {audited.diagnosis.verdict}")
    print(
        f"mean error {100 * np.mean(errors):.1f} points; {sum(held)} of {len(held)} intervals hold"
    )
    before, suspicious, spread = 100 * np.mean(widths, axis=0)
    print(
        f"width of the noise rate's interval: {before:.1f} points before a review, "
        f"{suspicious:.1f} after one of suspicious rows, {spread:.1f} after one by suggest_audit"
    )


def _width(est: ln.NoiseEstimate) -> float:
    ends = est.interval(0.9)
    return ends.upper.noise_rate - ends.lower.noise_rate


if __name__ == "__main__":
    main(Path(sys.argv[1]))
