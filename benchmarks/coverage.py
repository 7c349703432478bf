"""Print how often 90% intervals contain the true entry of T, on sets with clear-cut examples.

    python -m benchmarks.coverage UCI_FOLDER TEXT_FOLDER [--draws 20]

Every entry of T counts once (for two classes, the two off the diagonal). Draws of the noise
as in tabular_errors.py and text_errors.py, three levels in turn, seeds from 100 on.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
from benchmarks import tabular_errors, text_errors

import labelnoise as ln

TABLES = ("banana", "splice", "twonorm", "waveform")
TEXTS = ("ag", "jigsaw")
LEVELS = ("low", "med", "high")
LEVEL, MIN_COVERAGE = 0.9, 0.85


def score(cell: tuple[Path, str, str, int]) -> tuple[float, float, float, bool]:
    """Share of entries covered, width of the intervals, error x 100, whether "reliable"."""
    folder, name, level, seed = cell
    if name in TABLES:
        X, noisy, T = tabular_errors.draw(folder, name, level, seed)
    else:
        X, noisy, T = text_errors.draw(folder, name, "minilm", level, seed)
    est = ln.estimate(X, noisy)
    ends = est.interval(LEVEL)
    low, high = ends.lower.transition_matrix, ends.upper.transition_matrix
    truth = np.asarray(T)
    free = ~np.eye(len(truth), dtype=bool) if len(truth) == 2 else np.ones_like(truth, dtype=bool)
    inside = (low <= truth) & (truth <= high)
    return (
        float(inside[free].mean()),
        float((high - low)[free].mean()),
        100 * ln.transition_error(T, est.transition_matrix),
        est.diagnosis.verdict == "reliable",
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("uci", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--draws", type=int, default=20)
    options = parser.parse_args()
    failed = []
    print(f"{'set':<12}{'level':<8}{'covered':>9}{'width':>9}{'error x 100':>14}{'reliable':>10}")
    with ProcessPoolExecutor(2) as pool:
        for name in (*TABLES, *TEXTS):
            folder = options.uci if name in TABLES else options.text
            covered_by_level = []
            for level in LEVELS:
                cells = [(folder, name, level, 100 + seed) for seed in range(options.draws)]
                rows = np.array(list(pool.map(score, cells)))
                covered, width, error, reliable = rows.mean(axis=0)
                covered_by_level.append(covered)
                print(
                    f"{name:<12}{level:<8}{covered:>9.0%}{width:>9.3f}{error:>14.2f}{reliable:>10.0%}",
                    flush=True,
                )
            print(f"{name:<12}{'all':<8}{np.mean(covered_by_level):>9.0%}\n", flush=True)
            if np.mean(covered_by_level) < MIN_COVERAGE:
                failed.append(
                    f"{name}: {np.mean(covered_by_level):.0%} covered, less than {MIN_COVERAGE:.0%}"
                )
    print("\n".join(failed) if failed else f"every set is covered to {MIN_COVERAGE:.0%} or more")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
