"""Laws of the baselines, and what they refuse or warn about."""

import numpy as np
import pytest
from cleanlab.count import compute_confident_joint, estimate_latent
from hypothesis import given
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import labelnoise as ln
from labelnoise.baselines.confident_learning import confident_counts, confident_joint
from labelnoise.baselines.selective import purest_selection
from labelnoise.baselines.t_revision import anchor_points

seeds = st.integers(0, 10**6)
BASELINES = ("confident-learning", "t-revision", "t-vol", "t-tv", "selective")
BY_PROBABILITIES = ("confident-learning", "selective")
BY_LAYER = ("t-revision", "t-vol", "t-tv")


def refused(*args, **kwargs):
    """The note of the error that `estimate` raises."""
    with pytest.raises(ln.LabelNoiseError) as caught:
        ln.estimate(*args, **kwargs)
    return caught.value.note


def warned(*args, **kwargs):
    """What `estimate` returns, and the codes of its warnings."""
    with pytest.warns(ln.LabelNoiseWarning) as caught:
        est = ln.estimate(*args, **kwargs)
    return est, [warning.message.note.code for warning in caught]


def sharp_probabilities(seed, n=200, k=4):
    """Every row's likeliest class reaches its threshold, as where cleanlab and we agree."""
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    guess = np.where(rng.random(n) < 0.7, codes, rng.integers(k, size=n))
    return 0.75 * np.eye(k)[guess] + 0.25 * rng.dirichlet(np.ones(k), size=n), codes


@given(seeds)
def test_confident_learning_is_cleanlabs(seed):
    """The same counts; after rescaling, which cleanlab rounds to whole rows, within a row."""
    proba, codes = sharp_probabilities(seed)
    theirs = compute_confident_joint(codes, proba, calibrate=False)
    np.testing.assert_array_equal(confident_counts(proba, codes), theirs)
    rounded = compute_confident_joint(codes, proba, calibrate=True)
    np.testing.assert_allclose(confident_joint(proba, codes), rounded, atol=1)


@given(seeds)
def test_T_and_prior_are_what_cleanlab_makes_of_the_joint(seed):
    proba, codes = sharp_probabilities(seed)
    prior, noise_matrix, _ = estimate_latent(confident_joint(proba, codes), codes)
    est = ln.estimate(None, codes, method="confident-learning", pred_proba=proba)
    np.testing.assert_allclose(est.transition_matrix.to_cleanlab(), noise_matrix, atol=1e-9)
    np.testing.assert_allclose(est.class_prior, prior, atol=1e-9)


def test_only_classes_that_reach_their_threshold_are_candidates():
    """Thresholds 0.9, 0.25, 0.2. Last row: 0 is likeliest but below; of 1 and 2, 1 is likelier."""
    proba = np.array(
        [[0.9, 0.05, 0.05], [0.9, 0.05, 0.05], [0.5, 0.2, 0.3], [0.6, 0.2, 0.2], [0.45, 0.3, 0.25]]
    )
    codes = np.array([0, 0, 1, 2, 1])
    ours = confident_counts(proba, codes)
    np.testing.assert_array_equal(ours, [[2, 0, 0], [0, 1, 1], [0, 0, 1]])
    theirs = compute_confident_joint(codes, proba, calibrate=False)
    assert theirs[1, 0] == 1  # where we depart from cleanlab


def test_no_class_is_a_candidate_with_probability_zero():
    rng = np.random.default_rng(0)
    codes = np.append(rng.integers(2, size=200), 2)
    proba = np.column_stack([rng.dirichlet([1, 1], size=201), np.zeros(201)])
    ours = confident_counts(proba, codes)
    np.testing.assert_array_equal(ours, compute_confident_joint(codes, proba, calibrate=False))
    assert ours[:2, 2].sum() == 0


@given(seeds)
def test_the_confident_joint_keeps_the_label_counts(seed):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(3), rng.integers(3, size=60)])
    joint = confident_joint(rng.dirichlet(np.ones(3), size=63), codes)
    np.testing.assert_allclose(joint.sum(axis=1), np.bincount(codes))
    assert (np.diag(joint) > 0).all()


def test_anchor_points_are_read_below_the_extremes():
    T = np.array([[0.8, 0.2], [0.3, 0.7]])
    eta = np.repeat([0.0, 1.0], 500)
    posterior = np.column_stack([eta, 1 - eta]) @ T
    np.testing.assert_allclose(anchor_points(posterior), T)
    outlier = np.vstack([posterior, [[1.0, 0.0]]])
    np.testing.assert_allclose(anchor_points(outlier), T)


@given(seeds)
def test_no_larger_selection_is_purer(seed):
    rng = np.random.default_rng(seed)
    scores, codes = rng.integers(6, size=50) / 5, rng.integers(2, size=50)
    chosen = purest_selection(scores, codes, 1, 10)
    assert len(chosen) >= 10
    assert scores[chosen].min() > np.delete(scores, chosen).max(initial=-1)  # ties stay together
    share = (codes[chosen] == 1).mean()
    for level in np.unique(scores):
        top = scores >= level
        if top.sum() >= 10:
            assert (codes[top] == 1).mean() <= share + 1e-12


@pytest.mark.parametrize("method", BY_PROBABILITIES)
def test_methods_that_need_probabilities_take_any(task, method):
    X, _, noisy, T = task
    for classifier in (GaussianNB(), RandomForestClassifier(50, random_state=0)):
        est = ln.estimate(X, noisy, method=method, classifier=classifier)
        assert ln.transition_error(T, est.transition_matrix) < 0.08
    assert refused(X, noisy, method=method, classifier=LinearSVC()).code == "no_predict_proba"
    assert refused(None, noisy, method=method).code == "features_missing"


@pytest.mark.parametrize("method", BY_LAYER)
def test_methods_that_train_a_layer_need_features(task, method):
    _, _, noisy, _ = task
    assert refused(None, noisy, method=method).code == "features_missing"
    with pytest.raises(ln.LabelNoiseError):
        ln.estimate(None, noisy, method=method, pred_proba=np.eye(3)[noisy])


@pytest.mark.parametrize("method", BY_PROBABILITIES)
def test_suspicious_probabilities_are_reported(task, method):
    """They repeat the labels, or their columns are those of other classes."""
    _, _, noisy, _ = task
    repeated = 0.9 * np.eye(3)[noisy] + 0.1 / 3
    honest = np.where(np.arange(len(noisy))[:, None] % 4 > 0, repeated, 1 / 3)  # certain of 3 in 4
    for pred_proba, code in (
        (repeated, "probabilities_of_training_rows"),
        (np.roll(repeated, 1, axis=1), "probabilities_in_another_order"),
        (honest[:, [1, 0, 2]], "probabilities_in_another_order"),
    ):
        est, codes = warned(None, noisy, method=method, pred_proba=pred_proba)
        assert code in codes
        assert code in {finding.code for finding in est.diagnosis.findings}


@pytest.mark.parametrize("method", BASELINES)
def test_constant_features_are_refused(task, method):
    X, _, noisy, _ = task
    assert refused(np.ones_like(X), noisy, method=method).code == "features_constant"


@pytest.mark.parametrize("method", BASELINES)
def test_features_that_are_pure_noise_identify_nothing(method):
    verdicts = []
    for seed in range(5):
        rng = np.random.default_rng(seed)
        est = ln.estimate(rng.normal(size=(500, 3)), rng.integers(2, size=500), method=method)
        verdicts.append(est.diagnosis.verdict)
    assert verdicts.count("cannot tell") >= 3, verdicts


@pytest.mark.parametrize("method", BY_PROBABILITIES)
def test_a_exclude_each_other_is_refused(task, method):
    X, _, noisy, _ = task
    proba = np.full((len(noisy), 3), 1 / 3)
    note = refused(X, noisy, method=method, pred_proba=proba, classifier=GaussianNB())
    assert note.code == "exclude_each_other"


class Fragile(GaussianNB):
    def fit(self, X, y):
        raise KeyError("color")


@pytest.mark.parametrize(
    ("method", "name"),
    [("confident-learning", "classifier"), ("selective", "classifier"), ("rank-gated", "scorers")],
)
def test_an_exception_of_the_users_classifier_is_attributed_to_it(task, method, name):
    X, _, noisy, _ = task
    given = Fragile() if name == "classifier" else [Fragile()]
    note = refused(X, noisy, method=method, **{name: given})
    assert note.code == "classifier_failed"
    assert note.facts["model"] == "Fragile"
    assert note.facts["error"] == "KeyError: 'color'"


@pytest.mark.parametrize("method", BASELINES)
def test_baselines_are_never_reliable(task, method):
    """No finding but what the method cannot see, which is always one."""
    X, _, noisy, _ = task
    diagnosis = ln.estimate(X, noisy, method=method).diagnosis
    assert diagnosis.verdict == "rough"
    assert [finding.code for finding in diagnosis.findings] == ["assumption_not_tested"]


@pytest.mark.parametrize("method", ["t-vol", "t-tv"])
def test_training_that_is_stopped_early_is_reported(task, method):
    X, _, noisy, _ = task
    early, codes = warned(X, noisy, method=method, max_iter=1)
    assert codes == ["not_converged"]
    done = ln.estimate(X, noisy, method=method)
    assert "not_converged" in {finding.code for finding in early.diagnosis.findings}
    assert early.transition_matrix != done.transition_matrix


def test_probability_of_a_class_without_rows_goes_to_the_others():
    """One more class is declared, has no rows, and has half of the probability."""
    proba, codes = sharp_probabilities(0)
    k = proba.shape[1]
    halved = np.column_stack([proba / 2, np.full(len(proba), 0.5)])
    for method in ("confident-learning", "selective"):
        plain = ln.estimate(None, codes, method=method, pred_proba=proba)
        more = ln.estimate(None, codes, method=method, pred_proba=halved, classes=range(k + 1))
        np.testing.assert_allclose(
            more.transition_matrix[:k, :k], plain.transition_matrix, atol=1e-9
        )


@pytest.mark.parametrize("method", ln.METHODS)
def test_a_seed_gives_one_answer_with_every_method(task, method):
    X, _, noisy, _ = task
    first, second = (
        ln.estimate(X[:150], noisy[:150], method=method, random_state=seed)
        for seed in (7, np.random.default_rng(7))
    )
    np.testing.assert_array_equal(first.transition_matrix, second.transition_matrix)
    assert first.parameters["random_state"] == 7


class Unreliable(GaussianNB):
    def __init__(self, kind="nan"):
        super().__init__()
        self.kind = kind

    def predict_proba(self, X):
        good = super().predict_proba(X)
        if self.kind == "error":
            raise KeyError("color")
        bad = {"nan": good * np.nan, "negative": good - 2, "one": good[:, :1], "sums": 3 * good}
        return bad[self.kind]


@pytest.mark.parametrize("method", BY_PROBABILITIES)
@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("nan", "not_distributions"),
        ("negative", "not_distributions"),
        ("sums", "not_distributions"),
        ("one", "wrong_shape"),
        ("error", "classifier_failed"),
    ],
)
def test_invalid_predictions_of_a_classifier_are_refused(task, method, kind, code):
    X, _, noisy, _ = task
    note = refused(X, noisy, method=method, classifier=Unreliable(kind))
    assert note.code == code
    assert "Unreliable" in str(note)
