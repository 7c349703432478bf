import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.rank_gate.impurity import confusion, impurities, purified


def random_T(rng, k):
    return 0.6 * np.eye(k) + 0.4 * rng.dirichlet(np.ones(k), size=k)


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5]))
def test_purifying_leaves_the_labels_as_frequent_as_they_were(seed, k):
    rng = np.random.default_rng(seed)
    T, prior = 0.7 * random_T(rng, k) + 0.3 / k, rng.dirichlet(np.ones(k))  # nothing to clip
    pure, moved = purified(T, prior, 0.03 * rng.random(k), random_T(rng, k))
    np.testing.assert_allclose(pure.sum(axis=1), 1)
    np.testing.assert_allclose(moved @ pure, prior @ T)


@given(st.integers(0, 10**6))
def test_pure_regions_need_no_purifying(seed):
    rng = np.random.default_rng(seed)
    T, prior = random_T(rng, 3), rng.dirichlet(np.ones(3))
    pure, same = purified(T, prior, np.zeros(3), random_T(rng, 3))
    np.testing.assert_allclose(pure, T)
    np.testing.assert_allclose(same, prior)


def test_impure_regions_make_labels_look_noisier_than_they_are():
    T = np.array([[0.8, 0.2], [0.1, 0.9]])
    pure, _ = purified(T, np.array([0.5, 0.5]), np.array([0.05, 0.0]), np.eye(2) * 0.8 + 0.1)
    assert pure[0, 0] > T[0, 0]
    np.testing.assert_allclose(pure[1], T[1])


def test_confusion_of_certain_rows_is_the_identity():
    eta = np.eye(3)[[0, 1, 2, 2]]
    np.testing.assert_allclose(confusion(eta, np.full(4, 0.25)), np.eye(3), atol=1e-6)


def test_draws_of_impurity_are_shared_and_lie_on_both_sides():
    confused, prior = np.array([[0.8, 0.2], [0.1, 0.9]]), np.array([0.5, 0.5])
    T = np.array([[0.8, 0.2], [0.3, 0.7]])
    drawn = impurities(confused, T, prior, 2000, np.random.default_rng(0))
    ratio = drawn[:, 0] / drawn[:, 1]
    np.testing.assert_allclose(ratio, ratio[0])
    assert 0.15 < (drawn[:, 0] < 0).mean() < 0.35


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5]))
def test_any_purified_draw_is_a_transition_matrix_with_a_prior(seed, k):
    rng = np.random.default_rng(seed)
    impurity = rng.uniform(-0.15, 1.0, k)
    T, prior = purified(random_T(rng, k), rng.dirichlet(np.ones(k)), impurity, random_T(rng, k))
    for found in (*T, prior):
        assert found.min() >= 0
        assert found.sum() == pytest.approx(1)
