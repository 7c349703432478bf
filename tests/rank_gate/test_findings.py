import numpy as np
import pytest
from experiments.tabular import load_tabular
from sklearn.datasets import load_digits

import labelnoise as ln
from labelnoise.evidence.cells import Cells
from labelnoise.rank_gate.measurements import strain


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
        assert any(
            reason.startswith(("hardly any region belongs", "labels hardly tell")) and "1" in reason
            for reason in est.diagnosis.reasons
        )


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
    assert any("fewer than 30 rows are labeled 2" in r for r in est.diagnosis.reasons)
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
        led = np.diag(est.transition_matrix) < est.transition_matrix.values.max(axis=1)
        named = any("mislabeled as often as not" in r for r in est.diagnosis.reasons)
        assert named or not led.any()


def test_a_small_graph_is_noticed_whoever_built_it(task):
    X, _, noisy, _ = task
    graph = ln.NeighborGraph.build(X, 3, metric="euclidean")
    est = ln.estimate(None, noisy, graph=graph)
    assert any("3 neighbors a row" in reason for reason in est.diagnosis.reasons)


def test_probabilities_in_another_order_are_noticed(task):
    _, clean, noisy, _ = task
    pred_proba = np.full((len(clean), 3), 0.1)
    pred_proba[np.arange(len(clean)), clean] = 0.8
    with pytest.warns(ln.LabelNoiseWarning, match="columns may belong to other classes"):
        est = ln.estimate(None, noisy, pred_proba=pred_proba[:, [1, 2, 0]])
    assert est.diagnosis.verdict != "reliable"


def test_an_honest_model_on_clean_labels_is_believed_if_the_features_agree():
    X, clean = ln.make_twonorm(2000, 0)
    X = X + 4 * clean[:, None]  # far apart
    pred_proba = np.full((len(clean), 2), 0.002)
    pred_proba[np.arange(len(clean)), clean] = 0.998
    est = ln.estimate(X, clean, pred_proba=pred_proba)
    assert est.diagnosis.verdict == "reliable"


def test_strain_is_what_T_claims_over_what_features_show():
    """Two labels, half each, one nat won in three of four rows: z = mean / (deviation / root n)."""
    cells = Cells.of(np.arange(400), np.tile([0, 1], 200), 2)
    own = np.where(np.arange(400) % 4 < 3, 0.5 * np.e, 0.5)  # nats won: 1, 1, 1, 0
    scores = np.empty((400, 2))
    scores[np.arange(400), cells.label] = own
    scores[np.arange(400), 1 - cells.label] = 1 - own
    z = 0.75 / np.sqrt(0.75 * 0.25 / 400)
    T = np.array([[0.9, 0.1], [0.2, 0.8]])  # claims 1 - 0.1 - 0.2
    np.testing.assert_allclose(strain(T, scores, cells, 0), 0.7 / z)
