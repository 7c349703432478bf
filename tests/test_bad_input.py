"""Input that cannot be used is refused, and odd input that can be used is used."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import labelnoise as ln
from messages import refused, warned

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = np.repeat([0, 1, 2], 20)


def changed(row, column, value):
    copy = X.copy()
    copy[row, column] = value
    return copy


LONE = np.where(np.arange(60) == 7, 9, Y)

CASES = {
    "NaN": (changed(3, 1, np.nan), Y, "features_not_finite"),
    "one class": (X, np.zeros(60), "single_class"),
    "class with one row": (X, LONE, "classes_with_one_row"),
    "two rows": (X[:2], Y[[0, 30]], "too_few_rows"),
    "all constant": (np.ones((60, 4)), Y, "features_constant"),
    "identical rows": (np.tile(X[:1], (60, 1)), Y, "features_constant"),
    "lengths": (X, Y[:50], "wrong_length"),
    "one label a row": (X, np.arange(60), "labels_look_like_ids"),
    "fractions": (X, RNG.normal(size=60), "fractional_labels"),
    "one dimension": (X[:, 0], Y, "features_not_usable"),
    "images": (X.reshape(60, 2, 2), Y, "features_not_usable"),
    "texts": (["a text"] * 60, Y, "features_not_usable"),
    "ragged rows": ([[1, 2]] * 59 + [[1]], Y, "features_not_usable"),
    "text in an array": (np.full((60, 2), "blue"), Y, "features_not_usable"),
    "no labels": (X, None, "labels_are_none"),
    "missing label in a series": (X, pd.Series(["a", None] * 30), "missing_labels"),
    "null label in polars": (X, pl.Series(["a", None] * 30), "missing_labels"),
    "mixed labels": (X, ["a", 1] * 30, "labels_of_mixed_types"),
    "one-hot labels": (X, np.eye(3)[Y], "labels_not_one_column"),
    "name of no column": (pd.DataFrame(X, columns=list("abcd")), "label", "no_such_column"),
    "name without a table": (X, "label", "column_name_without_table"),
}


@pytest.mark.parametrize(("features", "labels", "code"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("method", ["rank-gated", "hoc", "confident-learning"])
def test_input_that_cannot_be_used_is_refused(features, labels, code, method):
    with refused(code):
        ln.estimate(features, labels, method=method)


def test_unidentifiable_data_have_an_error_of_their_own():
    with pytest.raises(ln.NotIdentifiableError):
        ln.estimate(np.ones((60, 4)), Y)


def test_constant_columns_are_dropped_with_a_warning():
    wide = np.insert(X, [1, 3], 5.0, axis=1)
    with warned("constant_columns_dropped") as caught:
        est = ln.estimate(wide, Y)
    assert caught[0].message.note.facts["columns"] == [1, 4]
    np.testing.assert_allclose(est.transition_matrix, ln.estimate(X, Y).transition_matrix)


def test_duplicate_columns_and_rows_are_no_problem():
    for method in ln.METHODS:
        assert ln.estimate(np.hstack([X, X]), Y, method=method).n_rows == 60
        assert ln.estimate(np.vstack([X, X]), np.tile(Y, 2), method=method).n_rows == 120


def test_single_column_is_no_problem():
    for method in ln.METHODS:
        assert np.isfinite(ln.estimate(X[:, :1], Y, method=method).transition_matrix.values).all()


@pytest.mark.parametrize("method", ln.METHODS)
def test_huge_and_tiny_numbers_are_no_problem(method):
    plain = ln.estimate(X, Y, method=method).transition_matrix
    for scale in (1e-250, 1e-40, 1e150):
        est = ln.estimate(X * scale, Y, method=method)
        np.testing.assert_allclose(est.transition_matrix, plain, atol=1e-3)


def test_wide_data_are_no_problem():
    wide = RNG.normal(size=(60, 300))
    for method in ln.METHODS:
        assert np.isfinite(ln.estimate(wide, Y, method=method).transition_matrix.values).all()


def test_a_sparse_matrix_too_large_to_densify_is_refused():
    huge = sparse.coo_array((60, 10**8)).tocsc()
    with refused("features_too_large"):
        ln.estimate(huge, Y)


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"method": "magic"}, "unknown_choice"),
        ({"engine": "gpu"}, "unknown_choice"),
        ({"method": "a-kl", "divergence": "foo"}, "unknown_choice"),
        ({"method": "a-kl", "k": -3}, "not_a_whole_number"),
        ({"method": "hoc", "subsample": 1.5}, "not_a_fraction"),
        ({"method": "hoc", "n_starts": 0}, "not_a_whole_number"),
        ({"k": 3}, "unknown_parameters"),
        ({"method": "hoc", "pred_proba": np.eye(3)[Y]}, "input_not_used_by_method"),
        ({"random_state": "x"}, "not_a_random_state"),
        ({"classes": [0, 1]}, "labels_not_in_classes"),
        ({"classes": [0, 1, 1, 2]}, "classes_not_distinct"),
        ({"graph": np.zeros((50, 5), dtype=int)}, "graph_lists_invalid"),
    ],
)
def test_wrong_settings_are_refused(wrong, code):
    with refused(code):
        ln.estimate(X, Y, **wrong)


@pytest.mark.parametrize(
    ("given", "fact", "meant"),
    [
        ("group", "suggestion", "groups="),
        ("pred_probs", "suggestion", "pred_proba="),
        ("random_stat", "suggestion", "random_state="),
        ("drop", "of_table", "drop="),
        ("zzz", "suggestion", None),
    ],
)
def test_unknown_parameters_suggest_what_was_meant(given, fact, meant):
    with refused("unknown_parameters") as caught:
        ln.estimate(X, Y, **{given: "a"})
    note = caught.value.note
    assert note.facts.get(fact) == meant
    assert meant is None or meant in note.text()


def test_graph_and_labels_must_have_the_same_length():
    graph = ln.NeighborGraph.build(X, 10)
    with refused("wrong_length") as caught:
        ln.estimate(None, Y[:30], graph=graph)
    assert caught.value.note.facts["of"] == "graph"
    for method in ("rank-gated", "hoc"):
        with refused("wrong_length"):
            ln.estimate(X[:30], Y, graph=graph, method=method)


def test_input_is_left_as_it_was():
    features, labels = X.copy(), Y.copy()
    features.setflags(write=False)
    labels.setflags(write=False)
    for method in ln.METHODS:
        ln.estimate(features, labels, method=method)
    np.testing.assert_array_equal(features, X)


@pytest.mark.parametrize("method", ln.METHODS)
def test_columns_of_one_name_are_refused(task, method):
    X, _, noisy, _ = task
    frame = pd.DataFrame(X[:, :3], columns=["a", "a", "b"])
    with refused("repeated_column_names"):
        ln.estimate(frame, noisy, method=method)


def test_probabilities_with_some_columns_named_by_class_are_refused(task):
    _, _, noisy, _ = task
    frame = pd.DataFrame(np.full((len(noisy), 3), 1 / 3), columns=["b", "A", "c"])
    with refused("probabilities_partly_named"):
        ln.estimate(None, np.array(["a", "b", "c"])[noisy], pred_proba=frame)
