"""Estimates that several tests share."""

import pytest

import labelnoise as ln


@pytest.fixture(scope="session")
def fitted(task):
    """A rank-gated estimator, fitted to the task."""
    X, _, noisy, _ = task
    return ln.RankGatedEstimator().fit(X, noisy)


@pytest.fixture(scope="session")
def estimate(fitted):
    """Its estimate."""
    return fitted.estimate_
