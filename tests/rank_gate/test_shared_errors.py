"""Rows of T have a prior in common, and are dominated by the diagonal."""

import numpy as np
import pytest
from sklearn.datasets import load_digits, load_wine
from sklearn.preprocessing import StandardScaler

import labelnoise as ln
from labelnoise.evidence.cells import Cells
from labelnoise.rank_gate.mode import find_mode
from labelnoise.rank_gate.model import GateModel
from labelnoise.rank_gate.settings import SHARED_ROWS
from labelnoise.rank_gate.shared_errors import shared_errors


@pytest.mark.parametrize("k", [2, 4])
def test_prior_counts_are_those_of_all_classes(k):
    rng = np.random.default_rng(k)
    depths = rng.exponential(size=(500, k))
    model = GateModel(depths, Cells.of(np.arange(500), depths.argmax(axis=1), k))
    counts = shared_errors(model, find_mode(model).at)
    np.testing.assert_allclose(counts.sum(axis=1), SHARED_ROWS)
    right = np.diag(counts)
    np.testing.assert_allclose(right, right[0])
    assert right[0] >= SHARED_ROWS / 2


@pytest.mark.parametrize("load", [load_wine, load_digits])
def test_clean_labels_look_clean(load):
    X, y = load(return_X_y=True)
    X = StandardScaler().fit_transform(X[:, X.std(axis=0) > 0])
    est = ln.estimate(X, y)
    assert est.noise_rate < 0.005
    assert est.interval(0.9).lower.noise_rate < 0.001


def rare_goats(seed):
    """Three frequent classes, and a rare one inside the largest: clean labels."""
    rng = np.random.default_rng(seed)
    y = rng.choice(4, 4000, p=[0.6, 0.25, 0.14, 0.01])
    centers = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [0.6, -0.6]])
    return centers[y] + rng.standard_normal((4000, 2)), y


def test_a_rare_class_is_not_suspicious_for_being_rare():
    for seed in range(3):
        X, y = rare_goats(seed)
        est = ln.estimate(X, y)
        rare = (y == 3).mean()
        assert est.class_prior[3] < 3 * rare
        assert est.noise_rate < 0.03


def test_no_label_is_likelier_than_the_right_one_unless_asked_for():
    rng = np.random.default_rng(0)
    clean = rng.integers(3, size=3000)
    X = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])[clean] + rng.standard_normal((3000, 2))
    T = [[0.3, 0.65, 0.05], [0.05, 0.9, 0.05], [0.1, 0.1, 0.8]]
    noisy = ln.inject_noise(clean, T, random_state=0)
    free = ln.estimate(X, noisy, dominant=False)
    assert free.transition_matrix[0, 1] > free.transition_matrix[0, 0] + 0.2
    est = ln.estimate(X, noisy)
    for matrix in (est.transition_matrix.values, *est.draws.transition):
        assert (np.diag(matrix) >= matrix.max(axis=1) - 0.03).all()
    assert est.diagnosis.verdict != "reliable"
    assert "mislabeled_as_often_as_not" in {finding.code for finding in est.diagnosis.findings}
