import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression

import labelnoise as ln
from labelnoise.learning.linear import (
    DominantRows,
    Layer,
    SoftmaxRows,
    Task,
    logits_of,
    train_layer,
    train_with_transition,
)
from labelnoise.learning.losses import forward_loss
from labelnoise.learning.settings import WEIGHT_DECAY

seeds = st.integers(0, 10**6)


@given(seeds, st.sampled_from([SoftmaxRows(), DominantRows()]))
def test_matrices_are_stochastic_and_their_gradients_right(seed, form):
    rng = np.random.default_rng(seed)
    free, outer = rng.normal(size=(3, 3)), rng.normal(size=(3, 3))
    T = form.transition(free)
    np.testing.assert_allclose(T.sum(axis=1), 1)
    slope = approx_fprime(
        free.ravel(), lambda z: (outer * form.transition(z.reshape(3, 3))).sum(), 1e-7
    )
    np.testing.assert_allclose(form.gradient(free, outer).ravel(), slope, atol=1e-5)


@given(seeds)
def test_no_entry_exceeds_the_diagonal_of_dominant_rows(seed):
    T = DominantRows().transition(np.random.default_rng(seed).normal(scale=5, size=(4, 4)))
    assert (np.diag(T)[:, None] >= T).all()


def noisy_task(seed=0, n=2000):
    rng = np.random.default_rng(seed)
    clean = rng.integers(3, size=n)
    X = 3 * np.eye(3)[clean] + rng.normal(size=(n, 3))
    T = ln.TransitionMatrix([[0.8, 0.1, 0.1], [0.1, 0.7, 0.2], [0.0, 0.1, 0.9]])
    return X, clean, ln.inject_noise(clean, T, 1), T


def test_a_layer_without_noise_is_logistic_regression():
    X, _, noisy, _ = noisy_task()
    found = train_layer(Task(X, noisy, 3), np.eye(3))
    theirs = LogisticRegression(C=1 / (WEIGHT_DECAY * len(X)), tol=1e-8, max_iter=1000).fit(
        X, noisy
    )
    assert found.converged
    np.testing.assert_allclose(found.layer(X), theirs.predict_proba(X), atol=2e-3)


def test_a_layer_trained_through_the_noise_sees_clean_classes():
    X, clean, noisy, T = noisy_task()
    layer = train_layer(Task(X, noisy, 3), np.asarray(T)).layer
    plain = train_layer(Task(X, noisy, 3), np.eye(3)).layer
    own = np.arange(len(X)), clean
    assert np.log(layer(X)[own]).mean() > np.log(plain(X)[own]).mean() + 0.1


def test_held_out_rows_choose_the_best_step():
    X, _, noisy, _ = noisy_task()
    seen, held_out = Task(X[200:], noisy[200:], 3), Task(X[:200], noisy[:200], 3)
    start = Layer(np.zeros((4, 3))), logits_of(0.8 * np.eye(3) + 0.2 / 3)
    end = train_with_transition(seen, start, forward_loss)
    chosen = train_with_transition(seen, start, forward_loss, held_out=held_out)
    reached = [held_out.log_likelihood(one.layer, one.transition) for one in (end, chosen)]
    assert reached[1] >= reached[0]
    assert held_out.log_likelihood(start[0], np.eye(3)) == pytest.approx(-np.log(3))
