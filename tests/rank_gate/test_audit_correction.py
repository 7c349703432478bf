import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.rank_gate.audit_correction import (
    SHIFT_PRIORS,
    Audited,
    ShiftPrior,
    fit_correction,
    interpolation_weights,
)
from labelnoise.rank_gate.settings import KNOTS, SHIFT_SPREADS

seeds = st.integers(0, 10**6)


def rows(rng, m, k=3):
    """Log-probabilities, leads, labels of m rows."""
    logits = np.log(rng.dirichlet(np.ones(k), size=m))
    label = rng.integers(k, size=m)
    margin = rng.normal(scale=3, size=(m, k))
    margin[np.arange(m), label] = 0.0
    return logits, margin, label


@given(seeds)
def test_knots_share_out_one(seed):
    margin = np.random.default_rng(seed).normal(scale=5, size=(20, 3))
    weights = interpolation_weights(margin)
    assert weights.shape == (20, 3, len(KNOTS))
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert weights.min() >= 0


@given(seeds)
def test_no_audited_row_corrects_nothing(seed):
    rng = np.random.default_rng(seed)
    logits, margin, label = rows(rng, 30)
    nothing = Audited(np.empty((0, 3)), np.empty((0, 3)), label[:0], label[:0])
    correction = fit_correction(nothing, SHIFT_PRIORS)
    np.testing.assert_allclose(correction.corrected(logits, margin, label), np.exp(logits))
    for spread in SHIFT_SPREADS:  # equally probable, and means are symmetric around 0
        of_spread = [
            w
            for w, one in zip(correction.weights, correction.fitted, strict=True)
            if one.prior.spread == spread
        ]
        np.testing.assert_allclose(sum(of_spread), 1 / 3)
        np.testing.assert_allclose(of_spread, of_spread[::-1])


@given(seeds)
def test_corrected_chances_are_probabilities(seed):
    rng = np.random.default_rng(seed)
    logits, margin, label = rows(rng, 40)
    correction = fit_correction(
        Audited(logits, margin, label, rng.integers(3, size=40)), SHIFT_PRIORS
    )
    for found in (
        correction.corrected(logits, margin, label),
        correction.fitted[0].draw(rng).probabilities(logits, margin, label),
    ):
        np.testing.assert_allclose(found.sum(axis=1), 1)
        assert found.min() >= 0


def test_what_audited_rows_say_in_one_region_stays_there():
    """Audited labels that disagree with their surroundings say nothing about those that agree."""
    m, logits = 200, np.log([0.3, 0.7])
    disagreeing = Audited(
        np.tile(logits, (m, 1)), np.tile([0.0, 4.0], (m, 1)), np.zeros(m, int), np.zeros(m, int)
    )
    correction = fit_correction(disagreeing, (ShiftPrior(0.0, 1.0),))
    there = correction.corrected(logits[None], np.array([[0.0, 4.0]]), np.array([0]))
    elsewhere = correction.corrected(logits[None], np.array([[0.0, -4.0]]), np.array([0]))
    assert there[0, 1] < 0.1  # all of them were right
    np.testing.assert_allclose(elsewhere[0, 1], 0.7, atol=0.02)


def test_how_far_a_fit_is_off_is_estimated():
    rng = np.random.default_rng(0)
    logits, margin, label = rows(rng, 500, k=2)
    probabilities = np.exp(logits)
    as_predicted = (rng.random(500) > probabilities[:, 0]).astype(int)
    confirmed, contradicted = (
        fit_correction(Audited(logits, margin, label, true))
        for true in (as_predicted, label)  # as often as predicted; and every label right
    )
    likeliest = confirmed.fitted[confirmed.weights.argmax()].prior
    assert likeliest == ShiftPrior(0.0, 0.3)
    assert confirmed.probability_of_large_error < 0.1
    assert contradicted.probability_of_large_error > 0.9


def test_what_holds_for_all_labels_is_estimated_from_all_of_them():
    """Each label has a few audited rows, all of them right where the fit says even logits."""
    m = 40
    logits = np.log(np.full((m, 4), 0.25))
    label = np.arange(m) % 4
    margin = np.where(np.eye(4)[label] > 0, 0.0, -2.0)
    correction = fit_correction(Audited(logits, margin, label, label))
    mean = sum(
        w * one.prior.mean for w, one in zip(correction.weights, correction.fitted, strict=True)
    )
    assert mean < -1
