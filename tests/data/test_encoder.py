"""Columns as numbers: what each type becomes, and that new rows become the same."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import labelnoise as ln
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.settings import SAMPLED_TEXTS

RNG = np.random.default_rng(0)


def code_of(call, *arguments, **options):
    with pytest.raises(ln.LabelNoiseError) as caught:
        call(*arguments, **options)
    return caught.value.note.code


def test_plain_numbers_stay_as_they_are():
    X = RNG.normal(5, 3, size=(40, 3))
    for table in (X, X.tolist(), sparse.csr_array(X), pd.DataFrame(X), pl.DataFrame(X)):
        np.testing.assert_array_equal(TableEncoder().fit_transform(table), X)


def test_numbers_beside_other_columns_have_mean_0_and_variance_1():
    frame = pd.DataFrame({"x": RNG.normal(5, 3, 60), "c": ["a", "b", "c"] * 20})
    X = TableEncoder().fit_transform(frame)
    assert X[:, 0].mean() == pytest.approx(0)
    assert X[:, 0].var() == pytest.approx(1)
    np.testing.assert_array_equal(X[:, 1:].sum(axis=1), np.ones(60))


def test_a_missing_number_is_the_median_and_indicated():
    frame = pl.DataFrame({"x": [1.0, 2.0, None, 30.0], "z": [0.0, 1.0, 1.0, 0.0]})
    encoder = TableEncoder()
    X = encoder.fit_transform(frame)
    assert encoder.get_feature_names_out().tolist() == ["x", "x is missing", "z"]
    assert X[2, 0] == X[1, 0]  # 2 is the median of 1, 2 and 30
    assert X[:, 1].tolist() == [0, 0, 1, 0]
    assert [(note.code, note.facts["n"]) for note in encoder.notes_] == [("numbers_imputed", 1)]


def test_of_one_number_and_missing_ones_only_the_indicator_is_used():
    frame = pd.DataFrame({"x": [3.0, np.nan] * 20, "z": RNG.normal(size=40)})
    encoder = TableEncoder().fit(frame)
    assert encoder.get_feature_names_out().tolist() == ["x is missing", "z"]
    assert np.ptp(encoder.transform(frame), axis=0).min() > 0


def test_two_categories_need_one_indicator_and_a_missing_one_is_a_category():
    frame = pd.DataFrame({"two": ["a", "b"] * 10, "three": ["x", None, "x", "y"] * 5})
    encoder = TableEncoder().fit(frame)
    names = encoder.get_feature_names_out().tolist()
    assert names == ["two=b", "three=(missing)", "three=x", "three=y"]


def test_categories_that_are_seen_often_enough_are_kept_however_many():
    levels = [f"breed {i}" for i in range(200)]
    frame = pd.DataFrame({"breed": levels * 20 + ["rare", "rarer"]})
    encoder = TableEncoder().fit(frame)
    names = encoder.get_feature_names_out().tolist()
    assert names == [*(f"breed={level}" for level in sorted(levels)), "breed=(other)"]
    (note,) = encoder.notes_
    assert (note.code, note.facts["n"]) == ("categories_pooled", 2)


def test_dates_are_days_with_their_season_if_they_cover_some():
    days = [datetime.date(2020, 1, 1) + datetime.timedelta(days=7 * i) for i in range(120)]
    encoder = TableEncoder().fit(pa.table({"day": days, "c": ["a", "b", "c"] * 40}))
    names = encoder.get_feature_names_out().tolist()
    assert names[:5] == [
        "day", "day, sine of the week", "day, cosine of the week",
        "day, sine of the year", "day, cosine of the year",
    ]  # fmt: skip
    short = TableEncoder().fit(pa.table({"day": days[:2] * 2, "c": ["a", "b"] * 2}))
    assert short.get_feature_names_out().tolist()[0] == "day"
    assert len(short.get_feature_names_out()) == 2


def test_texts_are_directions_named_by_their_words():
    texts = [f"the {a} {b} sat" for a in ("big", "old") for b in ("cat", "dog", "cow")] * 30
    texts = [f"{text} down {i}" for i, text in enumerate(texts)]
    encoder = TableEncoder().fit(pd.DataFrame({"note": texts}))
    assert encoder.column_types_[0].type == "text"
    assert set(encoder.feature_columns_) == {"note"}
    assert "dog" in " ".join(encoder.get_feature_names_out())
    assert encoder.notes_[0].code == "texts_reduced"


def test_new_rows_become_what_the_fitted_ones_did(mixed):
    features = mixed.drop(columns="label")
    encoder = TableEncoder().fit(features)
    X = encoder.transform(features)
    for rows in ([7], [299, 3, 3], range(100, 200)):
        new = features.iloc[list(rows)]
        np.testing.assert_array_equal(encoder.transform(new), X[list(rows)])
        np.testing.assert_array_equal(encoder.transform(pl.from_pandas(new)), X[list(rows)])
        reordered = new[new.columns[::-1]].assign(more=1)
        np.testing.assert_array_equal(encoder.transform(reordered), X[list(rows)])


def test_an_unknown_category_is_pooled_with_the_rare_ones_or_gets_no_indicator():
    frame = pd.DataFrame({"c": ["a", "b", "c"] * 30 + ["rare", "rarer"]})
    encoder = TableEncoder().fit(frame)
    assert encoder.get_feature_names_out().tolist()[-1] == "c=(other)"
    assert encoder.transform(pd.DataFrame({"c": ["new"]})).tolist() == [[0, 0, 0, 1]]
    plain = TableEncoder().fit(pd.DataFrame({"c": ["a", "b", "c"] * 30}))
    assert plain.transform(pd.DataFrame({"c": ["new"]})).tolist() == [[0, 0, 0]]


def test_the_order_of_the_rows_changes_nothing(mixed):
    order = np.random.default_rng(1).permutation(len(mixed))
    X = TableEncoder().fit_transform(mixed)
    np.testing.assert_array_equal(TableEncoder().fit_transform(mixed.iloc[order]), X[order])


def test_what_new_rows_must_have():
    frame = pd.DataFrame({"x": RNG.normal(size=30), "c": ["a", "b", "c"] * 10})
    encoder = TableEncoder().fit(frame)
    assert code_of(encoder.transform, frame[["x"]]) == "new_rows_differ"
    assert code_of(encoder.transform, np.zeros((2, 2))) == "new_rows_differ"
    assert code_of(encoder.transform, frame.assign(x="text")) == "column_changed_type"
    assert code_of(encoder.transform, frame.assign(x=np.inf)) == "column_infinite"
    array = TableEncoder().fit(frame[["x"]].to_numpy())
    assert code_of(array.transform, frame[["x"]]) == "new_rows_differ"
    assert code_of(array.transform, np.zeros((2, 2))) == "new_rows_differ"


def test_what_cannot_be_encoded(mixed):
    fit = TableEncoder().fit
    assert code_of(fit, pd.DataFrame({"always": ["a"] * 9})) == "no_usable_column"
    assert code_of(fit, pd.DataFrame(index=range(5))) == "no_features"
    wrong = TableEncoder(column_types={"city": "number"})
    assert code_of(wrong.fit, mixed) == "column_unusable"
    wrong = TableEncoder(column_types={"citty": "category"})
    assert code_of(wrong.fit, mixed) == "types_of_unknown_columns"
    assert code_of(fit, np.ma.masked_greater(np.arange(6.0).reshape(3, 2), 4)) == "masked_features"


def test_infinite_numbers_leave_a_column_out():
    frame = pd.DataFrame({"x": [1.0, np.inf, 2.0] * 10, "z": RNG.normal(size=30)})
    encoder = TableEncoder().fit(frame)
    assert encoder.column_types_[0].reason.code == "column_has_infinite_values"
    assert encoder.get_feature_names_out().tolist() == ["z"]


def test_columns_of_an_arrow_table_are_told_apart_by_their_names(task):
    X, _, noisy, _ = task
    table = pa.table({"a": X[:, 0], "b": X[:, 1]})
    found = ln.estimate(table, noisy, method="hoc").transition_matrix
    assert found == ln.estimate(X[:, :2], noisy, method="hoc").transition_matrix


def test_an_encoder_fitted_again_on_an_array_forgets_the_names_of_the_table(task):
    X = np.asarray(task[0])
    encoder = TableEncoder().fit(pd.DataFrame(X, columns=[f"c{i}" for i in range(X.shape[1])]))
    assert hasattr(encoder, "feature_names_in_")
    encoder.fit(X)
    assert not hasattr(encoder, "feature_names_in_")
    assert encoder.get_feature_names_out()[0] == "x0"


def test_the_script_of_texts_is_that_of_most_not_of_the_first_in_the_alphabet():
    rng = np.random.default_rng(0)
    letters = [chr(0x4E00 + i) for i in range(300)]
    chinese = ["".join(rng.choice(letters, 20)) for _ in range(1000)]
    latin = [f"this is note number {i}" for i in range(SAMPLED_TEXTS)]
    encoder = TableEncoder(column_types={"note": "text"})
    encoder.fit(pd.DataFrame({"note": latin + chinese}))
    (words,) = [one._directions["words"] for one in encoder._encoders.values()]
    assert words.analyzer == "char"
