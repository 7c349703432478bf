"""Rows that belong together: copies with small changes, and sessions that were labeled at once."""

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.groups import RowGroups, design_effect
from messages import refused

T = np.array([[0.8, 0.15, 0.05], [0.05, 0.85, 0.1], [0.1, 0.1, 0.8]])


def copies(seed, n_originals=400, n_copies=5):
    """Rows with small changes that share the label of their original; true labels; originals."""
    rng = np.random.default_rng(seed)
    clean = rng.integers(3, size=n_originals)
    X = 1.6 * rng.normal(size=(3, 6))[clean] + rng.normal(size=(n_originals, 6))
    noisy = ln.inject_noise(clean, T, rng)
    original = np.repeat(np.arange(n_originals), n_copies)
    X = X[original] + 0.02 * rng.normal(size=(len(original), 6))
    return X, noisy[original], clean[original], original


def codes_of(est):
    return {finding.code for finding in est.diagnosis.findings}


@pytest.mark.parametrize("seed", range(3))
def test_shared_errors_are_suspected_without_groups_and_seen_with_them(seed):
    X, noisy, clean, original = copies(seed)
    truth = (noisy != clean).mean()
    alone = ln.estimate(X, noisy)
    assert alone.noise_rate < 0.05 < truth
    assert "clusters_agree" in codes_of(alone)
    assert alone.diagnosis.verdict != "reliable"
    est = ln.estimate(X, noisy, groups=original)
    assert "clusters_agree" not in codes_of(est)
    ends = est.interval(0.99)
    assert ends.lower.noise_rate <= truth <= ends.upper.noise_rate
    assert est.noise_rate == pytest.approx(truth, abs=0.08)


def test_groups_of_one_row_change_little(task):
    X, _, noisy, _ = task
    est = ln.estimate(X, noisy, groups=np.arange(len(noisy)))
    assert est.diagnosis.verdict == "reliable"
    assert (
        ln.transition_error(ln.estimate(X, noisy).transition_matrix, est.transition_matrix) < 0.02
    )


def test_groups_are_the_same_in_any_order_under_any_name(task):
    X, _, noisy, _ = task
    groups = np.arange(len(noisy)) // 10
    one = ln.estimate(X, noisy, groups=groups)
    order = np.random.default_rng(0).permutation(len(noisy))
    other = ln.estimate(X[order], noisy[order], groups=groups[order].astype(str))
    np.testing.assert_allclose(one.transition_matrix, other.transition_matrix, atol=0.02)


def test_a_column_holds_the_groups_wherever_the_table_comes_from(task, tmp_path):
    X, _, noisy, _ = task
    session = [f"session {i // 10}" for i in range(len(noisy))]
    frame = pd.DataFrame(X, columns=list("abcdef")).assign(session=session, label=noisy)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    est = ln.estimate(frame, "label", groups="session")
    loaded = ln.load_table(tmp_path / "rows.csv", label="label", group="session")
    assert loaded.feature_names == tuple("abcdef")
    np.testing.assert_array_equal(loaded.groups, session)
    for same in (ln.estimate(loaded), ln.estimate(X, noisy, groups=session)):
        np.testing.assert_allclose(same.transition_matrix, est.transition_matrix, atol=1e-9)


def test_folds_hold_whole_groups_and_are_of_about_the_same_size():
    rng = np.random.default_rng(0)
    group = rng.integers(60, size=1000)
    groups = RowGroups.of(group)
    pairs = np.unique(np.column_stack([group, groups.fold]), axis=0)
    assert len(pairs) == len(np.unique(group))
    sizes = np.bincount(groups.fold)
    assert sizes.max() - sizes.min() < 30


def test_the_design_effect_is_the_size_of_groups_that_share_their_residuals():
    """Four rows of label 0 or 1 predicted at 1/2: residuals +-1/2; pairs share a label, or not."""
    cells = Cells.of(np.arange(4), np.array([0, 0, 1, 1]), 2)
    scores = np.full((4, 2), 0.5)
    assert design_effect(scores, cells, np.array([0, 0, 1, 1])) == 2
    assert design_effect(scores, cells, np.array([0, 1, 0, 1])) == 1  # never below 1
    assert design_effect(scores, cells, np.arange(4)) == 1


def test_groups_that_make_no_sense_are_refused(task):
    X, _, noisy, _ = task
    with refused("groups_not_one_per_row"):
        ln.estimate(X, noisy, groups=[1, 2, 3])
    with refused("one_group"):
        ln.estimate(X, noisy, groups=np.zeros(len(noisy)))
    with refused("groups_missing"):
        ln.estimate(X, noisy, groups=[None, *range(len(noisy) - 1)])
    with refused("input_not_used_by_method"):
        ln.estimate(X, noisy, method="hoc", groups=np.arange(len(noisy)))
    graph = ln.NeighborGraph.build(X, 20)
    with refused("exclude_each_other"):
        ln.estimate(None, noisy, graph=graph, groups=np.arange(len(noisy)))
