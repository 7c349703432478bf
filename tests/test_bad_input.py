"""What goes wrong is said clearly, and what to do about it."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import labelnoise as ln

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 4))
Y = np.repeat([0, 1, 2], 20)


def changed(row, column, value):
    copy = X.copy()
    copy[row, column] = value
    return copy


LONE = np.where(np.arange(60) == 7, 9, Y)

CASES = {
    "NaN": (changed(3, 1, np.nan), Y, r"NaN at row 3, column 1.*Impute or drop"),
    "infinity": (changed(3, 1, -np.inf), Y, r"infinity at row 3, column 1"),
    "one class": (X, np.zeros(60), r"y has 1 class \(0.0\).*at least two classes"),
    "class with one row": (X, LONE, r"only one row: 9\..*merge it with another class or drop it"),
    "two rows": (X[:2], Y[[0, 30]], r"at least 3 rows are required"),
    "no rows": (X[:0], Y[:0], r"at least 3 rows are required"),
    "no columns": (X[:, :0], Y, r"0 feature\(s\)"),
    "all constant": (np.ones((60, 4)), Y, r"every column of X is constant.*T is not identifiable"),
    "identical rows": (np.tile(X[:1], (60, 1)), Y, r"all 60 rows are identical.*T is not identifiable"),
    "lengths": (X, Y[:50], r"X has 60 rows but y has 50 labels"),
    "one label a row": (X, np.arange(60), r"60 distinct labels in 60 rows.*regression target"),
    "fewer rows than classes": (X[:3], ["a", "b", "c"], r"3 distinct labels in 3 rows"),
    "fractions": (X, RNG.normal(size=60), r"fractional numbers.*regression target"),
    "one dimension": (X[:, 0], Y, r"X has 1 dimension.*Reshape your data"),
    "three dimensions": (X[None], Y, r"X has 3 dimension"),
    "complex": (X * 1j, Y, "Complex data not supported"),
    "text": (np.full((60, 2), "blue"), Y, r"values that are not numbers.*one-hot encoded"),
    "objects": (np.full((60, 2), {}), Y, r"dtype object.*not numbers"),
    "no labels": (X, None, r"requires y to be passed, but the target y is None"),
    "missing label": (X, ["a", None] * 30, r"missing labels"),
    "NaN label": (X, np.where(Y == 1, np.nan, Y), r"missing labels"),
    "missing label in a series": (X, pd.Series(["a", None] * 30), r"missing labels"),
    "null label in polars": (X, pl.Series(["a", None] * 30), r"missing labels"),
    "missing date": (X, np.array(["2020-01-01", "NaT"] * 30, dtype="M8[D]"), r"missing labels"),
    "infinite label": (X, np.where(Y == 1, np.inf, Y), r"y contains inf"),
    "mixed labels": (X, ["a", 1] * 30, r"mixes labels of types int, str"),
    "mixed objects": (X, np.array(["a", 1] * 30, dtype=object), r"mixes labels of types int, str"),
    "one-hot labels": (X, np.eye(3)[Y], r"y should be a 1d array.*argmax"),
}  # fmt: skip


@pytest.mark.parametrize(("features", "labels", "message"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("method", ["hoc", "a-kl"])
def test_message(features, labels, message, method):
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.estimate(features, labels, method=method)


def test_unidentifiable_data_have_an_error_of_their_own():
    with pytest.raises(ln.NotIdentifiableError):
        ln.estimate(np.ones((60, 4)), Y)


def test_constant_columns_are_dropped_with_a_warning():
    wide = np.insert(X, [1, 3], 5.0, axis=1)
    with pytest.warns(
        ln.LabelNoiseWarning, match=r"2 of 6 columns of X are constant.*\(columns 1, 4\)"
    ):
        est = ln.estimate(wide, Y)
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
    for scale in (1e-250, 1e-150, 1e-40, 1e40, 1e150, 1e250):
        est = ln.estimate(X * scale, Y, method=method)
        np.testing.assert_allclose(est.transition_matrix, plain, atol=1e-3)


def test_wide_data_are_no_problem():
    wide = RNG.normal(size=(60, 300))
    for method in ln.METHODS:
        assert np.isfinite(ln.estimate(wide, Y, method=method).transition_matrix.values).all()


def test_a_sparse_matrix_too_large_to_densify_is_refused():
    huge = sparse.coo_array((60, 10**8)).tocsc()
    with pytest.raises(ln.LabelNoiseError, match="GiB.*TruncatedSVD"):
        ln.estimate(huge, Y)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"method": "magic"}, "unknown method 'magic'.*rank-gated, hoc, x-kl, x-tv, a-kl, a-tv"),
        ({"method": "a-kl", "k": -3}, "k must be a whole number of at least 1, got -3"),
        ({"method": "hoc", "k": "many"}, "k must be a whole number"),
        ({"method": "hoc", "subsample": 0}, "subsample must be"),
        ({"method": "hoc", "subsample": 1.5}, "subsample must be"),
        ({"method": "hoc", "rounds": 0}, "rounds must be"),
        ({"method": "hoc", "n_starts": 0}, "n_starts must be"),
        ({"metric": "manhattan"}, "unknown metric"),
        ({"method": "a-kl", "divergence": "foo"}, "unknown divergence"),
        ({"engine": "gpu"}, "unknown engine"),
        ({"noise": "white"}, "unknown noise 'white'. Choose one of: class, instance"),
        ({"n_draws": -1}, "n_draws must be"),
        ({"representation": "pca"}, "representation must be a Representation or None"),
        ({"k": 3}, "unknown parameter 'k'. RankGatedEstimator takes: .*classes"),
        ({"method": "hoc", "pred_proba": np.eye(3)[Y]}, "'hoc' does not use pred_proba"),
        (
            {"method": "a-kl", "neighbors": 3},
            "unknown parameter 'neighbors'. InformationEstimator takes: .*classes",
        ),
        ({"random_state": "x"}, "random_state must be"),
        ({"classes": [0, 1]}, "classes= does not name: 2"),
        ({"classes": [0, 1, 1, 2]}, "each once, got 0, 1, 1, 2"),
        ({"classes": 1.5}, "number or a sequence of labels"),
        ({"graph": np.zeros((50, 5), dtype=int)}, "names a neighbor twice"),
    ],
)
def test_wrong_settings_are_refused(wrong, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.estimate(X, Y, **wrong)


def test_graph_and_labels_must_have_the_same_length():
    graph = ln.NeighborGraph.build(X, 10)
    with pytest.raises(ln.LabelNoiseError, match="60 rows but y has 30"):
        ln.estimate(None, Y[:30], graph=graph)
    for method in ("rank-gated", "hoc"):
        with pytest.raises(ln.LabelNoiseError, match="graph has 60 rows and X has 30"):
            ln.estimate(X[:30], Y, graph=graph, method=method)
    with pytest.raises(ln.LabelNoiseError, match="Pass features, neighbors as graph="):
        ln.estimate(None, Y)


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
    with pytest.raises(ln.LabelNoiseError, match="several columns named 'a'"):
        ln.estimate(frame, noisy, method=method)


def test_probabilities_with_some_columns_named_by_class_are_refused(task):
    _, _, noisy, _ = task
    frame = pd.DataFrame(np.full((len(noisy), 3), 1 / 3), columns=["b", "A", "c"])
    with pytest.raises(ln.LabelNoiseError, match="Name all columns by their class"):
        ln.estimate(None, np.array(["a", "b", "c"])[noisy], pred_proba=frame)


def test_probabilities_of_new_rows_need_probabilities_of_the_old(task):
    X, _, noisy, _ = task
    model = ln.RankGatedEstimator(n_draws=0).fit(X, noisy)
    with pytest.raises(ln.LabelNoiseError, match="was fitted without"):
        model.predict_proba(X, pred_proba=np.full((len(X), 3), 1 / 3))
