"""Print what each ingredient of the rank-gated estimator brings, on the paper's tabular sets.

    python benchmarks/ablation.py UCI_FOLDER [--seeds 1 2 3]

Each row takes one ingredient out ("one scale" after the representation was chosen). Errors are
average total variation times 100, averaged over three noise levels and the seeds.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import tabular_errors

import labelnoise as ln
from labelnoise.evidence import scoring

PLAIN = ln.Representation()
VARIANTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "all ingredients": ({}, {}),
    "one scale (20 rows)": ({}, {"scales_for": lambda *_: (20,)}),
    "no linear posterior": ({}, {"MOST_LINEAR": 0}),
    "standardised, euclidean": ({"representation": PLAIN, "metric": "euclidean"}, {}),
    "standardised, cosine": ({"representation": PLAIN, "metric": "cosine"}, {}),
    "no averaging over draws": ({"n_draws": 0}, {}),
    "no gate (hard classes)": ({"noise": "instance"}, {}),
}


def score(cell: tuple[Path, str, str, int, str]) -> float:
    """Error x 100 of one variant on one draw."""
    folder, name, level, seed, variant = cell
    X, noisy, T = tabular_errors.draw(folder, name, level, seed)
    parameters, patches = VARIANTS[variant]
    with patch.multiple(scoring, **patches) if patches else patch.dict({}):
        est = ln.estimate(X, noisy, **parameters)
    return 100 * ln.transition_error(T, est.transition_matrix)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    options = parser.parse_args()
    sets, levels = list(ln.TABULAR_SETS), list(tabular_errors.RATES)
    print(
        f"seeds {options.seeds}\n{'error x 100':<26}{'mean':>7}" + "".join(f"{s:>13}" for s in sets)
    )
    with ProcessPoolExecutor(2) as pool:
        for variant in VARIANTS:
            cells = [
                (options.folder, name, level, seed, variant)
                for name, level, seed in product(sets, levels, options.seeds)
            ]
            errors = np.reshape(list(pool.map(score, cells)), (len(sets), -1)).mean(axis=1)
            shown = "".join(f"{error:>13.2f}" for error in errors)
            print(f"{variant:<26}{errors.mean():>7.2f}{shown}", flush=True)


if __name__ == "__main__":
    main()
