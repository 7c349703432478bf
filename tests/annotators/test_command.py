"""``labelnoise annotators``, in this process."""

import json

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from cli.conftest import run  # noqa: F401 - a fixture


@pytest.fixture
def folder(tmp_path):
    rng = np.random.default_rng(0)
    true = rng.integers(3, size=200)
    wrong = (true[:, None] + rng.integers(1, 3, size=(200, 5))) % 3
    label = np.where(rng.random((200, 5)) < 0.25, wrong, true[:, None])
    row, who = np.nonzero(rng.random((200, 5)) < 0.8)
    df = pd.DataFrame({"row": row, "annotator": [f"w{a}" for a in who]})
    df["label"] = np.array(["a", "b", "c"])[label[row, who]]
    df.to_csv(tmp_path / "answers.csv", index=False)
    df.rename(columns={"row": "t", "annotator": "p", "label": "x"}).to_csv(
        tmp_path / "others.csv", index=False
    )
    X = pd.DataFrame(np.eye(3)[true] + 0.5 * rng.normal(size=(200, 3)), columns=["u", "v", "w"])
    X.assign(item=range(200), gold=true).to_csv(tmp_path / "items.csv", index=False)
    return tmp_path


def test_consensus_and_estimate_are_written(folder, run):  # noqa: F811
    done = run("annotators", "answers.csv", "-o", "out/")
    est = ln.estimate_annotators(pd.read_csv(folder / "answers.csv"))
    written = pd.read_csv(folder / "out" / "consensus.csv")
    assert written["label"].tolist() == est.consensus.tolist()
    assert ln.AnnotatorEstimate.load(folder / "out" / "annotators.json") == est
    assert "w3" in done.out
    assert "Krippendorff" in done.out


def test_json_and_features(folder, run):  # noqa: F811
    call = (
        "annotators others.csv --row t --annotator p --label x --features items.csv --id item "
        "--drop gold -o c.csv --json -q"
    )
    done = run(*call.split())
    assert done.document["schema"] == "labelnoise/annotators"
    assert done.document["n_rows"] == 200
    assert [one["name"] for one in done.document["annotators"]] == [f"w{a}" for a in range(5)]
    assert done.err == ""
    assert len(pd.read_csv(folder / "c.csv")) == 200
    json.dumps(done.document)


@pytest.mark.parametrize(
    ("call", "code", "error"),
    [
        ("answers.csv --row task", 3, "no_such_column"),
        ("others.csv", 3, "answer_columns_unknown"),
        ("answers.csv --id item", 2, "features_not_given"),
        ("answers.csv -o labels.txt", 2, "unknown_ending"),
        ("answers.csv -o answers.csv", 4, "output_is_input"),
        ("missing.csv", 3, "no_such_file"),
        ("answers.csv --features items.csv --drop nothing", 3, "no_such_column"),
    ],
)
def test_errors(folder, run, call, code, error):  # noqa: F811
    done = run("annotators", *call.split(), code=code)
    assert done.error == error


def test_names_and_labels_are_read_as_written(folder, run):  # noqa: F811
    answers = pd.read_csv(folder / "answers.csv")
    codes = {"a": "01", "b": "02", "c": "03"}
    named = answers.assign(
        row=[f"{i:03}" for i in answers["row"]], label=answers["label"].map(codes)
    )
    named.to_csv(folder / "named.csv", index=False)
    items = pd.read_csv(folder / "items.csv")
    items.assign(item=[f"{i:03}" for i in items["item"]]).to_csv(folder / "named-items.csv")
    for more in ([], ["--features", "named-items.csv", "--id", "item", "--drop", "gold"]):
        run("annotators", "named.csv", *more, "-o", "c.csv", "-q")
        written = pd.read_csv(folder / "c.csv", dtype=str)
        assert written["row"].tolist() == [f"{i:03}" for i in range(200)]
        assert set(written["label"]) == {"01", "02", "03"}


def test_whole_numbers_of_files_are_numbers(folder, run):  # noqa: F811
    answers = pd.read_csv(folder / "answers.csv")
    answers["label"] = answers["label"].map({"a": 9, "b": 10, "c": 11})
    answers.to_csv(folder / "numbers.csv", index=False)
    done = run("annotators", "numbers.csv", "--json", "-q")
    assert done.document["classes"] == [9, 10, 11]
    table = answers.pivot_table(index="row", columns="annotator", values="label").astype("Int64")
    table.to_csv(folder / "matrix.csv", na_rep="NA")
    of_matrix = run("annotators", "matrix.csv", "--json", "-q")
    assert of_matrix.document["classes"] == [9, 10, 11]
    assert of_matrix.document["n_answers"] == len(answers)
    pd.read_csv(folder / "items.csv").to_parquet(folder / "items.parquet")
    joined = "--features items.parquet --id item --drop gold --json -q"
    assert run("annotators", "numbers.csv", *joined.split()).document["n_rows"] == 200


@pytest.mark.parametrize("call", ["missing.csv", "others.csv", "answers.csv --row task"])
def test_no_folder_is_left_if_answers_cannot_be_used(folder, run, call):  # noqa: F811
    run("annotators", *call.split(), "-o", "out/", code=3)
    assert not (folder / "out").exists()


def test_a_folder_that_cannot_be_made_is_refused(folder, run):  # noqa: F811
    assert run("annotators", "answers.csv", "-o", "no/out/", code=4).error == "cannot_write"


def test_what_is_cut_from_tables_is_said(tmp_path, run):  # noqa: F811
    rng = np.random.default_rng(0)
    true = np.repeat(range(25), 12)
    label = np.where(rng.random((300, 22)) < 0.1, rng.integers(25, size=(300, 22)), true[:, None])
    frame = pd.DataFrame(label, columns=[f"w{a}" for a in range(22)])
    frame.to_csv(tmp_path / "matrix.csv", index=False)
    out = run("annotators", "matrix.csv").out
    assert "(5 more)" in out
    assert "(2 more)" in out
