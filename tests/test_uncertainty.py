import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.uncertainty import Bounds, Draws, Limits

NAMES = ("a", "b", "c")


def draws(seed=0, n=200, k=3):
    rng = np.random.default_rng(seed)
    T = rng.dirichlet(np.ones(k), size=(n, k))
    return Draws(T, rng.dirichlet(np.ones(k), size=n))


def point(k=3):
    return Limits(np.eye(k), np.full(k, 1 / k), 0.0)


@given(st.integers(0, 10**6), st.floats(0.05, 0.9))
def test_a_higher_level_gives_a_wider_interval(seed, level):
    inner, outer = (draws(seed).interval(x, point(), NAMES) for x in (level, level + 0.05))
    assert (outer.lower.transition_matrix <= inner.lower.transition_matrix).all()
    assert (outer.upper.class_prior >= inner.upper.class_prior).all()
    assert outer.upper.noise_rate >= inner.upper.noise_rate


def test_the_interval_holds_the_estimate_and_the_stated_share_of_the_draws():
    found = draws().interval(0.8, point(), NAMES)
    T = draws().transition
    low, high = found.lower.transition_matrix, found.upper.transition_matrix
    inside = (low <= T) & (high >= T)
    assert (inside.mean(axis=0) >= 0.79).all()
    assert (found.upper.transition_matrix >= np.eye(3)).all()
    assert found.lower.noise_rate == 0


@pytest.mark.parametrize("level", [0, 1, 1.5, -0.1, "high"])
def test_levels_are_probabilities(level):
    with pytest.raises(ln.LabelNoiseError, match="level must be"):
        draws().interval(level, point(), NAMES)


def test_draws_of_unlike_shapes_are_refused():
    with pytest.raises(ln.LabelNoiseError, match=r"Pass shapes \(S, K, K\) and \(S, K\)"):
        Draws(np.zeros((5, 3, 3)), np.zeros((5, 2)))


def test_draws_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        draws().transition[0, 0, 0] = 1


def estimate(**changes):
    T = ln.TransitionMatrix([[0.9, 0.1], [0.2, 0.8]])
    return ln.NoiseEstimate(
        T, np.array([0.5, 0.5]), method="any", diagnosis=ln.Diagnosis("weak"), **changes
    )


def test_bracket_and_interval_stand_beside_the_rate():
    low, high = (Limits(np.eye(2), np.ones(2) / 2, r, a) for r, a in ((0.1, "this"), (0.3, "that")))
    shown = repr(
        estimate(assumption="all is well", bounds=Bounds(low, high, (0, 1)), draws=draws(k=2))
    )
    assert "about 15.0% of the labels are wrong (90% interval" in shown
    assert "if all is well" in shown
    assert "between 10.0%, if this, and 30.0%, if that" in shown
    shown = repr(estimate(assumption="this", bounds=Bounds(low, high, (0, 1))))
    assert "wrong, if this\nor 30.0%, if that" in shown
    shown = repr(estimate(assumption="that", bounds=Bounds(low, high, (0, 1))))
    assert "wrong, if that\nor 10.0%, if this" in shown


def test_everything_but_the_rows_is_saved(tmp_path):
    low, high = (Limits(np.eye(2), np.ones(2) / 2, r, "x") for r in (0.1, 0.3))
    est = estimate(bounds=Bounds(low, high, (0, 1)), draws=draws(k=2))
    est.save(tmp_path / "noise.json")
    loaded = ln.NoiseEstimate.load(tmp_path / "noise.json")
    assert loaded == est
    assert loaded.interval(0.5).lower.noise_rate == est.interval(0.5).lower.noise_rate
    assert loaded != estimate()


def test_files_of_the_first_version_are_read(tmp_path):
    est = estimate()
    est.save(tmp_path / "new.json")
    text = (tmp_path / "new.json").read_text()
    old = text.replace('"schema_version": 2', '"schema_version": 1')
    old = old.replace(',\n  "draws": null,\n  "bounds": null', "")
    assert "draws" not in old
    (tmp_path / "old.json").write_text(old)
    assert ln.NoiseEstimate.load(tmp_path / "old.json") == est


def test_what_needs_draws_or_rows_says_so():
    with pytest.raises(ln.LabelNoiseError, match="no intervals. Use method='rank-gated'"):
        estimate().interval(0.9)
    for ask in (
        lambda e: e.row_posteriors,
        lambda e: e.suggest_audit(3),
        lambda e: e.with_audit([], []),
    ):
        with pytest.raises(ln.LabelNoiseError, match="Estimate again with method='rank-gated'"):
            ask(estimate())


def test_ends_are_found_by_name_and_shown_with_names():
    found = draws().interval(0.9, point(), NAMES)
    low, high = found.at(true="b", observed="a")
    assert low == found.lower.transition_matrix[1, 0]
    assert high == found.upper.transition_matrix[1, 0]
    assert f"{low:.3f}-{high:.3f}" in repr(found)
    assert "90% interval" in repr(found)
    with pytest.raises(ln.LabelNoiseError, match="'d' is no class: "):
        found.at(true="d", observed="a")
    low, high = (Limits(np.eye(3), np.ones(3) / 3, r, a) for r, a in ((0.1, "this"), (0.3, "that")))
    shown = repr(Bounds(low, high, NAMES))
    assert "10.0%, if this" in shown
    assert "30.0%, if that" in shown
    assert "true c" in shown
