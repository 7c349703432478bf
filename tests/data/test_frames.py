"""Tables of every library become the same Arrow table."""

import datetime

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelnoise as ln
from labelnoise.data.frames import as_arrow, is_table, split_column
from labelnoise.errors import LabelNoiseError
from messages import warned

COLUMNS = {
    "size": [1.5, None, 3.0],
    "old": [True, False, True],
    "kind": ["b", None, "a"],
    "day": [datetime.date(2024, 1, d) for d in (1, 2, 3)],
}
TABLES = {
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "pyarrow": pa.table,
    "batch": lambda columns: pa.table(columns).to_batches()[0],
    "datasets": datasets.Dataset.from_dict,
}


@pytest.mark.parametrize("library", TABLES)
def test_a_table_of_any_library_is_the_same_arrow_table(library):
    table = TABLES[library](COLUMNS)
    assert is_table(table)
    assert as_arrow(table).to_pydict() == COLUMNS


def test_selected_rows_of_a_dataset_are_those_that_are_read():
    table = datasets.Dataset.from_dict(COLUMNS).select([2, 0])
    assert as_arrow(table)["kind"].to_pylist() == ["a", "b"]


def test_arrays_and_lists_are_not_tables():
    for value in (np.eye(2), [[1, 2]], pd.Series([1]), None):
        assert not is_table(value)


@pytest.mark.parametrize("names", [range(3), [1.5, None, True], [("x", 1), ("x", 2), ("y", 1)]])
def test_pandas_columns_of_any_name(names):
    values = np.arange(6.0).reshape(2, 3)
    frame = pd.DataFrame(values)
    frame.columns = pd.Index(list(names))  # tuples make a MultiIndex
    table = as_arrow(frame)
    assert table.column_names == [str(name) for name in frame.columns]
    np.testing.assert_array_equal(np.column_stack(table.columns), values)


def test_columns_of_one_name_are_refused():
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "b", "a"])
    with pytest.raises(LabelNoiseError) as caught:
        as_arrow(frame)
    assert caught.value.note.code == "repeated_column_names"
    assert caught.value.note.facts["columns"] == ["a"]


def test_lazy_frames_are_refused():
    with pytest.raises(LabelNoiseError) as caught:
        as_arrow(pl.LazyFrame(COLUMNS))
    assert caught.value.note.code == "lazy_frame"


def test_a_column_of_mixed_objects_becomes_text():
    frame = pd.DataFrame({"a": [1, "two", None, 3.5]})
    assert as_arrow(frame)["a"].to_pylist() == ["1", "two", None, "3.5"]


def test_categories_of_pandas_own_types_are_named():
    binned = pd.DataFrame({"size": pd.cut(pd.Series([1.0, 2.0, 9.0, None]), [0, 5, 10])})
    column = as_arrow(binned)["size"].combine_chunks()
    assert pa.types.is_dictionary(column.type)
    assert column.to_pylist() == ["(0, 5]", "(0, 5]", "(5, 10]", None]


def test_labels_that_may_be_none_or_the_same_are_warned_of():
    labels = ["CH", "ch", "CH ", "DE", "NA", "", " "] * 8
    for library in ("pandas", "polars", "pyarrow"):
        table = TABLES[library]({"x": list(range(56)), "y": labels})
        with warned("labels_spelled_alike", "label_like_missing") as caught:
            _, values = split_column(table, "y", "y")
        assert values.tolist() == labels
        alike, unclear = (one.message.note.facts["labels"] for one in caught)
        assert sorted(alike) == ["CH", "CH ", "ch"]
        assert sorted(unclear) == ["", " ", "NA"]
    split_column(table, "y", "groups")  # what is no label may be spelled in any way


def test_a_text_column_without_values_is_left_out():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=80)
    x = labels + rng.normal(size=80)
    frame = pd.DataFrame({"x": x, "y": labels})
    for empty in (
        "",
        " ",
        pd.Series(80 * [""], dtype="string"),
        pd.Series(80 * [None], dtype="string"),
    ):
        encoder = ln.TableEncoder().fit(frame.assign(note=empty).drop(columns="y"))
        (_, note) = encoder.column_types_
        assert (note.type, note.reason.code) == ("skip", "column_empty")
    est = ln.estimate(frame.assign(note=""), "y", random_state=0)
    assert est == ln.estimate(frame, "y", random_state=0)
