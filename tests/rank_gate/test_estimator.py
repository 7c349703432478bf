import numpy as np
import pandas as pd
import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.neighbors import kneighbors_graph
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.svm import LinearSVC

import labelnoise as ln
from messages import refused, warned


def overlapping(seed, n=3000, distance=1.5):
    """Two normal classes that overlap, with 20% and 10% of the labels flipped."""
    rng = np.random.default_rng(seed)
    clean = rng.integers(2, size=n)
    X = rng.normal(size=(n, 3)) + distance * clean[:, None] * [1, 0.5, 0]
    noisy = ln.inject_noise(clean, [[0.8, 0.2], [0.1, 0.9]], 1000 + seed)
    return X, clean, noisy


def test_overlap_is_not_mistaken_for_noise():
    """HOC counts the overlap as noise; the gate does not."""
    errors = []
    for seed in range(2):
        X, clean, noisy = overlapping(seed)
        T = ln.realized_transition(clean, noisy)
        errors.append(
            [
                ln.transition_error(T, ln.estimate(X, noisy, method=method).transition_matrix)
                for method in ("rank-gated", "hoc", "a-kl")
            ]
        )
    ours, *others = np.mean(errors, axis=0)
    assert ours < 0.06
    assert ours < 0.5 * min(others)


def test_clean_labels_of_overlapping_classes_are_called_clean():
    X, y = ln.make_waveform(3000, 0)
    est = ln.estimate(X, y)
    assert est.noise_rate < 0.03
    assert est.bounds.upper.noise_rate > 0.1


def test_bounds_enclose_both_readings_and_name_what_they_assume():
    X, _, noisy = overlapping(5)
    by_class, by_instance = (ln.estimate(X, noisy, noise=noise) for noise in ("class", "instance"))
    for est in (by_class, by_instance):
        assert est.bounds.lower.noise_rate < est.bounds.upper.noise_rate
        codes = [est.bounds.lower.assumption.code, est.bounds.upper.assumption.code]
        assert codes == ["noise_by_class", "noise_by_instance"]
        assert est.bounds == by_class.bounds
    assert by_class.noise_rate == pytest.approx(by_class.bounds.lower.noise_rate)
    assert by_instance.noise_rate == pytest.approx(by_instance.bounds.upper.noise_rate)
    assert by_instance.assumption == by_instance.bounds.upper.assumption


def test_noise_of_labels_that_err_where_classes_are_alike_lies_between_the_bounds():
    """Labels by people: wrong near the boundary, right elsewhere."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(4000, 2))
    clean = (X[:, 0] > 0).astype(int)
    wrong = rng.random(4000) < 0.5 * np.exp(-4 * np.abs(X[:, 0]))
    est = ln.estimate(X, np.where(wrong, 1 - clean, clean))
    assert est.bounds.lower.noise_rate < wrong.mean() < est.bounds.upper.noise_rate + 0.03


def test_intervals_cover():
    """Ninety per cent intervals of two free entries in each of ten draws."""
    held = []
    for seed in range(10):
        X, clean, noisy = overlapping(seed, n=800, distance=2.5)
        T = np.asarray(ln.realized_transition(clean, noisy))
        ends = ln.estimate(X, noisy).interval(0.9)
        held.append((ends.lower.transition_matrix <= T) & (ends.upper.transition_matrix >= T))
    assert np.mean(held) >= 0.8


def test_no_draws_give_the_mode_and_no_interval(task):
    X, _, noisy, T = task
    est = ln.estimate(X, noisy, n_draws=0)
    assert ln.transition_error(T, est.transition_matrix) < 0.05
    with refused("no_draws"):
        est.interval()


def test_the_seed_decides_the_draws():
    X, _, noisy = overlapping(0, n=500)
    first, same, other = (ln.estimate(X, noisy, random_state=s) for s in (1, 1, 2))
    assert first == same
    assert first.draws != other.draws


def test_row_posteriors_find_the_wrong_labels(task, fitted):
    _, clean, noisy, _ = task
    chances = fitted.row_posteriors_
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances.argmax(axis=1) == clean).mean() > 0.97
    assert chances[np.arange(len(noisy)), noisy].mean() == pytest.approx(
        (clean == noisy).mean(), abs=0.03
    )


def test_new_rows_are_judged_like_old_ones(task, fitted):
    X, clean, noisy, _ = task
    moved = X + 1e-6
    by_features = fitted.predict_proba(moved)
    assert (by_features.argmax(axis=1) == clean).mean() > 0.97
    with_label = fitted.predict_proba(moved, noisy)
    np.testing.assert_allclose(with_label.sum(axis=1), 1)
    assert np.abs(with_label - fitted.row_posteriors_).mean() < 0.02


def test_new_frames_are_encoded_like_the_old(task):
    X, clean, noisy, _ = task
    frame = pd.DataFrame(X, columns=list("abcdef"))
    frame["kind"] = np.array(["x", "y", "z"])[clean]
    model = ln.RankGatedEstimator(n_draws=0).fit(frame, noisy)
    few = frame.iloc[:5].assign(kind="unheard of")
    assert model.predict_proba(frame.iloc[:5]).shape == (5, 3)
    assert np.isfinite(model.predict_proba(few)).all()
    with pytest.raises(ValueError, match="feature names"):  # scikit-learn's own
        model.predict_proba(frame[["a", "kind"]])
    with refused("new_rows_differ"):
        model.predict_proba(np.ones((5, 7)))


def test_a_ready_made_graph_is_enough(task):
    X, _, noisy, T = task
    model = ln.RankGatedEstimator().fit(None, noisy, graph=kneighbors_graph(X, 60, mode="distance"))
    assert ln.transition_error(T, model.transition_matrix_) < 0.05
    with refused("graph_cannot_score_new_rows"):
        model.predict_proba(X)


def out_of_sample(X, y, model=None):
    return cross_val_predict(
        model or LogisticRegression(max_iter=2000), X, y, method="predict_proba"
    )


def test_probabilities_of_the_users_own_model_are_enough(task):
    X, _, noisy, T = task
    proba = out_of_sample(X, noisy)
    together = ln.estimate(X, noisy, pred_proba=proba, n_draws=0)
    assert ln.transition_error(T, together.transition_matrix) < 0.05
    model = ln.RankGatedEstimator().fit(None, noisy, pred_proba=proba)
    assert ln.transition_error(T, model.transition_matrix_) < 0.05
    assert model.predict_proba(None, pred_proba=proba[:4]).shape == (4, 3)
    with refused("pred_proba_unlike_fit"):
        model.predict_proba(None)


def test_only_the_order_of_probabilities_counts(task):
    X, _, noisy, _ = task
    proba = out_of_sample(X, noisy)
    flat = proba**0.8
    flat /= flat.sum(axis=1, keepdims=True)
    est, other = (ln.estimate(None, noisy, pred_proba=p) for p in (proba, flat))
    np.testing.assert_allclose(est.transition_matrix, other.transition_matrix, atol=0.03)


def test_a_model_that_is_far_too_sure_still_ranks_rows(task):
    X, _, noisy, T = task
    sharp = out_of_sample(X, noisy) ** 15
    sharp /= sharp.sum(axis=1, keepdims=True)
    est = ln.estimate(None, noisy, pred_proba=sharp)
    assert est.diagnosis.verdict == "reliable"
    assert ln.transition_error(T, est.transition_matrix) < 0.05


def test_classifiers_are_mixed_in_where_they_help():
    """Two columns whose product tells, among twenty: a model of interactions sees it."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2500, 20))
    clean = (X[:, 0] * X[:, 1] > 0).astype(int)
    noisy = ln.inject_noise(clean, [[0.9, 0.1], [0.1, 0.9]], 7)
    interactions = PolynomialFeatures(interaction_only=True)
    scorers = [make_pipeline(interactions, LogisticRegression(C=0.01, max_iter=500))]
    plain, helped = (
        ln.RankGatedEstimator(scorers=s, n_draws=0).fit(X, noisy) for s in (None, scorers)
    )
    right = [(m.predict_proba(X).argmax(axis=1) == clean).mean() for m in (plain, helped)]
    assert right[1] > right[0] + 0.05
    assert helped.estimate_.noise_rate == pytest.approx(0.1, abs=0.05)


def test_duplicates_do_not_give_labels_away_to_given_probabilities():
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=3000)
    noisy = ln.inject_noise(clean, [[0.8, 0.2], [0.2, 0.8]], 5)
    proba = np.where(clean[:, None] == [0, 1], 0.8, 0.2)
    category = rng.integers(30, size=3000)[:, None]  # says nothing, and makes many twins
    est = ln.estimate(category, noisy, pred_proba=proba)
    assert est.noise_rate > 0.1 or est.diagnosis.verdict != "reliable"


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"scorers": [LinearSVC()]}, "no_predict_proba"),
        ({"scorers": [LogisticRegression()], "X": None}, "exclude_each_other"),
        ({"n_draws": 1}, "wrong_value"),
        ({"n_draws": -1}, "not_a_whole_number"),
        ({"noise": "white"}, "unknown_choice"),
        ({"metric": "manhattan"}, "unknown_choice"),
        ({"representation": "pca"}, "wrong_value"),
        ({"X": None}, "features_missing"),
    ],
)
def test_settings_that_cannot_be_used_are_refused(task, settings, code):
    X, _, noisy, _ = task
    with refused(code):
        ln.estimate(**{"X": X, "y": noisy, **settings})


def test_new_labels_must_have_occurred(task):
    X, _, noisy, _ = task
    model = ln.RankGatedEstimator(n_draws=0, classes=[0, 1, 2, 3]).fit(X, noisy)
    with refused("labels_of_no_training_row") as caught:
        model.predict_proba(X[:2], [0, 3])
    assert caught.value.note.facts["labels"] == [3]
    with refused("pred_proba_unlike_fit"):
        model.predict_proba(X[:2], pred_proba=np.eye(4)[:2])


def test_probabilities_in_a_frame_go_by_their_names(task):
    X, _, noisy, _ = task
    names = np.array(["ape", "cat", "dog"])
    proba = pd.DataFrame(out_of_sample(X, noisy), columns=names)
    est = ln.estimate(None, names[noisy], pred_proba=proba)
    mixed = ln.estimate(None, names[noisy], pred_proba=proba[["dog", "ape", "cat"]])
    assert est == mixed


def test_a_graph_with_few_neighbors_is_weak(task):
    X, _, noisy, _ = task
    est = ln.estimate(None, noisy, graph=kneighbors_graph(X, 3, mode="distance"))
    assert est.diagnosis.verdict == "rough"
    assert "few_neighbors" in {one.code for one in est.diagnosis.findings}


def test_bounds_are_in_order_also_where_nothing_overlaps(task, estimate):
    X, clean, _, _ = task
    for est in (estimate, ln.estimate(X, clean, n_draws=0)):
        bounds = est.bounds
        assert bounds.lower.noise_rate <= bounds.upper.noise_rate


def test_in_sample_probabilities_are_noticed(task):
    X, _, noisy, _ = task
    seen = RandomForestClassifier(30, random_state=0).fit(X, noisy).predict_proba(X)
    with warned("probabilities_of_training_rows"):
        est = ln.estimate(None, noisy, pred_proba=seen)
    assert est.diagnosis.verdict == "rough"


def test_a_fixed_representation_is_used(task):
    X, _, noisy, _ = task
    given = ln.Representation(decorrelate=True, divergence="tv", activation="log")
    model = ln.RankGatedEstimator(representation=given, metric="euclidean").fit(X, noisy)
    assert model.representation_ == "standardized, decorrelated, weighted (log), euclidean"


@pytest.mark.full
def test_fifty_classes_and_rare_ones_do_not_collapse():
    rng = np.random.default_rng(0)
    sizes = np.r_[np.full(40, 60), np.full(10, 12)]
    clean = np.repeat(np.arange(50), sizes)
    X = 3 * rng.normal(size=(50, 12))[clean] + rng.normal(size=(len(clean), 12))
    noisy = ln.inject_noise(clean, ln.symmetric_noise(50, 0.2), 1)
    T = ln.realized_transition(clean, noisy)
    est = ln.estimate(X, noisy)
    assert ln.transition_error(T, est.transition_matrix) < 0.15
    assert est.noise_rate == pytest.approx(0.2, abs=0.05)
    assert ln.prior_error(sizes / sizes.sum(), est.class_prior) < 0.05


def test_a_label_that_two_classes_share_does_not_mislead():
    """Rows of class 1 are labeled 0 almost as often as those of class 0 are."""
    T = np.array([[0.44, 0.08, 0.20, 0.28], [0.41, 0.46, 0.08, 0.05], [0.12, 0.36, 0.45, 0.07]])
    T = np.vstack([T, [0.13, 0.05, 0.36, 0.46]])
    rng = np.random.default_rng(0)
    clean = rng.integers(4, size=6000)
    X = 3 * np.eye(4)[clean] + rng.normal(size=(6000, 4))
    noisy = ln.inject_noise(clean, T, 1)
    est = ln.estimate(X, noisy)
    assert ln.transition_error(ln.realized_transition(clean, noisy), est.transition_matrix) < 0.05


def test_new_rows_are_judged_under_the_assumption_in_use():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1500, 2))
    clean = (X[:, 0] > 0).astype(int)
    noisy = np.where(rng.random(1500) < 0.5 * np.exp(-3 * np.abs(X[:, 0])), 1 - clean, clean)
    model = ln.RankGatedEstimator(noise="instance").fit(X, noisy)
    trained, new = model.row_posteriors_, model.predict_proba(X, noisy)
    assert (trained.argmax(axis=1) == new.argmax(axis=1)).mean() > 0.97  # own labels aside
    np.testing.assert_allclose(new, model.predict_proba(X))
