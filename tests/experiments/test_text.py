import sys
from types import SimpleNamespace

import numpy as np
import pytest
from experiments.errors import ExperimentError
from experiments.text import load_text, prepare_text
from experiments.text_huggingface import sentence_embedder, training_rows
from sklearn.feature_extraction.text import HashingVectorizer


def embed(texts):
    return HashingVectorizer(n_features=16).transform(texts).toarray()


def test_a_csv_file_is_embedded_once_and_read_often(tmp_path):
    file = tmp_path / "train.csv"
    file.write_text('id,comment_text,toxic\n1,"you, sir",0\n2,"go\naway",1\n3,hello,0\n')
    path = prepare_text("jigsaw", tmp_path, embed, features="hashed", file=file)
    assert path.name == "jigsaw_hashed.npy"
    X, y = load_text("jigsaw", tmp_path, "hashed")
    np.testing.assert_array_equal(y, [0, 1, 0])
    np.testing.assert_allclose(X, embed(["you, sir", "go\naway", "hello"]), atol=1e-6)


def test_a_byte_order_mark_is_skipped_and_other_encodings_are_refused(tmp_path):
    file = tmp_path / "train.csv"
    content = "comment_text,toxic\ncafé,0\n"
    file.write_text(content, encoding="utf-8-sig")
    prepare_text("jigsaw", tmp_path, embed, file=file)
    file.write_text(content, encoding="latin-1")
    with pytest.raises(ExperimentError, match="is not UTF-8 .byte 22.. Save it as UTF-8"):
        prepare_text("jigsaw", tmp_path, embed, file=file)


def test_labels_that_belong_to_other_embeddings_are_kept(tmp_path):
    file = tmp_path / "train.csv"
    file.write_text("comment_text,toxic\nhello,0\nyou,1\n")
    prepare_text("jigsaw", tmp_path, embed, features="one", file=file)
    prepare_text("jigsaw", tmp_path, embed, features="two", file=file)
    file.write_text("comment_text,toxic\nyou,1\nhello,0\n")
    with pytest.raises(ExperimentError, match="holds other labels"):
        prepare_text("jigsaw", tmp_path, embed, features="three", file=file)
    np.testing.assert_array_equal(load_text("jigsaw", tmp_path, "one")[1], [0, 1])


def test_a_folder_that_cannot_be_created_is_noticed_before_embedding(tmp_path):
    file = tmp_path / "train.csv"
    file.write_text("comment_text,toxic\nhello,0\n")
    with pytest.raises(ExperimentError, match="cannot create .*Choose a folder"):
        prepare_text("jigsaw", file / "below", lambda _: pytest.fail("embedded"), file=file)


def test_several_columns_make_one_text(tmp_path):
    file = tmp_path / "train.csv"
    file.write_text("title,content,label\nRome,a city,4\nNile,a river,9\n")
    seen = []
    prepare_text("dbpedia", tmp_path, lambda texts: seen.extend(texts) or embed(texts), file=file)
    assert seen == ["Rome a city", "Nile a river"]


def test_unusable_arrays_and_files_are_refused(tmp_path):
    with pytest.raises(ExperimentError, match="cannot read .*ag_minilm.npy"):
        load_text("ag", tmp_path)
    with pytest.raises(ExperimentError, match="unknown text set 'imdb'"):
        load_text("imdb", tmp_path)
    np.save(tmp_path / "ag_minilm.npy", np.zeros((3, 2)))
    np.save(tmp_path / "ag_y.npy", np.zeros(2))
    with pytest.raises(ExperimentError, match="Prepare both again"):
        load_text("ag", tmp_path)
    with pytest.raises(ExperimentError, match="cannot be named 'y'"):
        prepare_text("ag", tmp_path, embed, features="y")
    with pytest.raises(ExperimentError, match="--file"):
        prepare_text("jigsaw", tmp_path, embed)
    empty = tmp_path / "empty.csv"
    empty.write_text("comment_text,toxic\n")
    with pytest.raises(ExperimentError, match="at least one row"):
        prepare_text("jigsaw", tmp_path, embed, file=empty)
    for label in ("2", "-1", "0.5", "yes", ""):
        empty.write_text(f"comment_text,toxic\nhello,0\nyou,{label}\n")
        with pytest.raises(
            ExperimentError, match="in row 1. Labels must be whole numbers from 0 to 1"
        ):
            prepare_text("jigsaw", tmp_path, embed, file=empty)
    empty.write_text("comment_text,toxic\nhello,0\n")
    with pytest.raises(ExperimentError, match="Return one row for each text"):
        prepare_text("jigsaw", tmp_path, lambda texts: np.zeros(3), file=empty)
    np.save(tmp_path / "ag_y.npy", np.array([1.0, 4.0, np.nan]))
    with pytest.raises(ExperimentError, match=r"ag_y.npy has '4.0' in row 1"):
        load_text("ag", tmp_path)
    np.save(tmp_path / "ag_y.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(ExperimentError, match="cannot read .*ag_y.npy"):
        load_text("ag", tmp_path)


def _no_network(*args, **kwargs):
    raise OSError("no network")


@pytest.mark.parametrize(
    ("package", "function", "call"),
    [
        ("datasets", "load_dataset", lambda: training_rows("nobody/nothing")),
        (
            "sentence_transformers",
            "SentenceTransformer",
            lambda: sentence_embedder("nobody/nothing")(["a text"]),
        ),
    ],
)
def test_a_missing_package_and_a_missing_network_are_named(monkeypatch, package, function, call):
    monkeypatch.setitem(sys.modules, package, SimpleNamespace(**{function: _no_network}))
    with pytest.raises(ExperimentError, match="'nobody/nothing'.*no network"):
        call()
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ExperimentError, match="pip install " + package.replace("_", "-")):
        call()
