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
        ("others.csv", 3, "answers_not_labels"),
        ("answers.csv --id item", 2, "features_not_given"),
        ("answers.csv -o labels.txt", 2, "unknown_ending"),
        ("answers.csv -o answers.csv", 4, "output_is_input"),
        ("missing.csv", 3, "no_such_file"),
        ("answers.csv --features items.csv --drop nothing", 3, "no_such_column"),
    ],
)
def test_errors(folder, run, call, code, error):  # noqa: F811
    done = run("annotators", *call.split(), code=code)
    if error != "answers_not_labels":
        assert done.error == error
