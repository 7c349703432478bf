"""Corrected scores: exact frequencies in, exact scores out; intervals that hold; honest notes."""

import pickle

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats
from sklearn import metrics
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV

import labelnoise as ln
from labelnoise.remedies.clean_metrics import METRICS, metric_named, precision
from labelnoise.remedies.goodness_of_fit import fit_p_value
from labelnoise.uncertainty import Draws
from messages import refused, warned

CLASSES = ["ant", "bee", "cat"]
T = ln.TransitionMatrix([[0.75, 0.25, 0.0], [0.25, 0.5, 0.25], [0.0, 0.25, 0.75]], CLASSES)
CLEAN = 4 * np.array([[20, 3, 1], [2, 15, 4], [1, 5, 25]])


def codes(score):
    """Codes of the findings, and their facts."""
    return {finding.code: finding.facts for finding in score.findings}


def rows_of(counts):
    """Labels and predictions with these counts [label, prediction]."""
    labels, predictions = np.indices(counts.shape).reshape(2, -1)
    repeats = counts.ravel().astype(int)
    names = np.array(CLASSES)
    return names[np.repeat(labels, repeats)], names[np.repeat(predictions, repeats)]


tables = arrays(int, (3, 3), elements=st.integers(1, 30)).map(lambda table: 4 * table)


@given(tables, st.sampled_from(METRICS), st.sampled_from(["macro", "weighted", "micro", None]))
def test_exact_frequencies_give_the_clean_score_exactly(clean, metric, average):
    noisy = T.values.T @ clean  # whole numbers, as T has quarters
    score = ln.corrected_score(*rows_of(noisy), T, metric=metric, average=average)
    truth = ln.corrected_score(
        *rows_of(clean), ln.TransitionMatrix.identity(CLASSES), metric=metric, average=average
    )
    np.testing.assert_allclose(score.value, truth.value, atol=1e-9)
    np.testing.assert_allclose(truth.value, truth.naive, atol=1e-9)


@given(tables)
def test_clean_labels_give_scikit_learn_s_numbers(counts):
    labels, predicted = rows_of(counts)
    clean = ln.TransitionMatrix.identity(CLASSES)

    def ours(metric, average="macro"):
        return ln.corrected_score(labels, predicted, clean, metric=metric, average=average).value

    assert np.isclose(ours("accuracy"), metrics.accuracy_score(labels, predicted))
    assert np.isclose(ours("balanced_accuracy"), metrics.balanced_accuracy_score(labels, predicted))
    np.testing.assert_allclose(
        ours("confusion_matrix"), metrics.confusion_matrix(labels, predicted)
    )
    theirs = {
        "precision": metrics.precision_score,
        "recall": metrics.recall_score,
        "f1": metrics.f1_score,
    }
    for name, score in theirs.items():
        for average in ("macro", "weighted", "micro", None):
            np.testing.assert_allclose(
                ours(name, average), score(labels, predicted, average=average)
            )


def test_order_of_classes_does_not_matter():
    labels, predicted = rows_of(T.values.T @ CLEAN)
    order = [2, 0, 1]
    turned = ln.TransitionMatrix(T[np.ix_(order, order)], [CLASSES[i] for i in order])
    a = ln.corrected_score(labels, predicted, T, metric="recall", average=None)
    b = ln.corrected_score(labels, predicted, turned, metric="recall", average=None)
    np.testing.assert_allclose(a.value[order], b.value)


def test_intervals_of_a_known_matrix_hold_at_their_rate():
    rng = np.random.default_rng(0)
    T = ln.TransitionMatrix([[0.8, 0.2], [0.3, 0.7]])
    held = []
    for _ in range(200):
        clean = rng.integers(2, size=500)
        predicted = np.where(rng.random(500) < 0.85, clean, 1 - clean)
        noisy = ln.inject_noise(clean, T, rng)
        score = ln.corrected_score(noisy, predicted, T, random_state=rng)
        held.append(score.lower <= 0.85 <= score.upper)
    assert 0.83 <= np.mean(held) <= 0.96  # three standard errors around 0.9


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize(
    ("metric", "n_rows"), [("recall", 50), ("recall", 200), ("confusion_matrix", 1000)]
)
def test_each_of_many_numbers_is_in_its_interval_without_a_warning(noise, metric, n_rows):
    rng = np.random.default_rng(0)
    k, T = 10, ln.symmetric_noise(10, noise)
    right = np.array([0.1, *[0.95] * 9])[:, None]  # one class is hardly ever recognised
    table = np.where(np.eye(k, dtype=bool), right, (1 - right) / (k - 1))
    truth = np.diag(table) if metric == "recall" else n_rows * table / k
    held = []
    for _ in range(30):
        clean = rng.integers(k, size=n_rows)
        predicted = (rng.random(n_rows)[:, None] > np.cumsum(table[clean], axis=1)).sum(axis=1)
        noisy = ln.inject_noise(clean, T, rng)
        score = ln.corrected_score(noisy, predicted, T, metric=metric, average=None)
        inside = (score.lower <= truth) & (truth <= score.upper)
        held.append(np.where(np.isnan(score.lower), np.nan, inside))
    assert 0.85 <= np.nanmean(held) <= 0.995
    assert np.nanmean(held, axis=0).min() > 0.5  # the weak class too; 30 draws say no more


def test_the_mean_of_many_small_classes_is_held():
    rng = np.random.default_rng(0)
    sizes, k = [500] * 9 + [12], 10
    table = np.full((k, k), 0.1 / (k - 1)) + (0.9 - 0.1 / (k - 1)) * np.eye(k)
    held = []
    for _ in range(100):
        clean = np.repeat(np.arange(k), sizes)
        predicted = (rng.random(len(clean))[:, None] > np.cumsum(table[clean], axis=1)).sum(axis=1)
        score = ln.corrected_score(
            clean, predicted, ln.TransitionMatrix.identity(k), metric="balanced_accuracy"
        )
        held.append(score.lower <= 0.9 <= score.upper)
    assert np.mean(held) >= 0.75  # three standard errors below what many draws have


def test_five_of_five_is_no_proof_and_nor_is_an_empty_cell():
    labels = np.repeat(np.arange(10), 5)
    T = ln.TransitionMatrix.identity(10)
    recall = ln.corrected_score(labels, labels, T, metric="recall", average=None)
    exact = stats.beta.ppf(0.05, 5.5, 0.5)  # Jeffreys
    np.testing.assert_allclose(recall.lower, exact, atol=0.06)
    cells = ln.corrected_score(labels, labels, T, metric="confusion_matrix")
    rule = 100 * stats.beta.ppf(0.95, 0.5, 99.5)  # half a row in each of a hundred cells
    np.testing.assert_allclose(cells.upper[~np.eye(10, dtype=bool)].mean(), rule, atol=0.1)


def test_classes_without_rows_or_predictions_spoil_no_interval():
    rng = np.random.default_rng(0)
    T = ln.TransitionMatrix.identity(["a", "b", "c"])
    labels = rng.choice(["a", "b"], 20_000)
    predicted = np.where(rng.random(20_000) < 0.9, labels, np.where(labels == "a", "b", "a"))
    for metric in ("balanced_accuracy", "precision", "recall", "f1"):
        mean = ln.corrected_score(labels, predicted, T, metric=metric)
        assert abs(mean.value - 0.9) < 0.01
        assert mean.upper - mean.lower < 0.02
    each = ln.corrected_score(labels, predicted, T, metric="recall", average=None)
    assert np.isnan([each.value[2], each.lower[2], each.upper[2]]).all()
    assert codes(each)["class_without_scored_rows"] == {"metric": "recall", "classes": ["c"]}
    labels[:100] = "c"  # and never predicted
    each = ln.corrected_score(labels, predicted, T, metric="precision", average=None)
    assert each.value[2] == 0
    assert np.isnan(each.lower[2])
    assert codes(each)["class_never_predicted"]["classes"] == ["c"]
    mean = ln.corrected_score(labels, predicted, T, metric="precision")
    assert mean.upper - mean.lower < 0.02


def test_few_rows_of_a_class_are_noted():
    labels, predicted = ["a"] * 50 + ["b"] * 3, ["a"] * 53
    score = ln.corrected_score(labels, predicted, np.eye(2), metric="f1")
    assert codes(score)["mean_of_small_classes"]["classes"] == ["b"]
    assert not ln.corrected_score(labels, predicted, np.eye(2)).findings


def test_labels_and_predictions_in_another_order_are_refused():
    y = pd.Series([0, 1] * 50)
    with refused("rows_in_another_order"):
        ln.corrected_score(y, y.sample(frac=1, random_state=0), np.eye(2))


@pytest.fixture(scope="module")
def estimates(task):
    """Estimates of one task, with draws of T and without."""
    X, _, noisy, _ = task
    return ln.estimate(X, noisy), ln.estimate(X, noisy, method="hoc")


def test_uncertainty_of_the_estimate_widens_the_interval(task, estimates):
    _, clean, noisy, _ = task
    est, without_draws = estimates
    predicted = np.where(np.arange(len(clean)) % 5, clean, 0)
    known = ln.corrected_score(noisy, predicted, est.transition_matrix)
    unsure = ln.corrected_score(noisy, predicted, est)
    assert unsure.value == known.value
    assert unsure.upper - unsure.lower > known.upper - known.lower
    truth = (predicted == clean).mean()
    assert abs(unsure.value - truth) < abs(unsure.naive - truth)
    assert not {"noise_without_draws"} & codes(unsure).keys()
    found = codes(ln.corrected_score(noisy, predicted, without_draws))
    assert found["noise_without_draws"] == {"method": "hoc"}
    assert found["score_from_unreliable_noise"]["verdict"] == "rough"


def test_few_rows_all_right_are_no_proof_of_perfection():
    score = ln.corrected_score(["a", "b"] * 10, ["a", "b"] * 10, np.eye(2))
    assert score.value == 1
    assert score.lower == pytest.approx(stats.beta.ppf(0.05, 20.5, 0.5), abs=0.01)  # Jeffreys


def test_same_seed_same_interval():
    labels, predicted = rows_of(T.values.T @ CLEAN)
    one, two, other = (
        ln.corrected_score(labels, predicted, T, random_state=seed) for seed in (None, 0, 1)
    )
    assert (one.lower, one.upper) == (two.lower, two.upper) != (other.lower, other.upper)


def test_values_outside_the_range_are_noted_and_not_clipped():
    labels = ["a"] * 95 + ["b"] * 5 + ["b"] * 95 + ["a"] * 5
    with warned("scored_labels_do_not_fit"):
        score = ln.corrected_score(labels, ["a"] * 100 + ["b"] * 100, [[0.8, 0.2], [0.2, 0.8]])
    assert score.value == codes(score)["values_outside_range"]["worst"] == pytest.approx(1.25)


def test_a_value_outside_by_chance_is_noted_without_a_warning():
    labels = ["a"] * 9 + ["b"] + ["b"] * 9 + ["a"]
    score = ln.corrected_score(labels, ["a"] * 10 + ["b"] * 10, [[0.8, 0.2], [0.2, 0.8]])
    assert score.value > 1 > score.lower
    assert list(codes(score)) == ["values_outside_range"]
    assert f"{score:.2f}" == "1.17"


def test_nearly_singular_matrices_are_warned_of_and_singular_ones_refused():
    near = ln.TransitionMatrix([[0.52, 0.48], [0.48, 0.52]])
    with warned("nearly_singular"):
        ln.corrected_score([0, 1] * 50, [0, 1, 1, 0] * 25, near)
    with warned("nearly_singular"):
        ln.CorrectedScorer(near)
    with refused("transition_not_invertible"):
        ln.corrected_score([0, 1] * 50, [0, 1] * 50, [[0.5, 0.5], [0.5, 0.5]])


@pytest.mark.parametrize(("n_classes", "n_rows"), [(2, 400), (10, 1000), (30, 3000)])
def test_labels_that_err_by_T_fit_it_and_others_do_not(n_classes, n_rows):
    rng = np.random.default_rng(n_classes)
    T = ln.pair_noise(n_classes, 0.3)
    for _ in range(5):
        clean = rng.integers(n_classes, size=n_rows)
        predicted = np.where(rng.random(n_rows) < 0.95, clean, rng.integers(n_classes, size=n_rows))
        right, other = (
            _by_label(ln.inject_noise(clean, noise, rng), predicted, n_classes)
            for noise in (T, ln.symmetric_noise(n_classes, 0.02))
        )
        assert fit_p_value(T.values[None], right) > 1e-3
        assert fit_p_value(T.values[None], other) < 1e-3


def _by_label(labels, predicted, n_classes):
    counts = np.zeros((n_classes, n_classes))
    np.add.at(counts, (labels, predicted), 1)
    return counts


@pytest.mark.parametrize(("noise", "n_rows"), [(0.42, 300_000), (0.48, 20_000)])
def test_labels_fit_with_much_noise_and_many_rows_too(noise, n_rows):
    rng = np.random.default_rng(0)
    T = ln.symmetric_noise(2, noise)
    for _ in range(5):
        clean = rng.integers(2, size=n_rows)
        predicted = np.where(rng.random(n_rows) < 0.99, clean, 1 - clean)
        counts = _by_label(ln.inject_noise(clean, T, rng), predicted, 2)
        assert fit_p_value(T.values[None], counts) > 1e-3


def test_weighted_averages_keep_the_sign_of_their_weights():
    for joint in (np.array([[0.5, 0.1], [-0.05, 0.45]]), np.array([[0.5, 0.6], [-0.2, 0.1]])):
        found = metric_named("precision", "weighted", 1)(joint)
        assert found == pytest.approx(joint.sum(axis=1) @ precision(joint))
    assert np.isinf(metric_named("recall", "macro", 1)(joint))
    assert metric_named("recall", "weighted", 1)(joint) == pytest.approx(0.6)  # the accuracy


def test_draws_without_an_inverse_open_the_interval():
    T, singular = ln.symmetric_noise(2, 0.2), np.full((2, 2), 0.5)
    labels, predicted = [0, 0, 0, 1] * 50 + [1, 1, 1, 0] * 50, [0] * 200 + [1] * 200
    scores = []
    for drawn in ([T.values], [T.values, singular]):
        draws = Draws(np.array(drawn), np.full((len(drawn), 2), 0.5))
        est = ln.NoiseEstimate(T, np.array([0.5, 0.5]), "known", ln.Diagnosis(), draws=draws)
        scores.append(ln.corrected_score(labels, predicted, est))
    assert np.isfinite([scores[0].lower, scores[0].upper]).all()
    assert scores[0].value == scores[1].value
    assert (scores[1].lower, scores[1].upper) == (-np.inf, np.inf)


def test_a_negative_share_of_a_class_leaves_recall_and_mean_undefined():
    T = ln.TransitionMatrix([[0.6, 0.4], [0.1, 0.9]])
    labels, predicted = [1] * 99 + [0], [1] * 100  # fewer rows labeled 0 than even all 1s give
    each = ln.corrected_score(labels, predicted, T, metric="recall", average=None)
    assert codes(each)["class_share_negative"] == {"classes": [0]}
    assert np.isnan(each.value[0])
    assert each.lower[0] == -np.inf
    with warned("class_share_negative"):
        mean = ln.corrected_score(labels, predicted, T, metric="balanced_accuracy")
    assert np.isnan(mean.value)
    scorer = ln.CorrectedScorer(T, metric="balanced_accuracy")
    always = DummyClassifier(strategy="constant", constant=1).fit([[0]] * 2, [0, 1])
    assert np.isnan(scorer(always, [[0]] * 100, labels))


def test_a_class_without_rows_has_no_recall_and_no_part_in_the_mean():
    T = ln.TransitionMatrix.identity(["a", "b", "c"])
    each = ln.corrected_score(list("aabb"), list("abbb"), T, metric="recall", average=None)
    mean = ln.corrected_score(list("aabb"), list("abbb"), T, metric="balanced_accuracy")
    np.testing.assert_allclose(each.value, [0.5, 1.0, np.nan])
    assert mean.value == 0.75


def test_what_is_printed():
    labels, predicted = rows_of(T.values.T @ CLEAN)
    one = repr(ln.corrected_score(labels, predicted, T))
    assert one.startswith("accuracy on clean labels, from 304 rows (90% interval): 0.789 (0.")
    assert "; on the noisy labels 0.5" in one
    each = repr(ln.corrected_score(labels, predicted, T, metric="f1", average=None))
    assert each.count("on the noisy labels") == 3
    assert "  bee: " in each
    whole = ln.corrected_score(labels, predicted, T, metric="confusion_matrix")
    assert "(predicted)" in repr(whole)
    with refused("score_of_several_numbers"):
        float(whole)


def test_findings_are_printed_for_python_and_for_the_command_line():
    score = ln.corrected_score(["a"] * 9 + ["b"], ["a"] * 10, np.eye(2), metric="f1")
    assert "average='weighted'" in repr(score)
    assert "--average weighted" in score.text("command line")
    assert "average=" not in score.text("command line")
    assert score.notes[-1] in repr(score)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"y_pred": ["ant"]}, "wrong_length"),
        ({"y_pred": ["ant", "bee", "cow"]}, "labels_not_among_classes"),
        ({"y_noisy": ["ant", "bee", "cow"]}, "labels_not_among_classes"),
        ({"y_noisy": []}, "no_labels"),
        ({"y_noisy": ["ant", None, "bee"]}, "missing_labels"),
        (
            {"y_noisy": [1, 2, 3], "noise": ln.TransitionMatrix(np.eye(3), ["1", "2", "3"])},
            "labels_of_another_type",
        ),
        ({"noise": "estimate"}, "noise_not_usable"),
        ({"noise": np.eye(2)}, "matrix_without_class_names"),
        ({"noise": np.eye(3), "y_pred": None}, "not_a_sequence"),
        ({"noise": np.eye(3), "y_pred": ["ant", None, "bee"]}, "missing_labels"),
        ({"noise": pd.DataFrame(np.eye(3))}, "noise_not_usable"),
        ({"metric": "auc"}, "unknown_choice"),
        ({"average": "mean"}, "unknown_choice"),
        ({"level": 90}, "level_not_below_one"),
    ],
)
def test_bad_input_is_refused(change, code):
    right = {"y_noisy": CLASSES, "y_pred": CLASSES, "noise": T}
    with refused(code):
        ln.corrected_score(**{**right, **change})


def test_the_scorer_picks_models_as_clean_labels_would():
    X, clean = ln.make_twonorm(3000, random_state=0)
    T = ln.TransitionMatrix([[0.95, 0.05], [0.45, 0.55]])
    noisy = ln.inject_noise(clean, T, random_state=1)
    scorer = ln.CorrectedScorer(T, metric="balanced_accuracy")
    search = GridSearchCV(
        LogisticRegression(max_iter=1000), {"class_weight": [None, {0: 1, 1: 2}]}, scoring=scorer
    )
    search.fit(X[:2000], noisy[:2000])
    assert search.best_params_["class_weight"] == {0: 1, 1: 2}
    value = scorer(search, X[2000:], noisy[2000:])
    truth = metrics.balanced_accuracy_score(clean[2000:], search.predict(X[2000:]))
    assert abs(value - truth) < 0.08
    assert pickle.loads(pickle.dumps(scorer)).metric == "balanced_accuracy"


def test_the_scorer_needs_named_classes_and_one_number():
    with refused("matrix_without_class_names"):
        ln.CorrectedScorer(np.eye(2))
    with refused("unknown_choice"):
        ln.CorrectedScorer(T, metric="confusion_matrix")


def test_many_classes():
    k = 40
    labels = np.arange(10 * k) % k
    predicted = np.where(np.arange(10 * k) < 2 * k, (labels + 1) % k, labels)
    score = ln.corrected_score(labels, predicted, ln.symmetric_noise(k, 0.1))
    assert abs(score.value - (0.8 - 0.1 / 39) / (0.9 - 0.1 / 39)) < 1e-9
    each = ln.corrected_score(labels, predicted, np.eye(k), metric="recall", average=None)
    assert "20 more classes" in repr(each)
    assert fit_p_value(np.eye(201)[None], np.eye(201)) is None  # it would take too long
