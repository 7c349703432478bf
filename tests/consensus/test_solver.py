import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

import labelnoise as ln
from labelnoise.consensus.counts import ConsensusCounts
from labelnoise.consensus.solver import _Loss, solve_binary, solve_consensus

seeds = st.integers(0, 10**9)


def counted(third):
    return ConsensusCounts(third, independent_pairs=third.sum())


def model(T, p, n=10**9):
    """Counts that are exactly those of the model."""
    T = np.asarray(T)
    return counted(n * np.einsum("k,ka,kb,kc->abc", p, T, T, T))


def draw(seed, n_classes, rate=0.25):
    rng = np.random.default_rng(seed)
    return ln.random_noise(n_classes, rate, rng).values, rng.dirichlet(np.full(n_classes, 20.0))


@pytest.mark.parametrize("n_classes", [2, 3, 6])
def test_exact_frequencies_in_exact_matrix_out(n_classes):
    for seed in range(5):
        T, p = draw(seed, n_classes)
        solution = solve_consensus(model(T, p), rng=np.random.default_rng(0))
        assert solution.converged
        assert ln.transition_error(T, solution.transition) < 0.005
        assert ln.prior_error(p, solution.prior) < 0.005


def test_exact_frequencies_under_heavy_noise():
    missed = []
    for seed in range(10):
        T, p = draw(seed, 4, rate=0.55)
        solution = solve_consensus(model(T, p), rng=np.random.default_rng(0))
        missed.append(ln.transition_error(T, solution.transition))
    assert np.median(missed) < 0.005
    assert max(missed) < 0.05


@given(seeds)
def test_closed_form_for_two_classes_is_exact(seed):
    T, p = draw(seed, 2)
    found, prior = solve_binary(model(T, p))
    np.testing.assert_allclose(found, T, atol=1e-6)
    np.testing.assert_allclose(prior, p, atol=1e-6)


@given(seeds)
def test_solver_agrees_with_the_closed_form(seed):
    T, p = draw(seed, 2)
    solution = solve_consensus(model(T, p), rng=np.random.default_rng(0))
    np.testing.assert_allclose(solution.transition, solve_binary(model(T, p))[0], atol=0.01)


@given(seeds, st.integers(2, 5))
def test_gradient_is_that_of_the_loss(seed, n_classes):
    rng = np.random.default_rng(seed)
    counts = counted(rng.uniform(1, 20, size=(n_classes,) * 3))
    loss = _Loss(counts)
    at = rng.normal(size=n_classes**2 + n_classes)
    numeric = approx_fprime(at, lambda logits: loss(logits)[0], 1e-7)
    np.testing.assert_allclose(loss(at)[1], numeric, atol=1e-5)


@given(seeds)
def test_loss_is_that_of_the_definition(seed):
    rng = np.random.default_rng(seed)
    counts = counted(rng.uniform(1, 20, size=(3, 3, 3)))
    T, p = draw(seed, 3)
    third = counts.third / counts.total
    models = (p @ T, np.einsum("k,ka,kb->ab", p, T, T), np.einsum("k,ka,kb,kc->abc", p, T, T, T))
    seen = (third.sum(axis=(1, 2)), third.sum(axis=2), third)
    smooth = 0.05 / np.sqrt(counts.total)
    norms = [np.sqrt(((a - b) ** 2).sum() + smooth**2) for a, b in zip(models, seen, strict=True)]
    assert _Loss(counts)._fit(T, p)[0] == pytest.approx(sum(norms), rel=1e-9)


def test_renaming_classes_renames_the_solution():
    T, p = draw(1, 4)
    counts = model(T, p, 10**4)
    order = np.array([2, 0, 3, 1])
    renamed = counted(counts.third[np.ix_(order, order, order)])
    plain, mixed = (solve_consensus(c, rng=np.random.default_rng(0)) for c in (counts, renamed))
    np.testing.assert_allclose(mixed.transition, plain.transition[np.ix_(order, order)], atol=1e-3)


def test_same_seed_same_solution():
    counts = counted(np.random.default_rng(0).uniform(1, 20, size=(4, 4, 4)))
    first, second = (solve_consensus(counts, rng=np.random.default_rng(3)) for _ in range(2))
    np.testing.assert_array_equal(first.transition, second.transition)


def test_weak_evidence_does_not_empty_a_class():
    """Few, very noisy triplets: the best fit alone would be a corner."""
    emptied = 0
    for seed in range(20):
        T, p = np.array([[0.6, 0.4], [0.4, 0.6]]), np.array([0.5, 0.5])
        drawn = np.random.default_rng(seed).multinomial(200, model(T, p, 1).third.ravel())
        solution = solve_consensus(
            counted(drawn.reshape(2, 2, 2) * 1.0), rng=np.random.default_rng(0)
        )
        emptied += solution.prior.min() < 0.05
    assert emptied <= 1


def test_no_agreement_beyond_chance_has_no_closed_form():
    with pytest.raises(ln.NotIdentifiableError) as caught:
        solve_binary(counted(np.ones((2, 2, 2))))
    assert caught.value.note.code == "labels_not_predicted"


def test_many_classes():
    """K = 60 with 200 rows a class: near what counting the true pairs would give."""
    rng = np.random.default_rng(0)
    T, p = draw(0, 60, 0.3)
    drawn = rng.multinomial(12_000, np.einsum("k,ka,kb,kc->abc", p, T, T, T).ravel())
    solution = solve_consensus(counted(drawn.reshape((60,) * 3) * 1.0), n_starts=1, rng=rng)
    oracle = np.stack([rng.multinomial(200, row) / 200 for row in T])
    assert ln.transition_error(T, solution.transition) < 1.25 * ln.transition_error(T, oracle)
