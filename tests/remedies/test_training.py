"""Corrected training: without noise nothing changes, with noise clean classes are found."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
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
from labelnoise import checks
from labelnoise.data.encoder import TableEncoder
from labelnoise.remedies import training
from labelnoise.remedies.fitted_steps import FittedSteps
from labelnoise.remedies.given_noise import known_noise
from labelnoise.remedies.softmax_regression import is_softmax_regression
from labelnoise.remedies.training import CORRECTIONS
from messages import refused, warned

every_method = pytest.mark.parametrize("method", CORRECTIONS)
ignore_warnings = pytest.mark.filterwarnings("ignore::labelnoise.LabelNoiseWarning")
T = ln.TransitionMatrix([[0.95, 0.05], [0.45, 0.55]], ["no", "yes"])


@parametrize_with_checks(
    [ln.NoiseCorrectedClassifier(LogisticRegression(), noise=ln.RankGatedEstimator(n_draws=0))]
)
@ignore_warnings
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.full
@parametrize_with_checks(
    [
        ln.NoiseCorrectedClassifier(LogisticRegression()),
        ln.NoiseCorrectedClassifier(GaussianNB(), method="relabel"),
        ln.NoiseCorrectedClassifier(LogisticRegression(), method="reweight"),
        ln.NoiseCorrectedClassifier(make_pipeline(StandardScaler(), LogisticRegression())),
    ]
)
@ignore_warnings
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
def test_scikit_learn_contract_of_other_models(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def halves():
    """Training features and noisy labels, test features and clean labels; lopsided noise."""
    X, codes = ln.make_twonorm(2200, random_state=0)
    clean = np.array(["no", "yes"])[codes]
    noisy = ln.inject_noise(clean, T, random_state=1)
    return X[:1200], noisy[:1200], X[1200:], clean[1200:]


@pytest.fixture
def estimated_once(monkeypatch, estimates={}):  # noqa: B006 - kept from test to test
    """Noise is estimated once for each table of features, instead of in every fit."""

    def cached(Z, y):
        key = Z.tobytes()
        if key not in estimates:
            estimates[key] = ln.estimate(Z, y)
        return estimates[key]

    monkeypatch.setattr(training, "estimate", cached)


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
        GaussianNB(),
        LinearSVC(C=0.01),
        make_pipeline(StandardScaler(), KNeighborsClassifier(25)),
    ],
    ids=lambda model: "-".join(
        type(step).__name__ for step in getattr(model, "named_steps", {"": model}).values()
    ),
)
def test_clean_classes_are_found_by_any_classifier(halves, estimated_once, classifier, method):
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


@ignore_warnings
def test_noise_is_estimated_on_the_training_rows_only(halves):
    X, noisy, _, _ = halves
    X, noisy = X[:300], noisy[:300]
    model = ln.NoiseCorrectedClassifier(LogisticRegression())
    found = cross_validate(model, X, noisy, cv=2, return_estimator=True, return_indices=True)
    fitted, rows = found["estimator"][0], found["indices"]["train"][0]
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
    with warned("estimate_not_reliable"):
        ln.NoiseCorrectedClassifier(LogisticRegression(), noise=ln.HOCEstimator()).fit(X, noisy)


def test_noise_is_saved_and_used_again(halves, estimated_once, tmp_path):
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


def as_pandas(columns):
    return pd.DataFrame(columns)


def as_polars(columns):
    return pl.DataFrame(columns, strict=False)


def as_pyarrow(columns):
    return pa.table(columns)


@pytest.fixture(scope="module")
def mixed():
    """Columns of all kinds, noisy and clean labels; a number is missing here and there."""
    rng = np.random.default_rng(0)
    n = 900
    clean = rng.integers(2, size=n)
    words = np.array([["sun", "sea", "sand", "the"], ["ice", "snow", "wind", "the"]])
    first = datetime.date(2024, 1, 1)
    columns = {
        "size": [
            None if i % 50 == 0 else float(v) for i, v in enumerate(clean + rng.normal(size=n))
        ],
        "color": np.where(rng.random(n) < 0.2 + 0.5 * clean, "red", "blue").tolist(),
        "seen": [
            first + datetime.timedelta(days=int(v)) for v in 90 * clean + rng.integers(300, size=n)
        ],
        "text": [" ".join(rng.choice(words[c], 3)) + f" {i}" for i, c in enumerate(clean)],
    }
    noisy = np.array(["no", "yes"])[ln.inject_noise(clean, T.values, random_state=0)]
    return columns, noisy, np.array(["no", "yes"])[clean]


def some_rows(columns, rows):
    return {name: [values[i] for i in rows] for name, values in columns.items()}


@pytest.mark.parametrize("make", [as_pandas, as_polars, as_pyarrow])
@pytest.mark.parametrize("inner", [LogisticRegression(max_iter=1000), GaussianNB()])
def test_mixed_frames_are_encoded(mixed, make, inner):
    columns, noisy, clean = mixed
    train, test = range(600), range(600, 900)
    model = ln.NoiseCorrectedClassifier(inner, noise=T)
    model.fit(make(some_rows(columns, train)), noisy[:600])
    new = some_rows(columns, test)
    new["color"][0] = "green"  # which no training row is
    assert model.score(make(new), clean[600:]) > 0.9
    assert model.feature_names_in_.tolist() == list(columns)
    assert model.n_features_in_ == 4
    # What is learned does not depend on the library of the frame, nor on the other rows.
    encoder = TableEncoder().fit(as_pandas(some_rows(columns, train)), noisy[:600])
    by_array = clone(model).fit(encoder.transform(as_pandas(columns))[:600], noisy[:600])
    np.testing.assert_allclose(
        model.predict_proba(make(new)), by_array.predict_proba(encoder.transform(make(new)))
    )


@pytest.mark.full
def test_noise_in_a_mixed_frame_is_the_same_as_without_training(mixed):
    columns, noisy, _ = mixed
    frame = as_pandas(columns)
    model = ln.NoiseCorrectedClassifier(LogisticRegression()).fit(frame, noisy)
    assert model.noise_.transition_matrix == ln.estimate(frame, noisy).transition_matrix


def test_new_rows_of_other_columns_are_refused(mixed):
    columns, noisy, _ = mixed
    frame = as_pandas(columns)
    model = ln.NoiseCorrectedClassifier(GaussianNB(), noise=T).fit(frame, noisy)
    for other in (frame.drop(columns="size"), frame.assign(more=1)):
        with pytest.raises(ValueError, match="feature names should match"):
            model.predict(other)


def test_a_pipeline_gets_the_frame_as_it_is(mixed):
    columns, noisy, clean = mixed
    frame = as_pandas(columns).drop(columns=["size", "seen"])
    own = make_column_transformer((OneHotEncoder(), ["color"]), (TfidfVectorizer(), "text"))
    pipeline = make_pipeline(own, LogisticRegression())
    search = GridSearchCV(pipeline, {"logisticregression__C": [0.1, 1]}, cv=2)
    for inner in (pipeline, search):
        model = ln.NoiseCorrectedClassifier(inner, noise=T, method="relabel", cv=2)
        model.fit(frame, noisy)
        assert model.encoder_ is None
        assert model.score(frame, clean) > 0.9
        assert model.feature_names_in_.tolist() == ["color", "text"]
    scaled = make_pipeline(StandardScaler(), LogisticRegression())
    model = ln.NoiseCorrectedClassifier(scaled, noise=T, encode=True).fit(frame, noisy)
    assert model.encoder_ is not None
    assert model.score(frame, clean) > 0.9


class ReadsFrames(GaussianNB):
    """A classifier that takes a column of a frame by its name."""

    def fit(self, X, y, sample_weight=None):
        return super().fit(self._check_X(X), y, sample_weight)

    def _check_X(self, X):
        return X[["size"]].fillna(0).to_numpy()


def test_a_classifier_that_reads_frames_gets_them_if_asked(mixed):
    columns, noisy, clean = mixed
    frame = as_pandas(columns)
    model = ln.NoiseCorrectedClassifier(ReadsFrames(), noise=T, encode=False).fit(frame, noisy)
    assert model.encoder_ is None
    assert model.score(frame, clean) > 0.6
    with refused("unknown_choice"):
        model.set_params(encode="always").fit(frame, noisy)


def test_a_model_forgets_the_columns_of_an_earlier_fit(mixed):
    columns, noisy, _ = mixed
    X = np.random.default_rng(0).normal(size=(len(noisy), 3))
    model = ln.NoiseCorrectedClassifier(GaussianNB(), noise=T).fit(as_pandas(columns), noisy)
    model.fit(X, noisy)
    assert model.n_features_in_ == 3
    assert not hasattr(model, "feature_names_in_")
    assert model.predict(X[:2]).shape == (2,)


@ignore_warnings
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


def test_noise_is_estimated_before_the_first_step_that_uses_labels(halves):
    X, noisy, _, _ = halves
    scaled = StandardScaler().fit_transform(X)
    selected = FeatureUnion([("some", SelectKBest(k=3)), ("others", SelectKBest(k=1))])
    for step in (LinearDiscriminantAnalysis(), SelectKBest(k=3), selected):
        model = make_pipeline(StandardScaler(), step, LogisticRegression())
        steps = FittedSteps(model, X, noisy, find_supervised=True)
        np.testing.assert_array_equal(steps.unsupervised_features, scaled)
        assert steps.features.shape[1] < 20


def test_steps_that_impute_or_draw_at_random_do_not_use_labels(halves):
    X, noisy, _, _ = halves
    X = np.where(np.random.default_rng(0).random(X.shape) < 0.02, np.nan, X)
    imputing = make_pipeline(StandardScaler(), SimpleImputer(), LogisticRegression())
    steps = FittedSteps(imputing, X, noisy, find_supervised=True)
    assert np.isfinite(steps.unsupervised_features).all()
    rows = sparse.csr_array(np.nan_to_num(X))
    for seed in (None, np.random.RandomState(0)):
        projected = TruncatedSVD(5, algorithm="randomized", random_state=seed)
        model = make_pipeline(projected, LogisticRegression())
        steps = FittedSteps(model, rows, noisy, find_supervised=True)
        assert steps.unsupervised_features.shape == (len(X), 5)


class Doubled:
    """A transformer with scikit-learn's methods that does not inherit from its classes."""

    def __init__(self, by=2):
        self.by = by

    def get_params(self, deep=True):
        return {"by": self.by}

    def fit(self, X, y=None):
        return self

    def transform(self, X):
        return self.by * X


def test_steps_need_only_the_methods_that_a_pipeline_needs(halves):
    X, noisy, _, _ = halves
    model = ln.NoiseCorrectedClassifier(
        Pipeline([("twice", Doubled()), ("none", None), ("last", LogisticRegression())]), noise=T
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


def test_a_matrix_that_does_not_fit_is_warned_of(halves):
    X, _, _, _ = halves
    rare = np.where(np.arange(len(X)) < 12, "no", "yes")  # T alone makes more of them
    off = ln.TransitionMatrix([[0.6, 0.4], [0.1, 0.9]], ["no", "yes"])
    known = ln.NoiseEstimate(off, np.array([0.5, 0.5]), "known", ln.Diagnosis())
    for noise in (off, off.values, known):
        with warned("labels_do_not_fit_matrix"):
            model = ln.NoiseCorrectedClassifier(LogisticRegression(), noise=noise).fit(X, rare)
        assert (model.noise_.diagnosis.verdict == "rough") == (noise is not known)


def test_a_matrix_that_leaves_one_class_is_refused(halves):
    X, noisy, _, _ = halves
    flat = [[0.5, 0.5], [0.5, 0.5]]
    with warned("labels_do_not_fit_matrix", "nearly_singular"):
        ln.NoiseCorrectedClassifier(GaussianNB(), noise=flat).fit(X, noisy)
    model = ln.NoiseCorrectedClassifier(KNeighborsClassifier(), noise=flat, method="relabel")
    with (
        warned("labels_do_not_fit_matrix", "nearly_singular"),
        refused("one_class_after_correction"),
    ):
        model.fit(np.zeros_like(X), noisy)


def test_a_matrix_that_fits_gives_no_warning_where_labels_are_rare():
    rng = np.random.default_rng(0)
    leaking = ln.TransitionMatrix([[0.98, 0.02], [0.02, 0.98]])
    for _ in range(20):
        labels = (rng.random(50) < 0.02).astype(int)  # no row is truly 1
        labels[0] = 1
        assert known_noise(leaking, checks.labels(labels, None)).diagnosis.verdict == "reliable"


def test_a_negative_loss_is_warned_of():
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=60)
    X = rng.normal(size=(60, 10)) + clean[:, None]
    T = ln.symmetric_noise(2, 0.4)
    noisy = ln.inject_noise(clean, T, rng)
    free = LogisticRegression(C=1e4)
    with warned("corrected_loss_negative"):
        ln.NoiseCorrectedClassifier(free, noise=T, method="backward").fit(X, noisy)


def test_rows_and_labels_in_another_order_are_refused(halves):
    X, noisy, _, _ = halves
    frame, y = pd.DataFrame(X), pd.Series(noisy).sample(frac=1, random_state=0)
    for fit in (
        ln.estimate,
        ln.RankGatedEstimator().fit,
        ln.HOCEstimator().fit,
        ln.NoiseCorrectedClassifier(LogisticRegression(), noise=T).fit,
    ):
        with refused("rows_in_another_order"):
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


@ignore_warnings
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"method": "sideways"}, "unknown_choice"),
        ({"noise": "guess"}, "noise_not_usable"),
        ({"noise": 0.3}, "noise_not_usable"),
        ({"noise": ln.TransitionMatrix(np.eye(2), ["no", "maybe"])}, "labels_not_among_classes"),
        ({"noise": np.eye(3)}, "matrix_without_class_names"),
        ({"noise": [[0.5, 0.5], [0.5, 0.5]], "method": "backward"}, "transition_not_invertible"),
        ({"estimator": LinearSVC(), "noise": T}, "classifier_without_predict_proba"),
        ({"estimator": "forest"}, "wrong_value"),
        ({"estimator": LinearRegression()}, "wrong_value"),
        ({"estimator": GaussianNB}, "wrong_value"),
        ({"estimator": object()}, "wrong_value"),
        ({"estimator": GaussianNB(), "noise": T, "cv": 1}, "not_a_whole_number"),
    ],
)
def test_bad_input_is_refused(halves, change, code):
    X, noisy, _, _ = halves
    model = ln.NoiseCorrectedClassifier(LogisticRegression()).set_params(**change)
    with refused(code):
        model.fit(X, noisy)


def test_every_row_needs_a_label(halves):
    X, noisy, _, _ = halves
    for noise in ("estimate", T):
        with refused("wrong_length"):
            ln.NoiseCorrectedClassifier(GaussianNB(), noise=noise).fit(X, noisy[1:])


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


@pytest.mark.parametrize("method", ["forward", "reweight", "relabel"])
def test_without_noise_any_classifier_is_trained_as_it_would_be(halves, method):
    X, noisy, X_test, _ = halves
    clean = ln.TransitionMatrix.identity(["no", "yes"])
    for inner in (DecisionTreeClassifier(random_state=0), KNeighborsClassifier(5)):
        same = ln.NoiseCorrectedClassifier(inner, noise=clean, method=method).fit(X, noisy)
        plain = clone(inner).fit(X, noisy)
        np.testing.assert_array_equal(same.predict_proba(X_test), plain.predict_proba(X_test))
