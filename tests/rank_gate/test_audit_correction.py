import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.rank_gate.audit_correction import (
    SIZES,
    Audited,
    Size,
    fit_correction,
    hats,
)
from labelnoise.rank_gate.settings import KNOTS, SPREADS

seeds = st.integers(0, 10**6)


def rows(rng, m, k=3):
    """Log-chances, leads, labels of m rows."""
    odds = np.log(rng.dirichlet(np.ones(k), size=m))
    label = rng.integers(k, size=m)
    lead = rng.normal(scale=3, size=(m, k))
    lead[np.arange(m), label] = 0.0
    return odds, lead, label


@given(seeds)
def test_knots_share_out_one(seed):
    lead = np.random.default_rng(seed).normal(scale=5, size=(20, 3))
    weights = hats(lead)
    assert weights.shape == (20, 3, len(KNOTS))
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert weights.min() >= 0


@given(seeds)
def test_no_audited_row_corrects_nothing(seed):
    rng = np.random.default_rng(seed)
    odds, lead, label = rows(rng, 30)
    nothing = Audited(np.empty((0, 3)), np.empty((0, 3)), label[:0], label[:0])
    correction = fit_correction(nothing, SIZES)
    np.testing.assert_allclose(correction.typical(odds, lead, label), np.exp(odds))
    for spread in SPREADS:  # equally probable, and means are symmetric around 0
        of_spread = [
            w
            for w, one in zip(correction.weights, correction.fitted, strict=True)
            if one.size.spread == spread
        ]
        np.testing.assert_allclose(sum(of_spread), 1 / 3)
        np.testing.assert_allclose(of_spread, of_spread[::-1])


@given(seeds)
def test_corrected_chances_are_probabilities(seed):
    rng = np.random.default_rng(seed)
    odds, lead, label = rows(rng, 40)
    correction = fit_correction(Audited(odds, lead, label, rng.integers(3, size=40)), SIZES)
    for found in (
        correction.typical(odds, lead, label),
        correction.fitted[0].draw(rng).chances(odds, lead, label),
    ):
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert found.min() >= 0


def test_what_audited_rows_say_in_one_region_stays_there():
    """Audited labels that disagree with their surroundings say nothing about those that agree."""
    m, odds = 200, np.log([0.3, 0.7])
    disagreeing = Audited(
        np.tile(odds, (m, 1)), np.tile([0.0, 4.0], (m, 1)), np.zeros(m, int), np.zeros(m, int)
    )
    correction = fit_correction(disagreeing, (Size(0.0, 1.0),))
    there = correction.typical(odds[None], np.array([[0.0, 4.0]]), np.array([0]))
    elsewhere = correction.typical(odds[None], np.array([[0.0, -4.0]]), np.array([0]))
    assert there[0, 1] < 0.1  # all of them were right
    np.testing.assert_allclose(elsewhere[0, 1], 0.7, atol=0.02)


def test_how_far_a_fit_is_off_is_estimated():
    rng = np.random.default_rng(0)
    odds, lead, label = rows(rng, 500, k=2)
    chances = np.exp(odds)
    as_predicted = (rng.random(500) > chances[:, 0]).astype(int)
    confirmed, contradicted = (
        fit_correction(Audited(odds, lead, label, true))
        for true in (as_predicted, label)  # as often as predicted; and every label right
    )
    likeliest = confirmed.fitted[confirmed.weights.argmax()].size
    assert likeliest == Size(0.0, 0.3)
    assert confirmed.far_off < 0.1
    assert contradicted.far_off > 0.9


def test_what_holds_for_all_labels_is_estimated_from_all_of_them():
    """Each label has a few audited rows, all of them right where the fit says even odds."""
    m = 40
    odds = np.log(np.full((m, 4), 0.25))
    label = np.arange(m) % 4
    lead = np.where(np.eye(4)[label] > 0, 0.0, -2.0)
    correction = fit_correction(Audited(odds, lead, label, label))
    mean = sum(
        w * one.size.mean for w, one in zip(correction.weights, correction.fitted, strict=True)
    )
    assert mean < -1
