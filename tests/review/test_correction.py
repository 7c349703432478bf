"""Label issues go to files and come back: all fixes or none, never on the wrong rows."""

import csv
import json
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelnoise as ln
from labelnoise import review
from labelnoise.review.correction import reviewed_rows
from labelnoise.review.decisions import read_decisions, with_spreadsheet_rows
from messages import refused, warned

ISSUES = {
    "row": [4, 0, 2],
    "given": ["dog", "cat", 'it\'s, "odd"\n'],
    "suggested": ["cat", "dog", "cat"],
    "p_wrong": [0.987654321, 0.8, 0.7],
    "neighbors": [[1, 2], [], [0]],
    "neighbor_labels": [["cat", "é"], [], ["dog"]],
    "text": ["<b>", None, "=1+1"],
}
TABLES = ("csv", "tsv", "xlsx", "parquet")
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


def exported(issues, path):
    """Write issues to a file; skipped where the package for its format is not installed."""
    if path.suffix == ".xlsx":
        pytest.importorskip("openpyxl")
    ln.export_label_issues(issues, path)
    return path


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict])
def test_csv_round_trip(tmp_path, make):
    path = tmp_path / "issues.csv"
    ln.export_label_issues(make(ISSUES), path)
    with path.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["row"] for row in rows] == ["4", "0", "2"]
    assert rows[2]["given"] == ISSUES["given"][2]
    assert rows[0]["neighbor_labels"] == "cat; é"
    assert rows[0]["reviewed"] == ""
    reviewed_csv(path, ["cat", "", 'it\'s, "odd"\n'])
    assert ln.apply_fixes(Y, path).tolist() == ["cat", "dog", Y[2], "dog", "cat"]


@pytest.mark.parametrize("ending", TABLES)
def test_round_trip_of_every_table(tmp_path, ending):
    issues = {**ISSUES, "reviewed": ["cat", None, "dog"]}
    path = exported(issues, tmp_path / f"issues.{ending}")
    assert ln.apply_fixes(Y, path).tolist() == ["cat", "dog", "dog", "dog", "cat"]


def test_parquet_keeps_lists(tmp_path):
    ln.export_label_issues(ISSUES, tmp_path / "issues.parquet")
    lists = pd.read_parquet(tmp_path / "issues.parquet")["neighbors"].map(list)
    assert lists.tolist() == ISSUES["neighbors"]


@pytest.mark.parametrize("ending", TABLES)
def test_files_suit_a_spreadsheet(tmp_path, ending):
    """`reviewed` beside `suggested`, rounded numbers, no lists in brackets."""
    columns = with_spreadsheet_rows(ISSUES, np.array([4, 0, 2]))
    found = read_decisions(exported(columns, tmp_path / f"issues.{ending}"))
    names = list(found)
    assert names[names.index("suggested") + 1] == "reviewed"
    assert names[:2] == ["row", "spreadsheet_row"]
    assert [int(row) for row in found["row"]] == [4, 0, 2]
    assert found["spreadsheet_row"] == [6, 2, 4]  # below the header
    assert found["p_wrong"] == [0.9877, 0.8, 0.7]
    if ending != "parquet":
        assert found["neighbor_labels"][0] == "cat; é"


def test_only_the_column_row_says_which_rows_are_meant(tmp_path):
    reviewed = {**with_spreadsheet_rows(ISSUES, np.array([4, 0, 2])), "reviewed": ["cat"] * 3}
    path = exported(reviewed, tmp_path / "issues.csv")
    expected = ["cat", "dog", "cat", "dog", "cat"]
    assert ln.apply_fixes(Y, path).tolist() == expected
    frame = pd.read_csv(path)
    frame.drop(columns="row").to_csv(path, index=False)
    with refused("decisions_without_column"):
        ln.apply_fixes(Y, path)


@pytest.mark.parametrize("ending", ["csv", "tsv", "xlsx"])
def test_no_spreadsheet_runs_a_text_as_a_formula(tmp_path, ending):
    hostile = ["=HYPERLINK(1)", "+1 item", "-2", "@me", "'=quoted", "\ttab", "plain"]
    issues = {
        "row": [f"={i}" for i in range(7)],
        "given": hostile,
        "suggested": hostile[::-1],
        "p_wrong": [0.9] * 7,
        "=text": hostile,
        "reviewed": hostile[::-1],
    }
    path = exported(issues, tmp_path / f"issues.{ending}")
    if ending == "xlsx":
        frame = pd.read_excel(path, dtype=str)
    else:
        frame = pd.read_csv(path, sep="," if ending == "csv" else "\t", dtype=str)
    cells = [str(cell) for cell in [*frame.columns, *frame.to_numpy().ravel()]]
    assert not [cell for cell in cells if cell[0] in "=+@\t" or cell[:2] == "- "]
    assert "-2" in cells  # a number is none
    fixed = ln.apply_fixes(hostile, path, ids=issues["row"])
    assert fixed.tolist() == hostile[::-1]


def test_a_spreadsheet_may_save_the_file_in_another_format(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    ln.export_label_issues({**ISSUES, "reviewed": ["=cat", None, "dog"]}, tmp_path / "issues.csv")
    rows = list(csv.reader((tmp_path / "issues.csv").read_text("utf-8").splitlines(keepends=True)))
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append([cell or None for cell in row])
    book.save(tmp_path / "issues.xlsx")
    with (tmp_path / "issues.txt").open("w", newline="", encoding="utf-8-sig") as stream:
        csv.writer(stream, delimiter=";").writerows(rows)
    for name in ("issues.xlsx", "issues.txt"):
        fixed = ln.apply_fixes(Y, tmp_path / name, classes=[*dict.fromkeys(Y), "=cat"])
        assert fixed.tolist() == ["cat", "dog", "dog", "dog", "=cat"]


def test_workbooks_hold_ids_and_texts_of_any_kind(tmp_path):
    ids = [2**53 + 1, 7]
    issues = {
        "row": ids,
        "given": ["a", "b\x07"],
        "suggested": ["b\x07", "a"],
        "p_wrong": [1.0, 0.9],
    }
    path = exported({**issues, "text": [float("inf"), None]}, tmp_path / "issues.xlsx")
    found = read_decisions(path)
    assert [int(row) for row in found["row"]] == ids
    assert found["given"] == ["a", "b\N{REPLACEMENT CHARACTER}"]


def test_label_studio_round_trip(tmp_path):
    path = tmp_path / "tasks.json"
    ln.export_label_issues(pd.DataFrame({**ISSUES, "text": ["<b>", np.nan, "x"]}), path)
    tasks = json.loads(path.read_text(encoding="utf-8"))
    assert tasks[0]["data"]["row"] == 4
    assert tasks[1]["data"]["text"] is None
    (prediction,) = tasks[0]["predictions"]
    assert prediction["score"] == 0.9877
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
    with refused("task_with_several_labels"):
        ln.apply_fixes(Y, path)
    # Other controls of the same project are ignored.
    comment = {"from_name": "why", "type": "textarea", "value": {"text": ["hm"]}}
    tasks[2]["annotations"] = [{"result": [comment]}]
    tasks[0]["annotations"][0]["result"].append({**result, "from_name": "quality"})
    path.write_text(json.dumps(tasks), encoding="utf-8")
    assert ln.apply_fixes(Y, path).tolist() == [*Y[:4], "cat"]


@pytest.fixture(scope="module")
def found(task):
    """Issues of the shared task, as a reviewer who is always right leaves them."""
    X, clean, noisy, _ = task
    content = [f"row {i}" for i in range(len(X))]
    issues = ln.find_label_issues(X, noisy, content=content, n_draws=0)
    return issues.assign(reviewed=clean[issues["row"]])


@pytest.mark.parametrize("ending", [*TABLES, "json"])
def test_found_issues_go_out_and_come_back(task, found, tmp_path, ending):
    _, clean, noisy, _ = task
    fixed = ln.apply_fixes(noisy, found)
    assert (fixed != clean).mean() < 0.4 * (noisy != clean).mean()
    path = exported(found, tmp_path / f"issues.{ending}")
    if ending == "json":
        annotate(path, found["reviewed"])
    np.testing.assert_array_equal(ln.apply_fixes(noisy, path), fixed)


@pytest.mark.parametrize("ending", TABLES)
def test_files_give_the_positions_that_an_audit_takes(task, found, tmp_path, ending):
    _, clean, noisy, _ = task
    ids = [f"{i:05}" for i in range(len(noisy))]  # a spreadsheet would show them as numbers
    named = found.assign(row=[ids[i] for i in found["row"]])
    path = exported(named, tmp_path / f"issues.{ending}")
    for labels in (noisy, ln.apply_fixes(noisy, path, ids=ids)):
        rows, true_labels, before = reviewed_rows(labels, path, ids=ids)
        assert rows.tolist() == found["row"].tolist()
        assert true_labels == clean[rows].tolist()
        np.testing.assert_array_equal(before, noisy)


def test_probable_suggestions_remove_more_errors_than_they_make(task, found):
    _, clean, noisy, _ = task
    probable = found[found["p_suggested"] > 0.5].drop(columns="reviewed")
    fixed = ln.apply_fixes(noisy, probable, column="suggested")
    assert (fixed != clean).mean() < (noisy != clean).mean()


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
        with refused("unknown_rows"):
            ln.apply_fixes(y, {"w": "a"}, ids=ids)
    with refused("not_single_values"):
        ln.apply_fixes(y, {"x": "a"}, ids=[[1], [2], [3]])
    series = pd.Series(y, index=[0, 1, 2])
    with refused("rows_in_another_order"):
        ln.apply_fixes(series, {"x": "a"}, ids=pd.Series(["x", "y", "z"], index=[2, 1, 0]))


def test_labels_of_any_container_are_read():
    for y in (pa.array(["a", "b"]), pa.chunked_array([["a", "b"]]), pl.Series(["a", "b"])):
        assert list(np.asarray(ln.apply_fixes(y, {0: "b"}))) == ["b", "b"]
    assert np.asarray(ln.apply_fixes(pa.array([True, False]), {0: False})).tolist() == [False] * 2


def test_a_review_that_is_not_finished_goes_out_and_comes_back(tmp_path):
    frame = pd.DataFrame(ISSUES)
    frame.loc[0, "reviewed"] = "cat"  # the others are NaN
    for ending in ("csv", "tsv", "parquet"):
        path = exported(frame, tmp_path / f"i.{ending}")
        assert ln.apply_fixes(Y, path).tolist() == [*Y[:4], "cat"]


def test_large_ids_are_exact():
    ids = [2**53, 2**53 + 1, 5]
    for row in (2**53 + 1, str(2**53 + 1)):
        assert ln.apply_fixes(["a", "a", "b"], {row: "b"}, ids=ids).tolist() == ["a", "b", "b"]


def test_ids_of_a_multi_index_are_tuples():
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
        for ending, fill_in in (("csv", reviewed_csv), ("json", annotate)):
            path = tmp_path / f"i.{ending}"
            ln.export_label_issues(named, path)
            fill_in(path, ["a"])
            assert ln.apply_fixes(labels, path).tolist() == ["a", "a", "b"]
        ln.export_label_issues({**named, "reviewed": ["a"]}, tmp_path / "i.parquet")
        assert ln.apply_fixes(labels, tmp_path / "i.parquet").tolist() == ["a", "a", "b"]


def test_long_cells_and_line_ends_in_cells_come_back(tmp_path):
    odd = "a\r\nb"
    issues = {"row": [1], "given": [odd], "suggested": ["c"], "p_wrong": [0.9]}
    ln.export_label_issues({**issues, "text": ["x" * 200_000]}, tmp_path / "i.csv")
    path = tmp_path / "i.csv"
    assert path.read_bytes().count(b",c,,") == 1
    path.write_bytes(path.read_bytes().replace(b",c,,", b",c,c,"))
    assert ln.apply_fixes(["c", odd], tmp_path / "i.csv").tolist() == ["c", "c"]


def test_without_decisions_nothing_changes_and_a_warning_says_so():
    for fixes in ({}, [], {"row": [1], "reviewed": [None]}):
        with warned("no_decisions"):
            assert ln.apply_fixes(["a", "b"], fixes).tolist() == ["a", "b"]


def test_booleans_come_back_from_spreadsheets():
    fixes = [{"row": "0", "given": "TRUE", "reviewed": "FALSE"}]  # as csv.DictReader has them
    assert ln.apply_fixes([True, False], fixes).tolist() == [False, False]
    later = [{"row": "1", "reviewed": "TRUE"}, {"row": "0", "given": "FALSE", "reviewed": "FALSE"}]
    with refused("unknown_labels"):
        ln.apply_fixes([True, False], later)  # a label to compare with is not left out


def test_missing_and_blank_decisions_are_none():
    assert ln.apply_fixes(["a", "b"], {0: pd.NA, 1: "a"}).tolist() == ["a", "a"]
    assert ln.apply_fixes(["a", "b"], {0: "  ", 1: "a"}).tolist() == ["a", "a"]


def test_new_classes_must_be_announced():
    with refused("unknown_labels") as caught:
        ln.apply_fixes(["cat", "dog"], {0: "cow"})
    assert caught.value.note.facts["labels"] == ["cow"]
    fixed = ln.apply_fixes(["cat", "dog"], {0: "cow"}, classes=["cat", "cow", "dog"])
    assert fixed.tolist() == ["cow", "dog"]


@pytest.mark.parametrize(
    ("fixes", "code"),
    [
        ({7: "cat"}, "unknown_rows"),
        ({"row": [1, 1], "reviewed": ["cat", "dog"]}, "rows_repeated"),
        ({"row": [1, "1"], "reviewed": ["cat", "dog"]}, "rows_repeated"),
        ({"row": [1], "given": ["cat"], "reviewed": ["cat"]}, "labels_changed_since_review"),
        ({"row": [1], "given": ["cow"], "reviewed": ["cat"]}, "unknown_labels"),
        ({"row": [1], "given": ["dog"], "reviewed": [True]}, "unknown_labels"),
        ({"row": [1], "label": ["cat"]}, "decisions_without_column"),
        ({"row": [0, 1], "reviewed": ["dog"]}, "columns_differ_in_length"),
        ({"row": 0, "reviewed": "dog"}, "not_a_sequence"),
        ({"row": "01", "reviewed": ["cat", "dog"]}, "not_a_sequence"),
        ({"row": [[1]], "reviewed": ["cat"]}, "unknown_rows"),
        ({"row": [1], "reviewed": [["cat"]]}, "unknown_labels"),
        (3, "not_a_frame"),
        ("missing.csv", "no_such_file"),
    ],
)
def test_fixes_that_do_not_fit_are_refused(fixes, code):
    with refused(code):
        ln.apply_fixes(["cat", "dog", "dog"], fixes)


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.csv", b"", "file_is_empty"),
        ("a.csv", b'row,reviewed\n1,"cat\n', "quote_not_closed"),
        ("a.csv", b"row,reviewed\n0,cat\n1,cat,dog\n", "ragged_rows"),
        ("a.csv", b"row,reviewed,reviewed\n1,cat,dog\n", "repeated_column_names"),
        ("a.csv", b"row/reviewed\n1/cat\n", "decisions_without_column"),
        ("a.csv", b"row,reviewed\n1,\xff\n", "not_this_encoding"),
        ("a.parquet", b"hello", "not_the_format_of_its_name"),
        ("a.json", b"[", "not_label_studio_tasks"),
        ("a.json", b"{}", "not_label_studio_tasks"),
        ("a.json", b'[{"id": 1}]', "not_label_studio_tasks"),
    ],
)
def test_damaged_files_are_refused(tmp_path, name, content, code):
    (tmp_path / name).write_bytes(content)
    with refused(code):
        ln.apply_fixes(["cat", "dog"], tmp_path / name)


def test_what_cannot_be_written_is_refused(tmp_path):
    for change, name, code in (
        ({}, "issues.xls", "unknown_ending"),
        ({}, "no/issues.csv", "cannot_write"),
        ({"text": [1, "x", 2]}, "a.parquet", "column_does_not_fit_parquet"),
    ):
        with refused(code):
            ln.export_label_issues({**ISSUES, **change}, tmp_path / name)
    with refused("no_such_column") as caught:
        ln.export_label_issues({"row": [1], "suggested": [1], "p_wrong": [1]}, tmp_path / "a.csv")
    assert caught.value.note.facts["column"] == "given"
    assert list(tmp_path.iterdir()) == []


def test_workbooks_need_openpyxl(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    monkeypatch.delitem(sys.modules, "labelnoise.review.excel_openpyxl", raising=False)
    monkeypatch.delattr(review, "excel_openpyxl", raising=False)
    with refused("package_missing_for_format"):
        ln.export_label_issues(ISSUES, tmp_path / "issues.xlsx")
