"""Estimates that several tests of the reports share."""

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln


@pytest.fixture(scope="session")
def est(task):
    X, _, noisy, _ = task
    return ln.estimate(X, noisy)


@pytest.fixture(scope="session")
def cannot_tell():
    """An estimate from features that are independent of the labels."""
    rng = np.random.default_rng(0)
    est = ln.estimate(rng.normal(size=(900, 4)), rng.choice(["low", "mid", "high"], 900))
    assert not est.diagnosis.can_tell
    return est


def _told_apart_jointly(y, rng):
    """Features (n, 30) that separate two classes together, none of which does alone."""
    return 1.5 * y[:, None] + rng.normal(size=(len(y), 30))


@pytest.fixture(scope="session")
def no_errors():
    """An estimate from labels that are all correct."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=1000)
    return ln.estimate(_told_apart_jointly(y, rng), y)


@pytest.fixture(scope="session")
def no_clear_sign():
    """An estimate from labels all of which are correct but one."""
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=2000)
    X = _told_apart_jointly(y, rng)
    y[0] = 1 - y[0]
    return ln.estimate(X, y)


@pytest.fixture(scope="session")
def leak(task):
    """An estimate from a table with a column that was made from the noisy labels."""
    X, _, noisy, _ = task
    rng = np.random.default_rng(0)
    score = noisy + 0.01 * rng.standard_normal(len(noisy))
    return ln.estimate(pd.DataFrame(X, columns=list("abcdef")).assign(score=score), noisy)


@pytest.fixture(scope="session")
def copies(task):
    """An estimate from rows that were copied four times, with small changes."""
    X, _, noisy, _ = task
    rng = np.random.default_rng(0)
    X = np.repeat(X[:600], 4, axis=0)
    return ln.estimate(X + 0.002 * rng.standard_normal(X.shape), np.repeat(noisy[:600], 4))


@pytest.fixture(scope="session")
def audited(est, task):
    """The estimate after 100 rows were reviewed."""
    _, clean, noisy, _ = task
    rows = ln.find_label_issues(est, noisy, budget=100)["row"]
    return est.with_audit(rows, clean[rows])
