"""Laws of the models: exact frequencies, permutations, shrinkage, features, coverage."""

import numpy as np
import pandas as pd
import pytest
from benchmarks.simulated_crowds import answers, crowd

import labelnoise as ln
from labelnoise.annotators.agreement import agreement
from labelnoise.annotators.answers import Answers
from labelnoise.annotators.crowd import fit_crowd
from labelnoise.annotators.dawid_skene import dawid_skene
from labelnoise.annotators.features import fit_with_features
from seeds import SEEDS


def codes(row, annotator, label, shape):
    """As `Answers`."""
    n, a, k = shape
    return Answers(row, annotator, label, np.arange(n), tuple(range(a)), tuple(range(k)))


def drawn(seed, n=800, k=3, a=8, per_row=4, **more):
    rng = np.random.default_rng(seed)
    true = rng.choice(k, n, p=rng.dirichlet(np.full(k, 8.0)))
    T = crowd(k, a, rng, **more)
    row, who, label = answers(T, true, per_row, rng)
    return codes(row, who, label, (n, a, k)), true, T, rng


def frame(found):
    return pd.DataFrame({"task": found.row, "worker": found.annotator, "label": found.label})


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # crowd-kit's own
@pytest.mark.parametrize("seed", SEEDS)
def test_plain_dawid_skene_equals_crowd_kit(seed):
    from crowdkit.aggregation import DawidSkene

    found, _, _, _ = drawn(seed, a=6, k=4)
    ours, theirs = dawid_skene(found), DawidSkene(100).fit(frame(found))
    probas = theirs.probas_.sort_index()[range(4)].to_numpy()
    np.testing.assert_allclose(ours.posterior, probas, atol=1e-6)
    np.testing.assert_allclose(ours.prior, theirs.priors_[list(range(4))], atol=1e-6)
    for (worker, label), row in theirs.errors_.iterrows():
        np.testing.assert_allclose(
            ours.transition[worker, :, label], row[list(range(4))].to_numpy(), atol=1e-6
        )


@pytest.mark.parametrize("fit", [fit_crowd, dawid_skene])
def test_exact_frequencies_give_the_exact_model(fit):
    T = np.array([[[0.9, 0.1], [0.2, 0.8]], [[0.8, 0.2], [0.1, 0.9]], [[0.7, 0.3], [0.4, 0.6]]])
    prior, label = np.array([0.6, 0.4]), np.stack(np.unravel_index(np.arange(8), (2, 2, 2)))
    joint = np.prod([T[a][:, label[a]] for a in range(3)], axis=0)  # (true, pattern)
    times = np.round(100_000 * prior @ joint).astype(int)
    pattern = np.repeat(np.arange(8), times)
    n = len(pattern)
    row, who = np.repeat(np.arange(n), 3), np.tile(np.arange(3), n)
    found = fit(codes(row, who, label[:, pattern].T.ravel(), (n, 3, 2)))
    transition = found.transition if fit is dawid_skene else found.crowd.transition
    frequencies = found.prior if fit is dawid_skene else found.crowd.prior
    np.testing.assert_allclose(transition, T, atol=0.02)
    np.testing.assert_allclose(frequencies, prior, atol=0.02)


@pytest.mark.parametrize("seed", SEEDS)
def test_permutations_permute_the_result(seed):
    found, _, _, rng = drawn(seed)
    (n, a, k), X = found.shape, rng.normal(size=(800, 4))
    X[:, :3] += 2 * found.vote_shares
    of_rows, of_annotators, of_classes = (rng.permutation(one) for one in (n, a, k))
    shuffled = rng.permutation(len(found))
    other = codes(
        of_rows[found.row][shuffled],
        of_annotators[found.annotator][shuffled],
        of_classes[found.label][shuffled],
        (n, a, k),
    )
    moved = np.empty_like(X)
    moved[of_rows] = X
    pairs = [
        (fit_crowd(found), fit_crowd(other)),
        (fit_with_features(found, X).fit, fit_with_features(other, moved).fit),
    ]
    for one, two in pairs:
        np.testing.assert_allclose(two.posterior[of_rows][:, of_classes], one.posterior, atol=1e-3)
        T = two.crowd.transition[of_annotators][:, of_classes][:, :, of_classes]
        np.testing.assert_allclose(T, one.crowd.transition, atol=1e-3)


def test_the_order_of_the_answers_does_not_matter():
    found, _, _, rng = drawn(0)
    table = frame(found)
    one = ln.estimate_annotators(table)
    assert one == ln.estimate_annotators(table.iloc[rng.permutation(len(table))])


@pytest.mark.parametrize("seed", SEEDS)
def test_few_answers_are_shrunk_to_the_crowd(seed):
    found, _, _, _ = drawn(seed, a=7)
    only = (found.annotator != 6) | (np.cumsum(found.annotator == 6) <= 5)
    kept = codes(found.row[only], found.annotator[only], found.label[only], found.shape)
    crowd_fit = fit_crowd(kept).crowd
    from_crowd = np.abs(crowd_fit.transition - crowd_fit.center).sum(axis=(1, 2))
    assert from_crowd[6] < np.median(from_crowd[:6])


@pytest.mark.parametrize("seed", SEEDS)
def test_priors_beat_maximum_likelihood_where_answers_are_few(seed):
    found, true, T, _ = drawn(seed, n=600, k=4, a=25, per_row=3)
    right = [
        (fit(found).posterior.argmax(axis=1) == true).mean() for fit in (fit_crowd, dawid_skene)
    ]
    assert right[0] > right[1]
    weight = found.expected_counts(np.eye(4)[true]).sum(axis=2)
    ours, theirs = fit_crowd(found).crowd.transition, dawid_skene(found).transition
    errors = [(weight * np.abs(one - T).sum(axis=2)).sum() for one in (ours, theirs)]
    assert errors[0] < errors[1]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_features_change_nothing_and_good_ones_help(seed):
    found, true, _, rng = drawn(seed, per_row=3, careful=(3.0, 2.0))
    noise = rng.normal(size=(800, 60))
    right = {}
    for name, X in (("none", None), ("random", noise), ("good", noise + 2 * np.eye(60)[true])):
        fit = fit_crowd(found) if X is None else fit_with_features(found, X).fit
        right[name] = (fit.posterior.argmax(axis=1) == true).mean()
        said = fit.posterior.max(axis=1).mean()
        assert abs(said - right[name]) < 0.08, name  # no double counting
    assert abs(right["random"] - right["none"]) < 0.01
    assert right["good"] > right["none"] + 0.02


def test_a_feature_with_two_values_is_used():
    found, true, _, rng = drawn(0, k=2, per_row=2, careful=(2.0, 2.0))
    X = (np.where(rng.random(800) < 0.05, 1 - true, true))[:, None].astype(float)
    posterior = fit_with_features(found, X).fit.posterior
    assert (posterior.argmax(axis=1) == true).mean() > 0.93


@pytest.mark.parametrize("seed", SEEDS)
def test_rules_with_a_single_label_are_informative_by_what_they_answer(seed):
    rng = np.random.default_rng(seed)
    true = rng.integers(2, size=1500)
    coverage = rng.uniform(0.1, 0.5, 8)
    of_rule = np.arange(8) % 2
    chance = np.where(true[:, None] == of_rule, coverage, coverage / 6)
    row, rule = np.nonzero(rng.random((1500, 8)) < chance)
    rows, row = np.unique(row, return_inverse=True)
    true = true[rows]
    found = codes(row, rule, of_rule[rule], (len(rows), 8, 2))
    assert found.single_label.all()
    ours, plain = fit_crowd(found).posterior, dawid_skene(found).posterior
    votes = (found.votes + 1e-6 * rng.random(found.votes.shape)).argmax(axis=1)
    right = [(one == true).mean() for one in (ours.argmax(1), votes, plain.argmax(1))]
    assert right[0] > right[1] - 0.01
    assert right[0] > right[2]


def test_intervals_cover_entries_with_many_answers():
    covered = []
    for seed in range(8):
        found, true, T, _ = drawn(seed, n=600, a=6, per_row=4)
        est = ln.estimate_annotators(frame(found), random_state=seed)
        n = found.expected_counts(np.eye(3)[true]).sum(axis=2)
        for a, name in enumerate(est.annotators):
            ends = est[name].interval(0.9)
            low, high = ends.lower.transition_matrix, ends.upper.transition_matrix
            covered.append(((low <= T[a]) & (T[a] <= high))[n[a] >= 20].ravel())
    assert 0.8 < np.concatenate(covered).mean() < 0.97


def test_agreement_by_definition():
    votes = np.random.default_rng(0).integers(3, size=(40, 3)).astype(float)
    units = [np.repeat(np.arange(3), v.astype(int)) for v in votes if v.sum() >= 2]
    n = sum(map(len, units))
    observed = sum((u[:, None] != u).sum() / (len(u) - 1) for u in units) / n
    together = np.concatenate(units)
    expected = (together[:, None] != together).sum() / (n * (n - 1))
    found = agreement(votes)
    assert found.pairwise == pytest.approx(1 - observed)
    assert found.alpha == pytest.approx(1 - observed / expected)
    assert found.n_rows == len(units)
    assert np.isnan(agreement(np.eye(3)).alpha)
