import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.uncertainty import Bounds, Draws, Limits
from messages import refused

NAMES = ("a", "b", "c")


def draws(seed=0, n=200, k=3):
    rng = np.random.default_rng(seed)
    T = rng.dirichlet(np.ones(k), size=(n, k))
    return Draws(T, rng.dirichlet(np.ones(k), size=n))


def point(k=3):
    return Limits(np.eye(k), np.full(k, 1 / k), 0.0)


@given(st.integers(0, 10**6), st.floats(0.05, 0.9))
def test_a_higher_level_gives_a_wider_interval(seed, level):
    inner, outer = (draws(seed).interval(x, point(), NAMES) for x in (level, level + 0.05))
    assert (outer.lower.transition_matrix <= inner.lower.transition_matrix).all()
    assert (outer.upper.class_prior >= inner.upper.class_prior).all()
    assert outer.upper.noise_rate >= inner.upper.noise_rate


def test_the_interval_holds_the_estimate_and_the_stated_share_of_the_draws():
    found = draws().interval(0.8, point(), NAMES)
    T = draws().transition
    low, high = found.lower.transition_matrix, found.upper.transition_matrix
    inside = (low <= T) & (high >= T)
    assert (inside.mean(axis=0) >= 0.79).all()
    assert (found.upper.transition_matrix >= np.eye(3)).all()
    assert found.lower.noise_rate == 0


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1, "high"])
def test_levels_are_probabilities(level):
    code = "level_not_below_one" if level in (1, 1.5) else "not_a_positive_number"
    with refused(code):
        draws().interval(level, point(), NAMES)


@pytest.mark.parametrize(
    ("T", "prior", "code"),
    [
        (np.ones((5, 3, 3)) / 3, np.ones((5, 2)) / 2, "wrong_shape"),
        (np.ones((0, 3, 3)), np.ones((0, 3)), "wrong_shape"),
        (np.ones((5, 3, 3)), np.ones((5, 3)) / 3, "not_distributions"),
        (np.ones((5, 3, 3)) / 3, np.ones((5, 3)), "not_distributions"),
        (np.full((5, 3, 3), np.nan), np.ones((5, 3)) / 3, "not_probabilities"),
        (np.ones((5, 3, 3)) / 3, np.tile([-1.0, 1.0, 1.0], (5, 1)), "not_probabilities"),
    ],
)
def test_draws_must_be_distributions(T, prior, code):
    with refused(code):
        Draws(T, prior)


@pytest.mark.parametrize(
    ("T", "prior", "rate", "code"),
    [
        (np.eye(2), np.ones(3) / 3, 0.1, "wrong_shape"),
        (np.eye(2), np.ones(2) / 2, -7.0, "not_probabilities"),
        (np.eye(2), np.ones(2) / 2, np.nan, "not_probabilities"),
        (2 * np.eye(2), np.ones(2) / 2, 0.1, "not_probabilities"),
    ],
)
def test_limits_must_be_probabilities(T, prior, rate, code):
    with refused(code):
        Limits(T, prior, rate)


def test_draws_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        draws().transition[0, 0, 0] = 1


def test_ends_are_found_by_name_and_shown_with_names():
    found = draws().interval(0.9, point(), NAMES)
    low, high = found.at(true="b", observed="a")
    assert low == found.lower.transition_matrix[1, 0]
    assert high == found.upper.transition_matrix[1, 0]
    assert f"{low:.3f}-{high:.3f}" in repr(found)
    assert "90% interval" in repr(found)
    with refused("not_a_class"):
        found.at(true="d", observed="a")
    low, high = (Limits(np.eye(3), np.ones(3) / 3, r, a) for r, a in ((0.1, "this"), (0.3, "that")))
    shown = repr(Bounds(low, high, NAMES))
    assert "10.0%, assuming this" in shown
    assert "30.0%, assuming that" in shown
    assert "true c" in shown
