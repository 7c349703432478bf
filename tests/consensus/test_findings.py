"""What the consensus methods find out about their own results."""

import numpy as np
import pytest

import labelnoise as ln

CONSENSUS = ("hoc", "x-kl", "x-tv", "a-kl", "a-tv")


def found(diagnosis):
    """Findings by their codes."""
    return {finding.code: finding for finding in diagnosis.findings}


@pytest.mark.parametrize("method", CONSENSUS)
def test_features_that_are_pure_noise_identify_nothing(method):
    verdicts = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        est = ln.estimate(rng.normal(size=(500, 3)), rng.integers(2, size=500), method=method)
        verdicts.append(est.diagnosis.verdict)
        if verdicts[-1] == "cannot tell":
            assert "labels_not_predicted" in found(est.diagnosis)
    assert verdicts.count("cannot tell") >= 3, verdicts


@pytest.mark.parametrize("method", ["hoc", "rank-gated"])
def test_copied_rows_are_found(method):
    """Copies have the label of the original: even labels at random then look free of noise."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(500, 5)), rng.integers(2, size=500)
    est = ln.estimate(np.vstack([X, X]), np.concatenate([y, y]), method=method)
    finding = found(est.diagnosis)["duplicates_agree"]
    assert finding.facts["duplicates"] == 1
    assert finding.facts["nearest"] == pytest.approx(0.5, abs=0.2)


def test_a_rare_class_is_named(task):
    X, clean, noisy, _ = task
    labels = np.where(noisy == 2, "common", "usual").astype(object)
    labels[np.flatnonzero(clean == 0)[:10]] = "rare"
    diagnosis = ln.estimate(X, labels, method="hoc").diagnosis
    assert diagnosis.verdict == "rough"
    assert found(diagnosis)["few_labeled_rows"].facts == {"least": 30, "classes": ["rare"]}


def test_classes_that_are_labeled_alike_are_not_separated(task):
    X, clean, _, _ = task
    T = [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]]
    diagnosis = ln.estimate(X, ln.inject_noise(clean, T, 0), method="hoc").diagnosis
    facts = found(diagnosis)["neighbors_separate_few_classes"].facts
    assert facts == {"groups": 2, "n_classes": 3}


@pytest.mark.parametrize("rate", [0.1, 0.3])
def test_good_data_have_no_finding_but_overlap(rate):
    for seed in range(3):
        X, y = ln.make_twonorm(1500, seed)
        noisy = ln.inject_noise(y, ln.symmetric_noise(2, rate), seed)
        diagnosis = ln.estimate(X, noisy, method="hoc").diagnosis
        assert list(found(diagnosis)) == ["overlap_counted_as_noise"]
        assert diagnosis.verdict == "rough"


def test_overlap_is_never_excluded():
    """Clean labels of overlapping classes look like noisy labels of separate ones."""
    X, y = ln.make_waveform(2000, 0)
    est = ln.estimate(X, y, method="a-kl")
    assert est.noise_rate > 0.1
    assert "overlap_counted_as_noise" in found(est.diagnosis)


def test_the_assumption_comes_with_the_estimate(task):
    X, _, noisy, _ = task
    est = ln.estimate(X, noisy, method="hoc")
    assert est.assumption.code == "neighbors_share_class"
    assert str(est.assumption) in " ".join(repr(est).split())


def test_a_solver_that_stops_early_is_reported(task, monkeypatch):
    X, _, noisy, _ = task
    monkeypatch.setattr("labelnoise.consensus.solver.MAX_STEPS", 1)
    with pytest.warns(ln.LabelNoiseWarning) as caught:
        est = ln.estimate(X, noisy, method="hoc")
    assert [warning.message.note.code for warning in caught] == ["not_converged"]
    assert "not_converged" in found(est.diagnosis)


@pytest.mark.parametrize(
    ("method", "with_graph", "code"),
    [
        ("hoc", False, "features_missing"),
        ("a-kl", False, "features_missing"),
        ("a-kl", True, "exclude_each_other"),
    ],
)
def test_input_that_a_method_cannot_use_is_refused(task, method, with_graph, code):
    X, _, noisy, _ = task
    graph = ln.NeighborGraph.build(X, 25) if with_graph else None
    with pytest.raises(ln.LabelNoiseError) as caught:
        ln.estimate(None, noisy, method=method, graph=graph)
    assert caught.value.note.code == code
