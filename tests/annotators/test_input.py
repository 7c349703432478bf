"""Every form of answers, and what is wrong with some of them."""

import json
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import labelnoise as ln
from labelnoise.annotators.settings import MIN_ROWS_WITH_THREE
from messages import refused, warned

NAMES = np.array(["cat", "dog"])


@pytest.fixture(scope="module")
def matrix():
    """Answers of four annotators to 120 rows as numbers, -1 where one is missing."""
    rng = np.random.default_rng(0)
    true = rng.integers(2, size=(120, 1))
    found = np.where(rng.random((120, 4)) < [0.05, 0.1, 0.2, 0.3], 1 - true, true)
    found[rng.random((120, 4)) < 0.2] = -1
    return found


@pytest.fixture(scope="module")
def long(matrix):
    row, annotator = np.nonzero(matrix >= 0)
    label = NAMES[matrix[row, annotator]]
    return pd.DataFrame({"item": row, "worker": annotator, "answer": label})


def codes_of(findings):
    return [one.code for one in findings]


def test_all_forms_of_a_matrix_are_the_same(matrix):
    one = ln.estimate_annotators(matrix)
    fractional = np.where(matrix < 0, np.nan, matrix)
    objects = np.where(matrix < 0, None, matrix.astype(object))
    for other in (fractional, objects, np.ma.masked_less(matrix, 0), matrix.tolist()):
        assert ln.estimate_annotators(other) == one
    named = pd.DataFrame(fractional, columns=list("abcd"))
    frames = [named, pl.from_pandas(named), pa.Table.from_pandas(named)]
    found = [ln.estimate_annotators(other) for other in frames]
    assert found[0].annotators == ("a", "b", "c", "d")
    assert found[0] == found[1] == found[2]
    np.testing.assert_array_equal(found[0].posterior, one.posterior)


def test_all_forms_of_a_long_table_are_the_same(matrix, long):
    one = ln.estimate_annotators(long)
    arrays = tuple(long[name].to_numpy() for name in long)
    other_names = long.rename(columns={"item": "a", "worker": "b", "answer": "c"})
    missing = pd.concat([long, pd.DataFrame({"item": [3], "worker": [0], "answer": [None]})])
    assert ln.estimate_annotators(arrays) == one
    assert ln.estimate_annotators(pl.from_pandas(long)) == one
    assert ln.estimate_annotators(long.astype({"answer": "category"})) == one
    assert ln.estimate_annotators(missing) == one
    assert ln.estimate_annotators(other_names, row="a", annotator="b", label="c") == one
    of_matrix = ln.estimate_annotators(matrix)
    answered = of_matrix.n_answers > 0
    np.testing.assert_allclose(of_matrix.posterior[answered], one.posterior, atol=1e-6)


def test_features_belong_to_rows_by_name(long):
    X = np.random.default_rng(0).normal(size=(120, 2))
    by_position = ln.estimate_annotators(long, X)
    names = np.array([f"r{i}" for i in range(120)])
    named = long.assign(item=names[long["item"]])
    table = pd.DataFrame(X, columns=["x", "z"]).assign(key=names)
    for found in (
        ln.estimate_annotators(named, X, ids=names),
        ln.estimate_annotators(named, table, ids="key"),
        ln.estimate_annotators(named, table.set_index("key")),
    ):
        np.testing.assert_allclose(found.posterior, by_position.posterior, atol=1e-8)
        assert found.rows.tolist() == names.tolist()
    with refused("answers_to_unknown_rows"):
        ln.estimate_annotators(named, X)
    with refused("ids_without_features"):
        ln.estimate_annotators(named, ids=names)


def test_rows_without_answers_are_reported(matrix):
    gaps = matrix.copy()
    gaps[:5] = -1
    est = ln.estimate_annotators(gaps)
    assert "rows_without_answers" in codes_of(est.diagnosis.findings)
    assert est.n_answers[:5].sum() == 0
    np.testing.assert_allclose(est.posterior[:5], np.tile(est.class_prior, (5, 1)), atol=1e-9)


def test_unusable_answers_are_refused(matrix, long):
    again = pd.concat([long, long.iloc[:3]])
    with warned("answers_repeated"):
        assert ln.estimate_annotators(again) == ln.estimate_annotators(long)
    other = {"cat": "dog", "dog": "cat"}
    twice = pd.concat([long, long.iloc[:2].assign(answer=lambda df: df["answer"].map(other))])
    with refused("answers_contradictory") as caught:
        ln.estimate_annotators(twice)
    assert caught.value.note.facts["n"] == 2
    with refused("single_annotator"):
        ln.estimate_annotators(long[long["worker"] == 1])
    with refused("single_class"):
        ln.estimate_annotators(long.assign(answer="cat"))
    with refused("no_labels"):
        ln.estimate_annotators(long.assign(answer=None))
    with refused("answers_unnamed"):
        ln.estimate_annotators(long.assign(worker=[None, *long["worker"][1:]]))
    with refused("answer_columns_unknown"):
        ln.estimate_annotators(long.rename(columns={"item": "thing"}))
    with refused("no_such_column"):
        ln.estimate_annotators(long, row="thing")
    with refused("answers_not_a_table"):
        ln.estimate_annotators(matrix[:, 0])
    with refused("labels_of_mixed_types"):
        ln.estimate_annotators(([0, 0, 1, 1], [0, 1, 0, 1], ["a", 1, "a", 1]))
    with refused("fractional_labels"):
        ln.estimate_annotators(([0, 0, 1, 1], [0, 1, 0, 1], [0.5, 1, 1, 0.5]))
    with refused("fractional_labels"):
        ln.estimate_annotators(np.where(matrix > 0, np.inf, matrix))
    with refused("features_constant"):
        ln.estimate_annotators(matrix, np.ones((120, 2)))
    with refused("too_many_feature_columns"):
        ln.estimate_annotators(matrix, np.eye(120, 3000))
    with refused("wrong_length"):
        ln.estimate_annotators(([0, 0, 1], [0, 1], [1, 1, 0]))
    with refused("wrong_length"):
        ln.estimate_annotators(matrix, np.zeros((5, 2)))
    with refused("labels_not_in_classes"):
        ln.estimate_annotators(long, classes=["cat", "cow"])
    with refused("unknown_choice"):
        ln.estimate_annotators(long, method="magic")
    with refused("input_not_used_by_method"):
        ln.estimate_annotators(long, np.zeros((120, 2)), method="dawid-skene")


def test_a_declared_class_without_answers_is_kept(long):
    est = ln.estimate_annotators(long, classes=["dog", "cow", "cat"])
    assert est.classes == ("dog", "cow", "cat")
    assert est.transition_matrix.values.shape == (3, 3)


def test_what_is_found_about_annotators(matrix):
    rng = np.random.default_rng(1)
    true = rng.integers(3, size=400)
    wrong = (true[:, None] + rng.integers(1, 3, size=(400, 3))) % 3
    good = np.where(rng.random((400, 3)) < 0.1, wrong, true[:, None])
    strange = np.column_stack([np.zeros(400, int), rng.integers(3, size=400), (true + 1) % 3])
    est = ln.estimate_annotators(np.column_stack([good, strange]))
    found = {one.code: one.facts.get("annotators") for one in est.diagnosis.findings}
    assert found["single_label_sources"] == ["3"]
    assert found["answers_at_random"] == ["4"]
    assert found["answers_worse_than_chance"] == ["5"]
    assert (est.consensus == true).mean() > 0.95
    assert est[3].single_label
    assert not set(est.most_reliable(0, 3)) & {3, 4, 5}


def test_what_cannot_be_known_is_said(matrix):
    two = ln.estimate_annotators(matrix[:, :2])
    assert two.diagnosis.verdict == "cannot tell"
    assert "two_annotators" in codes_of(two.diagnosis.findings)
    few = ln.estimate_annotators(matrix[:30])
    (fewer,) = [one for one in few.diagnosis.findings if one.code == "few_rows_with_three_answers"]
    assert fewer.facts["minimum"] == MIN_ROWS_WITH_THREE
    noise = np.random.default_rng(0).integers(2, size=(300, 4))
    assert "annotators_do_not_agree" in codes_of(ln.estimate_annotators(noise).diagnosis.findings)
    useless = ln.estimate_annotators(matrix, np.random.default_rng(0).normal(size=(120, 2)))
    assert "features_not_useful" in codes_of(useless.diagnosis.findings)
    for est in (two, few, useless):
        for one in est.diagnosis.findings:
            assert one.text("python")
            assert one.text("command line")


def test_a_result_does_not_change_and_can_be_saved(matrix, long, tmp_path):
    for est in (
        ln.estimate_annotators(long),
        ln.estimate_annotators(matrix, method="dawid-skene"),
        ln.estimate_annotators(matrix, np.random.default_rng(0).normal(size=(120, 2))),
    ):
        with pytest.raises(ValueError, match="read-only"):
            est.posterior[0, 0] = 1
        est.save(tmp_path / "a.json")
        again = ln.AnnotatorEstimate.load(tmp_path / "a.json")
        assert again == est
        assert repr(again) == repr(est)
        assert again.to_frame("polars").shape == (len(est.rows), 4)
    with refused("no_draws_of_annotators"):
        ln.estimate_annotators(matrix, method="dawid-skene").interval()
    (tmp_path / "b.json").write_text('{"schema": "labelnoise/annotator-estimate"}')
    with refused("estimate_of_other_version"):
        ln.AnnotatorEstimate.load(tmp_path / "b.json")
    (tmp_path / "c.json").write_text("{}")
    with refused("not_annotators"):
        ln.AnnotatorEstimate.load(tmp_path / "c.json")


def test_parts_of_a_result_fit_together(long):
    est = ln.estimate_annotators(long)
    np.testing.assert_allclose(est.posterior.sum(axis=1), 1)
    np.testing.assert_allclose(est.transition.sum(axis=2), 1)
    assert est.counts.sum() == pytest.approx(len(long))
    assert set(est.consensus) <= set(NAMES)
    ends = est.interval(0.9)
    for name in est.annotators:
        one, wide, narrow = est[name], est[name].interval(0.95), est[name].interval(0.5)
        inside = wide.lower.noise_rate <= narrow.lower.noise_rate <= one.noise_rate
        assert inside
        assert one.noise_rate <= narrow.upper.noise_rate <= wide.upper.noise_rate
        np.testing.assert_allclose(np.nansum(one.realized, axis=1), 1)
    assert ends.lower.noise_rate < est.together.noise_rate < ends.upper.noise_rate
    assert isinstance(est.transition_matrix, ln.TransitionMatrix)
    with refused("no_such_annotator"):
        est["nobody"]


def test_nothing_warns(long):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ln.estimate_annotators(long)


@pytest.fixture(scope="module")
def wide(matrix):
    """The same answers as texts, in a frame whose index names the rows."""
    texts = np.where(matrix < 0, None, NAMES[matrix])
    return pd.DataFrame(texts, columns=list("abcd"), index=[f"r{i:03}" for i in range(120)])


def test_named_rows_of_a_matrix_belong_to_features_by_name(matrix, wide):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(120, 2)), index=wide.index)
    X[0] += 3 * (matrix[:, 0] == 1)
    one = ln.estimate_annotators(wide, X)
    mixed = wide.sample(frac=1, random_state=0)
    for other, features, ids in (
        (mixed, X, None),
        (mixed.reset_index(names="id"), X, None),
        (mixed.reset_index(names="id"), X.to_numpy(), X.index),
    ):
        found = ln.estimate_annotators(other, features, ids=ids)
        assert found.rows.tolist() == X.index.tolist()
        assert found == one
    by_number = mixed.reset_index(names="id")
    by_number["id"] = by_number["id"].str[1:].astype(int)
    found = ln.estimate_annotators(by_number, X.to_numpy())
    np.testing.assert_array_equal(found.posterior, one.posterior)
    with refused("answers_to_unknown_rows"):
        ln.estimate_annotators(mixed.reset_index(names="id"), X.to_numpy())


def test_an_index_in_another_order_is_refused(wide):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(120, 2)))
    with refused("rows_in_another_order"):
        ln.estimate_annotators(wide.reset_index(drop=True).sample(frac=1, random_state=0), X)


def test_a_table_whose_columns_share_no_labels_is_no_matrix(long, wide):
    for names in (["image", "who", "choice"], ["row", "who", "choice"]):
        with refused("answer_columns_unknown") as caught:
            ln.estimate_annotators(long.set_axis(names, axis=1))
        assert caught.value.note.facts["missing"][-2:] == ["annotator", "label"]
    numbers = long.assign(answer=(long["answer"] == "cat").astype(int))
    with refused("answer_columns_unknown"):
        ln.estimate_annotators(numbers.set_axis(["image", "who", "choice"], axis=1))
    with refused("answer_columns_unknown"):
        ln.estimate_annotators(wide.reset_index(names="image"))
    one_kind_each = wide.assign(e="cat", f="dog")
    assert ln.estimate_annotators(one_kind_each).annotators == tuple("abcdef")


def test_agreement_that_is_not_defined_is_no_lack_of_agreement():
    unanimous = np.array([[0, 0, -1]] * 30 + [[-1, -1, 1]] * 30 + [[0, -1, -1]] * 30)
    alone = np.where(np.arange(60)[:, None] % 3 == np.arange(3), np.arange(60)[:, None] % 2, -1)
    for answers, n_rows in ((unanimous, 30), (alone, 0)):
        est = ln.estimate_annotators(answers)
        assert np.isnan(est.agreement.alpha)
        assert est.agreement.n_rows == n_rows
        assert "annotators_do_not_agree" not in codes_of(est.diagnosis.findings)
        assert not [line for line in est.in_words() if " nan" in line]


def test_gaps_are_no_classes(matrix):
    texts = np.where(matrix < 0, "", NAMES[matrix]).astype(object)
    lists = np.where(matrix < 0, np.nan, texts).tolist()
    assert ln.estimate_annotators(lists).classes == ("cat", "dog")
    partly = np.ma.masked_array(matrix, mask=np.zeros_like(matrix, dtype=bool))
    partly[0] = np.ma.masked
    mask = partly.mask.copy()
    est = ln.estimate_annotators(partly)
    assert est.classes == (0, 1)
    assert est.n_answers.sum() == (matrix[1:] >= 0).sum()
    np.testing.assert_array_equal(partly.mask, mask)


def test_columns_of_features_that_are_left_out_are_named(long):
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"x": rng.normal(size=120), "code": [f"{i:05}x" for i in range(120)]})
    with warned("columns_left_out") as caught:
        ln.estimate_annotators(long, X)
    assert caught[0].message.note.facts["columns"] == ["code"]


def test_names_beyond_64_bits(matrix, long):
    large = np.uint64(2**63) * (long["item"].to_numpy() % 2).astype(np.uint64)
    names = large + long["item"].to_numpy().astype(np.uint64)
    est = ln.estimate_annotators(long.assign(item=names))
    assert est.rows.tolist() == sorted(set(names.tolist()))
    fractional = ln.estimate_annotators(long.assign(item=long["item"] * 1e300))
    assert fractional.rows.tolist() == sorted(set((long["item"] * 1e300).tolist()))
    objects = long.assign(item=[2**70 + i for i in long["item"].tolist()])
    assert ln.estimate_annotators(objects).rows[0] == str(2**70 + int(long["item"].min()))
    row, worker, answer = (long[name].tolist() for name in long)
    with refused("numbers_too_large") as caught:
        ln.estimate_annotators(([2**70 + i for i in row], worker, answer))
    assert caught.value.note.facts["name"] == "row"
    with refused("numbers_too_large"):
        ln.estimate_annotators(np.where(matrix == 1, 1e300, 0.0))


def test_names_that_are_not_single_values(matrix, wide, long):
    row, worker, answer = (long[name].tolist() for name in long)
    with refused("not_single_values") as caught:
        ln.estimate_annotators(([[i] for i in row], worker, answer))
    assert caught.value.note.facts["name"] == "row"
    with refused("not_single_values"):
        ln.estimate_annotators(wide.assign(id=[[i] for i in range(120)]))
    levels = pd.MultiIndex.from_product([range(12), range(10)])
    est = ln.estimate_annotators(wide.set_axis(levels))
    assert est.rows.tolist() == levels.tolist()
    np.testing.assert_array_equal(est.posterior, ln.estimate_annotators(wide).posterior)


def test_columns_of_mixed_types_are_named(long):
    values = {name: long[name].tolist() for name in long}
    for name, column in zip(("row", "annotator", "label"), values, strict=True):
        mixed = values | {column: ["x", 1] * (len(long) // 2) + [1] * (len(long) % 2)}
        with refused("labels_of_mixed_types") as caught:
            ln.estimate_annotators(tuple(mixed.values()))
        assert caught.value.note.facts["name"] == name


def test_answers_without_a_name_are_found_by_position(long):
    with refused("answers_unnamed") as caught:
        ln.estimate_annotators(long.assign(worker=[None, *long["worker"][1:]]))
    assert caught.value.note.facts == {"column": "annotator", "n": 1, "first": 0}
    assert "at position 0" in str(caught.value)


def test_rows_named_by_dates_can_be_saved(wide, tmp_path):
    dates = pd.date_range("2026-01-01", periods=120)
    est = ln.estimate_annotators(wide.set_axis(dates))
    assert est.rows.tolist() == dates.tolist()
    est.save(tmp_path / "a.json")
    again = ln.AnnotatorEstimate.load(tmp_path / "a.json")
    assert again.rows.tolist() == [str(date) for date in dates]
    assert again == est


def test_names_of_features_are_needed_only_to_look_rows_up(matrix, long):
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(120, 2)))
    repeated = X.set_axis([0, 0, *range(2, 120)])
    assert ln.estimate_annotators(matrix, repeated) == ln.estimate_annotators(matrix, X)
    with refused("ids_not_distinct"):
        ln.estimate_annotators(long, repeated)
    with refused("ids_not_distinct"):
        ln.estimate_annotators(matrix, X, ids=repeated.index)


def test_blanks_around_names_do_not_matter(long, wide):
    X = np.random.default_rng(0).normal(size=(120, 2))
    names = [f"r{i} " for i in range(120)]
    named = long.assign(item=[f" r{i}" for i in long["item"]])
    found = ln.estimate_annotators(named, X, ids=names)
    assert found.rows.tolist() == [f"r{i}" for i in range(120)]
    with refused("ids_not_distinct"):
        ln.estimate_annotators(named, X, ids=["r1", *names[1:]])
    blank = pd.DataFrame(X, index=[f"{name} " for name in wide.index])
    of_wide = ln.estimate_annotators(wide, blank)
    assert of_wide == ln.estimate_annotators(wide.set_axis(blank.index), blank)
    assert of_wide.rows.tolist() == wide.index.tolist()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("transition", [[1.0]]),
        ("class_prior", [1.0]),
        ("posterior", [[1.0]]),
        ("counts", [[1]]),
        ("n_answers", [1]),
        ("single_label", [True]),
        ("draws", {"transition": {"mean": [1.0], "variance": [1.0]}}),
    ],
)
def test_arrays_of_other_shapes_are_not_loaded(long, tmp_path, name, value):
    document = ln.estimate_annotators(long, random_state=0).to_dict()
    damaged = document["draws"] | value if name == "draws" else value
    (tmp_path / "a.json").write_text(json.dumps(document | {name: damaged}))
    with refused("damaged_estimate") as caught:
        ln.AnnotatorEstimate.load(tmp_path / "a.json")
    assert "shapes" in caught.value.note.facts["reason"]
