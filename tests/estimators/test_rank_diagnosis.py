import numpy as np
import pytest
from sklearn.datasets import load_digits

import labelnoise as ln


def flipped(clean, rates, seed):
    return ln.inject_noise(clean, rates, seed)


def test_features_that_are_pure_noise_identify_nothing():
    told = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        noisy = rng.integers(3, size=1500)
        diagnosis = ln.estimate(rng.normal(size=(1500, 5)), noisy).diagnosis
        assert diagnosis.verdict != "reliable"
        told += "no better than their frequencies" in diagnosis.reasons[0]
    assert told >= 3


def test_a_class_without_a_region_of_its_own_is_named():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        clean = rng.integers(3, size=3000)
        X = np.array([[0.0, 0.0], [4.0, 0.0], [4.5, 0.0]])[clean] + rng.normal(size=(3000, 2))
        est = ln.estimate(X, flipped(clean, ln.symmetric_noise(3, 0.1), 50 + seed))
        assert est.diagnosis.verdict != "reliable"
        assert any("1, 2" in reason or " 1" in reason for reason in est.diagnosis.reasons)


def test_clear_data_are_called_reliable():
    X, clean = ln.make_twonorm(3000, 0)
    for rates in ([[0.8, 0.2], [0.1, 0.9]], [[0.6, 0.4], [0.4, 0.6]]):
        assert ln.estimate(X, flipped(clean, rates, 5)).diagnosis.verdict == "reliable"
    X, clean = load_digits(return_X_y=True)
    X = X[:, X.std(axis=0) > 0]
    for rate in (0.2, 0.4):
        noisy = flipped(clean, ln.random_noise(10, rate=rate, random_state=1), 2)
        est = ln.estimate(X, noisy)
        assert est.diagnosis.verdict == "reliable"
        T = ln.realised_transition(clean, noisy)
        assert ln.transition_error(T, est.transition_matrix) < 0.03


def test_few_rows_and_few_places_are_noticed(task):
    X, clean, _, _ = task
    few = np.concatenate([np.flatnonzero(clean < 2)[:400], np.flatnonzero(clean == 2)[:20]])
    est = ln.estimate(X[few], clean[few])
    assert any("fewer than 30 rows are labelled 2" in r for r in est.diagnosis.reasons)
    noisy = flipped(clean, ln.symmetric_noise(3, 0.2), 0)
    est = ln.estimate(clean[:, None], noisy)
    assert any("about 3 distinct" in r for r in est.diagnosis.reasons)


def test_copies_of_rows_are_noticed(task):
    X, _, noisy, _ = task
    twice = np.concatenate([np.arange(700), np.arange(700)])
    est = ln.estimate(X[twice], noisy[twice])
    assert any("may be copies" in r for r in est.diagnosis.reasons)


@pytest.mark.parametrize(("name", "reliable"), [("flare-solar", False), ("splice", True)])
def test_verdicts_on_real_tables(uci, name, reliable):
    X, y = ln.load_tabular(name, uci)
    for seed in (0, 1, 2, 32, 82):
        noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], seed, exact=True)
        verdict = ln.estimate(X, noisy).diagnosis.verdict
        assert (verdict == "reliable") == reliable
