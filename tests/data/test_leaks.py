"""Columns made from the labels are told from columns that predict them."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_wine

import labelnoise as ln
from labelnoise.data.leaks import leaking_columns

NAMES = tuple("abcdef")


def overlapping(seed, n=1500):
    """Features (n, 6) of three classes, and labels 20% of which are wrong."""
    rng = np.random.default_rng(seed)
    clean = rng.integers(3, size=n)
    X = 1.3 * rng.normal(size=(3, 6))[clean] + rng.normal(size=(n, 6))
    return X, ln.inject_noise(clean, ln.symmetric_noise(3, 0.2), rng), rng


def named(X, columns, codes, confirmed=()):
    return [one.facts["column"] for one in leaking_columns(X, columns, codes, confirmed)]


LEAKS = {
    "a score": lambda codes, rng: codes + 0.3 * rng.normal(size=len(codes)),
    "nearly a copy": lambda codes, rng: np.where(
        rng.random(len(codes)) < 0.1, rng.integers(3, size=len(codes)), codes
    ),
    "row numbers of a sorted table": lambda codes, rng: np.argsort(np.argsort(codes)),
    "a probability": lambda codes, rng: (
        np.where(codes == 0, 1, 0) * 0.8 + rng.uniform(0, 0.2, size=len(codes))
    ),
}


@pytest.mark.parametrize("kind", LEAKS)
@pytest.mark.parametrize("seed", range(3))
def test_columns_made_from_noisy_labels_are_named_and_no_others(kind, seed):
    X, noisy, rng = overlapping(seed)
    leak = LEAKS[kind](noisy, rng)
    with_leak = np.column_stack([X, leak.astype(float)])
    assert named(with_leak, (*NAMES, "leak"), noisy) == ["leak"]
    assert named(with_leak, (*NAMES, "leak"), noisy, confirmed=["leak"]) == []
    assert named(X, NAMES, noisy) == []


@pytest.mark.parametrize("seed", range(3))
def test_two_leaks_do_not_hide_each_other(seed):
    X, noisy, rng = overlapping(seed)
    leak = noisy + 0.2 * rng.normal(size=len(noisy))
    again = 5 - 3 * leak + 0.01 * rng.normal(size=len(noisy))
    found = named(np.column_stack([X, leak, again]), (*NAMES, "leak", "again"), noisy)
    assert set(found) == {"leak", "again"}


@pytest.mark.parametrize("load", [load_wine, load_breast_cancer])
def test_genuine_columns_are_not_named(load):
    X, y = load(return_X_y=True)
    columns = [f"x{j}" for j in range(X.shape[1])]
    assert named(X, columns, y) == []
    rates = ln.symmetric_noise(int(y.max()) + 1, 0.2)
    assert named(X, columns, ln.inject_noise(y, rates, 0)) == []


def test_the_order_of_rows_does_not_matter():
    X, noisy, rng = overlapping(0, n=6000)
    X = np.column_stack([X, LEAKS["a score"](noisy, rng)])
    order = rng.permutation(len(X))
    one, other = (
        [finding.facts for finding in leaking_columns(X[rows], (*NAMES, "leak"), noisy[rows])]
        for rows in (slice(None), order)
    )
    assert one == other


@pytest.mark.parametrize("of", ["array", "frame", "data set"])
def test_a_leak_is_a_finding_wherever_the_features_come_from(of):
    X, noisy, rng = overlapping(1)
    X = np.column_stack([X, LEAKS["a score"](noisy, rng)])
    frame = pd.DataFrame(X, columns=[*NAMES, "leak"]).assign(label=noisy)
    est = {
        "array": lambda: ln.estimate(X, noisy, n_draws=20),
        "frame": lambda: ln.estimate(frame, "label", n_draws=20),
        "data set": lambda: ln.estimate(ln.Dataset.from_table(frame, "label"), n_draws=20),
    }[of]()
    found = [one for one in est.diagnosis.findings if one.code == "column_predicts_label"]
    assert [one.facts["column"] for one in found] == ["x6" if of == "array" else "leak"]
    assert est.diagnosis.verdict != "reliable"


def test_every_column_a_leak():
    _, noisy, rng = overlapping(0)
    X = np.column_stack([noisy + s * rng.normal(size=len(noisy)) for s in (0.1, 0.15)])
    assert named(X, ("one", "other"), noisy) == ["one", "other"]


def test_labels_that_occur_once_are_no_obstacle():
    X, noisy, _ = overlapping(0, n=200)
    noisy[0] = 3
    assert named(X, NAMES, noisy) == []
