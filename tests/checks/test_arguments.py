"""Arguments: numbers, choices, seeds, positions of rows, classifiers."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from labelnoise import checks
from messages import refused


@pytest.mark.parametrize("value", [0, -3, 2.5, "many", None, True, np.nan])
def test_whole_numbers(value):
    with refused("not_a_whole_number") as caught:
        checks.positive_int(value, "k")
    assert caught.value.note.facts["name"] == "k"
    assert checks.positive_int(np.int32(3), "k") == 3


@pytest.mark.parametrize("value", [0, -1.0, np.inf, np.nan, "1", None, True])
def test_positive_numbers(value):
    with refused("not_a_positive_number"):
        checks.positive_number(value, "volume")


def test_fractions_and_levels():
    assert checks.fraction(1, "subsample") == 1.0
    with refused("not_a_fraction"):
        checks.fraction(1.5, "subsample")
    with refused("level_not_below_one"):
        checks.level(1)


def test_choices():
    assert checks.one_of("tv", "divergence", ["kl", "tv"]) == "tv"
    with refused("unknown_choice") as caught:
        checks.one_of("foo", "divergence", ["kl", "tv"])
    assert caught.value.note.facts["allowed"] == ["kl", "tv"]


@pytest.mark.parametrize(
    ("rows", "code", "facts"),
    [
        ([0.5], "rows_not_whole_numbers", {"dtype": "float64"}),
        ([True, False], "rows_not_whole_numbers", {"dtype": "bool"}),
        ([[0, 1]], "rows_not_whole_numbers", {"shape": (1, 2)}),
        ([3, 10, -1], "rows_out_of_range", {"rows": [10, -1], "last": 9}),
        ([3, 1, 3], "rows_repeated", {"rows": [3]}),
    ],
)
def test_positions_of_rows(rows, code, facts):
    with refused(code) as caught:
        checks.row_positions(rows, 10)
    assert caught.value.note.facts == caught.value.note.facts | facts
    assert checks.row_positions([], 10).tolist() == []
    assert checks.row_positions([3, 1], 10).tolist() == [3, 1]


@pytest.mark.parametrize(
    ("values", "code"),
    [
        (LogisticRegression(), "wrong_value"),
        ([LogisticRegression], "no_predict_proba"),
        ([LinearSVC()], "no_predict_proba"),
    ],
)
def test_classifiers(values, code):
    with refused(code):
        checks.classifiers(values, "scorers")
    checks.classifiers([LogisticRegression()], "scorers")


def test_random_states():
    with refused("not_a_random_state"):
        checks.random_generator(-1)
    first, second, other = (checks.generator(seed).random() for seed in (None, 0, 1))
    assert first == second != other
    states = (np.random.RandomState(3), np.random.RandomState(3))
    assert len({checks.generator(state).random() for state in states}) == 1
