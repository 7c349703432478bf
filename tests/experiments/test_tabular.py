import gzip
import hashlib
import json
import socket

import numpy as np
import pytest
from experiments.errors import ExperimentError
from experiments.tabular import TABULAR_SETS, load_tabular

FEATURES = {
    "heart": 23, "banana": 2, "titanic": 3, "splice": 240, "twonorm": 20, "waveform": 21, "flare-solar": 31,
}  # fmt: skip
CLASS_ONE = {
    "heart": 165, "banana": 2376, "titanic": 711, "splice": 1527, "twonorm": 3703, "waveform": 1647, "flare-solar": 589,
}  # fmt: skip


@pytest.mark.parametrize("name", TABULAR_SETS)
def test_sizes_are_those_of_the_paper(uci, name):
    """Feature and class counts of the paper's table 1."""
    X, y = load_tabular(name, uci)
    assert X.shape == (TABULAR_SETS[name].n_rows, FEATURES[name])
    assert y.sum() == CLASS_ONE[name]
    assert set(y.tolist()) == {0, 1}


def test_unknown_set_lists_the_sets():
    with pytest.raises(ExperimentError, match="unknown tabular set 'iris'.*heart, banana"):
        load_tabular("iris", ".")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "needs a header with a column 'target'"),
        ("a,b\n1,2\n", "needs a header with a column 'target'"),
        ("x,y,target\n", "at least one row"),
        ("x,y,target\n1,zwei,0\n", "not a table of numbers"),
        ("x,y,target\n1,2,0,4\n", "3 column names and 4 columns"),
        ("x,y,target\n1,2,0\n", "has 1 rows.*5300"),
    ],
)
def test_a_malformed_file_is_refused(tmp_path, content, message):
    (tmp_path / "banana.csv").write_text(content)
    with pytest.raises(ExperimentError, match=message):
        load_tabular("banana", tmp_path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ExperimentError, match=r"cannot read .*banana\.csv"):
        load_tabular("banana", tmp_path)


@pytest.fixture
def openml_cache(tmp_path, monkeypatch):
    """A scikit-learn data home holding OpenML's answers for banana, as a download leaves them."""
    rng = np.random.default_rng(0)
    rows = [
        f"{a:.3f},{b:.3f},{1 + (i < 2376)}" for i, (a, b) in enumerate(rng.normal(size=(5300, 2)))
    ]
    arff = "\n".join(
        ["@RELATION banana", "@ATTRIBUTE V1 REAL", "@ATTRIBUTE V2 REAL", "@ATTRIBUTE Class {1,2}", "@DATA", *rows]
    )  # fmt: skip
    description = {
        "id": "1460", "name": "banana", "version": "1", "format": "ARFF", "status": "active", "file_id": "1586223",
        "default_target_attribute": "Class", "md5_checksum": hashlib.md5(arff.encode()).hexdigest(), "licence": "Public",
        "description": "", "url": "https://openml.org/data/v1/download/1586223/banana.arff",
    }  # fmt: skip
    names = [("V1", "numeric"), ("V2", "numeric"), ("Class", "nominal")]
    listed = [
        {"index": str(i), "name": name, "data_type": kind, "is_target": str(name == "Class").lower(),
         "is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
        for i, (name, kind) in enumerate(names)
    ]  # fmt: skip
    qualities = {"data_qualities": {"quality": [{"name": "NumberOfInstances", "value": "5300"}]}}
    answers = {
        "api/v1/json/data/1460": json.dumps({"data_set_description": description}),
        "api/v1/json/data/features/1460": json.dumps({"data_features": {"feature": listed}}),
        "api/v1/json/data/qualities/1460": json.dumps(qualities),
        # The address of the data differs between versions of scikit-learn.
        "data/v1/download/1586223/banana.arff": arff,
        "data/v1/download/1586223": arff,
    }
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    return tmp_path, answers


def test_openml_is_read_through_scikit_learn(openml_cache):
    home, answers = openml_cache
    for path, text in answers.items():
        for site in ("openml.org", "www.openml.org", "api.openml.org"):
            file = home / "openml" / site / f"{path}.gz"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(gzip.compress(text.encode()))
    X, y = load_tabular("banana")
    assert X.shape == (5300, 2)
    assert y.sum() == 2376


def test_without_a_network_the_error_suggests_a_folder(tmp_path, monkeypatch):
    def refuse(*args, **kwargs):
        raise OSError("no network")

    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path))
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr("sklearn.datasets._openml.time.sleep", lambda seconds: None)
    with (
        pytest.warns(UserWarning, match="network error"),
        pytest.raises(ExperimentError, match="cannot download 'twonorm'.*pass --data"),
    ):
        load_tabular("twonorm")


def test_a_set_that_openml_lacks_needs_a_folder():
    with pytest.raises(ExperimentError, match="Pass --data"):
        load_tabular("flare-solar")
