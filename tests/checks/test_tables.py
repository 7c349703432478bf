"""Features and class probabilities that cannot be used, and what the error says about them."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import labelnoise as ln
from labelnoise import checks
from messages import refused, warned

X = np.random.default_rng(0).normal(size=(60, 4))
Y = np.repeat([0, 1, 2], 20)


def changed(row, column, value):
    copy = X.copy()
    copy[row, column] = value
    return copy


REFUSED = {
    "nothing": (None, "features_missing", {}),
    "NaN": (changed(3, 1, np.nan), "features_not_finite", {"row": 3, "column": 1, "n_values": 1}),
    "infinity": (changed(3, 1, -np.inf), "features_not_finite", {"row": 3, "column": 1}),
    "masked": (np.ma.masked_less(X, 0), "masked_features", {}),
    "complex numbers": (X * 1j, "features_not_usable", {}),
    "one feature": (X[:, 0], "features_not_usable", {}),
    "no columns": (X[:, :0], "no_features", {}),
    "a dictionary": ({"a": [1.0, 2.0] * 30}, "features_not_usable", {}),
    "a list of dictionaries": ([{"a": 1.0}] * 60, "features_not_usable", {}),
    "a list of texts": (["a text", "another"] * 30, "features_not_usable", {}),
    "a series of texts": (pd.Series(["a text"] * 60), "features_not_usable", {}),
    "an array of texts": (np.array(["a", "b"] * 30), "features_not_usable", {}),
    "images": (np.zeros((60, 8, 8)), "features_not_usable", {}),
    "color images": (np.zeros((60, 8, 8, 3)), "features_not_usable", {}),
    "a list of images": ([np.zeros((8, 8))] * 60, "features_not_usable", {}),
    "images of two sizes": (
        [np.zeros((8, 8)), np.zeros((8, 9))] * 30,
        "features_not_usable",
        {},
    ),
    "ragged rows": (
        [[1.0, 2.0]] * 7 + [[1.0]] + [[1.0, 2.0]] * 52,
        "features_not_usable",
        {},
    ),
    "ragged objects": (
        np.array([[1], [1, 2]] * 30, dtype=object),
        "features_not_usable",
        {},
    ),
    "words": (np.full((60, 2), "blue"), "features_not_usable", {}),
    "objects": (np.full((60, 2), {}), "features_not_usable", {}),
    "constants": (np.ones((60, 4)), "features_constant", {}),
    "too large when dense": (
        sparse.coo_array((60, 10**8)).tocsc(),
        "features_too_large",
        {"limit": 2.0},
    ),
}


@pytest.mark.parametrize(("features", "code", "facts"), REFUSED.values(), ids=REFUSED)
def test_features_that_cannot_be_used_are_refused(features, code, facts):
    with refused(code) as caught:
        ln.estimate(features, Y, method="t-vol")
    assert caught.value.note.facts.items() >= facts.items()


def test_constant_columns_are_dropped_with_a_warning():
    wide = np.insert(X, [1, 3], 5.0, axis=1)
    with warned("constant_columns_dropped") as caught:
        kept = checks.varying_columns(wide)
    np.testing.assert_array_equal(kept, X)
    assert caught[0].message.note.facts == {"n": 2, "n_columns": 6, "columns": [1, 4]}


def test_tables_of_numbers_are_used_as_they_are():
    for table in (X, X.tolist(), sparse.csr_array(X), X.astype(object), np.asfortranarray(X)):
        np.testing.assert_array_equal(checks.feature_matrix(table), X)
    assert checks.feature_matrix(X) is X  # no copy


def test_very_large_numbers_are_finite():
    assert checks.feature_matrix(np.full((3, 2), 1e308)).max() == 1e308


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (np.full(60, 0.5), "probabilities_not_a_table"),
        (np.full((60, 3), "a"), "probabilities_not_a_table"),
        (np.full((60, 2), 0.5), "probabilities_of_wrong_shape"),
        (np.full((50, 3), 1 / 3), "probabilities_of_wrong_shape"),
        (np.full((60, 3), 0.5), "probabilities_do_not_sum_to_one"),
        (np.full((60, 3), np.nan), "probabilities_do_not_sum_to_one"),
        (np.tile([1.5, -0.5, 0.0], (60, 1)), "probabilities_do_not_sum_to_one"),
        (pd.DataFrame(np.full((60, 3), 1 / 3), columns=[0, 1, "x"]), "probabilities_partly_named"),
    ],
)
def test_numbers_that_are_no_probabilities_are_refused(values, code):
    with refused(code):
        checks.probabilities(values, 60, [0, 1, 2])


def test_columns_named_by_class_are_put_in_order():
    table = pd.DataFrame([[0.1, 0.7, 0.2]], columns=["c", "a", "b"])
    np.testing.assert_allclose(checks.probabilities(table, 1, "abc"), [[0.7, 0.2, 0.1]])


def test_rounding_is_removed_from_probabilities():
    rounded = np.array([[0.3333, 0.3333, 0.3333], [1.0001, -0.0001, 0.0]])
    found = checks.probabilities(rounded, 2, "abc")
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found.min() >= 0
