import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln


def make(classes=("cat", "dog"), **changes):
    settings = {
        "transition_matrix": ln.TransitionMatrix([[0.9, 0.1], [1 / 3, 2 / 3]], classes),
        "class_prior": np.array([0.7, 0.3]),
        "method": "hoc",
        "diagnosis": ln.Diagnosis("weak", ("few rows",), ("collect more",)),
        "assumption": "neighbors share their class",
        "parameters": {"k": np.int64(5), "metric": "cosine", "classes": ["a", "b"]},
        "n_rows": 12,
    }
    return ln.NoiseEstimate(**{**settings, **changes})


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
    estimate = make(transition_matrix=ln.TransitionMatrix([[1, 0], [1, 0]], ("cat", "dog")))
    np.testing.assert_allclose(estimate.true_given_observed()[1], estimate.class_prior)


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


def test_saved_file_names_its_schema(tmp_path):
    make().save(tmp_path / "noise.json")
    document = json.loads((tmp_path / "noise.json").read_text())
    assert document["schema"] == "labelnoise/noise-estimate"
    assert document["schema_version"] == 2


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


def test_unwritable_path_is_named(tmp_path):
    with pytest.raises(ln.LabelNoiseError, match=r"cannot write .*nowhere.*Choose a path"):
        make().save(tmp_path / "nowhere" / "noise.json")
    with pytest.raises(ln.LabelNoiseError, match=r"cannot write ''.*Choose a path"):
        make().save("")
    with pytest.raises(ln.LabelNoiseError, match="cannot write"):
        make().save(tmp_path)


def test_labels_that_json_cannot_hold_are_refused(tmp_path):
    with pytest.raises(ln.LabelNoiseError, match=r"\(1, 2\).*tuple.*Convert the labels"):
        make(((1, 2), (3, 4))).save(tmp_path / "noise.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not JSON"),
        ("{", "is not JSON"),
        ("[]", "does not hold a noise estimate"),
        ('{"schema": "other"}', "does not hold a noise estimate"),
        ('{"schema": "labelnoise/noise-estimate", "schema_version": 99}', "schema version 99"),
        ('{"schema": "labelnoise/noise-estimate", "schema_version": 1}', "damaged"),
        ('{"schema": "labelnoise/noise-estimate", "schema_version": 1, "diagnosis": 3}', "damaged"),
    ],
)
def test_a_file_that_is_no_estimate_is_refused(tmp_path, text, message):
    path = tmp_path / "noise.json"
    path.write_text(text)
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.NoiseEstimate.load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ln.LabelNoiseError, match=r"cannot read .*absent\.json"):
        ln.NoiseEstimate.load(tmp_path / "absent.json")


@pytest.mark.parametrize("prior", [[0.5, 0.6], [1.0], [1.5, -0.5]])
def test_prior_must_be_probabilities(prior):
    with pytest.raises(ln.LabelNoiseError, match="class_prior must be 2 probabilities"):
        make(class_prior=np.array(prior))


def test_repr_shows_rate_assumption_and_verdict():
    shown = repr(make())
    assert "17.0% of the labels are wrong, if neighbors share their class" in shown
    assert "weak" in shown
    assert "few rows" in shown
    assert "collect more" in shown
