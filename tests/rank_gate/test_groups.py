"""Rows that belong together: copies with small changes, and sessions that were labeled at once."""

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from labelnoise.evidence.groups import RowGroups, design_effect
from messages import refused, warned
from seeds import SEEDS

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


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.full
def test_groups_of_one_row_change_little(task):
    X, _, noisy, _ = task
    est = ln.estimate(X, noisy, groups=np.arange(len(noisy)))
    assert est.diagnosis.verdict == "reliable"
    assert (
        ln.transition_error(ln.estimate(X, noisy).transition_matrix, est.transition_matrix) < 0.02
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_are_the_same_in_any_order_under_any_name(task, seed):
    X, _, noisy, _ = task
    rng = np.random.default_rng(seed)
    groups = np.arange(len(noisy)) // (50 * (seed + 1))
    one = ln.estimate(X, noisy, groups=groups)
    names = rng.permutation(groups.max() + 1)
    renamed = ln.estimate(X, noisy, groups=names[groups].astype(str))
    np.testing.assert_array_equal(one.transition_matrix, renamed.transition_matrix)
    order = rng.permutation(len(noisy))
    other = ln.estimate(X[order], noisy[order], groups=groups[order])
    np.testing.assert_allclose(one.transition_matrix, other.transition_matrix, atol=1e-6)


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
    groups = RowGroups.of(group, np.zeros(1000, dtype=int), rng.normal(size=(1000, 2)))
    pairs = np.unique(np.column_stack([group, groups.fold]), axis=0)
    assert len(pairs) == len(np.unique(group))
    sizes = np.bincount(groups.fold)
    assert sizes.max() - sizes.min() < 30


def effect(residual, group, *, folds=10):
    """The design effect of rows (n,) that fits to the other folds score."""
    n_groups = group.max() + 1
    of_cells = (np.arange(n_groups)[:, None] == group).astype(float)
    both = np.column_stack([residual, -residual])
    return design_effect(both, of_cells, np.full(n_groups, len(group) / folds))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("size", [2, 5, 20])
def test_the_design_effect_of_copies_is_their_number(seed, size):
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(4000 // size), size)
    copied = rng.choice([-0.5, 0.5], size=4000 // size)[group]
    assert effect(copied, group) == pytest.approx(size, rel=0.1)
    half = np.where(rng.random(4000) < 0.5, copied, rng.choice([-0.5, 0.5], size=4000))
    assert 1 + 0.1 * (size - 1) < effect(half, group) < 1 + 0.4 * (size - 1)
    assert effect(copied, np.arange(4000)) == 1


@pytest.mark.parametrize("n_groups", [5, 10, 100])
def test_independent_errors_make_rows_worth_about_one(n_groups):
    worth = []
    for seed in range(200):
        rng = np.random.default_rng([seed, n_groups])
        group = np.arange(1000) % n_groups
        y = rng.random(1000) < 0.3
        counts, ones = np.bincount(group), np.bincount(group, y)
        elsewhere = (y.sum() - ones) / (1000 - counts)  # frequencies without the own group
        worth.append(1 / effect(y - elsewhere[group], group, folds=n_groups))
    assert 0.9 < np.mean(worth) <= 1


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_random_groups_hardly_lower_what_rows_are_worth(task, seed):
    X, _, noisy, _ = task
    groups = np.random.default_rng(seed).integers(40, size=len(noisy))
    assert ln.estimate(X, noisy, groups=groups).parameters["row_weight"] > 0.7


@pytest.mark.parametrize("seed", SEEDS)
def test_labels_that_lie_in_one_group_cannot_be_judged(seed):
    X, noisy, _, _ = copies(seed, 1200, 1)
    groups = np.where(
        noisy == 2, 0, np.random.default_rng([seed, 1]).integers(1, 60, size=len(noisy))
    )
    est = ln.estimate(X, noisy, groups=groups)
    found = {one.code: one for one in est.diagnosis.findings}["labels_in_few_groups"]
    assert (found.facts["classes"], found.about) == ([2], (2,))
    assert est.diagnosis.verdict == "cannot tell"
    for named in (noisy, [f"site of {label}" for label in noisy]):
        with refused("groups_are_labels"):
            ln.estimate(X, noisy, groups=named)


@pytest.mark.parametrize("seed", SEEDS)
def test_two_sites_with_all_labels_can_be_judged(seed):
    X, noisy, _, _ = copies(seed, 1200, 1)
    sites = np.random.default_rng([seed, 1]).integers(2, size=len(noisy))
    found = codes_of(ln.estimate(X, noisy, groups=sites))
    assert "labels_in_few_groups" not in found
    assert "few_groups" in found


@pytest.mark.parametrize("seed", SEEDS)
def test_few_groups_with_shared_errors_are_named_as_the_cause(seed):
    """Features predict the labels well, but each group has a label that it prefers."""
    X, _, clean, _ = copies(seed, 800, 1)
    groups = np.random.default_rng([seed, 1]).integers(8, size=800)
    preferred = np.random.default_rng([seed, 2]).random(800) < 0.5
    noisy = np.where(preferred, groups % 3, clean)
    est = ln.estimate(X, noisy, groups=groups)
    assert est.parameters["row_weight"] < 0.1
    found = codes_of(est)
    assert {"few_groups", "few_independent_rows"} <= found
    assert not found & {"labels_not_predicted", "labels_barely_predicted", "few_distinct_rows"}


@pytest.mark.full
@pytest.mark.parametrize("seed", SEEDS)
def test_copies_make_intervals_by_instance_no_narrower(seed):
    X, noisy, _, original = copies(seed)

    def width(est):
        ends = est.interval(0.9)
        return ends.upper.noise_rate - ends.lower.noise_rate

    first = np.unique(original, return_index=True)[1]
    alone = ln.estimate(X[first], noisy[first], noise="instance")
    together = ln.estimate(X, noisy, groups=original, noise="instance")
    assert width(together) > 0.7 * width(alone)


def test_an_estimate_says_that_it_used_groups(task, tmp_path):
    X, _, noisy, _ = task
    session = np.arange(len(noisy)) // 10
    frame = pd.DataFrame(X).assign(session=session, label=noisy)
    est = ln.estimate(frame, "label", groups="session")
    est.save(tmp_path / "noise.json")
    parameters = ln.NoiseEstimate.load(tmp_path / "noise.json").parameters
    assert (parameters["groups"], parameters["n_groups"]) == ("session", session.max() + 1)
    assert 0 < parameters["row_weight"] <= 1
    assert "n_groups" not in ln.estimate(X, noisy).parameters


def test_methods_without_groups_ignore_those_of_a_dataset(task, tmp_path):
    X, _, noisy, _ = task
    frame = pd.DataFrame(X).assign(session=np.arange(len(noisy)) // 10, label=noisy)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    dataset = ln.load_table(tmp_path / "rows.csv", label="label", group="session")
    with warned("groups_of_dataset_not_used"):
        est = ln.estimate(dataset, method="hoc")
    assert "groups" not in est.parameters
    with refused("input_not_used_by_method"):
        ln.estimate(dataset, method="hoc", groups=dataset.groups)


def test_the_same_groups_are_missing_wherever_the_table_comes_from(task, tmp_path):
    X, _, noisy, _ = task
    session = [None if i < 3 else f"s{i // 10}" for i in range(len(noisy))]
    frame = pd.DataFrame(X).assign(session=session, label=noisy)
    frame.to_csv(tmp_path / "rows.csv", index=False)
    loaded = ln.load_table(tmp_path / "rows.csv", label="label", group="session")
    for given, named in (((loaded,), None), ((frame, "label"), "session")):
        with refused("groups_missing") as caught:
            ln.estimate(*given, groups=named)
        assert caught.value.note.facts["n"] == 3


def test_groups_that_make_no_sense_are_refused(task):
    X, _, noisy, _ = task
    with refused("wrong_length"):
        ln.estimate(X, noisy, groups=[1, 2, 3])
    with refused("one_group"):
        ln.estimate(X, noisy, groups=np.zeros(len(noisy)))
    with refused("groups_missing"):
        ln.estimate(X, noisy, groups=[None, *range(len(noisy) - 1)])
    with refused("input_not_used_by_method"):
        ln.estimate(X, noisy, method="hoc", groups=np.arange(len(noisy)))
    for pairs in (np.arange(len(noisy))[:, None], [(i, i) for i in range(len(noisy))]):
        with refused("not_single_values"):
            ln.estimate(X, noisy, groups=pairs)
    with refused("not_a_sequence"):
        ln.estimate(X, noisy, groups=5)
    with pytest.raises(ln.LabelNoiseError):
        ln.RankGatedEstimator().fit(X, None, groups=np.arange(len(noisy)))
    with refused("group_is_label"):
        ln.estimate(pd.DataFrame(X).assign(label=noisy), "label", groups="label")
    graph = ln.NeighborGraph.build(X, 20)
    with refused("groups_without_features"):
        ln.estimate(None, noisy, graph=graph, groups=np.arange(len(noisy)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rare_label_in_few_groups_leaves_the_others_known(seed):
    rng = np.random.default_rng(seed)
    y, groups = rng.integers(2, size=2000), rng.integers(100, size=2000)
    y[:20], groups[:20] = 2, np.repeat([0, 1], [12, 8])
    X = 3.0 * np.eye(3)[y] + rng.normal(size=(2000, 3))
    est = ln.estimate(X, ln.inject_noise(y, ln.symmetric_noise(3, 0.1), rng), groups=groups)
    assert est.diagnosis.can_tell


@pytest.mark.parametrize("seed", SEEDS)
def test_copies_in_different_groups_are_found(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=500)
    X = 1.5 * y[:, None] + rng.normal(size=(500, 5))
    noisy = np.where(rng.random(500) < 0.2, 1 - y, y)
    copied = np.repeat(np.arange(500), 4)
    sites = rng.integers(25, size=2000)
    assert "duplicates_agree" in codes_of(ln.estimate(X[copied], noisy[copied], groups=sites))
    known = ln.estimate(X[copied], noisy[copied], groups=copied)
    assert "duplicates_agree" not in codes_of(known)


def test_a_dataset_names_its_groups(task):
    X, _, noisy, _ = task
    frame = pd.DataFrame(X).assign(session=np.arange(len(noisy)) // 10, label=noisy)
    dataset = ln.load_table(frame, "label", group="session")
    assert ln.estimate(dataset, n_draws=20).parameters["groups"] == "session"
    with refused("exclude_each_other"):
        ln.estimate(dataset, groups="session")
