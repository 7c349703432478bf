import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import labelnoise as ln
from labelnoise.data.frames import features

COLUMNS = {
    "size": [1.5, 2.0, 3.0, 4.0],
    "old": [True, False, True, True],
    "kind": ["b", "a", "b", "c"],
}
EXPECTED = [[1.5, 1, 0, 1, 0], [2, 0, 1, 0, 0], [3, 1, 0, 1, 0], [4, 1, 0, 0, 1]]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_mixed_columns_become_numbers(make):
    np.testing.assert_array_equal(features(make(COLUMNS)), EXPECTED)


def test_pandas_categories_become_indicators():
    frame = pd.DataFrame(COLUMNS).astype({"kind": "category"})
    np.testing.assert_array_equal(features(frame), EXPECTED)


def test_arrays_lists_and_sparse_matrices_pass_through():
    table = np.array(EXPECTED)
    for kind in (table, table.tolist(), sparse.csr_array(table), sparse.coo_matrix(table)):
        np.testing.assert_array_equal(features(kind), table)


def test_a_missing_category_is_a_category():
    frame = pl.DataFrame({"kind": ["a", None, "a", "b"]})
    np.testing.assert_array_equal(features(frame).sum(axis=1), np.ones(4))
    assert features(frame).shape == (4, 3)


def test_missing_numbers_are_refused_by_column():
    with pytest.raises(ln.LabelNoiseError, match=r"column 'size' has 1 missing.*row 2.*Impute"):
        features(pd.DataFrame({"size": [1.0, 2.0, np.nan, 3.0]}))
    with pytest.raises(ln.LabelNoiseError, match="column 'size' has 1 missing"):
        features(pl.DataFrame({"size": [1, 2, None, 3]}))


def test_identifiers_and_dates_are_refused_by_column():
    names = [f"user{i}" for i in range(200)]
    with pytest.raises(ln.LabelNoiseError, match="column 'user' has 200 different values.*Drop it"):
        features(pl.DataFrame({"user": names}))
    days = [datetime.date(2020, 1, day) for day in (1, 2, 3)]
    with pytest.raises(ln.LabelNoiseError, match="column 'day' has type Date"):
        features(pl.DataFrame({"day": days}))


def test_a_frame_without_columns_is_refused():
    with pytest.raises(ln.LabelNoiseError, match="0 feature"):
        features(pd.DataFrame(index=range(5)))


@pytest.mark.parametrize(
    "names", [range(3), ["a", "a", "b"], [1.5, None, True], [("x", 1), ("x", 2), ("y", 1)]]
)
def test_pandas_columns_of_any_name(names):
    table = np.random.default_rng(0).normal(size=(5, 3))
    frame = pd.DataFrame(table)
    frame.columns = pd.Index(list(names))  # tuples make a MultiIndex
    np.testing.assert_array_equal(features(frame), table)


def test_missing_booleans_are_refused_by_column():
    frame = pd.DataFrame({"ok": pd.array([True, None, False, True], dtype="boolean")})
    with pytest.raises(ln.LabelNoiseError, match="column 'ok' has 1 missing"):
        features(frame)


def test_lazy_frames_and_masks_are_refused():
    with pytest.raises(ln.LabelNoiseError, match="collect"):
        features(pl.LazyFrame({"a": [1, 2, 3]}))
    with pytest.raises(ln.LabelNoiseError, match="masked"):
        features(np.ma.masked_greater(np.arange(6.0).reshape(3, 2), 4))


def test_columns_of_an_arrow_table_are_told_apart_by_their_names(task):
    X, _, noisy, _ = task
    table = pa.table({"a": X[:, 0], "b": X[:, 1], "again": X[:, 1]})  # equal data, other names
    found = ln.estimate(table, noisy, method="hoc").transition_matrix
    assert found == ln.estimate(X[:, [0, 1, 1]], noisy, method="hoc").transition_matrix
