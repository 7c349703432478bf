import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from labelnoise.evidence.cells import Cells
from labelnoise.rank_gate.hamiltonian import hamiltonian_draws
from labelnoise.rank_gate.model import Gate, GateModel
from labelnoise.rank_gate.posterior import _gate_and_draws


def random_model(seed, k, n=60):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    cells = Cells.of(np.arange(n), codes, k)
    return GateModel(rng.exponential(size=(n, k)), cells), rng


def exact_cells(gate, tails, n_rows):
    """Cells that hold exactly the expected number of rows of each label."""
    k = len(gate.slopes)
    chance = gate.clean_posterior(tails) @ gate.transition
    place, label = np.divmod(np.arange(len(tails) * k), k)
    weight = n_rows / len(tails) * chance.ravel()
    return Cells(place, label, weight, np.arange(len(place)), k), tails[place]


@given(st.integers(0, 10**6), st.sampled_from([2, 3, 5]))
def test_gradient_is_that_of_the_value(seed, k):
    model, rng = random_model(seed, k)
    at = 0.5 * rng.normal(size=model.size)
    at[: model.n_odds] -= 2.5  # labels mostly right: inside the support
    value, gradient = model(at)
    assert np.isfinite(value)
    numeric = approx_fprime(at, lambda x: model(x)[0], 1e-6)
    np.testing.assert_allclose(gradient, numeric, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_exact_frequencies_in_exact_T_out(k):
    rng = np.random.default_rng(k)
    ranks = np.column_stack([rng.permutation(600) for _ in range(k)])
    tails = -np.log1p(-(ranks + 0.5) / 600)
    T = np.eye(k) * 0.6 + 0.4 * rng.dirichlet(np.ones(k), size=k)
    truth = Gate(T, np.full(k, 2.5), np.linspace(-0.3, 0.3, k))
    cells, rows = exact_cells(truth, tails, 1e7)
    model = GateModel(rows, cells)
    found = model.gate(model.mode().at)
    np.testing.assert_allclose(found.transition, T, atol=2e-3)
    np.testing.assert_allclose(found.slopes, 2.5, rtol=0.02)


@given(st.integers(0, 10**6))
def test_permuting_classes_permutes_the_posterior(seed):
    model, rng = random_model(seed, 3)
    order = rng.permutation(3)
    at = 0.3 * rng.normal(size=model.size)
    at[: model.n_odds] -= 2.0
    gate = model.gate(at)
    T = gate.transition[np.ix_(order, order)]
    odds = np.log(T / np.diag(T)[:, None])[model.off]
    other_at = np.concatenate([odds, np.log(gate.slopes[order]), gate.offsets[order]])
    codes = np.argsort(order)[model.label]
    cells = Cells.of(np.arange(len(codes)), codes, 3)
    other = GateModel(model.tails[:, order], cells)
    assert model(at)[0] == pytest.approx(other(other_at)[0])


def test_responsibilities_follow_bayes_rule():
    gate = Gate(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([1.0, 1.0]), np.zeros(2))
    tails = np.array([[0.0, np.log(3)]])  # odds of 1 : 3
    np.testing.assert_allclose(gate.clean_posterior(tails), [[0.25, 0.75]])
    expected = np.array([0.25 * 0.1, 0.75 * 0.6])
    np.testing.assert_allclose(
        gate.row_posterior(tails, np.array([1]))[0], expected / expected.sum()
    )


def test_hamiltonian_draws_have_the_law_they_should():
    covariance = np.array([[2.0, 0.9, 0.0], [0.9, 1.0, -0.3], [0.0, -0.3, 0.5]])
    precision, mean = np.linalg.inv(covariance), np.array([1.0, -2.0, 3.0])

    def target(x):
        return 0.5 * (x - mean) @ precision @ (x - mean), precision @ (x - mean)

    rough = np.diag(np.diag(precision))  # a poor guess of the curvature costs time only
    draws = hamiltonian_draws(target, mean, rough, 4000, np.random.default_rng(0))
    np.testing.assert_allclose(draws.mean(axis=0), mean, atol=0.15)
    np.testing.assert_allclose(np.cov(draws.T), covariance, atol=0.25)


@pytest.mark.parametrize("k", [2, 4])
def test_draws_scatter_around_the_truth(k):
    rng = np.random.default_rng(1)
    ranks = np.column_stack([rng.permutation(3000) for _ in range(k)])
    tails = -np.log1p(-(ranks + 0.5) / 3000)
    T = np.eye(k) * 0.6 + 0.4 / k
    truth = Gate(T, np.full(k, 4.0), np.zeros(k))
    true = np.array([rng.choice(k, p=p) for p in truth.clean_posterior(tails)])
    codes = np.array([rng.choice(k, p=T[z]) for z in true])
    model = GateModel(tails, Cells.of(np.arange(3000), codes, k))
    mode = model.mode()
    assert mode.converged
    fit = _gate_and_draws(model, mode.at, 100, rng)
    draws = np.array([gate.transition for gate in fit.draws])
    np.testing.assert_allclose(draws.sum(axis=2), 1)
    low, high = np.quantile(draws, [0.005, 0.995], axis=0)
    assert ((low <= T) & (high >= T)).mean() > 0.8
    assert (high - low).max() < 0.5
