"""What an estimate is: its numbers, its words, and how it is saved and loaded."""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.findings import Finding
from labelnoise.noise_estimate import no_clear_sign, noise_statement
from labelnoise.noise_estimate.saving import SCHEMA, SCHEMA_VERSION, document_of
from labelnoise.uncertainty import Bounds, Draws, Limits
from labelnoise.wording import Assumption, Note
from messages import refused

CLASSES = ("cat", "dog")
BY_CLASS, BY_INSTANCE = Assumption("noise_by_class"), Assumption("noise_by_instance")


def make(classes=CLASSES, **changes):
    """An estimate that no method made."""
    settings = {
        "transition_matrix": ln.TransitionMatrix([[0.9, 0.1], [1 / 3, 2 / 3]], classes),
        "class_prior": np.array([0.7, 0.3]),
        "method": "hoc",
        "diagnosis": ln.Diagnosis.of([Finding("few_labeled_rows", {"least": 30, "classes": [1]})]),
        "assumption": BY_CLASS,
        "parameters": {"k": np.int64(5), "metric": "cosine", "classes": ["a", "b"]},
        "n_rows": 12,
    }
    return ln.NoiseEstimate(**{**settings, **changes})


def bounds(low=0.1, high=0.3, classes=CLASSES):
    ends = zip((low, high), (BY_CLASS, BY_INSTANCE), strict=True)
    return Bounds(*(Limits(np.eye(2), np.ones(2) / 2, *end) for end in ends), classes)


def draws(n=5):
    rng = np.random.default_rng(0)
    return Draws(rng.dirichlet(np.ones(2), size=(n, 2)), rng.dirichlet(np.ones(2), size=n))


def complete():
    """An estimate with all parts that are saved."""
    return make(draws=draws(), bounds=bounds(), corrected=(0.01, 0.02), labels_digest="abc")


def test_noise_rate_is_the_expected_share_of_wrong_labels():
    assert make().noise_rate == pytest.approx(0.7 * 0.1 + 0.3 / 3)


def test_bayes_rule_inverts_the_noise():
    estimate = make()
    joint = estimate.true_given_observed().T * estimate.transition_matrix.observed_distribution(
        estimate.class_prior
    )
    np.testing.assert_allclose(joint.sum(axis=0), [0.73, 0.27])
    np.testing.assert_allclose(joint.sum(axis=1), estimate.class_prior)


def test_a_label_that_never_occurs_falls_back_to_the_prior():
    estimate = make(transition_matrix=ln.TransitionMatrix([[1, 0], [1, 0]], CLASSES))
    np.testing.assert_allclose(estimate.true_given_observed()[1], estimate.class_prior)


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ({"class_prior": np.array([0.5, 0.6])}, "not_distributions"),
        ({"class_prior": np.array([1.0])}, "wrong_shape"),
        ({"class_prior": np.array([1.5, -0.5])}, "not_distributions"),
        ({"class_prior": np.array([np.nan, 1.0])}, "not_distributions"),
        ({"draws": Draws(np.eye(3)[None], np.ones((1, 3)) / 3)}, "wrong_shape"),
        ({"corrected": (0.1,)}, "corrected_invalid"),
        ({"corrected": (-0.1, 0.1)}, "corrected_invalid"),
    ],
)
def test_parts_must_be_probabilities_and_fit_together(part, code):
    with refused(code):
        make(**part)


def test_what_needs_draws_or_rows_is_refused_without_them():
    with refused("no_draws"):
        make().interval(0.9)
    for ask in (lambda e: e.row_posteriors, lambda e: e.suggest_audit(3)):
        with refused("no_row_model"):
            ask(make())
    with refused("no_row_model"):
        make().with_audit([], [])


# Words


def test_the_noise_rate_is_stated_with_its_interval_and_what_it_assumes():
    (only,) = make(draws=draws()).noise_in_words()
    assert "17.0%" in only
    assert "90% interval" in only
    assert str(BY_CLASS) in only
    shown = repr(make())
    assert only.split("(")[0].strip() in shown
    assert "rough" in shown


def test_a_rate_whose_interval_touches_zero_is_not_stated_as_a_fact():
    T = np.array([[1 - 1e-5, 1e-5], [0.0, 1.0]])
    nearly_clean = Draws(np.stack(5 * [T]), np.full((5, 2), 0.5))
    T = ln.TransitionMatrix(T, CLASSES)
    clean = make(transition_matrix=T, class_prior=np.full(2, 0.5), draws=nearly_clean)
    facts = {"level": 0.9, "upper": 0.001, "assumption": BY_CLASS}
    assert clean.noise_in_words() == [Note("no_clear_sign", facts).reason()]
    assert no_clear_sign(clean)
    for other in (replace(clean, draws=None), make(draws=draws())):
        assert not no_clear_sign(other)
        assert noise_statement(other).code == "noise_rate"


def test_after_an_audit_it_is_stated_first_how_many_labels_are_still_wrong():
    audited = ln.Diagnosis.of([Finding("audited_rows_included", {"n": 40}, "reliable")])
    est = make(draws=draws(), diagnosis=audited)
    before = Note("noise_rate_before_review", {"rate": est.noise_rate}).reason()
    for corrected, code in (
        ((0.01, 0.01), "noise_rate"),
        ((est.noise_rate / 2, est.noise_rate / 2), "no_clear_sign"),
    ):
        one = replace(est, corrected=corrected)
        note = noise_statement(one)
        assert (note.code, note.facts["n"]) == (code, 40)
        assert no_clear_sign(one) == (code == "no_clear_sign")
        first, *_, last = one.noise_in_words()
        assert first == note.reason()
        assert last.startswith(before)


@pytest.mark.parametrize(
    ("other", "code"), [(0.171, "other_reading_alike"), (0.3, "other_reading")]
)
def test_the_other_reading_is_stated_beside_it(other, code):
    _, beside = make(bounds=bounds(0.17, other)).noise_in_words()
    assert beside == Note(code, {"rate": other, "assumption": BY_INSTANCE}).reason()
    _, beside = make(bounds=bounds(), assumption=None).noise_in_words()
    assert "10.0%" in beside
    assert "30.0%" in beside


def test_a_noise_rate_that_cannot_be_known_is_not_stated_as_if_it_were():
    unknown = ln.Diagnosis.of([Finding("labels_not_predicted", {}, "cannot tell")])
    est = make(diagnosis=unknown, bounds=bounds())
    (only,) = est.noise_in_words()
    assert only == Note("noise_rate_unknown", {"rate": est.noise_rate}).reason()


# A file

labels = st.one_of(
    st.lists(st.text(), min_size=2, max_size=2, unique=True),
    st.lists(st.integers(), min_size=2, max_size=2, unique=True),
    st.just([False, True]),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=2, unique=True),
)


@given(labels)
def test_json_round_trip_loses_nothing(tmp_path_factory, classes):
    path = tmp_path_factory.mktemp("json") / "noise.json"
    estimate = make(tuple(classes))
    estimate.save(path)
    loaded = ln.NoiseEstimate.load(path)
    assert loaded == estimate
    assert [type(label) for label in loaded.classes] == [type(label) for label in classes]


def test_all_parts_are_saved(tmp_path):
    complete().save(tmp_path / "noise.json")
    loaded = ln.NoiseEstimate.load(tmp_path / "noise.json")
    assert loaded == complete()
    assert loaded.interval(0.5).lower.noise_rate == complete().interval(0.5).lower.noise_rate
    assert loaded != make()
    document = json.loads((tmp_path / "noise.json").read_text())
    assert (document["schema"], document["schema_version"]) == (SCHEMA, SCHEMA_VERSION)


def test_saving_replaces_the_file_whole_and_leaves_nothing_else(tmp_path):
    path = tmp_path / "noise.json"
    path.write_text("old")
    make().save(path)
    assert ln.NoiseEstimate.load(path) == make()
    assert [file.name for file in tmp_path.iterdir()] == ["noise.json"]


def test_a_failed_write_keeps_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "noise.json"
    make().save(path)
    before = path.read_bytes()

    def interrupted(self, target):
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        make(n_rows=99).save(path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["noise.json"]


def test_unwritable_and_unreadable_paths_are_named(tmp_path):
    for path in (tmp_path / "nowhere" / "noise.json", f"{tmp_path}/nowhere/deep/"):
        with refused("cannot_write") as caught:
            make().save(path)
        assert "nowhere" in caught.value.note.facts["path"]
    with refused("cannot_write"):
        make().save("")
    with refused("estimate_saved_as_other"):
        make().save(tmp_path / "noise.csv")
    assert not list(tmp_path.iterdir())
    with refused("cannot_read"):
        ln.NoiseEstimate.load(tmp_path / "absent.json")


def test_labels_that_json_cannot_hold_are_refused(tmp_path):
    with refused("class_not_for_json") as caught:
        make(((1, 2), (3, 4))).save(tmp_path / "noise.json")
    assert caught.value.note.facts == {"label": (1, 2), "type": "tuple"}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "not_an_estimate"),
        ("{", "not_an_estimate"),
        ("[" * 100_000, "not_an_estimate"),
        ("[]", "not_an_estimate"),
        ('{"schema": "other"}', "not_an_estimate"),
        (f'{{"schema": "{SCHEMA}", "schema_version": 99}}', "estimate_of_other_version"),
        (f'{{"schema": "{SCHEMA}", "schema_version": {SCHEMA_VERSION}}}', "damaged_estimate"),
    ],
)
def test_a_file_that_is_no_estimate_is_refused(tmp_path, text, code):
    path = tmp_path / "noise.json"
    path.write_text(text)
    with refused(code):
        ln.NoiseEstimate.load(path)


NAN, MINUS_SEVEN = float("nan"), -7.0

FINDING = Finding("few_neighbors", {"n": 12}).to_document()

DAMAGES = {
    "NaN in T": (["transition_matrix", 0, 0], NAN),
    "T above one": (["transition_matrix", 0], [1.4, -0.4]),
    "T of other shape": (["transition_matrix"], [[0.9, 0.1]]),
    "T of text": (["transition_matrix", 0, 0], "much"),
    "other number of classes": (["classes"], ["cat"]),
    "a class twice": (["classes"], ["cat", "cat"]),
    "NaN in the prior": (["class_prior", 0], NAN),
    "prior of other sum": (["class_prior", 0], 0.9),
    "prior of other shape": (["class_prior"], [0.2, 0.3, 0.5]),
    "negative number of rows": (["n_rows"], -1),
    "fraction of a row": (["n_rows"], 2.5),
    "corrected below zero": (["corrected", 0], MINUS_SEVEN),
    "corrected of other shape": (["corrected"], [0.1]),
    "NaN corrected": (["corrected", 0], NAN),
    "rate of -700%": (["bounds", "lower", "noise_rate"], MINUS_SEVEN),
    "NaN as a rate": (["bounds", "upper", "noise_rate"], NAN),
    "bounds of T above one": (["bounds", "lower", "transition_matrix", 0, 1], 1.5),
    "bounds of other shape": (["bounds", "lower", "class_prior"], [1.0]),
    "bounds of other classes": (
        ["bounds", "upper"],
        {"transition_matrix": [[1.0]], "class_prior": [1.0], "noise_rate": 0, "assumption": None},
    ),
    "bounds without an end": (["bounds"], {"lower": None}),
    "NaN in draws": (["draws", "transition_matrix", 0, 0, 0], NAN),
    "draws that sum to more": (["draws", "class_prior", 0], [0.9, 0.9]),
    "draws of other shape": (["draws", "class_prior"], [[0.5, 0.5]]),
    "no draws": (["draws"], {"transition_matrix": [], "class_prior": []}),
    "method that is no text": (["method"], 3),
    "parameters that are no mapping": (["parameters"], 3),
    "verdict of another name": (["diagnosis", 0, "verdict"], "splendid"),
    "diagnosis of other type": (["diagnosis"], 3),
    "a finding without its facts": (["diagnosis", 0], {**FINDING, "facts": {}}),
    "a finding with other facts": (["diagnosis", 0], {**FINDING, "facts": {"n": "many"}}),
    "assumption of other type": (["assumption"], "hope"),
    "digest of other type": (["labels_digest"], 3),
}


@pytest.mark.parametrize(("place", "value"), DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_is_refused(tmp_path, place, value):
    document = deepcopy(document_of(complete()))
    owner = document
    for step in place[:-1]:
        owner = owner[step]
    owner[place[-1]] = value
    path = tmp_path / "noise.json"
    path.write_text(json.dumps(document))
    with refused("damaged_estimate") as caught:
        ln.NoiseEstimate.load(path)
    assert caught.value.note.facts["path"] == str(path)


# A folder


@pytest.fixture(scope="module")
def fitted(task):
    X, _, noisy, _ = task
    return ln.estimate(X, noisy, n_draws=20)


@pytest.fixture(scope="module")
def folder(fitted, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved") / "noise"
    fitted.save(f"{folder}/")
    return folder


def test_a_folder_holds_what_is_known_of_the_rows(task, fitted, folder):
    _, _, noisy, _ = task
    loaded = ln.NoiseEstimate.load(folder)
    assert loaded == fitted
    np.testing.assert_array_equal(loaded.row_posteriors, fitted.row_posteriors)
    np.testing.assert_array_equal(loaded.suggest_audit(40), fitted.suggest_audit(40))
    first, second = (
        ln.find_label_issues(est, noisy, budget=30, n_neighbors=3) for est in (fitted, loaded)
    )
    assert [*map(str, first.to_numpy().ravel())] == [*map(str, second.to_numpy().ravel())]
    for one, other in zip(fitted.rows.purity(), loaded.rows.purity(), strict=True):
        assert one.label == other.label
        np.testing.assert_array_equal(one.clean, other.clean)
    np.testing.assert_array_equal(loaded.rows.by_features(), fitted.rows.by_features())


def test_an_audit_is_remembered_by_a_folder(task, fitted, tmp_path):
    _, clean, _, _ = task
    rows = fitted.suggest_audit(20)
    audited = fitted.with_audit(rows, clean[rows])
    audited.save(tmp_path)
    loaded = ln.NoiseEstimate.load(tmp_path)
    assert loaded == audited
    assert not set(loaded.suggest_audit(50).tolist()) & set(rows.tolist())


def test_a_loaded_estimate_cannot_be_audited(folder):
    loaded = ln.NoiseEstimate.load(folder)
    assert loaded.with_audit([], []) is loaded
    with refused("audit_of_loaded_estimate"):
        loaded.with_audit([0], [0])


def test_a_single_file_does_not_know_the_rows(fitted, folder):
    loaded = ln.NoiseEstimate.load(folder / "noise.json")
    assert loaded == fitted
    with refused("saved_without_rows"):
        loaded.suggest_audit(3)


def test_rows_of_another_estimate_are_refused(fitted, folder, tmp_path):
    fitted.with_audit([0], [0]).save(tmp_path)
    (tmp_path / "rows.npz").write_bytes((folder / "rows.npz").read_bytes())
    with refused("rows_of_other_estimate"):
        ln.NoiseEstimate.load(tmp_path)
    (tmp_path / "rows.npz").unlink()
    with refused("cannot_read"):
        ln.NoiseEstimate.load(tmp_path)


def test_labels_are_checked_against_those_of_the_estimate(task, folder):
    _, _, noisy, _ = task
    other = np.where(np.arange(len(noisy)) == 7, (noisy + 1) % 3, noisy)
    for path, code in (
        (folder, "estimate_of_other_labels"),
        (folder / "noise.json", "estimate_of_other_labels"),
    ):
        loaded = ln.NoiseEstimate.load(path)
        loaded.check_labels(noisy)
        with refused(code):
            loaded.check_labels(other)
        with refused("wrong_length"):
            loaded.check_labels(noisy[:-1])


def test_estimates_without_rows_are_saved_to_folders_too(tmp_path):
    complete().save(tmp_path)
    assert ln.NoiseEstimate.load(tmp_path) == complete()
    assert [file.name for file in tmp_path.iterdir()] == ["noise.json"]
