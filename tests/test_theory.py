"""The paper's order-preservation results, checked on random discrete features."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise import theory
from labelnoise.representation.divergences import f_divergence

seeds = st.integers(0, 10**9)


def random_joint(rng, prior, low=0.0, high=1.0):
    """Joint distribution (z, y) with this prior of y and P(y = 1 | z) within a range."""
    while True:
        mass = rng.dirichlet(np.full(8, 0.7))
        beta = np.clip(rng.beta(0.5, 0.5, 8), low, high)
        # Tilt the mass so that the average of beta is the prior of class 1.
        above = beta > prior
        up, down = mass[above] @ (beta[above] - prior), mass[~above] @ (prior - beta[~above])
        if min(up, down) > 1e-6:
            break
    mass = np.where(above, mass * down, mass * up)
    mass /= mass.sum()
    return mass[:, None] * np.column_stack([beta, 1 - beta])


def with_noise(joint, e1, e2):
    return joint @ np.array([[1 - e1, e1], [e2, 1 - e2]])


def information(joint, divergence):
    product = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    return float(f_divergence(joint.ravel(), product.ravel(), divergence))


def random_rates(rng):
    while True:
        e1, e2 = rng.uniform(0, 0.95, 2)
        if e1 + e2 < 0.98:
            return e1, e2


@given(seeds)
def test_total_variation_information_shrinks_by_a_constant(seed):
    rng = np.random.default_rng(seed)
    e1, e2 = random_rates(rng)
    joint = random_joint(rng, prior=rng.uniform(0.1, 0.9))
    clean, noisy = information(joint, "tv"), information(with_noise(joint, e1, e2), "tv")
    assert noisy == pytest.approx(theory.tv_scale(e1, e2) * clean, abs=1e-12)


@given(seeds)
def test_mutual_information_decomposes_as_in_the_paper(seed):
    rng = np.random.default_rng(seed)
    e1, e2 = random_rates(rng)
    joint = random_joint(rng, prior=0.4)
    noisy = with_noise(joint, e1, e2)
    entropy = [-(p * np.log(p)).sum() for p in (joint.sum(axis=0), noisy.sum(axis=0))]
    mass = joint.sum(axis=1)
    bias = mass @ theory.kl_bias(joint[:, 0] / mass, e1, e2)
    expected = theory.tv_scale(e1, e2) * (information(joint, "kl") - entropy[0]) + entropy[1] + bias
    assert information(noisy, "kl") == pytest.approx(expected, abs=1e-10)


@pytest.mark.parametrize("beta_range", [theory.WORST_CASE, theory.PRACTICAL])
@given(seed=seeds)
def test_a_noisy_difference_beyond_the_gap_has_the_clean_order(beta_range, seed):
    rng = np.random.default_rng(seed)
    e1, e2 = random_rates(rng)
    prior = rng.uniform(0.3, 0.7)
    one, other = (random_joint(rng, prior, *beta_range) for _ in range(2))
    clean = information(one, "kl") - information(other, "kl")
    noisy = information(with_noise(one, e1, e2), "kl") - information(
        with_noise(other, e1, e2), "kl"
    )
    gap = float(theory.kl_gap(e1, e2, beta_range))
    # The stronger statement behind the theorem: noise moves a difference by no more than the gap.
    assert abs(noisy - theory.tv_scale(e1, e2) * clean) <= gap + 1e-12
    if abs(noisy) > gap:
        assert np.sign(noisy) == np.sign(clean)


@given(st.floats(0.01, 0.99), st.floats(0, 1))
def test_closed_form_is_the_worst_case_gap(e1, delta):
    if e1 * (1 + delta) >= 0.999:
        return
    closed = theory.kl_epsilon(e1, delta, base=2)
    assert closed == pytest.approx(theory.kl_gap(e1, delta * e1, base=2), abs=1e-9)


@given(st.floats(0.01, 0.49), st.floats(0.01, 0.49))
def test_the_bias_stays_between_its_stated_extremes(e1, e2):
    beta = np.linspace(0, 1, 2001)
    bias = theory.kl_bias(beta, e1, e2)
    peak = theory.kl_bias(e2 / (e1 + e2), e1, e2)
    assert bias.max() <= peak + 1e-12
    assert peak - bias.min() == pytest.approx(theory.kl_gap(e1, e2), abs=1e-9)


def test_practical_range_gives_a_smaller_gap():
    e1 = np.linspace(0.02, 0.5, 20)
    assert (theory.kl_gap(e1, e1 / 2, theory.PRACTICAL) < theory.kl_gap(e1, e1 / 2)).all()


@pytest.mark.parametrize("e", [0.05, 0.2, 0.45])
def test_corollary_for_symmetric_noise(e):
    entropy = -e * math.log(e) - (1 - e) * math.log(1 - e)
    assert float(theory.kl_epsilon(e, 1)) == pytest.approx(entropy - 2 * e * math.log(2))


def test_no_noise_has_no_gap():
    assert float(theory.kl_gap(0, 0)) == 0
    assert float(theory.kl_epsilon(0, 0.5)) == 0


@pytest.mark.parametrize("rates", [(0.6, 0.4), (-0.1, 0.2)])
def test_rates_beyond_the_theorem_are_refused(rates):
    with pytest.raises(ln.LabelNoiseError) as caught:
        theory.tv_scale(*rates)
    assert caught.value.note.code == "noise_rates_reverse_order"
    assert caught.value.note.facts == dict(zip(("e1", "e2"), rates, strict=True))
    assert str(rates[0]) in str(caught.value)


def test_a_ratio_of_rates_beyond_the_theorem_is_refused():
    with pytest.raises(ln.LabelNoiseError) as caught:
        theory.kl_epsilon(0.2, 1.5)
    assert caught.value.note.code == "delta_out_of_range"
