"""Columns made from the labels are told from columns that predict them."""

import ast
import re
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.decomposition import PCA

import labelnoise as ln
from labelnoise.data import leaks
from labelnoise.data.column_types import ColumnType
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.leaks import leaks_among
from labelnoise.data.settings import LEAK_FORESTS, LEAK_ROWS
from labelnoise.wording import Note

NAMES = tuple("abcdef")


def overlapping(seed, n=1500):
    """Features (n, 6) of three classes, and labels 20% of which are wrong."""
    rng = np.random.default_rng(seed)
    clean = rng.integers(3, size=n)
    X = 1.3 * rng.normal(size=(3, 6))[clean] + rng.normal(size=(n, 6))
    return X, np.array(ln.inject_noise(clean, ln.symmetric_noise(3, 0.2), rng)), rng


def leaking(X, columns, codes, confirmed=()):
    """Findings on features that are all columns of numbers."""
    note = Note("type_given")
    types = [ColumnType(name, "number", note, name in confirmed) for name in columns]
    encoder = SimpleNamespace(column_types_=types, feature_columns_=columns)
    return leaks_among(encoder, X, np.asarray(codes))


def named(X, columns, codes, confirmed=()):
    return [one.facts["column"] for one in leaking(X, columns, codes, confirmed)]


def named_in(frame, codes):
    """Columns that are named in a table, with the types that are suggested."""
    encoder = TableEncoder()
    found = leaks_among(encoder, encoder.fit_transform(frame, codes), codes)
    return {one.facts["column"]: one.facts["type"] for one in found}


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


def some_days(codes, rng):
    """A date in one of a hundred weeks, on a weekday that depends on the label."""
    days = 7 * rng.integers(100, size=len(codes)) + 2 * codes + rng.integers(2, size=len(codes))
    return pd.Timestamp("2020-01-06") + pd.to_timedelta(days, unit="D")


LEAKING_COLUMNS = {
    "number": LEAKS["a score"],
    "category": lambda codes, rng: [
        f"{i}-{c}-" for i, c in zip(rng.integers(30, size=len(codes)), codes, strict=True)
    ],
    "date": some_days,
    "vector": lambda codes, rng: list(
        np.column_stack([rng.normal(size=len(codes)), LEAKS["a score"](codes, rng)])
    ),
    "text": lambda codes, rng: [
        " ".join([*rng.choice(list("klmnopqrstuvw"), 5), ["yes", "no"][c]] * 2) for c in codes
    ],
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


@pytest.mark.parametrize("kind", LEAKING_COLUMNS)
@pytest.mark.parametrize("seed", range(3))
def test_leaks_are_seen_in_columns_of_every_type(kind, seed):
    X, noisy, rng = overlapping(seed)
    noisy %= 2 if kind == "text" else 3
    frame = pd.DataFrame(X, columns=list(NAMES))
    leak = pd.Series(LEAKING_COLUMNS[kind](noisy, rng))
    assert named_in(frame.assign(leak=leak), noisy) == {"leak": kind}
    assert named_in(frame.assign(leak=leak.sample(frac=1, random_state=seed).array), noisy) == {}


@pytest.mark.parametrize("seed", range(3))
def test_vectors_and_texts_that_predict_labels_with_many_features_are_not_named(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=1000)
    vectors = 2 * y[:, None] + rng.normal(size=(len(y), 8))
    assert named_in(pd.DataFrame({"v": list(vectors)}), y) == {}
    words = np.array([list("abcdefghij"), list("klmnopqrst")])
    topic = np.where(rng.random((len(y), 12)) < 0.7, y[:, None], 1 - y[:, None])
    texts = words[topic, rng.integers(10, size=topic.shape)]
    frame = pd.DataFrame({"t": [" ".join(f"{w}{w}" for w in text) for text in texts]})
    assert named_in(frame.assign(x=3 * y + rng.normal(size=len(y))), y) == {}


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


@pytest.mark.parametrize("scale", [1.0, 1e18])
@pytest.mark.parametrize("n", [1000, 6000])
def test_the_order_of_rows_does_not_matter(n, scale):
    X, noisy, rng = overlapping(0, n)
    huge = scale * rng.integers(-3, 3, size=n)
    X = np.column_stack([X.round(1), huge, LEAKS["a score"](noisy, rng).round(1)])
    order = rng.permutation(n)
    one, other = (
        [one.facts for one in leaking(X[rows], (*NAMES, "huge", "leak"), noisy[rows])]
        for rows in (slice(None), order)
    )
    assert len(one) == 1
    assert one == other


@pytest.mark.parametrize("of", ["array", "frame", "data set"])
def test_a_leak_is_found_once_wherever_features_come_from_unless_confirmed(of):
    X, noisy, rng = overlapping(1)
    X = np.column_stack([X, LEAKS["a score"](noisy, rng)])
    frame = pd.DataFrame(X, columns=[*NAMES, "leak"]).assign(label=noisy)
    table = pd.DataFrame(X).add_prefix("x").assign(label=noisy) if of == "array" else frame
    est = {
        "array": lambda: ln.estimate(X, noisy, n_draws=20),
        "frame": lambda: ln.estimate(frame, "label", n_draws=20),
        "data set": lambda: ln.estimate(ln.load_table(frame, "label"), n_draws=20),
    }[of]()
    (found,) = (one for one in est.diagnosis.findings if one.code == "column_predicts_label")
    assert found.facts["column"] == ("x6" if of == "array" else "leak")
    assert est.diagnosis.verdict != "reliable"
    printed = re.search(r"load_table\(table, label, column_types=(\{.*?\})\)", found.remedy())
    confirmed = ln.load_table(table, "label", column_types=ast.literal_eval(printed[1]))
    est = ln.estimate(confirmed, n_draws=20)
    assert "column_predicts_label" not in {one.code for one in est.diagnosis.findings}


def test_every_column_a_leak():
    _, noisy, rng = overlapping(0)
    X = np.column_stack([noisy + s * rng.normal(size=len(noisy)) for s in (0.1, 0.15)])
    assert named(X, ("one", "other"), noisy) == ["one", "other"]


def test_labels_that_occur_once_are_no_obstacle():
    X, noisy, _ = overlapping(0, n=200)
    noisy[0] = 3
    assert named(X, NAMES, noisy) == []


def test_constant_columns_are_no_obstacle():
    assert named(np.ones((100, 2)), ("a", "b"), np.arange(100) % 2) == []


@pytest.mark.parametrize("n", [6, 20_000])
def test_nothing_is_named_where_fewer_than_two_classes_are_left(n):
    X = np.random.default_rng(0).normal(size=(n, 2))
    codes = np.arange(n) if n < LEAK_ROWS else np.arange(n) == 0
    assert named(X, ("a", "b"), np.asarray(codes, dtype=int)) == []


def test_a_forest_is_fitted_only_where_a_single_column_does_not_settle_it(monkeypatch):
    fitted = []
    monkeypatch.setattr(leaks, "explained_by_trees", lambda X, codes: fitted.append(X) or 0.0)
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1000)
    alike = 2.5 * y[:, None] + rng.normal(size=(1000, 50))
    assert named(alike, [f"x{j}" for j in range(50)], y) == []
    assert not fitted
    score = (2.5 * y + rng.normal(size=1000))[:, None]
    near = score + np.geomspace(0.1, 0.6, 30) * rng.normal(size=(1000, 30))
    named(near, [f"x{j}" for j in range(30)], y)
    assert len(fitted) <= LEAK_FORESTS


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
def test_principal_components_are_not_named(load, noise):
    """The first explains far more than all others, by construction."""
    X, y = load(return_X_y=True)
    noisy = ln.inject_noise(y, ln.symmetric_noise(int(y.max()) + 1, noise), 0)
    Z = PCA().fit_transform(X / X.std(axis=0))
    assert named(Z, [f"x{j}" for j in range(Z.shape[1])], noisy) == []


@pytest.mark.parametrize("seed", range(3))
def test_the_only_informative_column_is_not_named(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=1000)
    x = 3 * y[:, None] + rng.normal(size=(1000, 1))
    useless = rng.normal(size=(1000, 4))
    assert named(x, ["x"], y) == []
    assert named(np.hstack([x, useless]), list("xabcd"), y) == []


@pytest.mark.parametrize("seed", range(3))
def test_a_column_of_texts_on_different_topics_is_not_named(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=800)
    words = rng.integers(300, size=(800, 15))
    topic = np.where(rng.random((800, 15)) < 0.4, y[:, None], 2)
    texts = [" ".join(map("w{}t{}".format, *pair)) for pair in zip(words, topic, strict=True)]
    noisy = ln.inject_noise(y, ln.symmetric_noise(2, 0.05), rng)
    assert named_in(pd.DataFrame({"t": texts}), noisy) == {}


@pytest.mark.parametrize("factor", [1e39, 1e90])
def test_units_do_not_matter_however_large_the_numbers(factor):
    X, noisy, rng = overlapping(0)
    X = np.column_stack([X, LEAKS["a score"](noisy, rng)])
    assert named(factor * X, (*NAMES, "leak"), noisy) == ["leak"]
