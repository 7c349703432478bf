"""One encoder: the same table gives the same estimate, in whatever form it comes."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import labelnoise as ln
from labelnoise.wording import Note
from messages import refused, warned

N_ROWS = 400


@pytest.fixture(scope="module")
def table():
    """A table with all that tables have: gaps, dates, texts, an id, categories, booleans."""
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=N_ROWS)
    words = np.array(["slow broken late poor", "quick solid early good"])[clean]
    size = np.round(2.0 * clean + rng.normal(size=N_ROWS), 3)
    days = 30 * clean + rng.integers(0, 60, size=N_ROWS)
    kinds = np.where(rng.random(N_ROWS) < 0.7, clean, rng.integers(2, size=N_ROWS))
    columns = {
        "id": [f"row-{i:04d}" for i in range(N_ROWS)],
        "size": [None if i % 11 == 0 else float(v) for i, v in enumerate(size)],
        "count": (rng.poisson(3, size=N_ROWS) + clean).tolist(),
        "kind": [None if i % 13 == 0 else "xyz"[v] for i, v in enumerate(kinds)],
        "day": np.datetime64("2024-01-01") + days.astype("m8[D]"),
        "text": [
            f"{word} {rng.choice(['box', 'car', 'cup', 'pen'])} {rng.choice(['a', 'b', 'c'])}{i % 7}"
            for i, word in enumerate(words)
        ],
        "label": np.array(["bad", "fine"])[
            ln.inject_noise(clean, [[0.8, 0.2], [0.1, 0.9]], random_state=1)
        ].tolist(),
    }
    return pa.table(columns)


def from_file(table, folder, name):
    path = folder / name
    if name.endswith(".parquet"):
        pq.write_table(table, path)
    else:
        table.to_pandas().to_csv(path, index=False)
    return ln.load_table(path, "label")


FORMS = {
    "arrow": lambda table, _: (table, "label"),
    "pandas": lambda table, _: (table.to_pandas(), "label"),
    "pandas with dates": lambda table, _: (
        table.to_pandas().assign(day=lambda frame: pd.to_datetime(frame["day"])),
        "label",
    ),
    "polars": lambda table, _: (pl.from_arrow(table), "label"),
    "features and labels": lambda table, _: (
        table.drop_columns(["label"]).to_pandas(),
        table["label"].to_pylist(),
    ),
    "CSV file": lambda table, folder: (from_file(table, folder, "data.csv"), None),
    "Parquet file": lambda table, folder: (from_file(table, folder, "data.parquet"), None),
}


@pytest.fixture(scope="module")
def expected(table):
    with pytest.warns(ln.LabelNoiseWarning):
        return ln.estimate(table, "label", n_draws=20)


@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_table_gives_the_same_estimate(table, expected, form, tmp_path):
    X, y = FORMS[form](table, tmp_path)
    est = ln.estimate(X, y, n_draws=20)
    np.testing.assert_array_equal(est.transition_matrix, expected.transition_matrix)
    np.testing.assert_array_equal(est.class_prior, expected.class_prior)
    assert est == expected


@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
def test_a_hugging_face_dataset_gives_the_same_estimate(table, expected):
    datasets = pytest.importorskip("datasets")
    assert ln.estimate(datasets.Dataset(table), "label", n_draws=20) == expected


def test_new_rows_of_the_same_table_are_encoded_alike(table):
    rows, labels = table.drop_columns(["label"]), table["label"].to_pylist()
    with warned("columns_left_out"):
        model = ln.RankGatedEstimator(n_draws=0).fit(rows.to_pandas(), labels)
    assert [kind.name for kind in model.encoder_.column_types_ if not kind.is_feature] == ["id"]
    first = rows.slice(0, 40).to_pandas()
    found = model.predict_proba(first)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    # One row at a time, in another order of columns, without what was left out, with a new category.
    few = first.assign(kind="unheard of")
    assert model.predict_proba(few).shape == (40, 2)
    single = np.vstack([model.predict_proba(first.iloc[[i]]) for i in range(5)])
    np.testing.assert_allclose(single, found[:5], atol=1e-9)


def test_columns_that_are_left_out_and_pooled_categories_are_warned_about():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=300)
    frame = pd.DataFrame(
        {
            "key": [f"k{i}" for i in range(300)],
            "number": labels + rng.normal(size=300),
            "kind": np.where(np.arange(300) < 4, [f"rare {i % 4}" for i in range(300)], "usual"),
            "constant": 1,
        }
    )
    frame.loc[150:, "kind"] = "other"
    with warned("columns_left_out", "categories_pooled") as caught:
        model = ln.RankGatedEstimator(n_draws=0).fit(frame, labels)
    assert caught[0].message.note.facts["columns"] == ["key"]
    assert caught[1].message.note.facts["columns"] == ["kind"]
    assert all(isinstance(note, Note) for note in model.encoder_.notes_)


def test_a_column_made_from_the_labels_makes_the_estimate_weak():
    rng = np.random.default_rng(0)
    labels = rng.integers(2, size=400)
    made = np.where(rng.random(400) < 0.95, labels, 1 - labels)
    frame = pd.DataFrame({"x": labels + rng.normal(size=400), "made": np.array(["p", "q"])[made]})
    est = ln.estimate(frame, labels, n_draws=20)
    assert est.diagnosis.findings[0].code == "column_predicts_label"
    audited = est.with_audit([0], labels[[0]])
    assert "column_predicts_label" in {one.code for one in audited.diagnosis.findings}


def test_a_data_set_has_its_own_labels(table, tmp_path):
    dataset = from_file(table, tmp_path, "data.csv")
    with refused("exclude_each_other"):
        ln.estimate(dataset, table["label"].to_pylist())
    assert isinstance(dataset, ln.Dataset)


@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
def test_dates_that_are_texts_in_a_frame_are_dates(table, expected):
    stream = io.StringIO()
    table.to_pandas().to_csv(stream, index=False)
    stream.seek(0)
    assert ln.estimate(pd.read_csv(stream), "label", n_draws=20) == expected


@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
def test_rows_keep_their_place_in_the_file_if_others_are_left_out(table, tmp_path):
    """Rows without a label, and labels of one row, are left out; issues still name rows of the file."""
    frame = table.to_pandas()
    frame.loc[[2, 5], "label"] = [None, "unique"]
    frame.to_csv(tmp_path / "gaps.csv", index=False)
    dataset = ln.load_table(tmp_path / "gaps.csv", "label")
    assert not {2, 5} & set(dataset.ids.tolist())
    est = ln.estimate(dataset, n_draws=0)
    est.save(f"{tmp_path}/folder/")
    loaded = ln.NoiseEstimate.load(tmp_path / "folder")
    expected = ln.find_label_issues(est, dataset.y, budget=40, ids=dataset.ids)["row"].tolist()
    assert max(expected) > dataset.X.shape[0] // 2
    for one in (est, loaded):
        with refused("rows_of_data_set_have_names"):
            ln.find_label_issues(one, dataset.y)
        found = ln.find_label_issues(one, dataset, budget=40)
        assert found["row"].tolist() == expected
        assert found["given"].tolist() == frame["label"].to_numpy()[expected].tolist()
    fixed = ln.apply_fixes(dataset, found, column="suggested")
    changed = dataset.ids[fixed != dataset.y]
    assert sorted(changed.tolist()) == sorted(expected)


@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
def test_a_frame_with_missing_labels_becomes_a_data_set(table):
    frame = table.to_pandas()
    frame.loc[[2, 5], "label"] = None
    dataset = ln.Dataset.from_table(frame, "label")
    assert len(dataset.y) == N_ROWS - 2
    assert ln.estimate(dataset, n_draws=0).n_rows == N_ROWS - 2
