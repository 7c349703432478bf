"""Four families of data for the benchmarks of remedies: digits, tables, AG's news, Jigsaw."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.tabular import TABULAR_SETS, load_tabular
from experiments.text import load_text
from sklearn.datasets import load_digits

if TYPE_CHECKING:
    import numpy as np

    from labelnoise.arrays import FloatArray, IntArray

TABLES = tuple(TABULAR_SETS)
TEXTS = ("ag", "jigsaw")
IMPURE = ("heart", "titanic", "flare-solar")
"""Tables with hardly any clear-cut examples: the verdict on them is "rough"."""

FAMILIES = {"digits": ("digits",), "tables": TABLES, "ag": ("ag",), "jigsaw": ("jigsaw",)}


def options(doc: str) -> argparse.Namespace:
    """The folder of the data and the seeds, from the command line."""
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    return parser.parse_args()


def load(data: Path, name: str) -> tuple[FloatArray, IntArray]:
    """Features and clean labels of a set in the folder `data`."""
    if name == "digits":
        X, y = load_digits(return_X_y=True)
    elif name in TEXTS:
        X, y = load_text(name, data / "text", "minilm")
    else:
        X, y = load_tabular(name, data / "uci")
    return X[:, X.std(axis=0) > 0], y


def some_rows(
    X: FloatArray, y: IntArray, n_rows: int, rng: np.random.Generator
) -> tuple[FloatArray, IntArray]:
    """At most `n_rows` rows, drawn at random; columns that are constant there are left out."""
    chosen = rng.permutation(len(y))[:n_rows]
    X, y = X[chosen], y[chosen]
    return X[:, X.std(axis=0) > 0], y
