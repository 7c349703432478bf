import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln

T = ln.TransitionMatrix([[0.7, 0.2, 0.1], [0.0, 0.9, 0.1], [0.25, 0.25, 0.5]], classes=list("abc"))


def test_exact_noise_flips_exactly_the_floor():
    clean = np.repeat(list("abc"), [40, 30, 20])
    noisy = ln.inject_noise(clean, T, 0, exact=True)
    expected = [[28, 8, 4], [0, 27, 3], [5, 5, 10]]
    for true, row in zip("abc", expected, strict=True):
        assert [(noisy[clean == true] == label).sum() for label in "abc"] == row


def test_drawn_noise_has_the_frequencies_of_T():
    clean = np.repeat(list("abc"), 40_000)
    realized = ln.realized_transition(clean, ln.inject_noise(clean, T, 0))
    assert ln.transition_error(T, realized) < 0.01
    assert realized.at(true="b", observed="a") == 0  # what T forbids never happens


@pytest.mark.parametrize("exact", [False, True])
def test_same_seed_same_noise(exact):
    clean = np.repeat(list("abc"), 50)
    first = ln.inject_noise(clean, T, 7, exact=exact)
    np.testing.assert_array_equal(first, ln.inject_noise(clean, T, 7, exact=exact))
    assert (first != ln.inject_noise(clean, T, 8, exact=exact)).any()


@pytest.mark.parametrize("seed", range(3))
def test_noise_does_not_know_what_else_was_drawn_with_its_seed(seed):
    clean = (np.random.default_rng(seed).random(20_000) < 0.1).astype(int)
    noisy = ln.inject_noise(clean, ln.symmetric_noise(2, 0.1), random_state=seed)
    wrong = noisy != clean
    assert abs(wrong[clean == 1].mean() - 0.1) < 0.03  # three standard errors and more
    assert abs(wrong[clean == 0].mean() - 0.1) < 0.01
    labels = np.zeros(2000, dtype=int)
    labels[-2:] = 1
    flipped = ln.inject_noise(labels, ln.symmetric_noise(2, 0.2), random_state=seed, exact=True)
    audited = np.random.default_rng(seed).choice(1998, 400, replace=False)
    assert abs(flipped[audited].mean() - 0.2) < 0.08


def test_identity_changes_nothing():
    clean = np.repeat(list("abc"), 5)
    np.testing.assert_array_equal(ln.inject_noise(clean, np.eye(3), 0), clean)


def test_the_protocol_of_the_published_code_is_reproduced():
    """One RandomState: flips of class 0, then of class 1, each one call of choice."""
    clean = np.random.default_rng(0).integers(2, size=300)
    theirs, ours = np.random.RandomState(3), np.random.RandomState(3)
    expected = clean.copy()
    for label, rate in ((0, 0.4), (1, 0.2)):
        rows = np.flatnonzero(clean == label)
        expected[theirs.choice(rows, int(len(rows) * rate), replace=False)] = 1 - label
    noisy = ln.inject_noise(clean, [[0.6, 0.4], [0.2, 0.8]], ours, exact=True)
    np.testing.assert_array_equal(noisy, expected)


@pytest.mark.parametrize("exact", [False, True])
def test_series_come_back_as_series(exact):
    values = list("abc") * 20
    labels = pd.Series(values, index=range(100, 160), name="label")
    noisy = ln.inject_noise(labels, T, 0, exact=exact)
    assert isinstance(noisy, pd.Series)
    assert noisy.name == "label"
    assert (noisy.index == labels.index).all()
    as_polars = ln.inject_noise(pl.Series("label", values), T, 0, exact=exact)
    assert isinstance(as_polars, pl.Series)
    assert (
        as_polars.to_list() == noisy.to_list() == list(ln.inject_noise(values, T, 0, exact=exact))
    )


@given(st.integers(2, 12), st.floats(0, 0.9))
def test_symmetric_and_pair_noise_have_the_rate_they_are_given(n, rate):
    for make in (ln.symmetric_noise, ln.pair_noise):
        np.testing.assert_allclose(make(n, rate).noise_rates, rate, atol=1e-12)


@given(st.integers(2, 12), st.sampled_from([8.0, 4.0, 1.5]), st.integers(0, 10**6))
def test_random_noise_follows_the_paper(n, ratio, seed):
    rate = ln.paper_noise_rate(ratio, n)
    matrix = ln.random_noise(n, rate, seed)
    assert np.abs(matrix.noise_rates - rate).max() <= 0.05 + 1e-12
    diagonal = np.diag(matrix.values)
    off = matrix.values - np.diag(diagonal)
    assert (off.max(axis=1) <= 0.9 * diagonal + 1e-12).all()


def test_a_rate_too_high_for_a_dominant_diagonal_is_refused():
    with pytest.raises(ln.LabelNoiseError, match="Lower the rate"):
        ln.random_noise(2, 0.9, 0)
    with pytest.raises(ln.LabelNoiseError, match="between 0 and 1"):
        ln.symmetric_noise(3, 1.5)


def test_labels_outside_T_are_named():
    with pytest.raises(ln.LabelNoiseError, match="'d'"):
        ln.inject_noise(list("aabbccdd"), T)


def test_realized_transition_counts_pairs():
    realized = ln.realized_transition(["x", "x", "y", "y"], ["x", "y", "y", "y"])
    np.testing.assert_array_equal(realized.values, [[0.5, 0.5], [0, 1]])


def test_labels_that_the_input_s_type_cannot_hold():
    texts = ln.inject_noise(
        np.array(["a", "b"] * 50), ln.symmetric_noise(["a", "b", "longer"], 0.9), 1
    )
    assert set(texts.tolist()) == {"a", "b", "longer"}
    flags = ln.inject_noise(np.array([False, True] * 50), ln.symmetric_noise(3, 0.9), 1)
    assert set(flags.tolist()) == {0, 1, 2}
    small = ln.inject_noise(
        np.array([0, 1] * 50, dtype="i1"), ln.symmetric_noise([0, 1, 300], 0.9), 1
    )
    assert set(small.tolist()) == {0, 1, 300}


@pytest.mark.parametrize("percent", [29, 57, 58])
def test_exact_noise_is_not_short_of_one_by_rounding(percent):
    clean = np.repeat([0, 1], 100)
    noisy = ln.inject_noise(clean, [[1 - percent / 100, percent / 100], [0, 1]], 0, exact=True)
    assert (noisy != clean).sum() == percent


@pytest.mark.parametrize("make", [ln.symmetric_noise, ln.pair_noise, ln.random_noise])
def test_classes_and_rates_are_checked(make):
    assert make(np.int64(3), 0.2).n_classes == 3
    with pytest.raises(ln.LabelNoiseError, match="at least two classes"):
        make(["a"], 0.2)
    with pytest.raises(ln.LabelNoiseError, match="between 0 and 1"):
        make(3, "x")
