import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from scipy.special import log_softmax

from labelnoise.learning.losses import (
    backward_loss,
    forward_loss,
    log_volume,
    reweighted_loss,
    total_variation,
    weighted_loss,
)

seeds = st.integers(0, 10**6)


def case(seed, n=7, k=3):
    rng = np.random.default_rng(seed)
    T = 0.5 * np.eye(k) + 0.5 * rng.dirichlet(np.ones(k), size=k)
    return rng.normal(size=(n, k)), T, rng.integers(k, size=n)


@given(seeds)
def test_without_noise_the_losses_are_the_cross_entropy(seed):
    logits, _, labels = case(seed)
    plain = -log_softmax(logits, axis=1)[np.arange(7), labels].mean()
    for loss in (forward_loss, backward_loss, reweighted_loss, weighted_loss(np.ones(7))):
        assert loss(logits, np.eye(3), labels).value == pytest.approx(plain)


LOSSES = [forward_loss, backward_loss, reweighted_loss, weighted_loss(np.arange(7.0))]


@given(seeds, st.sampled_from(LOSSES))
def test_gradients_are_those_of_the_value(seed, loss):
    logits, T, labels = case(seed)
    found = loss(logits, T, labels)
    in_logits = approx_fprime(
        logits.ravel(), lambda z: loss(z.reshape(logits.shape), T, labels).value, 1e-6
    )
    in_T = approx_fprime(T.ravel(), lambda z: loss(logits, z.reshape(T.shape), labels).value, 1e-6)
    np.testing.assert_allclose(found.logits_gradient.ravel(), in_logits, atol=1e-4)
    np.testing.assert_allclose(found.transition_gradient.ravel(), in_T, atol=1e-3)


@given(seeds)
def test_the_backward_loss_is_the_clean_loss_on_average_over_labels(seed):
    logits, T, clean = case(seed)
    mean = np.zeros(7)
    for j in range(3):
        each = [backward_loss(z[None], T, np.array([j])).value for z in logits]
        mean += T[clean, j] * each
    np.testing.assert_allclose(mean, -log_softmax(logits, axis=1)[np.arange(7), clean])


@given(seeds)
def test_gradients_of_the_regularizers(seed):
    logits, T, _ = case(seed)
    partners = np.random.default_rng(seed).permutation(len(logits))
    value, in_logits = total_variation(logits, partners)
    assert 0 <= value <= 1
    slope = approx_fprime(
        logits.ravel(), lambda z: total_variation(z.reshape(logits.shape), partners)[0], 1e-7
    )
    np.testing.assert_allclose(in_logits.ravel(), slope, atol=1e-4)
    slope = approx_fprime(T.ravel(), lambda z: log_volume(z.reshape(T.shape))[0], 1e-7)
    np.testing.assert_allclose(log_volume(T)[1].ravel(), slope, atol=1e-4, rtol=1e-3)


def test_no_probability_is_rounded_to_zero():
    logits = np.array([[800.0, -800.0], [-800.0, 800.0]])
    T = np.array([[1.0, 0.0], [0.0, 1.0]])
    for loss in (forward_loss, backward_loss, reweighted_loss):
        found = loss(logits, T, np.array([0, 0]))
        assert np.isfinite(found.value)
        assert np.isfinite(found.logits_gradient).all()
        assert np.isfinite(found.transition_gradient).all()


@given(seeds)
def test_the_clean_risk_is_the_weighted_noisy_risk(seed):
    """With the true f and T, weights f_y / (f T)_y undo the noise on average over labels."""
    logits, T, _ = case(seed, n=1)
    f = np.exp(log_softmax(logits, axis=1))[0]
    noisy = f @ T
    risk = sum(noisy[j] * reweighted_loss(logits, T, np.array([j])).value for j in range(3))
    assert risk == pytest.approx(-(f @ np.log(f)))


def test_any_certain_layer_minimizes_the_weighted_risk():
    """Why T-Revision has to stop early: all predictions are wrong, and the loss is zero."""
    labels = np.array([0, 1, 0])
    wrong = 60.0 * (1 - 2 * np.eye(2)[labels])
    T = np.array([[0.7, 0.3], [0.3, 0.7]])
    assert reweighted_loss(wrong, T, labels).value < 1e-9


def test_the_volume_of_a_singular_T_is_finite():
    value, gradient = log_volume(np.full((2, 2), 0.5))
    assert value < -10
    assert np.isfinite(gradient).all()
