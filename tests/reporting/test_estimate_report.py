"""``est.report``: features, names and content in any container."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelnoise as ln
from labelnoise.data.dataset import load_table


@pytest.fixture
def report(est, tmp_path):
    """Write a JSON report, and read it back."""

    def written(estimate=est, **about):
        estimate.report(tmp_path / "r.json", **about)
        return json.loads((tmp_path / "r.json").read_text("utf-8"))

    return written


def frame_of(X):
    kind = np.where(np.arange(len(X)) < 300, "b", "a")
    return pd.DataFrame(X).add_prefix("x").assign(kind=kind, other=np.sqrt(np.arange(len(X))))


def test_a_frame_gives_names_content_and_ids(task, report):
    X, _, _, _ = task
    frame = frame_of(X)
    frame.index = [f"row-{i}" for i in range(len(X))]
    document = report(X=frame, max_rows=5)
    assert document["suspicious"][0]["row"].startswith("row-")
    assert set(document["suspicious"][0]["content"]) == set(frame.columns)
    assert {feature["name"] for feature in document["features"]} == {
        *frame.columns.drop("kind"),
        "kind=b",
    }
    assert document["provenance"]["id_source"] == "ids"
    assert len(document["provenance"]["sha256"]["features"]) == 64
    assert "ids=X.index" in document["provenance"]["next_commands"][0]


def test_every_library_gives_the_same_report(task, report):
    X, _, _, _ = task
    frame = frame_of(X)
    parts = ("features", "suspicious", "classes", "n_features")
    documents = [
        report(X=table, max_rows=5)
        for table in (frame, pl.from_pandas(frame), pa.table(dict(frame.items())))
    ]
    for other in documents[1:]:
        assert all(other[part] == documents[0][part] for part in parts)


def test_features_that_copy_the_labels_are_left_out(task, report):
    X, _, noisy, _ = task
    frame = pd.DataFrame(X).add_prefix("x").assign(label=np.array(["a", "b", "c"])[noisy])
    assert "label" not in {one["name"].partition("=")[0] for one in report(X=frame)["features"]}


def test_content_may_be_a_function_of_rows(report):
    requested = []

    def content(rows):
        requested.extend(rows)
        return {"text": [f"text {row}" for row in rows]}

    rows = report(content=content, max_rows=3)["suspicious"]
    assert sorted(row["row"] for row in rows) == sorted(requested)
    assert [row["content"]["text"] for row in rows] == [f"text {row['row']}" for row in rows]


def test_content_may_be_a_list_or_a_series(est, report):
    texts = [f"text {i}" for i in range(est.n_rows)]
    for content in (texts, pd.Series(texts, name="content"), {"content": texts}):
        (row,) = report(content=content, max_rows=1)["suspicious"]
        assert row["content"] == {"content": texts[row["row"]]}


@pytest.mark.parametrize("columns", [[0, 1], ["a", 1], pd.MultiIndex.from_product([["a"], [0, 1]])])
def test_columns_of_content_may_have_any_names(est, report, columns):
    content = pd.DataFrame([[1.5] * len(columns)] * est.n_rows, columns=columns)
    (row,) = report(content=content, max_rows=1)["suspicious"]
    assert row["content"] == {str(name): "1.5" for name in columns}


def test_columns_with_long_names_that_look_alike_are_all_shown(est, report):
    names = [99 * "q" + letter + 40 * "z" for letter in "AB"]
    content = {name: est.n_rows * [name[99]] for name in names}
    (row,) = report(content=content, max_rows=1)["suspicious"]
    assert row["content"] == dict(zip(names, "AB", strict=True))


def test_rows_with_several_names_are_found_again(est, task, report):
    X, _, noisy, _ = task
    index = pd.MultiIndex.from_arrays([["p"] * len(X), range(len(X))])
    rows = report(X=pd.DataFrame(X, index=index), max_rows=3)["suspicious"]
    fixes = [{"row": row["row"], "reviewed": row["suggested"]} for row in rows]
    y = pd.Series(noisy, index=index)
    assert (ln.apply_fixes(y, fixes) != y).sum() == 3


def test_a_loaded_table_gives_everything(tmp_path, report):
    X, clean = ln.make_twonorm(400, random_state=0)
    y = ln.inject_noise(clean, ln.symmetric_noise(2, 0.2), random_state=0)
    frame = pd.DataFrame(X).add_prefix("x").assign(name=[f"id-{i}" for i in range(400)], y=y)
    frame.to_csv(tmp_path / "table.csv", index=False)
    table = load_table(tmp_path / "table.csv", "y", id_column="name")
    est = ln.estimate(table.X, table.y)
    document = report(est, table=table, max_rows=5)
    assert document["provenance"]["id_source"] == "name"
    assert document["provenance"]["sha256"] == table.digests
    assert len(document["provenance"]["notes"]) == len(table.notes)
    assert document["suspicious"][0]["row"].startswith("id-")
    assert "x0" in document["suspicious"][0]["content"]
    with pytest.raises(ln.LabelNoiseError) as caught:
        est.report(tmp_path / "r.json", table=table, X=X)
    assert caught.value.note.code == "exclude_each_other"


@pytest.mark.parametrize("method", ["hoc", "loaded"])
def test_an_estimate_without_rows_has_a_report(est, task, tmp_path, report, method):
    X, _, noisy, _ = task
    est.save(tmp_path / "e.json")
    without = (
        ln.estimate(X, noisy, method="hoc")
        if method == "hoc"
        else ln.NoiseEstimate.load(tmp_path / "e.json")
    )
    document = report(without, X=X)
    assert document["suspicious"] == document["curves"] == document["features"] == []
    assert not document["no_suspicious_rows"]
    without.report(tmp_path / "r.html")


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"X": np.zeros((3, 2))}, "wrong_length"),
        ({"content": ["a"]}, "wrong_length"),
        ({"content": pd.DataFrame({"a": [1]})}, "wrong_length"),
        ({"content": lambda _: {"text": ["one"]}, "max_rows": 3}, "wrong_length"),
        ({"ids": [1, 2]}, "wrong_length"),
        ({"max_rows": -1}, "not_a_whole_number"),
    ],
)
def test_arguments_that_do_not_fit_are_refused(est, tmp_path, about, code):
    with pytest.raises(ln.LabelNoiseError) as caught:
        est.report(tmp_path / "r.html", **about)
    assert caught.value.note.code == code
    assert list(tmp_path.iterdir()) == []


def test_only_known_formats_are_written(est, tmp_path):
    for name in ("r.docx", "r"):
        with pytest.raises(ln.LabelNoiseError) as caught:
            est.report(tmp_path / name)
        assert caught.value.note.code == "unknown_ending"


def test_lone_surrogates_become_question_marks(est, tmp_path):
    ids = [f"row \ud83d {i}" for i in range(est.n_rows)]
    for ending in ("html", "md", "json"):
        est.report(tmp_path / f"r.{ending}", ids=ids, title="half \ud83d", max_rows=1)
        assert "half ?" in (tmp_path / f"r.{ending}").read_text("utf-8")
