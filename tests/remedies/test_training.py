"""Corrected training: without noise nothing changes, with noise clean classes are found."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.decomposition import TruncatedSVD
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    GradientBoostingClassifier,
    RandomForestClassifier,
    StackingClassifier,
)
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.feature_selection import SelectKBest
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import FeatureUnion, Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

import labelnoise as ln
from labelnoise.remedies.fitted_steps import FittedSteps
from labelnoise.remedies.softmax_regression import is_softmax_regression
from labelnoise.remedies.training import CORRECTIONS
from labelnoise.remedies.training_sets import (
    NoisyRows,
    TrainingSet,
    backward_set,
    forward_set,
    relabeled_set,
    reweighted_set,
    soft_labels,
)

CLASSIFIERS = [
    ln.NoiseCorrectedClassifier(LogisticRegression()),
    ln.NoiseCorrectedClassifier(GaussianNB(), method="relabel"),
    ln.NoiseCorrectedClassifier(LogisticRegression(), method="reweight"),
]
every_method = pytest.mark.parametrize("method", CORRECTIONS)
T = ln.TransitionMatrix([[0.95, 0.05], [0.45, 0.55]], ["no", "yes"])


@parametrize_with_checks(CLASSIFIERS)
@pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def halves():
    """Training features and noisy labels, test features and clean labels; lopsided noise."""
    X, codes = ln.make_twonorm(2200, random_state=0)
    clean = np.array(["no", "yes"])[codes]
    noisy = ln.inject_noise(clean, T, random_state=1)
    return X[:1200], noisy[:1200], X[1200:], clean[1200:]


@pytest.mark.parametrize("method", ["forward", "backward"])
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("strength", [0.1, 10.0])
@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array, sparse.coo_array])
def test_without_noise_it_is_scikit_learn_s_logistic_regression(
    method, n_classes, strength, container
):
    rng = np.random.default_rng(n_classes)
    y = rng.integers(n_classes, size=300)
    X = container(rng.normal(size=(300, 4)) + y[:, None])
    plain = LogisticRegression(C=strength, tol=1e-10, max_iter=10_000).fit(X, y)
    same = ln.NoiseCorrectedClassifier(plain, noise=np.eye(n_classes), method=method).fit(X, y)
    np.testing.assert_allclose(same.estimator_.coef_, plain.coef_, atol=1e-3)
    np.testing.assert_allclose(same.estimator_.intercept_, plain.intercept_, atol=1e-3)
    np.testing.assert_allclose(same.predict_proba(X), plain.predict_proba(X), atol=1e-3)


@every_method
@pytest.mark.parametrize(
    "classifier",
    [
        LogisticRegression(C=0.1),
        LogisticRegression(C=0.1, class_weight="balanced"),
        make_pipeline(StandardScaler(), LogisticRegression(C=0.1)),
        RandomForestClassifier(30, min_samples_leaf=5, random_state=0),
        GradientBoostingClassifier(n_estimators=20, random_state=0),
        GaussianNB(),
        KNeighborsClassifier(25),
        LinearSVC(C=0.01),
        make_pipeline(StandardScaler(), KNeighborsClassifier(25)),
    ],
    ids=lambda model: "-".join(
        type(step).__name__ for step in getattr(model, "named_steps", {"": model}).values()
    ),
)
def test_clean_classes_are_found_by_any_classifier(halves, classifier, method):
    X, noisy, X_test, clean_test = halves
    naive = clone(classifier).fit(X, noisy).score(X_test, clean_test)
    corrected = ln.NoiseCorrectedClassifier(classifier, method=method).fit(X, noisy)
    assert corrected.score(X_test, clean_test) > max(0.9, naive)
    assert set(corrected.predict(X_test)) == {"no", "yes"}


@every_method
def test_a_known_matrix_is_enough(halves, method):
    X, noisy, X_test, clean_test = halves
    for classifier in (
        LogisticRegression(C=0.01),
        RandomForestClassifier(30, min_samples_leaf=5, random_state=0),
    ):
        given = ln.NoiseCorrectedClassifier(classifier, noise=T, method=method).fit(X, noisy)
        assert given.score(X_test, clean_test) > 0.9
        assert given.noise_.method == "given"
        assert abs(given.noise_.class_prior[0] - 0.5) < 0.1


@pytest.mark.filterwarnings("ignore:the noise that was estimated is 'weak'")
def test_noise_is_estimated_on_the_training_rows_only(halves):
    X, noisy, _, _ = halves
    model = ln.NoiseCorrectedClassifier(LogisticRegression())
    found = cross_validate(model, X, noisy, cv=2, return_estimator=True, return_indices=True)
    for fitted, rows in zip(found["estimator"], found["indices"]["train"], strict=True):
        assert fitted.noise_ == ln.estimate(X[rows], noisy[rows])


def test_parameters_are_reached_by_a_grid_search(halves):
    X, noisy, X_test, clean_test = halves
    model = ln.NoiseCorrectedClassifier(
        make_pipeline(StandardScaler(), LogisticRegression()), noise=T
    )
    grid = {"method": ["forward", "relabel"], "estimator__logisticregression__C": [0.01, 1.0]}
    search = GridSearchCV(model, grid, cv=2, scoring=ln.CorrectedScorer(T)).fit(X, noisy)
    assert search.score(X_test, clean_test) > 0.9
    assert search.predict_proba(X_test).shape == (len(X_test), 2)


def test_an_estimator_of_noise_is_cloned_and_its_parameters_reached(halves):
    X, noisy, X_test, clean_test = halves
    noise = ln.RankGatedEstimator(n_draws=0)
    model = ln.NoiseCorrectedClassifier(LogisticRegression(), noise=noise).set_params(
        noise__memory_mb=64
    )
    model.fit(X, noisy)
    assert not hasattr(noise, "estimate_")
    assert model.noise_.parameters["memory_mb"] == 64
    assert model.score(X_test, clean_test) > 0.9
    with pytest.warns(ln.LabelNoiseWarning, match="the noise that was estimated is 'weak'"):
        ln.NoiseCorrectedClassifier(LogisticRegression(), noise=ln.HOCEstimator()).fit(X, noisy)


def test_the_noise_part_is_kept_as_json(halves, tmp_path):
    X, noisy, X_test, _ = halves
    model = ln.NoiseCorrectedClassifier(LogisticRegression()).fit(X, noisy)
    model.noise_.save(tmp_path / "noise.json")
    again = (
        clone(model).set_params(noise=ln.NoiseEstimate.load(tmp_path / "noise.json")).fit(X, noisy)
    )
    np.testing.assert_array_equal(again.predict_proba(X_test), model.predict_proba(X_test))


@every_method
def test_same_seed_same_model(halves, method):
    X, noisy, X_test, _ = halves
    models = [
        ln.NoiseCorrectedClassifier(KNeighborsClassifier(), noise=T, method=method, random_state=3)
        for _ in "ab"
    ]
    one, two = (model.fit(X, noisy).predict_proba(X_test) for model in models)
    np.testing.assert_array_equal(one, two)


def test_frames_with_text_go_through_the_user_s_own_pipeline(halves):
    X, noisy, _, _ = halves
    frame = pd.DataFrame(X, columns=[f"x{i}" for i in range(20)])
    frame["color"] = np.where(X[:, 0] > 0, "red", "blue")
    prepared = make_column_transformer((OneHotEncoder(), ["color"]), remainder="passthrough")
    model = ln.NoiseCorrectedClassifier(make_pipeline(prepared, LogisticRegression(C=0.1)))
    assert model.fit(frame, noisy).feature_names_in_.tolist() == frame.columns.tolist()
    assert isinstance(model.estimator_, Pipeline)
    for inner in (RandomForestClassifier(10, random_state=0), KNeighborsClassifier()):
        alone = ln.NoiseCorrectedClassifier(inner, noise=T).fit(frame.drop(columns="color"), noisy)
        assert alone.n_features_in_ == 20


@pytest.mark.filterwarnings("ignore:the noise that was estimated is 'weak'")
def test_texts_go_through_the_user_s_own_pipeline():
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=600)
    words = np.array([["sun", "sea", "sand", "the"], ["ice", "snow", "wind", "the"]])
    texts = [" ".join(rng.choice(words[c], 6)) for c in clean]
    noisy = ln.inject_noise(clean, [[0.9, 0.1], [0.4, 0.6]], random_state=0)
    model = ln.NoiseCorrectedClassifier(make_pipeline(TfidfVectorizer(), LogisticRegression()))
    assert model.fit(texts, noisy).score(texts, clean) > 0.97


@pytest.mark.parametrize(
    "inner",
    [
        LogisticRegression(C=0.1),
        RandomForestClassifier(10, random_state=0),
        GradientBoostingClassifier(n_estimators=5, random_state=0),
    ],
)
def test_the_order_of_the_matrix_s_classes_does_not_matter(halves, inner):
    X, noisy, X_test, clean_test = halves
    turned = ln.TransitionMatrix(T[::-1, ::-1], ["yes", "no"])
    a, b = (ln.NoiseCorrectedClassifier(inner, noise=noise).fit(X, noisy) for noise in (T, turned))
    assert a.classes_.tolist() == b.classes_.tolist() == ["no", "yes"]
    for scoring in ("roc_auc", "neg_log_loss", "accuracy"):
        score = get_scorer(scoring)
        assert score(a, X_test, clean_test) == pytest.approx(score(b, X_test, clean_test), abs=1e-3)


def test_steps_that_look_at_labels_do_not_hide_the_noise(halves):
    X, noisy, _, _ = halves
    expected = ln.estimate(X, noisy).transition_matrix
    selected = FeatureUnion([("some", SelectKBest(k=3)), ("others", SelectKBest(k=1))])
    for step in (LinearDiscriminantAnalysis(), SelectKBest(k=3), selected):
        model = make_pipeline(StandardScaler(), step, LogisticRegression())
        found = ln.NoiseCorrectedClassifier(model).fit(X, noisy).noise_.transition_matrix
        np.testing.assert_allclose(found, expected, atol=0.02)


def test_missing_values_and_chance_do_not_look_like_labels(halves):
    X, noisy, _, _ = halves
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.02, np.nan, X)
    imputed = ln.NoiseCorrectedClassifier(
        make_pipeline(StandardScaler(), SimpleImputer(), LogisticRegression(C=0.1))
    )
    assert imputed.fit(X, noisy).noise_.n_rows == len(X)  # noise is estimated after the imputer
    rows = sparse.csr_array(np.nan_to_num(X))
    for seed in (None, np.random.RandomState(0)):
        projected = TruncatedSVD(5, algorithm="randomized", random_state=seed)
        steps = FittedSteps(
            make_pipeline(projected, LogisticRegression()), rows, noisy, look_for_labels=True
        )
        assert steps.plain_features.shape == (len(X), 5)


class Doubled:
    """A transformer that knows nothing of scikit-learn but its manners."""

    def __init__(self, by=2):
        self.by = by

    def get_params(self, deep=True):
        return {"by": self.by}

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return self.by * X


def test_steps_need_no_more_than_a_pipeline_asks_of_them(halves):
    X, noisy, _, _ = halves
    model = ln.NoiseCorrectedClassifier(
        Pipeline([("twice", Doubled()), ("none", None), ("last", LogisticRegression())])
    )
    assert model.fit(X, noisy).predict(X[:3]).shape == (3,)


def test_a_classifier_that_predicts_probabilities_once_it_is_trained(halves):
    X, noisy, X_test, clean_test = halves
    stacked = StackingClassifier([("one", GaussianNB())], cv=2)
    model = ln.NoiseCorrectedClassifier(stacked, noise=T, method="relabel", cv=2).fit(X, noisy)
    assert model.score(X_test, clean_test) > 0.9


def test_weights_of_classes_are_by_their_names(halves):
    X, noisy, X_test, clean_test = halves
    inner = RandomForestClassifier(
        20, min_samples_leaf=5, class_weight={"no": 1, "yes": 2}, random_state=0
    )
    model = ln.NoiseCorrectedClassifier(inner, noise=T, method="relabel").fit(X, noisy)
    assert model.score(X_test, clean_test) > 0.9


def test_a_matrix_that_does_not_fit_is_said(halves):
    X, noisy, _, _ = halves
    rare = np.where(np.arange(len(noisy)) < 12, "no", "yes")  # T alone makes more of them
    off = ln.TransitionMatrix([[0.6, 0.4], [0.1, 0.9]], ["no", "yes"])
    known = ln.NoiseEstimate(off, np.array([0.5, 0.5]), "known", ln.Diagnosis("reliable"))
    for noise in (off, off.values, known):
        with pytest.warns(ln.LabelNoiseWarning, match="as often as no clean classes could make"):
            model = ln.NoiseCorrectedClassifier(LogisticRegression(), noise=noise).fit(X, rare)
        assert (model.noise_.diagnosis.verdict == "weak") == (noise is not known)
    flat = [[0.5, 0.5], [0.5, 0.5]]
    singular = pytest.warns(ln.LabelNoiseWarning, match="nearly singular")
    misfit = pytest.warns(ln.LabelNoiseWarning, match="as often as no clean classes could make")
    with singular, misfit:
        ln.NoiseCorrectedClassifier(GaussianNB(), noise=flat).fit(X, noisy)
    with (
        pytest.warns(ln.LabelNoiseWarning, match="nearly singular"),
        pytest.warns(ln.LabelNoiseWarning, match="as often as no clean classes could make"),
        pytest.raises(ln.LabelNoiseError, match="nothing to learn"),
    ):
        ln.NoiseCorrectedClassifier(KNeighborsClassifier(), noise=flat, method="relabel").fit(
            np.zeros_like(X), noisy
        )


def test_a_matrix_that_fits_raises_no_alarm_where_labels_are_rare():
    rng = np.random.default_rng(0)
    leaking = ln.TransitionMatrix([[0.98, 0.02], [0.02, 0.98]])
    for _ in range(20):
        X, y = rng.normal(size=(50, 2)), (rng.random(50) < 0.02).astype(int)  # no row is truly 1
        y[0] = 1
        ln.NoiseCorrectedClassifier(LogisticRegression(), noise=leaking).fit(X, y)


def test_a_backward_loss_below_zero_is_said():
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=60)
    X = rng.normal(size=(60, 10)) + clean[:, None]
    noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.4), rng)
    free = LogisticRegression(C=1e4)
    with pytest.warns(ln.LabelNoiseWarning, match="no clean loss is negative"):
        ln.NoiseCorrectedClassifier(free, noise=ln.symmetric_noise(2, 0.4), method="backward").fit(
            X, noisy
        )


def test_rows_and_labels_in_another_order_are_refused(halves):
    X, noisy, _, _ = halves
    frame, y = pd.DataFrame(X), pd.Series(noisy).sample(frac=1, random_state=0)
    for fit in (
        ln.estimate,
        ln.RankGatedEstimator().fit,
        ln.HOCEstimator().fit,
        ln.NoiseCorrectedClassifier(LogisticRegression(), noise=T).fit,
    ):
        with pytest.raises(ln.LabelNoiseError, match=r"Align them: y = y.loc\[X.index\]"):
            fit(frame, y)
    several = pd.MultiIndex.from_product([["a"], np.arange(len(noisy))])
    for index in (np.arange(len(noisy)) + 5, several):  # names of other rows: by position
        other = pd.Series(noisy, index=index)
        ln.NoiseCorrectedClassifier(LogisticRegression(), noise=T).fit(frame, other)


def test_no_penalty_is_no_penalty():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=300)
    X = rng.normal(size=(300, 3)) + y[:, None]
    plain = LogisticRegression(C=np.inf, tol=1e-10, max_iter=10_000).fit(X, y)
    same = ln.NoiseCorrectedClassifier(LogisticRegression(C=np.inf), noise=np.eye(2)).fit(X, y)
    np.testing.assert_allclose(same.estimator_.coef_, plain.coef_, atol=1e-3)
    old = LogisticRegression()
    old.penalty = None  # as older versions have it
    np.testing.assert_allclose(
        ln.NoiseCorrectedClassifier(old, noise=np.eye(2)).fit(X, y).estimator_.coef_,
        plain.coef_,
        atol=1e-3,
    )
    assert same.estimator_.n_iter_[0] > 1


def test_a_class_that_no_row_is_labeled_with_can_be_declared(halves):
    X, noisy, X_test, _ = halves
    three = ln.TransitionMatrix([[0.95, 0.05, 0], [0.45, 0.55, 0], [0, 0, 1]], ["no", "yes", "zzz"])
    for inner in (LogisticRegression(), DecisionTreeClassifier(max_depth=3)):
        model = ln.NoiseCorrectedClassifier(inner, noise=three).fit(X, noisy)
        assert model.predict_proba(X_test).shape == (len(X_test), 3)
        assert model.predict_proba(X_test)[:, 2].max() < 0.01


@pytest.mark.filterwarnings("ignore:the given noise needs a second look")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"method": "sideways"}, "unknown method 'sideways'. Choose one of: forward"),
        (
            {"noise": "guess"},
            r"unknown noise 'guess'. Pass 'estimate', an estimator such as HOCEst",
        ),
        ({"noise": 0.3}, "noise must be a NoiseEstimate"),
        (
            {"noise": ln.TransitionMatrix(np.eye(2), ["no", "maybe"])},
            "y has 'yes', which is no class",
        ),
        ({"noise": np.eye(3)}, r"noise has 3 classes, but 2 occur"),
        (
            {"noise": [[0.5, 0.5], [0.5, 0.5]], "method": "backward"},
            "Rows 'no', 'yes' of T are alike",
        ),
        ({"estimator": LinearSVC(), "noise": T}, "LinearSVC predicts no probabilities"),
        ({"estimator": "forest"}, "estimator must be a classifier, got 'forest'"),
        ({"estimator": LinearRegression()}, "estimator must be a classifier"),
        ({"estimator": GaussianNB}, "Pass an instance of one"),
        ({"estimator": object()}, "estimator must be a classifier"),
        (
            {"estimator": GaussianNB(), "noise": T, "cv": 1},
            "cv must be a whole number of at least 2",
        ),
    ],
)
def test_bad_input_is_refused(halves, change, message):
    X, noisy, _, _ = halves
    model = ln.NoiseCorrectedClassifier(LogisticRegression()).set_params(**change)
    with pytest.raises(ln.LabelNoiseError, match=message):
        model.fit(X, noisy)


def test_rows_and_labels_must_be_as_many(halves):
    X, noisy, _, _ = halves
    for noise in ("estimate", T):
        for inner in (LogisticRegression(), GaussianNB()):
            with pytest.raises(ln.LabelNoiseError, match="1200 rows but y has 1199"):
                ln.NoiseCorrectedClassifier(inner, noise=noise).fit(X, noisy[1:])


def test_only_plain_logistic_regressions_are_trained_by_the_loss_itself():
    assert is_softmax_regression(LogisticRegression(C=3))
    assert is_softmax_regression(LogisticRegression(C=np.inf))
    for other in (
        LogisticRegression(solver="liblinear"),
        LogisticRegression(l1_ratio=1, solver="saga"),
        LogisticRegression(class_weight="balanced"),
        LogisticRegression(fit_intercept=False),
        LinearSVC(),
    ):
        assert not is_softmax_regression(other)


def noisy_rows(seed=0, n=200, k=3):
    rng = np.random.default_rng(seed)
    clean = rng.dirichlet(np.ones(k), size=n)
    T = 0.6 * np.eye(k) + 0.4 * rng.dirichlet(np.ones(k), size=k)
    codes = (rng.random(n)[:, None] > np.cumsum(clean @ T, axis=1)).sum(axis=1)
    joint = clean * T.T[codes]
    return NoisyRows(codes, T, clean, joint / joint.sum(axis=1, keepdims=True))


def test_training_sets_weigh_rows_as_they_should():
    noisy = noisy_rows()
    n = len(noisy.codes)
    for make, expected in ((forward_set, noisy.posteriors), (backward_set, noisy.by_features)):
        made = make(noisy)
        found = np.zeros_like(expected)
        found[made.rows, made.codes] = made.weights
        np.testing.assert_allclose(found, expected, atol=0.01)
    own = np.arange(n), noisy.codes
    importance = noisy.by_features[own] / (noisy.by_features @ noisy.transition)[own]
    np.testing.assert_allclose(reweighted_set(noisy).weights, importance)
    np.testing.assert_array_equal(relabeled_set(noisy).codes, noisy.posteriors.argmax(axis=1))


def test_many_classes_that_are_all_unlikely_keep_the_likeliest():
    made = soft_labels(np.full((2, 1200), 1 / 1200))
    assert np.bincount(made.rows).min() >= 1
    np.testing.assert_allclose(np.bincount(made.rows, made.weights), 1)


def test_drawn_rows_come_in_proportion_to_their_weights():
    noisy = noisy_rows(n=2000)
    soft = forward_set(noisy).drawn(np.random.default_rng(0))
    np.testing.assert_array_equal(np.sort(soft.rows), np.arange(2000))  # each row once
    shares = np.bincount(soft.codes) / 2000
    np.testing.assert_allclose(shares, noisy.posteriors.mean(axis=0), atol=0.03)
    some = TrainingSet(np.arange(3), np.zeros(3, int), np.array([0.5, 2.0, 7.5]))
    times = np.bincount(some.drawn(np.random.default_rng(1)).rows, minlength=3)
    assert times.sum() == 10
    assert (np.abs(times - some.weights) <= 1).all()


def test_without_noise_labels_stay_as_they_are():
    # Trees and neighbors predict exact zeros, also for the label that a row has.
    predicted = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.5, 0.0, 0.5], [0.2, 0.3, 0.5]])
    codes = np.array([1, 1, 1, 0])
    noisy = NoisyRows.of_predictions(codes, np.eye(3), predicted)
    np.testing.assert_array_equal(noisy.posteriors, np.eye(3)[codes])
    for make in (forward_set, reweighted_set, relabeled_set):
        made = make(noisy)
        np.testing.assert_array_equal(made.rows, np.arange(4))
        np.testing.assert_array_equal(made.codes, codes)
        np.testing.assert_array_equal(made.weights, 1)


@pytest.mark.parametrize("method", ["forward", "reweight", "relabel"])
def test_without_noise_any_classifier_is_trained_as_it_would_be(halves, method):
    X, noisy, X_test, _ = halves
    clean = ln.TransitionMatrix.identity(["no", "yes"])
    for inner in (DecisionTreeClassifier(random_state=0), KNeighborsClassifier(5)):
        same = ln.NoiseCorrectedClassifier(inner, noise=clean, method=method).fit(X, noisy)
        plain = clone(inner).fit(X, noisy)
        np.testing.assert_array_equal(same.predict_proba(X_test), plain.predict_proba(X_test))


def test_noisy_predictions_are_undone():
    noisy = noisy_rows()
    predicted = noisy.by_features @ noisy.transition
    found = NoisyRows.of_predictions(noisy.codes, noisy.transition, predicted)
    np.testing.assert_allclose(found.by_features, noisy.by_features, atol=1e-6)
    np.testing.assert_allclose(found.posteriors, noisy.posteriors, atol=1e-6)
