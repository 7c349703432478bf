import numpy as np
import pytest

import labelnoise as ln


@pytest.mark.parametrize("method", ln.METHODS)
def test_features_that_are_pure_noise_are_told(method):
    verdicts = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        est = ln.estimate(rng.normal(size=(1000, 5)), rng.integers(2, size=1000), method=method)
        verdicts.append(est.diagnosis.verdict)
    assert verdicts.count("not identifiable") >= 4, verdicts


def test_the_reason_and_the_remedy_are_sentences():
    rng = np.random.default_rng(0)
    told = ln.estimate(
        rng.normal(size=(1000, 5)), rng.integers(2, size=1000), method="hoc"
    ).diagnosis
    assert "the features say next to nothing about the labels" in told.reasons[0]
    assert "use features" in told.remedies[0]


def test_a_rare_class_is_named(task):
    X, clean, noisy, _ = task
    labels = np.where(noisy == 2, "common", "usual").astype(object)
    labels[np.flatnonzero(clean == 0)[:10]] = "rare"
    told = ln.estimate(X, labels, method="hoc").diagnosis
    assert told.verdict == "weak"
    assert any("fewer than 30 rows are labelled 'rare'" in reason for reason in told.reasons)


def test_classes_that_are_labelled_alike_are_told(task):
    X, clean, _, _ = task
    T = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    told = ln.estimate(X, ln.inject_noise(clean, T, 0), method="hoc").diagnosis
    assert told.verdict in ("weak", "not identifiable")


def test_good_data_are_called_reliable():
    for seed in range(3):
        X, y = ln.make_twonorm(3000, seed)
        noisy = ln.inject_noise(y, ln.symmetric_noise(2, 0.2), seed)
        assert ln.estimate(X, noisy).diagnosis.verdict == "reliable"


def test_the_assumption_stands_beside_the_rate(task):
    X, _, noisy, _ = task
    shown = repr(ln.estimate(X, noisy))
    assert "if a row and its nearest neighbours share their true class" in shown
