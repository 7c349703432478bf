"""Review: out to files and back, all fixes or none, never onto the wrong rows."""

import csv
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelnoise as ln
from labelnoise.data.containers import Table

ISSUES = {
    "row": [4, 0, 2],
    "given": ["dog", "cat", 'it\'s, "odd"\n'],
    "suggested": ["cat", "dog", "cat"],
    "p_wrong": [0.9, 0.8, 0.7],
    "neighbors": [[1, 2], [], [0]],
    "neighbor_labels": [["cat", "é"], [], ["dog"]],
    "text": ["<b>", None, "=1+1"],
}
Y = ["cat", "dog", 'it\'s, "odd"\n', "dog", "dog"]


def reviewed_csv(path, labels):
    """Fill in the reviewed labels of an exported file, as a reviewer would."""
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row, label in zip(rows, labels, strict=True):
        row["reviewed"] = label
    with path.open("w", newline="", encoding="utf-8-sig") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def annotate(path, labels):
    """Put annotations into exported tasks, as Label Studio would."""
    tasks = json.loads(path.read_text(encoding="utf-8"))
    for task, label in zip(tasks, labels, strict=True):
        result = dict(task["predictions"][0]["result"][0], value={"choices": [str(label)]})
        task["annotations"] = [{"result": [result]}]
    path.write_text(json.dumps(tasks), encoding="utf-8")


@pytest.mark.parametrize("make", [Table, pd.DataFrame, pl.DataFrame, dict])
def test_csv_round_trip(tmp_path, make):
    path = tmp_path / "issues.csv"
    ln.export_label_issues(make(ISSUES), path)
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["row"] for row in rows] == ["4", "0", "2"]
    assert rows[2]["given"] == ISSUES["given"][2]
    assert json.loads(rows[0]["neighbor_labels"]) == ["cat", "é"]
    assert rows[0]["reviewed"] == ""
    reviewed_csv(path, ["cat", "", 'it\'s, "odd"\n'])
    assert ln.apply_fixes(Y, path).tolist() == ["cat", "dog", Y[2], "dog", "cat"]


def test_tsv_and_parquet_round_trip(tmp_path):
    for ending in ("tsv", "parquet"):
        path = tmp_path / f"issues.{ending}"
        ln.export_label_issues({**ISSUES, "reviewed": ["cat", None, "dog"]}, path)
        assert ln.apply_fixes(Y, path).tolist() == ["cat", "dog", "dog", "dog", "cat"]
    pd.testing.assert_series_equal(
        pd.read_parquet(path)["neighbors"].map(list),
        pd.Series(ISSUES["neighbors"], name="neighbors"),
    )


def test_no_spreadsheet_runs_a_text_as_a_formula(tmp_path):
    hostile = ["=HYPERLINK(1)", "+1 item", "-2", "@me", "'=quoted", "\ttab", "plain"]
    issues = {
        "row": [f"={i}" for i in range(7)],
        "given": hostile,
        "suggested": hostile[::-1],
        "p_wrong": [0.9] * 7,
        "=text": hostile,
        "reviewed": hostile[::-1],
    }
    for ending in ("csv", "tsv"):
        path = tmp_path / f"issues.{ending}"
        ln.export_label_issues(issues, path)
        frame = pd.read_csv(path, sep="," if ending == "csv" else "\t", dtype=str)
        cells = [str(cell) for cell in [*frame.columns, *frame.to_numpy().ravel()]]
        assert not [cell for cell in cells if cell[0] in "=+@\t" or cell[:2] == "- "]
        assert "-2" in cells  # a number is none
        fixed = ln.apply_fixes(hostile, path, ids=issues["row"])
        assert fixed.tolist() == hostile[::-1]


def test_label_studio_round_trip(tmp_path):
    path = tmp_path / "tasks.json"
    ln.export_label_issues(pd.DataFrame({**ISSUES, "text": ["<b>", np.nan, "x"]}), path)
    tasks = json.loads(path.read_text(encoding="utf-8"))
    assert tasks[0]["data"]["row"] == 4
    assert tasks[1]["data"]["text"] is None
    (prediction,) = tasks[0]["predictions"]
    assert prediction["score"] == 0.9
    assert prediction["model_version"] == f"labelnoise {ln.__version__}"
    (result,) = prediction["result"]
    assert result == {
        "from_name": "label",
        "to_name": "text",
        "type": "choices",
        "value": {"choices": ["cat"]},
    }
    # As Label Studio exports them: a cancelled annotation, a skipped task, and a decision.
    tasks[0]["annotations"] = [
        {"result": [{**result, "value": {"choices": ["cat"]}}]},
        {"was_cancelled": True, "result": []},
    ]
    tasks[1]["annotations"] = None
    tasks[2]["annotations"] = [{"result": [{**result, "value": {"choices": ["dog"]}}]}]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    assert ln.apply_fixes(Y, path).tolist() == ["cat", "dog", "dog", "dog", "cat"]
    tasks[2]["annotations"][0]["result"][0]["value"]["choices"] = ["dog", "cat"]
    path.write_text(json.dumps(tasks), encoding="utf-8")
    with pytest.raises(ln.LabelNoiseError, match="row 2 was given 2 labels"):
        ln.apply_fixes(Y, path)
    # Other controls of the same project are none of our business.
    comment = {"from_name": "why", "type": "textarea", "value": {"text": ["hm"]}}
    tasks[2]["annotations"] = [{"result": [comment]}]
    tasks[0]["annotations"][0]["result"].append({**result, "from_name": "quality"})
    path.write_text(json.dumps(tasks), encoding="utf-8")
    assert ln.apply_fixes(Y, path).tolist() == [*Y[:4], "cat"]


def test_found_issues_go_out_and_come_back(task, tmp_path):
    X, clean, noisy, _ = task
    issues = ln.find_label_issues(X, noisy, content=[f"row {i}" for i in range(len(X))])
    issues["reviewed"] = clean[issues["row"]]
    fixed = ln.apply_fixes(noisy, issues)
    assert (fixed != clean).mean() < 0.4 * (noisy != clean).mean()
    for ending in ("csv", "tsv", "parquet"):
        ln.export_label_issues(issues, tmp_path / f"issues.{ending}")
        np.testing.assert_array_equal(ln.apply_fixes(noisy, tmp_path / f"issues.{ending}"), fixed)
    ln.export_label_issues(issues, tmp_path / "issues.json")
    annotate(tmp_path / "issues.json", issues["reviewed"])
    np.testing.assert_array_equal(ln.apply_fixes(noisy, tmp_path / "issues.json"), fixed)
    # Suggestions that are likelier than not mend more than they break, unseen.
    sure = np.flatnonzero(issues["p_suggested"] > 0.5)
    unseen = {name: [issues[name][i] for i in sure] for name in ("row", "given", "suggested")}
    assert (ln.apply_fixes(noisy, unseen, column="suggested") != clean).mean() < (
        noisy != clean
    ).mean()


def test_labels_come_back_in_their_own_container():
    fixes = {"row": ["b"], "given": [1], "reviewed": [0]}
    series = pd.Series([1, 1, 0], index=list("abc"), name="y")
    fixed = ln.apply_fixes(series, fixes)
    pd.testing.assert_series_equal(fixed, pd.Series([1, 0, 0], index=list("abc"), name="y"))
    assert series["b"] == 1
    assert ln.apply_fixes(pl.Series("y", [1, 1, 0]), {0: 0}).to_list() == [0, 1, 0]
    assert ln.apply_fixes(np.array([1, 1, 0], dtype=np.int8), {2: 1}).dtype == np.int8
    assert ln.apply_fixes(["a", "b"], {"x": "b"}, ids=["x", "y"]).tolist() == ["b", "b"]
    assert ln.apply_fixes(np.array(["a", "b"], dtype=object), {0: "b"}).dtype == object


@pytest.mark.parametrize("dtype", ["category", "string", "object"])
def test_types_of_pandas_series_are_kept(dtype):
    y = pd.Series(["a", "b", "b"], dtype=dtype)
    pd.testing.assert_series_equal(ln.apply_fixes(y, {0: "b"}), pd.Series(["b"] * 3, dtype=y.dtype))
    new = ln.apply_fixes(y, {0: "c"}, classes=["a", "b", "c"])
    assert new.tolist() == ["c", "b", "b"]  # in another type, if the old one has no such category


def test_types_of_other_series_are_kept():
    assert ln.apply_fixes(pd.Series([1, 2, 2], dtype="Int64"), {0: 2}).dtype == "Int64"
    arrow = pa.chunked_array([["a", "b"]])
    assert ln.apply_fixes(arrow, {0: "b"}).to_pylist() == ["b", "b"]
    y = pl.Series("y", ["a", "b"], dtype=pl.Enum(["a", "b"]))
    assert ln.apply_fixes(y, {0: "b"}).dtype == y.dtype
    assert ln.apply_fixes(y, {0: "c"}, classes=["a", "b", "c"]).to_list() == ["c", "b"]


def test_whole_numbers_may_have_become_floats_or_text(tmp_path):
    # A pandas column of integers with gaps is one of floats.
    frame = pd.DataFrame({"row": [0, 1, 2], "given": [3, 3, 5], "reviewed": [5, np.nan, 3]})
    assert ln.apply_fixes([3, 3, 5], frame).tolist() == [5, 3, 3]
    frame.to_csv(tmp_path / "fixes.csv", index=False)
    assert ln.apply_fixes([3, 3, 5], tmp_path / "fixes.csv").tolist() == [5, 3, 3]


def test_ids_of_any_container_name_their_own_rows():
    y = ["a", "a", "a"]
    for ids in (
        pa.chunked_array([["x", "yy", "z"]]),
        pa.array(["x", "yy", "z"]),
        pl.Series(["x", "yy", "z"]),
        pd.Index(["x", "yy", "z"]),
    ):
        fixed = ln.apply_fixes(y, {"yy": "b"}, ids=ids, classes=["a", "b"])
        assert fixed.tolist() == ["a", "b", "a"]
        with pytest.raises(ln.LabelNoiseError, match="rows that do not exist: 'w'"):
            ln.apply_fixes(y, {"w": "a"}, ids=ids)
    with pytest.raises(ln.LabelNoiseError, match="ids must be single values"):
        ln.apply_fixes(y, {"x": "a"}, ids=[[1], [2], [3]])
    series = pd.Series(y, index=[0, 1, 2])
    with pytest.raises(ln.LabelNoiseError, match="y and ids name the same rows in different"):
        ln.apply_fixes(series, {"x": "a"}, ids=pd.Series(["x", "y", "z"], index=[2, 1, 0]))


def test_labels_of_any_container_are_read():
    for y in (pa.array(["a", "b"]), pa.chunked_array([["a", "b"]]), pl.Series(["a", "b"])):
        assert list(np.asarray(ln.apply_fixes(y, {0: "b"}))) == ["b", "b"]
    assert np.asarray(ln.apply_fixes(pa.array([True, False]), {0: False})).tolist() == [False] * 2


def test_a_review_that_is_not_finished_goes_out_and_comes_back(tmp_path):
    frame = pd.DataFrame(ISSUES)
    frame.loc[0, "reviewed"] = "cat"  # the others are NaN
    for ending in ("csv", "tsv", "parquet"):
        path = tmp_path / f"i.{ending}"
        ln.export_label_issues(frame, path)
        assert ln.apply_fixes(Y, path).tolist() == [*Y[:4], "cat"]


def test_large_ids_are_told_apart():
    ids = [2**53, 2**53 + 1, 5]
    for row in (2**53 + 1, str(2**53 + 1)):
        assert ln.apply_fixes(["a", "a", "b"], {row: "b"}, ids=ids).tolist() == ["a", "b", "b"]


def test_rows_of_a_multi_index_are_called_by_tuples():
    y = pd.Series(["a", "b"], index=pd.MultiIndex.from_tuples([("x", 1), ("x", 2)]))
    assert ln.apply_fixes(y, {("x", 2): "a"}).tolist() == ["a", "a"]


def test_ids_of_any_type_go_through_files(tmp_path):
    days = pd.date_range("2020-01-01", periods=3)
    y = pd.Series(["a", "b", "b"], index=days)
    issues = {
        "row": [days[1]],
        "given": ["b"],
        "suggested": ["a"],
        "p_wrong": [0.9],
        "neighbors": [[days[0]]],
    }
    both = pd.Series(["a", "b", "b"], index=pd.MultiIndex.from_product([["x"], [0, 1, 2]]))
    for labels, row in ((y, days[1]), (both, ("x", 1))):
        named = {**issues, "row": [row], "neighbors": [[row]]}
        for ending, review in (("csv", reviewed_csv), ("json", annotate)):
            path = tmp_path / f"i.{ending}"
            ln.export_label_issues(named, path)
            review(path, ["a"])
            assert ln.apply_fixes(labels, path).tolist() == ["a", "a", "b"]
        ln.export_label_issues({**named, "reviewed": ["a"]}, tmp_path / "i.parquet")
        assert ln.apply_fixes(labels, tmp_path / "i.parquet").tolist() == ["a", "a", "b"]


def test_long_cells_and_line_ends_in_cells_come_back(tmp_path):
    odd = "a\r\nb"
    issues = {"row": [1], "given": [odd], "suggested": ["c"], "p_wrong": [0.9]}
    ln.export_label_issues({**issues, "text": ["x" * 200_000]}, tmp_path / "i.csv")
    path = tmp_path / "i.csv"
    path.write_bytes(path.read_bytes().rstrip()[:-1] + b",c\r\n")  # Python's csv has a limit too
    assert ln.apply_fixes(["c", odd], tmp_path / "i.csv").tolist() == ["c", "c"]


def test_without_decisions_nothing_changes_and_a_warning_says_so():
    for fixes in ({}, [], {"row": [1], "reviewed": [None]}):
        with pytest.warns(ln.LabelNoiseWarning, match="no label is changed"):
            assert ln.apply_fixes(["a", "b"], fixes).tolist() == ["a", "b"]


def test_booleans_come_back_from_spreadsheets():
    fixes = [{"row": "0", "given": "TRUE", "reviewed": "FALSE"}]  # as csv.DictReader has them
    assert ln.apply_fixes([True, False], fixes).tolist() == [False, False]
    later = [{"row": "1", "reviewed": "TRUE"}, {"row": "0", "given": "FALSE", "reviewed": "FALSE"}]
    with pytest.raises(ln.LabelNoiseError, match="labels that are no class: None"):
        ln.apply_fixes([True, False], later)  # a label to compare with is not left out


def test_missing_and_blank_decisions_are_none():
    assert ln.apply_fixes(["a", "b"], {0: pd.NA, 1: "a"}).tolist() == ["a", "a"]
    assert ln.apply_fixes(["a", "b"], {0: "  ", 1: "a"}).tolist() == ["a", "a"]


def test_new_classes_must_be_announced():
    with pytest.raises(ln.LabelNoiseError, match=r"labels that are no class: 'cow'.*classes="):
        ln.apply_fixes(["cat", "dog"], {0: "cow"})
    fixed = ln.apply_fixes(["cat", "dog"], {0: "cow"}, classes=["cat", "cow", "dog"])
    assert fixed.tolist() == ["cow", "dog"]


@pytest.mark.parametrize(
    ("fixes", "message"),
    [
        ({7: "cat"}, r"the fixes name rows that do not exist: 7\. Pass the labels"),
        ({"row": [1, 1], "reviewed": ["cat", "dog"]}, "the fixes name rows 1 more than once"),
        ({"row": [1, "1"], "reviewed": ["cat", "dog"]}, "the fixes name rows 1 more than once"),
        ({"row": [1], "given": ["cat"], "reviewed": ["cat"]}, r"row 1 was 'cat' and is 'dog'"),
        (
            {"row": [1], "given": ["cow"], "reviewed": ["cat"]},
            r"column 'given' has labels that are no",
        ),
        ({"row": [1], "given": ["dog"], "reviewed": [True]}, "labels that are no class: True"),
        (
            {"row": [1], "label": ["cat"]},
            "the fixes have no column 'reviewed', their columns are 'row'",
        ),
        ({"row": [0, 1], "reviewed": ["dog"]}, "columns of fixes differ in length"),
        ({"row": 0, "reviewed": "dog"}, "column 'row' of fixes must be a sequence, got 0"),
        ({"row": "01", "reviewed": ["cat", "dog"]}, "must be a sequence, got '01'"),
        (pd.DataFrame([[1, 1]], columns=["row", "row"]), "fixes has several columns named 'row'"),
        ({"row": [[1]], "reviewed": ["cat"]}, r"rows that do not exist: \[1\]"),
        ({"row": [1], "reviewed": [["cat"]]}, r"labels that are no class: \['cat'\]"),
        (3, "fixes must be a frame with named columns, got int"),
        ("fixes.txt", r"unknown ending of 'fixes.txt' '.txt'. Choose one of: .csv"),
        ("missing.csv", "cannot read 'missing.csv'"),
    ],
)
def test_fixes_that_do_not_fit_are_refused(fixes, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.apply_fixes(["cat", "dog", "dog"], fixes)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"", "is empty. Its first line must name the columns"),
        ("a.csv", b'row,reviewed\n1,"cat\n', "is no table: unexpected end of data in line 2"),
        ("a.csv", b'row,reviewed\n"0\n",cat\n\n1\n', "line 5 has 1 cells"),
        ("a.csv", b"row,reviewed\n0,cat\n1,cat,dog\n", "line 3 has 3 cells, the first line 2"),
        ("a.csv", b"row,reviewed,reviewed\n1,cat,dog\n", "several columns named 'reviewed'"),
        ("a.csv", b"row/reviewed\n1/cat\n", "are separated by commas"),
        ("a.csv", b"row,reviewed\n1,\xff\n", "is not UTF-8"),
        ("a.parquet", b"hello", "is no Parquet file"),
        ("a.json", b"[", "is not JSON"),
        ("a.json", b"{}", "is no list of Label Studio tasks"),
        ("a.json", b'[{"id": 1}]', "a task lacks what labelnoise wrote into it: KeyError 'data'"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.apply_fixes(["cat", "dog"], tmp_path / name)


def test_what_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(ln.LabelNoiseError, match="unknown ending of"):
        ln.export_label_issues(ISSUES, tmp_path / "issues.xlsx")
    with pytest.raises(ln.LabelNoiseError, match="cannot write"):
        ln.export_label_issues(ISSUES, tmp_path / "no" / "issues.csv")
    with pytest.raises(ln.LabelNoiseError, match="issues lacks the columns 'given'"):
        ln.export_label_issues({"row": [1], "suggested": [1], "p_wrong": [1]}, tmp_path / "a.csv")
    with pytest.raises(ln.LabelNoiseError, match="a column does not fit into a Parquet file"):
        ln.export_label_issues({**ISSUES, "text": [1, "x", 2]}, tmp_path / "a.parquet")
    assert list(tmp_path.iterdir()) == []
