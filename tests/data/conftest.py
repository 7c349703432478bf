"""A table with columns of every kind."""

import numpy as np
import pandas as pd
import pytest

N = 300


def mixed_columns(seed=0, n=N):
    """Columns of every kind, with missing values, identifiers and copies."""
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=n)
    words = np.array([f"the {a} {b} went home" for a in ("big", "red", "old") for b in range(30)])
    return {
        "customer_id": rng.permutation(n) + 1000,
        "age": np.where(np.arange(n) % 11 == 0, np.nan, rng.normal(40, 9, n).round(1)),
        "city": rng.choice(["Rome", "Oslo", "Pau", "Lima"], n),
        "member": rng.choice(["yes", "no"], n),
        "joined": pd.date_range("2019-01-01", periods=n, freq="5D").strftime("%Y-%m-%d"),
        "always": "same",
        "nothing": np.nan,
        "copy": y,
        "note": rng.choice(words, n),
        "uuid": [f"{i:08x}-aa" for i in rng.permutation(10**6)[:n]],
        "label": np.array(["cat", "dog"])[y],
    }


@pytest.fixture(scope="session")
def mixed():
    return pd.DataFrame(mixed_columns())


@pytest.fixture(scope="session")
def mixed_path(mixed, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "data.csv"
    mixed.to_csv(path, index=False)
    return path
