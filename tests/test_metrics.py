import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln


def draw(seed, n=4):
    return np.random.default_rng(seed).dirichlet(np.ones(n), size=n)


def refused(measure, first, second):
    """The code of the error."""
    with pytest.raises(ln.LabelNoiseError) as caught:
        measure(first, second)
    return caught.value.note.code


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_error_is_a_distance_in_the_unit_interval(a, b):
    first, second = draw(a), draw(b)
    assert ln.transition_error(first, first) == 0
    assert ln.transition_error(first, second) == ln.transition_error(second, first)
    assert 0 <= ln.transition_error(first, second) <= 1


@given(st.integers(0, 10**6))
def test_error_does_not_depend_on_the_order_of_the_classes(seed):
    first, second = draw(seed), draw(seed + 1)
    order = np.random.default_rng(seed).permutation(4)
    mixed = ln.transition_error(first[np.ix_(order, order)], second[np.ix_(order, order)])
    assert mixed == pytest.approx(ln.transition_error(first, second))


def test_largest_error_is_reached():
    assert ln.transition_error(np.eye(2), np.eye(2)[::-1]) == 1


def test_named_matrices_must_have_the_same_classes():
    a, b = ln.TransitionMatrix.identity("ab"), ln.TransitionMatrix.identity("ba")
    assert refused(ln.transition_error, a, b) == "matrices_of_other_classes"
    assert ln.transition_error(a, np.eye(2)) == 0
    assert ln.transition_error(a, ln.TransitionMatrix(np.eye(2))) == 0
    forward, backward = (ln.TransitionMatrix(np.eye(2), names) for names in ([0, 1], [1, 0]))
    assert refused(ln.transition_error, forward, backward) == "matrices_of_other_classes"


def test_shapes_must_agree():
    assert refused(ln.transition_error, np.eye(2), np.eye(3)) == "wrong_shape"
    assert refused(ln.prior_error, [1.0], [0.5, 0.5]) == "wrong_shape"


def test_prior_error_is_total_variation():
    assert ln.prior_error([0.5, 0.5], [0.9, 0.1]) == pytest.approx(0.4)
