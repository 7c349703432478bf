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
    assert "the features say too little about the labels" in told.reasons[0]
    assert "use features" in told.remedies[0]


def test_copied_rows_are_told():
    """Copies carry their label along: even pure noise then looks nearly free of noise."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 5)), rng.integers(2, size=500)
    told = ln.estimate(np.vstack([X, X]), np.concatenate([y, y])).diagnosis
    assert any("copies, labels and all" in reason for reason in told.reasons)
    assert "drop duplicate rows and estimate again" in told.remedies


def test_a_rare_class_is_named(task):
    X, clean, noisy, _ = task
    labels = np.where(noisy == 2, "common", "usual").astype(object)
    labels[np.flatnonzero(clean == 0)[:10]] = "rare"
    told = ln.estimate(X, labels, method="hoc").diagnosis
    assert told.verdict == "weak"
    assert any("fewer than 30 rows are labeled 'rare'" in reason for reason in told.reasons)


def test_classes_that_are_labeled_alike_are_told(task):
    X, clean, _, _ = task
    T = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    told = ln.estimate(X, ln.inject_noise(clean, T, 0), method="hoc").diagnosis
    assert "neighbors' labels tell only 2 of 3 classes apart" in told.reasons[0]


@pytest.mark.parametrize("rate", [0.1, 0.2, 0.3])
def test_good_data_have_no_reservation_but_overlap(rate):
    for seed in range(5):
        X, y = ln.make_twonorm(3000, seed)
        told = ln.estimate(X, ln.inject_noise(y, ln.symmetric_noise(2, rate), seed)).diagnosis
        assert [reason for reason in told.reasons if "overlap" not in reason] == []


def test_overlap_is_never_ruled_out(task):
    """Clean labels of overlapping classes look like noisy labels of separate ones."""
    X, y = ln.make_waveform(3000, 0)
    est = ln.estimate(X, y, method="a-kl")
    assert est.noise_rate > 0.1
    assert est.diagnosis.verdict == "weak"
    assert any("also where classes overlap" in reason for reason in est.diagnosis.reasons)
    assert any("too high if classes overlap" in remedy for remedy in est.diagnosis.remedies)


def test_the_assumption_stands_beside_the_rate(task):
    X, _, noisy, _ = task
    shown = repr(ln.estimate(X, noisy, method="hoc"))
    assert "if a row and its nearest neighbors share their true class" in shown
