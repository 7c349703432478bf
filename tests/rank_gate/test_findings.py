import numpy as np
import pytest
from experiments.tabular import load_tabular
from sklearn.datasets import load_digits

import labelnoise as ln
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.settings import MIN_DIAGONAL_LEAD
from labelnoise.rank_gate.measurements import claims_relative_to_features
from messages import warned


def facts(est, code):
    """The facts of a finding, or None."""
    return {one.code: one.facts for one in est.diagnosis.findings}.get(code)


def flipped(clean, rates, seed):
    return ln.inject_noise(clean, rates, seed)


def test_features_that_are_pure_noise_identify_nothing():
    noticed = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        noisy = rng.integers(3, size=1500)
        est = ln.estimate(rng.normal(size=(1500, 5)), noisy)
        assert est.diagnosis.verdict != "reliable"
        if found := facts(est, "labels_not_predicted"):
            assert found["source"] == "neighbors and a linear model of the features"
            noticed += 1
    assert noticed >= 3


def test_a_class_without_a_region_of_its_own_is_named():
    for seed in range(3):
        rng = np.random.default_rng(seed)
        clean = rng.integers(3, size=3000)
        X = np.array([[0.0, 0.0], [4.0, 0.0], [4.5, 0.0]])[clean] + rng.normal(size=(3000, 2))
        est = ln.estimate(X, flipped(clean, ln.symmetric_noise(3, 0.1), 50 + seed))
        assert est.diagnosis.verdict != "reliable"
        named = [facts(est, code) for code in ("no_clear_cut_rows", "classes_alike")]
        assert any(1 in one["classes"] for one in named if one)


def test_clear_data_are_called_reliable():
    X, clean = ln.make_twonorm(3000, 0)
    for rates in ([[0.8, 0.2], [0.1, 0.9]], [[0.6, 0.4], [0.4, 0.6]]):
        assert ln.estimate(X, flipped(clean, rates, 5)).diagnosis.verdict == "reliable"
    X, clean = load_digits(return_X_y=True)
    X = X[:, X.std(axis=0) > 0]
    noisy = flipped(clean, ln.random_noise(10, rate=0.4, random_state=1), 2)
    est = ln.estimate(X, noisy)
    assert est.diagnosis.verdict == "reliable"
    T = ln.realized_transition(clean, noisy)
    assert ln.transition_error(T, est.transition_matrix) < 0.03


def test_few_rows_and_few_places_are_noticed(task):
    X, clean, _, _ = task
    few = np.concatenate([np.flatnonzero(clean < 2)[:400], np.flatnonzero(clean == 2)[:20]])
    est = ln.estimate(X[few], clean[few])
    assert facts(est, "few_labeled_rows")["classes"] == [2]
    noisy = flipped(clean, ln.symmetric_noise(3, 0.2), 0)
    est = ln.estimate(clean[:, None], noisy)
    assert facts(est, "few_distinct_rows")["n"] == pytest.approx(3, abs=0.1)


def test_copies_of_rows_are_noticed(task):
    X, _, noisy, _ = task
    twice = np.concatenate([np.arange(700), np.arange(700)])
    est = ln.estimate(X[twice], noisy[twice])
    assert facts(est, "duplicates_agree")["duplicates"] == 1


@pytest.mark.full
@pytest.mark.parametrize(("name", "reliable"), [("flare-solar", False), ("splice", True)])
def test_verdicts_on_real_tables(uci, name, reliable):
    X, y = load_tabular(name, uci)
    for seed in (0, 1, 2, 32, 82):
        noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], seed, exact=True)
        verdict = ln.estimate(X, noisy).diagnosis.verdict
        assert (verdict == "reliable") == reliable


def test_a_row_of_T_led_by_another_class_is_named():
    """A rare class next to a frequent one is easily taken for one that is mostly mislabeled."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        clean = rng.choice(3, 1500, p=[0.48, 0.48, 0.04])
        X = np.array([[0.0], [6.0], [7.5]])[clean] + rng.standard_normal((1500, 2))
        est = ln.estimate(X, flipped(clean, ln.symmetric_noise(3, 0.2), rng))
        assert est.diagnosis.verdict != "reliable"
        T = est.transition_matrix.values
        lead = (np.diag(T) - (T - np.diag(np.diag(T))).max(axis=1)).min()
        assert bool(facts(est, "mislabeled_as_often_as_not")) == (lead < MIN_DIAGONAL_LEAD)


def test_a_small_graph_is_noticed_whoever_built_it(task):
    X, _, noisy, _ = task
    graph = ln.NeighborGraph.build(X, 3, metric="euclidean")
    est = ln.estimate(None, noisy, graph=graph)
    assert facts(est, "few_neighbors") == {"n": 3}


def test_probabilities_in_another_order_are_noticed(task):
    _, clean, noisy, _ = task
    pred_proba = np.full((len(clean), 3), 0.1)
    pred_proba[np.arange(len(clean)), clean] = 0.8
    with warned("probabilities_in_another_order"):
        est = ln.estimate(None, noisy, pred_proba=pred_proba[:, [1, 2, 0]])
    assert est.diagnosis.verdict != "reliable"


def test_an_honest_model_on_clean_labels_is_believed_if_the_features_agree():
    X, clean = ln.make_twonorm(2000, 0)
    X = X + 4 * clean[:, None]  # far apart
    pred_proba = np.full((len(clean), 2), 0.002)
    pred_proba[np.arange(len(clean)), clean] = 0.998
    est = ln.estimate(X, clean, pred_proba=pred_proba)
    assert est.diagnosis.verdict == "reliable"


def test_claims_are_relative_to_what_features_show():
    """Two labels, half each, one nat won in three of four rows: z = mean / (deviation / root n)."""
    cells = Cells.of(np.arange(400), np.tile([0, 1], 200), 2)
    own = np.where(np.arange(400) % 4 < 3, 0.5 * np.e, 0.5)  # nats won: 1, 1, 1, 0
    scores = np.empty((400, 2))
    scores[np.arange(400), cells.label] = own
    scores[np.arange(400), 1 - cells.label] = 1 - own
    z = 0.75 / np.sqrt(0.75 * 0.25 / 400)
    T = np.array([[0.9, 0.1], [0.2, 0.8]])  # claims 1 - 0.1 - 0.2
    np.testing.assert_allclose(claims_relative_to_features(T, scores, cells, 0), 0.7 / z)
    of_fours = claims_relative_to_features(T, scores, cells, 0, row_weight=0.25)
    np.testing.assert_allclose(of_fours, 2 * 0.7 / z)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("n", "k"), [(100, 50), (90, 30)])
def test_two_or_three_rows_of_each_label_tell_nothing(seed, n, k):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(n, 8)), rng.permutation(np.arange(n) % k)
    assert ln.estimate(X, y, n_draws=20).diagnosis.verdict == "cannot tell"
