"""Containers: what comes out is of the kind that went in, and nothing of it is lost."""

import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import labelnoise as ln
from labelnoise.data.containers import (
    KINDS,
    Table,
    as_columns,
    as_frame,
    kind_of,
    labels_like,
    row_ids,
)

COLUMNS = {"row": np.array([3, 1]), "given": np.array(["a", "b"]), "near": [[1, 2], []]}


@pytest.mark.parametrize("kind", KINDS)
def test_columns_survive_every_kind_of_frame(kind):
    frame = as_frame(COLUMNS, kind)
    assert kind_of(frame) == kind
    assert len(frame) == 2
    assert as_columns(frame, "frame") == {"row": [3, 1], "given": ["a", "b"], "near": [[1, 2], []]}


def test_a_library_that_is_not_there_is_named():
    code = (
        "import sys; sys.modules['polars'] = None\n"
        "from labelnoise.data.containers import as_frame\n"
        "as_frame({'row': [1]}, 'polars')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "LabelNoiseError: output='polars' needs polars, which is not installed" in done.stderr


def test_rows_are_called_by_ids_by_index_or_by_position():
    frame = pd.DataFrame({"x": [1, 2]}, index=["u", "v"])
    assert row_ids(None, 2, frame["x"], frame).tolist() == ["u", "v"]
    assert row_ids(None, 2, [1, 2], frame).tolist() == [0, 1]
    assert row_ids(["p", "q"], 2, frame["x"]).tolist() == ["p", "q"]
    assert row_ids(None, 2, pl.Series([1, 2])).tolist() == [0, 1]
    assert row_ids(None, 0, []).tolist() == []
    with pytest.raises(ln.LabelNoiseError, match="row ids are not distinct: 'u'"):
        row_ids(None, 2, frame["x"].set_axis(["u", "u"]))


def test_a_long_table_shows_its_beginning():
    table = Table({"n": list(range(30)), "text": ["x" * 100 + "\n<b>"] * 30})
    assert len(repr(table).splitlines()) == 12
    assert "(30 rows)" in table._repr_html_()
    assert "<b>" not in table._repr_html_()
    assert repr(Table({"n": []})) == "n"
    assert "img_00001" in repr(Table({"file": ["images/img_00001_and_a_long_rest.png"]}))


def test_labels_keep_their_container_and_type():
    codes = np.array([1, 0])
    assert labels_like(np.array([5, 7], np.int8), codes, (5, 7)).dtype == np.int8
    assert labels_like(["a", "b"], codes, ("a", "b")).tolist() == ["b", "a"]
    assert labels_like(np.array(["a", "b"]), codes, ("a", "longer")).tolist() == ["longer", "a"]
    series = labels_like(pd.Series([5, 7], index=["u", "v"], name="y"), codes, (5, 7))
    pd.testing.assert_series_equal(series, pd.Series([7, 5], index=["u", "v"], name="y"))


def test_tuples_are_text_where_frames_have_none_and_what_does_not_fit_is_said():
    columns = {"row": [("x", 1), ("x", 2)], "n": [1, 2]}
    for kind in ("polars", "pyarrow"):
        assert as_columns(as_frame(columns, kind), "it")["row"] == ["('x', 1)", "('x', 2)"]
    assert as_frame(columns, "pandas")["row"].tolist() == columns["row"]
    for kind in ("polars", "pyarrow"):
        with pytest.raises(ln.LabelNoiseError, match=f"does not fit into a {kind} frame"):
            as_frame({"mixed": [1, "a"]}, kind)


def test_a_column_can_be_added_by_position_whatever_holds_it():
    table = Table({"row": [3, 1], "given": ["cat", "dog"]})
    table["reviewed"] = pd.Series(["a", "b"], index=[1, 3])
    assert table[:1]["reviewed"] == ["a"]
    assert table.columns == ["row", "given", "reviewed"]
    for name, values in ((0, [1, 2]), ("x", [1]), ("x", "ab"), ("x", 7)):
        with pytest.raises(ln.LabelNoiseError, match="one value for each of 2 rows"):
            table[name] = values
