import numpy as np
from experiments.sources import DataFolder, Source


def test_what_is_missing_comes_with_a_remedy(tmp_path):
    folder = DataFolder(tmp_path)
    assert "heart.csv does not exist" in folder.why_missing(Source("heart"))
    assert "--download" in folder.why_missing(Source("heart"))
    assert "--download" not in folder.why_missing(Source("flare-solar"))  # not on OpenML
    assert "--data" in DataFolder(None).why_missing(Source("heart"))
    assert "--file" in folder.why_missing(Source("jigsaw", "minilm"))  # needs an account
    assert "--prepare yelp" in folder.why_missing(Source("yelp", "minilm"))


def test_a_text_set_needs_both_of_its_files(tmp_path):
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ag_minilm.npy").touch()
    folder, source = DataFolder(tmp_path), Source("ag", "minilm")
    assert "ag_y.npy does not exist" in folder.why_missing(source)
    (tmp_path / "text" / "ag_y.npy").touch()
    assert folder.why_missing(source) == ""


def test_only_tables_that_openml_has_are_downloaded():
    online = DataFolder(None, download=True)
    assert online.why_missing(Source("banana")) == ""
    assert "--data" in online.why_missing(Source("flare-solar"))


def test_all_embeddings_of_a_text_set_are_used(tmp_path):
    (tmp_path / "text").mkdir()
    for part in ("minilm", "svd", "y"):
        (tmp_path / "text" / f"ag_{part}.npy").touch()
    folder = DataFolder(tmp_path)
    assert folder.representations("ag") == [Source("ag", "minilm"), Source("ag", "svd")]
    assert len(folder.representations("yelp")) == 1


def test_a_changed_file_has_another_fingerprint(tmp_path):
    (tmp_path / "text").mkdir()
    folder, source = DataFolder(tmp_path), Source("ag", "svd")
    seen = {folder.fingerprint(source)}
    for label in (0, 1):
        np.save(tmp_path / "text" / "ag_y.npy", np.array([label]))
        seen.add(folder.fingerprint(source))
    assert len(seen) == 3
