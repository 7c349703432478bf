import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import labelnoise as ln
from labelnoise.transition import is_invertible, is_nearly_singular

T = ln.TransitionMatrix([[0.9, 0.1], [0.3, 0.7]], classes=["cat", "dog"])


@st.composite
def stochastic(draw, n=None):
    n = draw(st.integers(2, 5)) if n is None else n
    raw = draw(arrays(float, (n, n), elements=st.floats(0.01, 1)))
    return raw / raw.sum(axis=1, keepdims=True)


def test_entries_are_read_by_position_and_by_name():
    assert T[0, 1] == 0.1
    assert T.at(true="dog", observed="cat") == 0.3
    assert T.n_classes == len(T) == 2


@given(stochastic())
def test_noise_rates_and_diagonal_sum_to_one(values):
    matrix = ln.TransitionMatrix(values)
    np.testing.assert_allclose(matrix.noise_rates + np.diag(matrix.values), 1)


@given(stochastic())
def test_cleanlab_round_trip(values):
    matrix = ln.TransitionMatrix(values)
    exported = matrix.to_cleanlab()
    np.testing.assert_allclose(exported.sum(axis=0), 1)
    assert ln.TransitionMatrix.from_cleanlab(exported) == matrix


@given(stochastic(3), stochastic(3), stochastic(3))
def test_composition_is_associative_and_identity_is_neutral(a, b, c):
    a, b, c = map(ln.TransitionMatrix, (a, b, c))
    left, right = a.compose(b).compose(c), a.compose(b.compose(c))
    np.testing.assert_allclose(left.values, right.values, atol=1e-12)
    identity = ln.TransitionMatrix.identity(range(3))
    assert identity.compose(a) == a.compose(identity) == a


def test_inverse_undoes_the_noise():
    prior = np.array([0.2, 0.8])
    np.testing.assert_allclose(T.observed_distribution(prior) @ T.inverse(), prior)


def note_of(function, *args, **kwargs):
    """The note of the error that is raised."""
    with pytest.raises(ln.LabelNoiseError) as caught:
        function(*args, **kwargs)
    return caught.value.note


def test_a_singular_matrix_is_not_inverted():
    flat = ln.TransitionMatrix([[0.5, 0.5], [0.5, 0.5]])
    assert flat.condition_number > 1e8
    assert note_of(flat.inverse).code == "transition_not_invertible"


def test_the_error_names_the_rows_that_are_equal_or_dependent():
    equal = ln.TransitionMatrix(
        [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.8, 0.1, 0.1]], ["a", "b", "c"]
    )
    note = note_of(equal.inverse)
    assert (note.code, note.facts["classes"]) == ("transition_not_invertible", ["a", "c"])
    a, b = np.array([0.8, 0.1, 0.1, 0.0]), np.array([0.0, 0.7, 0.3, 0.0])
    mixed = ln.TransitionMatrix([a, b, (a + b) / 2, [0, 0, 0, 1]], ["a", "b", "c", "d"])
    note = note_of(mixed.inverse)
    assert (note.code, note.facts["classes"]) == ("transition_not_invertible", ["a", "b", "c"])


@given(st.floats(0.0, 0.499))
def test_symmetric_noise_beyond_45_percent_is_nearly_singular(rate):
    """The condition number is 1 / (1 - 2 rate)."""
    T = [[1 - rate, rate], [rate, 1 - rate]]
    if abs(rate - 0.45) > 1e-6:
        assert is_nearly_singular(T) == (rate > 0.45)
    assert is_invertible(np.array(T))


def test_condition_number_of_clean_labels_is_one():
    assert ln.TransitionMatrix.identity("ab").condition_number == pytest.approx(1)


def test_values_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        T.values[0, 0] = 1
    source = np.array([[0.5, 0.5], [0.5, 0.5]])
    matrix = ln.TransitionMatrix(source)
    source[0] = [1, 0]
    assert matrix[0, 0] == 0.5


def test_it_is_an_array_where_one_is_needed():
    np.testing.assert_array_equal(np.asarray(T), T.values)
    np.testing.assert_allclose(np.array([0.5, 0.5]) @ T, [0.6, 0.4])
    assert np.asarray(T, dtype=np.float32).dtype == np.float32
    copied = np.array(T)
    copied[0, 0] = 0
    assert T[0, 0] == 0.9


def test_equal_matrices_have_equal_hashes():
    same = ln.TransitionMatrix(T.values, T.classes)
    assert same == T
    assert hash(same) == hash(T)
    assert ln.TransitionMatrix(T.values, ["dog", "cat"]) != T
    assert T != "T"


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ([[0.9, 0.1]], "not_a_transition_matrix"),
        ([[1.0]], "not_a_transition_matrix"),
        ([[0.9, 0.1], [1.0]], "not_a_transition_matrix"),
        ([["much", "little"], [0.5, 0.5]], "not_a_transition_matrix"),
        ([[0.9, np.nan], [0.5, 0.5]], "not_a_transition_matrix"),
        ([[1.2, -0.2], [0.5, 0.5]], "transition_negative"),
        ([[0.9, 0.3], [0.5, 0.5]], "transition_row_sum"),
        ([[0.9, 0.3], [0.1, 0.7]], "transition_transposed"),
    ],
)
def test_other_matrices_are_refused(values, code):
    assert note_of(ln.TransitionMatrix, values).code == code


def test_the_error_names_the_entry_or_the_row():
    facts = note_of(ln.TransitionMatrix, [[1.2, -0.2], [0.5, 0.5]]).facts
    assert facts == {"row": 0, "column": 1, "value": pytest.approx(-0.2)}
    facts = note_of(ln.TransitionMatrix, [[0.5, 0.5], [0.9, 0.3]]).facts
    assert facts == {"row": 1, "total": pytest.approx(1.2)}


@pytest.mark.parametrize(
    ("classes", "code"),
    [
        (["a"], "classes_not_distinct"),
        (["a", "a"], "classes_not_distinct"),
        (["a", "b", "c"], "wrong_number_of_classes"),
        (3, "wrong_number_of_classes"),
        (2.5, "wrong_value"),
    ],
)
def test_classes_must_be_one_name_for_each_row(classes, code):
    assert note_of(ln.TransitionMatrix, np.eye(2), classes).code == code


def test_unknown_classes_are_refused():
    note = note_of(T.at, true="cow", observed="cat")
    assert (note.code, note.facts["label"]) == ("not_a_class", "cow")
    assert (
        note_of(T.compose, ln.TransitionMatrix.identity("ab")).code == "matrices_of_other_classes"
    )


def test_many_classes_and_odd_names_are_shown_briefly():
    shown = repr(ln.TransitionMatrix.identity(1000))
    assert "the first 20 of 1000 classes" in shown
    assert len(shown) < 5000
    odd = repr(ln.TransitionMatrix.identity(["two\nlines", "a very long name indeed"]))
    assert len(odd.splitlines()) == 3


def test_rounding_is_taken_out_but_nothing_else():
    third = ln.TransitionMatrix(np.array([[1 / 3, 2 / 3 + 1e-9], [-1e-9, 1 + 1e-9]]))
    np.testing.assert_allclose(third.values.sum(axis=1), 1, atol=1e-15)
    assert third.values.min() >= 0
