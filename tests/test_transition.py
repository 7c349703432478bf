import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import labelnoise as ln

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


def test_singular_matrix_is_not_inverted():
    flat = ln.TransitionMatrix([[0.5, 0.5], [0.5, 0.5]])
    assert flat.condition_number > 1e8
    with pytest.raises(ln.LabelNoiseError, match=r"cannot be inverted.*Merge those classes"):
        flat.inverse()


def test_the_error_names_the_rows_that_are_alike():
    twins = ln.TransitionMatrix(
        [[0.8, 0.1, 0.1], [0.2, 0.6, 0.2], [0.8, 0.1, 0.1]], ["a", "b", "c"]
    )
    with pytest.raises(ln.LabelNoiseError, match=r"Rows 'a', 'c' of T are alike"):
        twins.inverse()
    a, b = np.array([0.8, 0.1, 0.1, 0.0]), np.array([0.0, 0.7, 0.3, 0.0])
    mixed = ln.TransitionMatrix([a, b, (a + b) / 2, [0, 0, 0, 1]], ["a", "b", "c", "d"])
    with pytest.raises(ln.LabelNoiseError, match=r"Rows 'a', 'b', 'c' of T are mixtures"):
        mixed.inverse()


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
    twin = ln.TransitionMatrix(T.values, T.classes)
    assert twin == T
    assert hash(twin) == hash(T)
    assert ln.TransitionMatrix(T.values, ["dog", "cat"]) != T
    assert T != "T"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0.9, 0.1]], "square"),
        ([[1.0]], "at least 2 classes"),
        ([[0.9, np.nan], [0.5, 0.5]], "NaN"),
        ([[1.2, -0.2], [0.5, 0.5]], r"T\[0, 1\] = -0.2 is negative"),
        ([[0.9, 0.3], [0.5, 0.5]], "row 0 of T sums to 1.2.*Divide"),
        ([[0.9, 0.3], [0.1, 0.7]], "from_cleanlab"),
    ],
)
def test_what_is_no_transition_matrix_is_refused(values, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.TransitionMatrix(values)


@pytest.mark.parametrize("classes", [["a"], ["a", "a"], ["a", "b", "c"], 3, 2.5])
def test_classes_must_be_one_name_a_row(classes):
    with pytest.raises(ln.LabelNoiseError, match="classes"):
        ln.TransitionMatrix(np.eye(2), classes)


def test_unknown_class_and_foreign_classes_are_named():
    with pytest.raises(ln.LabelNoiseError, match=r"'cow' is no class: .*'cat', 'dog'"):
        T.at(true="cow", observed="cat")
    with pytest.raises(ln.LabelNoiseError, match="different classes"):
        T.compose(ln.TransitionMatrix.identity("ab"))


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
