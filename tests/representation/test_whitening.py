import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.representation.whitening import decorrelation, standardization

seeds = st.integers(0, 10**9)


def table(seed, n=300, d=5):
    rng = np.random.default_rng(seed)
    mix = np.linalg.qr(rng.normal(size=(d, d)))[0] * rng.uniform(0.2, 2, size=d)  # well conditioned
    return rng.normal(size=(n, d)) @ mix + rng.normal(size=d), rng.integers(1, 4, n) * 1.0


def moments(Z, weights):
    mean = weights @ Z / weights.sum()
    return mean, (Z - mean).T * weights @ (Z - mean) / weights.sum()


@given(seeds)
def test_decorrelated_covariance_is_the_identity(seed):
    X, weights = table(seed)
    mean, covariance = moments(decorrelation(X, weights)(X), weights)
    np.testing.assert_allclose(mean, 0, atol=1e-8)
    np.testing.assert_allclose(covariance, np.eye(5), atol=1e-6)


@given(seeds)
def test_standardized_columns_have_mean_zero_and_variance_one(seed):
    X, weights = table(seed)
    mean, covariance = moments(standardization(X, weights)(X), weights)
    np.testing.assert_allclose(mean, 0, atol=1e-9)
    np.testing.assert_allclose(np.diag(covariance), 1)


@given(seeds)
def test_null_directions_are_dropped(seed):
    X, weights = table(seed)
    wide = np.hstack([X, X[:, :1] - 2 * X[:, 1:2], np.ones((len(X), 1))])
    Z = decorrelation(wide, weights)(wide)
    assert Z.shape == (300, 5)
    np.testing.assert_allclose(moments(Z, weights)[1], np.eye(5), atol=1e-5)


@given(seeds)
def test_weights_stand_for_repeated_rows(seed):
    X, weights = table(seed, n=80)
    repeated = np.repeat(X, weights.astype(int), axis=0)
    once = decorrelation(repeated, np.ones(len(repeated)))
    np.testing.assert_allclose(decorrelation(X, weights)(X), once(X), atol=1e-6)


def test_fewer_rows_than_columns():
    X = np.random.default_rng(0).normal(size=(4, 10))
    assert decorrelation(X, np.ones(4))(X).shape == (4, 3)
