import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.representation.divergences import DIVERGENCES, f_divergence

seeds = st.integers(0, 10**9)
every = pytest.mark.parametrize("name", DIVERGENCES)
SYMMETRIC = ("tv", "jensen-shannon", "squared-hellinger")


VARIATIONAL = {
    "tv": (lambda v: np.sign(v - 1) / 2, lambda u: u),
    "kl": (lambda v: 1 + np.log(v), lambda u: np.exp(u - 1)),
    "jensen-shannon": (lambda v: np.log(2 * v / (1 + v)), lambda u: -np.log(2 - np.exp(u))),
    "squared-hellinger": (lambda v: 1 - 1 / np.sqrt(v), lambda u: u / (1 - u)),
    "pearson": (lambda v: 2 * (v - 1), lambda u: u**2 / 4 + u),
    "neyman": (lambda v: 1 - 1 / v**2, lambda u: 2 - 2 * np.sqrt(1 - u)),
    "reverse-kl": (lambda v: -1 / v, lambda u: -1 - np.log(-u)),
}
"""The witness g* and the convex conjugate f* of the paper's table 4."""


def pair(seed, cells=6, zeros=False):
    rng = np.random.default_rng(seed)
    p, q = rng.dirichlet(np.ones(cells), size=2)
    if zeros:
        p[rng.integers(cells)] = 0
        p /= p.sum()
    return p, q


def test_all_seven_of_the_paper_are_here():
    assert len(DIVERGENCES) == 7


@every
@given(seed=seeds)
def test_the_variational_form_of_the_paper_is_equal(name, seed):
    """``E_P[g*] - E_Q[f*(g*)]`` is the divergence, and no other g gives more."""
    p, q = pair(seed)
    witness, conjugate = VARIATIONAL[name]
    best = witness(p / q)
    assert p @ best - q @ conjugate(best) == pytest.approx(f_divergence(p, q, name), rel=1e-9)
    nudge = best - 0.01 * np.random.default_rng(seed).uniform(0, 1, len(p))  # stays below any bound
    if name == "tv":
        nudge = np.clip(nudge, -0.5, 0.5)
    assert p @ nudge - q @ conjugate(nudge) <= f_divergence(p, q, name) + 1e-9


@every
@given(seed=seeds)
def test_cells_without_p_count(name, seed):
    p, q = pair(seed, zeros=DIVERGENCES[name].finite_at_zero)
    merged = [np.append(v, 0.0) for v in (p, q)]
    np.testing.assert_allclose(f_divergence(*merged, name), f_divergence(p, q, name))
    assert np.isfinite(f_divergence(p, q, name))


@every
@given(seed=seeds)
def test_divergence_is_positive_and_zero_only_at_equality(name, seed):
    p, q = pair(seed)
    assert f_divergence(p, q, name) > 0
    assert f_divergence(p, p, name) == pytest.approx(0, abs=1e-12)


@every
@given(seed=seeds)
def test_merging_cells_never_increases_it(name, seed):
    p, q = pair(seed)
    merged = [np.append(v[:-2], v[-2:].sum()) for v in (p, q)]
    assert f_divergence(*merged, name) <= f_divergence(p, q, name) + 1e-12


@given(seeds)
def test_symmetric_ones_are_symmetric(seed):
    p, q = pair(seed)
    for name in SYMMETRIC:
        assert f_divergence(p, q, name) == pytest.approx(f_divergence(q, p, name))


@given(seeds)
def test_reversed_arguments_turn_one_into_the_other(seed):
    p, q = pair(seed)
    assert f_divergence(p, q, "kl") == pytest.approx(f_divergence(q, p, "reverse-kl"))
    assert f_divergence(p, q, "pearson") == pytest.approx(f_divergence(q, p, "neyman"))


def test_known_values():
    p, q = [0.5, 0.5], [0.25, 0.75]
    assert f_divergence(p, q, "tv") == pytest.approx(0.25)
    assert f_divergence(p, q, "kl") == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(2 / 3))
    assert f_divergence(p, q, "pearson") == pytest.approx(0.25 + 0.0625 / 0.75)
    assert f_divergence(p, q, "squared-hellinger") == pytest.approx(
        2 - 2 * (np.sqrt(0.125) + np.sqrt(0.375))
    )


def test_a_stack_of_distributions_is_done_at_once():
    pairs = [pair(seed) for seed in range(3)]
    p, q = (np.stack(side) for side in zip(*pairs, strict=True))
    np.testing.assert_allclose(f_divergence(p, q), [f_divergence(a, b) for a, b in pairs])


def test_mass_outside_the_reference_is_refused():
    with pytest.raises(ln.LabelNoiseError) as caught:
        f_divergence([0.5, 0.5], [1.0, 0.0])
    assert caught.value.note.code == "divergence_undefined"


def test_an_unknown_divergence_is_refused():
    with pytest.raises(ln.LabelNoiseError) as caught:
        f_divergence([1.0], [1.0], "foo")
    assert caught.value.note.code == "unknown_choice"
    assert caught.value.note.facts["allowed"] == list(DIVERGENCES)
