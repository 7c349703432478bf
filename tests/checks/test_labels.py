"""Labels: which ones are accepted as they are, and which are refused with a reason."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise import checks
from messages import refused

DATES = np.array(["2020-01-01", "NaT"] * 30, dtype="M8[D]")

REFUSED = {
    "none": (None, "labels_are_none"),
    "empty": ([], "no_labels"),
    "a missing label in a list": (["a", None] * 30, "missing_labels"),
    "NaN": (np.array([0.0, np.nan] * 30), "missing_labels"),
    "NaN among objects": (np.array(["a", np.nan] * 30, dtype=object), "missing_labels"),
    "a missing date": (DATES, "missing_labels"),
    "a masked label": (np.ma.masked_equal([0, 1] * 30, 1), "missing_labels"),
    "a missing label in pandas": (pd.Series(["a", None] * 30), "missing_labels"),
    "NA in pandas": (pd.array([0, None] * 30, dtype="Int64"), "missing_labels"),
    "null in polars": (pl.Series(["a", None] * 30), "missing_labels"),
    "infinity": (np.array([0.0, np.inf] * 30), "fractional_labels"),
    "fractions": (np.linspace(0, 1, 60), "fractional_labels"),
    "text and numbers": (["a", 1] * 30, "labels_of_mixed_types"),
    "text and numbers as objects": (
        np.array(["a", 1] * 30, dtype=object),
        "labels_of_mixed_types",
    ),
    "one-hot": (np.eye(2)[[0, 1] * 30], "labels_not_one_column"),
    "several labels in a row": ([["a"], ["a", "b"]] * 30, "several_labels_per_row"),
    "another length": (["a", "b"], "wrong_length"),
    "one class": (["a"] * 60, "single_class"),
    "an identifier": (np.arange(60), "labels_look_like_ids"),
    "a class with one row": (["a", "b"] * 29 + ["a", "c"], "classes_with_one_row"),
}


@pytest.mark.parametrize(("y", "code"), REFUSED.values(), ids=REFUSED)
def test_labels_that_cannot_be_used_are_refused(y, code):
    with refused(code):
        checks.estimable(checks.labels(y, None if y is None or not len(y) else 60))


@given(st.lists(st.sampled_from("abc"), min_size=1))
def test_codes_give_the_labels_back(y):
    for container in (y, tuple(y), np.array(y), pd.Series(y), pl.Series(y), pd.Categorical(y)):
        encoded = checks.labels(container, len(y))
        assert [encoded.classes[code] for code in encoded.codes] == y
        assert list(encoded.classes) == sorted(set(y))
        assert encoded.counts.tolist() == [y.count(label) for label in encoded.classes]


def test_one_column_counts_as_a_list():
    assert checks.labels(np.array([[1], [0]]), 2).codes.tolist() == [1, 0]


def test_declared_classes_keep_their_order_and_may_be_absent():
    encoded = checks.labels(["a", "c", "a"], 3, ["c", "b", "a"])
    assert encoded.codes.tolist() == [2, 0, 2]
    assert (encoded.present_classes, encoded.absent_classes) == (("c", "a"), ("b",))
    assert encoded.compact_codes.tolist() == [1, 0, 1]
    with refused("labels_not_in_classes") as caught:
        checks.labels(["a", "d"], 2, ["a", "b"])
    assert caught.value.note.facts["labels"] == ["d"]


def test_missing_labels_are_counted_and_the_first_is_named():
    with refused("missing_labels") as caught:
        checks.labels(["a", "b", None, "a", None], 5)
    assert {k: caught.value.note.facts[k] for k in ("n", "first")} == {"n": 2, "first": 2}


def test_labels_that_look_like_ids_are_refused_before_any_work_is_done():
    """Also if every second row repeats one: the features are not even looked at."""

    class Rows:
        shape = (60_000, 1000)

        def __array__(self, dtype=None, copy=None):
            raise AssertionError("features were used")

    for y in (np.arange(60_000), np.arange(60_000) // 2):
        with refused("labels_look_like_ids") as caught:
            ln.estimate(Rows(), y)
        assert caught.value.note.facts["n_labels"] == len(np.unique(y))


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (["a"], "wrong_length"),
        (["a", "x"], "labels_not_among_classes"),
        (["a", None], "missing_labels"),
        (["a", ["b"]], "several_labels_per_row"),
        ("ab", "not_a_sequence"),
        (3, "not_a_sequence"),
    ],
)
def test_given_labels_must_be_among_the_classes(values, code):
    with refused(code):
        checks.known_labels(values, ["a", "b"], 2, "true_labels")


def test_classes_of_another_type_are_recognized():
    with refused("labels_of_another_type"):
        checks.known_labels(["0", "1"], [0, 1], 2, "true_labels")
    assert checks.known_labels(pd.Series([1, 0]), [0, 1], 2, "true_labels").tolist() == [1, 0]


def test_arrays_of_classes_have_their_type_or_are_objects():
    assert checks.label_array([3, 1]).dtype.kind == "i"
    assert checks.label_array(["a", "b"]).dtype.kind == "U"
    for classes in (["a", 1], [(1, 2), (3, 4)], ["a", "b" * 200]):
        array = checks.label_array(classes)
        assert array.dtype == object
        assert array.tolist() == classes
