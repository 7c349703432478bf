"""A table with labels: which rows, which features, and what is known about both."""

import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.data.dataset import Dataset, load_table
from labelnoise.data.label_column import LabelColumn, whole_numbers
from labelnoise.data.table_options import TableOptions

RNG = np.random.default_rng(0)


def codes(dataset):
    return [note.code for note in dataset.notes]


def note(dataset, code):
    return next(one for one in dataset.notes if one.code == code)


def refused(call, *arguments, **options):
    with pytest.raises(ln.LabelNoiseError) as caught:
        call(*arguments, **options)
    return caught.value.note


def saved(tmp_path, **columns):
    path = tmp_path / "data.csv"
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


def test_features_labels_ids_and_content_of_a_file(mixed, mixed_path):
    data = load_table(mixed_path)
    assert data.X.shape == (300, len(data.feature_names))
    assert np.isfinite(data.X).all()
    assert data.y.tolist() == mixed["label"].tolist()
    assert data.ids.tolist() == list(range(300))
    assert data.shown[0] == "note"  # texts come first
    assert set(data.feature_columns) == {"age", "city", "member", "joined", "note"}
    assert data.content([3, 0], ["city"])["city"] == mixed["city"][[3, 0]].tolist()
    assert {"always", "nothing"}.isdisjoint(data.showable)
    assert {"label_guessed", "columns_by_type", "columns_skipped", "numbers_imputed"} <= set(
        codes(data)
    )


def test_one_note_stands_for_several_columns(tmp_path):
    n = 60
    values = np.where(np.arange(n) % 7 == 0, np.nan, RNG.normal(size=n))
    ids = {f"id{i}": RNG.permutation(n) for i in range(3)}
    data = load_table(saved(tmp_path, a=values, b=-values, **ids, label=np.arange(n) % 2))
    assert note(data, "numbers_imputed").facts["columns"] == ["a", "b"]
    assert note(data, "columns_skipped").facts["columns"] == ["id0", "id1", "id2"]


def test_every_decision_can_be_overridden(mixed_path):
    data = load_table(
        mixed_path,
        label="member",
        features=("customer_id", "city", "copy"),
        column_types={"copy": "category", "city": "skip"},
        id_column="uuid",
        shown=("label", "note"),
    )
    types = {kind.name: kind.type for kind in data.column_types}
    assert types == {"customer_id": "number", "city": "skip", "copy": "category"}
    assert data.ids[0].endswith("-aa")
    assert list(data.content([3])) == ["label", "note"]
    assert set(data.y) == {"yes", "no"}
    dropped = load_table(mixed_path, drop=("note", "joined", "age", "member"))
    assert set(dropped.feature_columns) == {"city"}
    assert not {"note", "member"} & set(dropped.showable)


def test_embeddings_take_the_place_of_columns(mixed_path, tmp_path):
    E = RNG.normal(size=(300, 7))
    np.save(tmp_path / "e.npy", E)
    data = load_table(mixed_path, embeddings=tmp_path / "e.npy", shown=("note",))
    np.testing.assert_array_equal(data.X, E)
    assert data.feature_names[3] == "embedding[3]"
    assert set(data.digests) == {"data", "embeddings"}
    np.save(tmp_path / "short.npy", E[1:])
    found = refused(load_table, mixed_path, embeddings=tmp_path / "short.npy")
    assert found.code == "embeddings_of_other_shape"


def test_columns_of_numbers_are_embeddings_whatever_their_names(mixed_path, tmp_path):
    E = pd.DataFrame(RNG.random((300, 2)).round(6))  # columns 0 and 1, as pandas names them
    E.to_csv(tmp_path / "e.csv", index=False)
    np.testing.assert_array_equal(load_table(mixed_path, embeddings=tmp_path / "e.csv").X, E)
    found = refused(load_table, mixed_path, embeddings=mixed_path)
    assert found.code == "embeddings_of_other_shape"


def test_vectors_in_a_column_are_embeddings(tmp_path):
    E = RNG.normal(size=(40, 3)).round(3)
    lines = [json.dumps({"v": v, "label": "ab"[i % 2]}) for i, v in enumerate(E.tolist())]
    (tmp_path / "d.jsonl").write_text("\n".join(lines))
    np.testing.assert_array_equal(load_table(tmp_path / "d.jsonl").X, E)


def test_labels_may_stand_in_a_file_of_their_own(tmp_path):
    X, y = RNG.normal(size=(40, 3)), np.arange(40) % 2
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    data = load_table(tmp_path / "X.npy", label=str(tmp_path / "y.npy"))
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.y, y)
    assert data.labels_in_own_file
    np.save(tmp_path / "z.npy", y[1:])
    found = refused(load_table, tmp_path / "X.npy", label=str(tmp_path / "z.npy"))
    assert (found.code, found.facts["n_labels"]) == ("labels_of_other_length", 39)
    (tmp_path / "names.csv").write_text("label\n" + "01\n02\n" * 20)
    data = load_table(tmp_path / "X.npy", label=str(tmp_path / "names.csv"))
    assert set(data.y) == {"01", "02"}


def test_rows_without_a_label_and_labels_of_one_row_are_left_out(tmp_path):
    labels = ["a", "b"] * 20
    labels[3], labels[7] = "", "bb"
    data = load_table(saved(tmp_path, x=np.cos(np.arange(40)), label=labels))
    assert len(data.y) == 38
    assert not {3, 7} & set(data.ids.tolist())
    assert note(data, "rows_without_label").facts["n"] == 1
    assert note(data, "labels_of_one_row").facts["labels"] == ["bb"]


def test_labels_that_look_like_others_or_like_none_are_named(tmp_path):
    labels = (
        ["Retail", "Food"] * 150 + ["retail "] * 5 + ["Retial"] * 3 + [" Food"] * 9 + ["NA"] * 4
    )
    path = saved(tmp_path, x=np.sin(np.arange(len(labels))), label=labels)
    data = load_table(path)
    assert note(data, "labels_spelled_alike").facts["labels"] == ["Retail", "retail"]
    assert note(data, "label_misspelled").facts["rare"] == "Retial"
    assert note(data, "label_like_missing").facts["labels"] == ["NA"]
    assert sorted(set(data.y)) == ["Food", "NA", "Retail", "Retial", "retail"]  # trimmed
    assert "NA" not in set(load_table(path, unlabeled=["NA"]).y)
    absent = load_table(path, unlabeled=["none"])
    assert note(absent, "unlabeled_not_found").facts["labels"] == ["none"]


def test_labels_are_whole_numbers_only_if_written_so():
    assert whole_numbers(["0", "1", "-5"]) == [0, 1, -5]
    for texts in (["00", "1"], ["1.0", "2.0"], ["a", "1"], ["9" * 30, "1"]):
        assert whole_numbers(texts) == texts


@given(st.lists(st.sampled_from(["1", "2", "10"]), min_size=1, max_size=20))
def test_labels_of_a_file_and_of_a_frame_are_the_same(labels):
    texts = LabelColumn.of("y", pa.chunked_array([labels]), from_file=True)
    numbers = LabelColumn.of("y", pa.chunked_array([list(map(int, labels))]))
    assert texts.levels == numbers.levels
    np.testing.assert_array_equal(texts.codes, numbers.codes)


def test_new_classes_take_the_form_of_the_others():
    column = pa.chunked_array([["1", "2", "1", "2"]])
    labels = LabelColumn.of("y", column, new_classes=("3",), from_file=True)
    assert labels.classes(np.arange(4), ("3",)) == (1, 2, 3)
    labels = LabelColumn.of("y", column, new_classes=("other",), from_file=True)
    assert labels.classes(np.arange(4), ("other",)) == ("1", "2", "other")


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"label": "lable"}, "no_such_column"),
        ({"features": ("Age",)}, "no_such_column"),
        ({"drop": ("zzz",)}, "no_such_column"),
        ({"column_types": {"age": "color"}}, "unknown_choice"),
        ({"label": "uuid"}, "labels_look_like_ids"),
        ({"label": "always"}, "one_class_only"),
        ({"features": ("label", "age"), "label": "label"}, "label_is_feature"),
        ({"features": ("always",)}, "no_usable_column"),
        ({"features": ("age",), "shown": ("age",)}, "column_used_twice"),
        ({"label": "label", "group": "label"}, "group_is_label"),
        ({"features": ("age", "city"), "group": "city"}, "group_is_feature"),
        ({"column_types": {"city": "category"}, "group": "city"}, "group_is_feature"),
        ({"column_types": {"city": "number"}}, "column_unusable"),
        ({"column_types": {"city": "date"}}, "column_unusable"),
        ({"column_types": {"city": "vector"}}, "column_unusable"),
        ({"column_types": {"uuid": "category"}}, "column_unusable"),
        ({"id_column": "city"}, "ids_not_distinct"),
        ({"id_column": "nothing"}, "ids_missing"),
        ({"delimiter": ";;"}, "delimiter_not_one_character"),
        ({"delimiter": ""}, "delimiter_not_one_character"),
    ],
)
def test_what_cannot_be_done_is_refused(mixed_path, options, code):
    assert refused(load_table, mixed_path, **options).code == code


def test_a_single_name_may_stand_without_a_list(mixed_path):
    for option in ("features", "drop", "shown"):
        one, listed = (load_table(mixed_path, **{option: given}) for given in ("age", ["age"]))
        assert (one.feature_names, one.shown) == (listed.feature_names, listed.shown)


def test_a_name_that_is_nearly_right_is_suggested(mixed_path):
    assert refused(load_table, mixed_path, label="lable").facts["suggestion"] == "label"


def test_a_table_without_a_likely_label_asks_for_it(tmp_path):
    path = saved(tmp_path, x=[1.0, 2.0], z=["a", "b"])
    assert refused(load_table, path).code == "no_label_column"


def test_a_category_that_may_be_made_from_the_labels_is_a_finding(tmp_path):
    y = RNG.integers(3, size=600)
    nearly = np.where(RNG.random(600) < 0.1, RNG.integers(3, size=600), y)
    path = saved(tmp_path, x=RNG.normal(size=600), c=np.array(["u", "v", "w"])[nearly], label=y)
    (finding,) = load_table(path).findings
    assert (finding.code, finding.facts["column"]) == ("column_predicts_label", "c")
    assert not load_table(path, column_types={"c": "category"}).findings  # confirmed by the user


def test_many_rare_categories_do_not_seem_to_predict_the_labels(tmp_path):
    y = RNG.integers(2, size=2000)
    titles = [f"title {i}" for i in RNG.zipf(1.3, 2000) % 1000]
    path = saved(tmp_path, x=RNG.normal(size=2000), title=titles, label=y)
    data = load_table(path)
    assert {kind.name: kind.type for kind in data.column_types}["title"] == "category"
    assert not data.findings


@pytest.mark.parametrize("large", [1e300, -(2.0**63), 2.0**62])
def test_numbers_beyond_integers_are_labels_as_they_are(large):
    labels = LabelColumn.of("y", pa.chunked_array([[1.0, large] * 3]))
    assert set(labels.levels) == {1.0, large}


def test_infinite_labels_are_refused_as_they_are_of_arrays():
    table = pa.table({"a": RNG.normal(size=60), "y": [1.0, np.inf] * 30})
    assert refused(Dataset.from_table, table, "y").code == "fractional_labels"


def test_an_id_column_may_have_any_name(tmp_path):
    names = RNG.permutation(100) + 1000
    path = saved(tmp_path, a=RNG.normal(size=100), position=names, label=np.arange(100) % 2)
    data = load_table(path, id_column="position")
    assert data.id_source == "position"
    assert data.row_ids.tolist() == names.tolist()
    assert load_table(path).id_source is load_table(path).row_ids is None


@pytest.mark.parametrize(
    "option",
    [{"format": "csv"}, {"delimiter": ";"}, {"encoding": "utf-8"}, {"header": False}],
    ids=lambda option: next(iter(option)),
)
def test_options_of_files_are_refused_for_tables_in_memory(mixed, option):
    assert refused(load_table, mixed, "label", **option).code == "exclude_each_other"


def test_a_frame_and_its_file_are_the_same_data_set(mixed, mixed_path):
    from_file = load_table(mixed_path)
    for table in (mixed, pl.from_pandas(mixed), pa.Table.from_pandas(mixed)):
        data = Dataset.from_table(table, TableOptions(label="label"))
        np.testing.assert_array_equal(data.X, from_file.X)
        np.testing.assert_array_equal(data.y, from_file.y)
        assert data.feature_names == from_file.feature_names


def test_rows_of_a_frame_are_named_by_its_index(mixed):
    frame = mixed.set_index("uuid")
    data = Dataset.from_table(frame, TableOptions(label="label"))
    assert data.ids.tolist() == frame.index.tolist()
    assert data.id_source == "ids"


def test_missing_labels_of_a_frame_are_left_out(mixed):
    frame = mixed.assign(label=mixed["label"].where(mixed.index % 10 > 0))
    data = Dataset.from_table(frame, TableOptions(label="label"))
    assert len(data.y) == 270
    assert note(data, "rows_without_label").facts["n"] == 30
