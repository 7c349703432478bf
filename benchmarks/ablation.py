"""Print what each ingredient of the rank-gated estimator contributes.

    python -m benchmarks.ablation UCI_FOLDER TEXT_FOLDER [--seeds 1 2 ... 6]

Each row of the output leaves one ingredient out ("one scale" after the representation was
chosen). Errors are average total variation times 100 on the paper's tabular sets (three noise
levels), on overlapping classes (as in verdicts.py, 0.9 to 1.6 standard deviations apart) and on
AG's news (the first two seeds). "Worse by" is the mean difference from all ingredients over the
tabular sets, on the same draws, with its standard error over seeds.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from benchmarks import tabular_errors, text_errors, verdicts
from experiments.tabular import TABULAR_SETS

import labelnoise as ln
from labelnoise.evidence import evidence

PLAIN = ln.Representation()
VARIANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "all ingredients": ({}, {}),
    "one scale (20 rows)": ({}, {"neighborhood_sizes": lambda *_: (20,)}),
    "no linear posterior": ({}, {"MAX_LINEAR_COLUMNS": 0}),
    "standardized, euclidean": ({"representation": PLAIN, "metric": "euclidean"}, {}),
    "standardized, cosine": ({"representation": PLAIN, "metric": "cosine"}, {}),
    "no averaging over draws": ({"n_draws": 0}, {}),
    "no gate (hard classes)": ({"noise": "instance"}, {}),
}
TEXT_SEEDS = 2
OVERLAP = dict(
    zip(tabular_errors.LEVELS, ((5, 0.9, 2000), (2, 1.3, 2000), (10, 1.6, 2000)), strict=True)
)
Cell = tuple[Path, str, str, int, str]


def draw(cell: Cell) -> tuple[Any, Any, ln.TransitionMatrix]:
    """Features, noisy labels and the realized T."""
    folder, name, level, seed, _ = cell
    if name == "AG":
        return text_errors.draw(folder, "ag", "minilm", level, seed)
    if name == "overlap":
        rng = np.random.default_rng(seed)
        X, clean = verdicts.draw(OVERLAP[level], rng)
        noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.2), rng)
        return X, noisy, ln.realized_transition(clean, noisy)
    return tabular_errors.draw(folder, name, level, seed)


def score(cell: Cell) -> float:
    """Error x 100 of one variant on one draw."""
    X, noisy, T = draw(cell)
    parameters, patches = VARIANTS[cell[-1]]
    with patch.multiple(evidence, **patches) if patches else patch.dict({}):
        est = ln.estimate(X, noisy, **parameters)
    return 100 * ln.transition_error(T, est.transition_matrix)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("uci", type=Path)
    parser.add_argument("text", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5, 6])
    options = parser.parse_args()
    tables, levels = list(TABULAR_SETS), list(tabular_errors.LEVELS)
    columns = [(options.uci, name, options.seeds) for name in (*tables, "overlap")]
    columns += [(options.text, "AG", options.seeds[:TEXT_SEEDS])]
    names = "".join(f"{name:>12}" for _, name, _ in columns)
    print(f"seeds {options.seeds}\n{'error x 100':<26}{'mean':>6}{'worse by':>15}{names}")
    full = np.zeros(0)
    with ProcessPoolExecutor(2) as pool:
        for variant in VARIANTS:
            errors = []
            for folder, name, seeds in columns:
                cells = [(folder, name, *at, variant) for at in product(levels, seeds)]
                errors.append(np.reshape(list(pool.map(score, cells)), (len(levels), -1)))
            by_seed = np.mean(errors[: len(tables)], axis=(0, 1))
            full = full if full.size else by_seed
            worse, n = by_seed - full, len(by_seed)
            by = f"{worse.mean():.2f} +- {worse.std(ddof=1) / np.sqrt(n):.2f}" if n > 1 else ""
            shown = "".join(f"{error.mean():>12.2f}" for error in errors)
            print(f"{variant:<26}{by_seed.mean():>6.2f}{by:>15}{shown}", flush=True)


if __name__ == "__main__":
    main()
