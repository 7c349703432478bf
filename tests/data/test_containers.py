"""Containers: what comes out is of the kind that went in, and nothing of it is lost."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import labelnoise as ln
from labelnoise.data.containers import (
    LIBRARIES,
    as_columns,
    as_frame,
    frame_library,
    labels_like,
    row_ids,
)

COLUMNS = {"row": np.array([3, 1]), "given": np.array(["a", "b"]), "near": [[1, 2], []]}


@pytest.mark.parametrize("library", LIBRARIES)
def test_columns_survive_every_library(library):
    frame = as_frame(COLUMNS, library)
    assert frame_library(frame) == library
    assert len(frame) == 2
    assert as_columns(frame, "frame") == {"row": [3, 1], "given": ["a", "b"], "near": [[1, 2], []]}


def test_a_library_that_is_not_there_is_named():
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "from labelnoise.data.containers import as_frame\n"
        "as_frame({'row': [1]}, 'polars')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "LabelNoiseError: polars is not installed" in done.stderr


def test_rows_are_called_by_ids_by_index_or_by_position():
    frame = pd.DataFrame({"x": [1, 2]}, index=["u", "v"])
    assert row_ids(None, 2, frame["x"], frame).tolist() == ["u", "v"]
    assert row_ids(None, 2, [1, 2], frame).tolist() == [0, 1]
    assert row_ids(["p", "q"], 2, frame["x"]).tolist() == ["p", "q"]
    assert row_ids(None, 2, pl.Series([1, 2])).tolist() == [0, 1]
    assert row_ids(None, 0, []).tolist() == []
    with pytest.raises(ln.LabelNoiseError) as caught:
        row_ids(None, 2, frame["x"].set_axis(["u", "u"]))
    assert caught.value.note.code == "ids_not_distinct"


def test_labels_keep_their_container_and_type():
    codes = np.array([1, 0])
    assert labels_like(np.array([5, 7], np.int8), codes, (5, 7)).dtype == np.int8
    assert labels_like(["a", "b"], codes, ("a", "b")).tolist() == ["b", "a"]
    assert labels_like(np.array(["a", "b"]), codes, ("a", "longer")).tolist() == ["longer", "a"]
    series = labels_like(pd.Series([5, 7], index=["u", "v"], name="y"), codes, (5, 7))
    pd.testing.assert_series_equal(series, pd.Series([7, 5], index=["u", "v"], name="y"))


@pytest.mark.parametrize("kind", [pl.Boolean, pl.Enum(["a", "b"]), pl.Categorical])
@pytest.mark.parametrize("classes", [("a", "b"), ("a", "c"), (1, 300), (True, False)])
def test_labels_that_a_type_of_polars_cannot_hold_keep_their_own(kind, classes):
    y = pl.Series([None, None], dtype=kind)
    assert labels_like(y, np.array([1, 0]), classes).to_list() == [*reversed(classes)]


def test_labels_that_a_type_of_pandas_cannot_hold_keep_their_own():
    y = pd.Series(["a", "b"], dtype=pd.CategoricalDtype(["a", "b"]))
    assert labels_like(y, np.array([1, 0]), ("a", "b")).dtype == y.dtype
    assert labels_like(y, np.array([1, 0]), ("a", "c")).tolist() == ["c", "a"]
    y = pd.Series([1, 2], dtype="Int8")
    assert labels_like(y, np.array([1, 0]), (1, 300)).tolist() == [300, 1]


def test_tuples_become_text_where_frames_have_none():
    columns = {"row": [("x", 1), ("x", 2)], "n": [1, 2]}
    for library in ("polars", "pyarrow"):
        assert as_columns(as_frame(columns, library), "it")["row"] == ["('x', 1)", "('x', 2)"]
    assert as_frame(columns, "pandas")["row"].tolist() == columns["row"]


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_a_column_that_fits_no_frame_is_refused(library):
    with pytest.raises(ln.LabelNoiseError) as caught:
        as_frame({"mixed": [1, "a"]}, library)
    assert caught.value.note.code == "column_does_not_fit_frame"
