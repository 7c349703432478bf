"""Training sets: weights are posteriors, and without noise labels stay as they are."""

import numpy as np

from labelnoise.remedies.training_sets import (
    NoisyRows,
    TrainingSet,
    backward_set,
    forward_set,
    relabeled_set,
    reweighted_set,
    soft_labels,
)


def noisy_rows(seed=0, n=200, k=3):
    rng = np.random.default_rng(seed)
    clean = rng.dirichlet(np.ones(k), size=n)
    T = 0.6 * np.eye(k) + 0.4 * rng.dirichlet(np.ones(k), size=k)
    codes = (rng.random(n)[:, None] > np.cumsum(clean @ T, axis=1)).sum(axis=1)
    joint = clean * T.T[codes]
    return NoisyRows(codes, T, clean, joint / joint.sum(axis=1, keepdims=True))


def test_weights_are_posteriors_or_importance_weights():
    noisy = noisy_rows()
    n = len(noisy.codes)
    for make, expected in ((forward_set, noisy.posteriors), (backward_set, noisy.by_features)):
        made = make(noisy)
        found = np.zeros_like(expected)
        found[made.rows, made.codes] = made.weights
        np.testing.assert_allclose(found, expected, atol=0.01)
    own = np.arange(n), noisy.codes
    importance = noisy.by_features[own] / (noisy.by_features @ noisy.transition)[own]
    np.testing.assert_allclose(reweighted_set(noisy).weights, importance)
    np.testing.assert_array_equal(relabeled_set(noisy).codes, noisy.posteriors.argmax(axis=1))


def test_the_most_likely_class_is_kept_however_unlikely():
    made = soft_labels(np.full((2, 1200), 1 / 1200))
    assert np.bincount(made.rows).min() >= 1
    np.testing.assert_allclose(np.bincount(made.rows, made.weights), 1)


def test_rows_are_resampled_in_proportion_to_their_weights():
    noisy = noisy_rows(n=2000)
    soft = forward_set(noisy).resampled(np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(soft.rows), np.arange(2000))  # each row once
    shares = np.bincount(soft.codes) / 2000
    np.testing.assert_allclose(shares, noisy.posteriors.mean(axis=0), atol=0.03)
    some = TrainingSet(np.arange(3), np.zeros(3, int), np.array([0.5, 2.0, 7.5]))
    times = np.bincount(some.resampled(np.random.default_rng(1)).rows, minlength=3)
    assert times.sum() == 10
    assert (np.abs(times - some.weights) <= 1).all()


def test_without_noise_labels_stay_as_they_are():
    # Trees and neighbors predict exact zeros, also for the label that a row has.
    predicted = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.2, 0.3, 0.5]])
    codes = np.array([1, 1, 1, 0])
    noisy = NoisyRows.of_predictions(codes, np.eye(3), predicted)
    np.testing.assert_array_equal(noisy.posteriors, np.eye(3)[codes])
    for make in (forward_set, reweighted_set, relabeled_set):
        made = make(noisy)
        np.testing.assert_array_equal(made.rows, np.arange(4))
        np.testing.assert_array_equal(made.codes, codes)
        np.testing.assert_array_equal(made.weights, 1)


def test_noisy_predictions_are_undone():
    noisy = noisy_rows()
    predicted = noisy.by_features @ noisy.transition
    found = NoisyRows.of_predictions(noisy.codes, noisy.transition, predicted)
    np.testing.assert_allclose(found.by_features, noisy.by_features, atol=1e-6)
    np.testing.assert_allclose(found.posteriors, noisy.posteriors, atol=1e-6)
