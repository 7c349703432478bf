import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import approx_fprime

from labelnoise.evidence.cells import Cells
from labelnoise.rank_gate.hamiltonian import hamiltonian_draws
from labelnoise.rank_gate.information import Directions, fisher_information, unsure_share
from labelnoise.rank_gate.mode import find_mode
from labelnoise.rank_gate.model import Gate, GateModel
from labelnoise.rank_gate.posterior import gate_and_draws


def random_model(seed, k, n=60):
    rng = np.random.default_rng(seed)
    codes = np.concatenate([np.arange(k), rng.integers(k, size=n - k)])
    cells = Cells.of(np.arange(n), codes, k)
    return GateModel(rng.exponential(size=(n, k)), cells), rng


def contrasts(gate):
    """Weights (K, K) [of the depth, of the class] as far as a softmax determines them."""
    weights = np.diag(gate.slopes) + (0.0 if gate.cross is None else gate.cross)
    return weights - weights.mean(axis=1, keepdims=True)


def exact_cells(gate, depths, n_rows):
    """Cells that hold exactly the expected number of rows of each label."""
    k = len(gate.slopes)
    chance = gate.clean_posterior(depths) @ gate.transition
    place, label = np.divmod(np.arange(len(depths) * k), k)
    weight = n_rows / len(depths) * chance.ravel()
    return Cells(place, label, weight, np.arange(len(place)), k), depths[place]


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
    depths = -np.log1p(-(ranks + 0.5) / 600)
    T = np.eye(k) * 0.6 + 0.4 * rng.dirichlet(np.ones(k), size=k)
    cross = rng.normal(size=(k, k)) * (1 - np.eye(k)) if k > 2 else None
    truth = Gate(T, np.full(k, 2.5), np.linspace(-0.3, 0.3, k), cross)
    cells, rows = exact_cells(truth, depths, 1e7)
    model = GateModel(rows, cells)
    found = model.gate(find_mode(model).at)
    np.testing.assert_allclose(found.transition, T, atol=2e-3)
    np.testing.assert_allclose(contrasts(found), contrasts(truth), atol=0.05)


def test_two_classes_may_overlap_beside_one_that_is_far_from_both():
    """Slopes alone would make the two look apart, and take their overlap for noise."""
    T = np.array([[0.8, 0.1, 0.1], [0.05, 0.9, 0.05], [0.1, 0.1, 0.8]])
    rng = np.random.default_rng(0)
    ranks = np.column_stack([rng.permutation(900) for _ in range(3)])
    depths = -np.log1p(-(ranks + 0.5) / 900)
    far = np.array([[0.0, 0.0, -8.0], [0.0, 0.0, -8.0], [0.0, 0.0, 0.0]])
    cells, rows = exact_cells(Gate(T, np.array([0.8, 0.8, 8.0]), np.zeros(3), far), depths, 1e6)
    found = find_mode(GateModel(rows, cells))
    np.testing.assert_allclose(GateModel(rows, cells).gate(found.at).transition, T, atol=0.01)


@given(st.integers(0, 10**6))
def test_permuting_classes_permutes_the_posterior(seed):
    model, rng = random_model(seed, 3)
    order = rng.permutation(3)
    at = 0.3 * rng.normal(size=model.size)
    at[: model.n_odds] -= 2.0
    gate = model.gate(at)
    both = np.ix_(order, order)
    permuted = Gate(
        gate.transition[both], gate.slopes[order], gate.offsets[order], gate.cross[both]
    )
    codes = np.argsort(order)[model.label]
    cells = Cells.of(np.arange(len(codes)), codes, 3)
    other = GateModel(model.depths[:, order], cells)
    assert model(at)[0] == pytest.approx(other(other.parameters(permuted))[0])


def test_responsibilities_follow_bayes_rule():
    gate = Gate(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([1.0, 1.0]), np.zeros(2))
    depths = np.array([[0.0, np.log(3)]])  # odds of 1 : 3
    np.testing.assert_allclose(gate.clean_posterior(depths), [[0.25, 0.75]])
    expected = np.array([0.25 * 0.1, 0.75 * 0.6])
    np.testing.assert_allclose(
        gate.row_posterior(depths, np.array([1]))[0], expected / expected.sum()
    )


def test_hamiltonian_draws_follow_the_density():
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
    depths = -np.log1p(-(ranks + 0.5) / 3000)
    T = np.eye(k) * 0.6 + 0.4 / k
    truth = Gate(T, np.full(k, 4.0), np.zeros(k))
    true = np.array([rng.choice(k, p=p) for p in truth.clean_posterior(depths)])
    codes = np.array([rng.choice(k, p=T[z]) for z in true])
    model = GateModel(depths, Cells.of(np.arange(3000), codes, k))
    mode = find_mode(model)
    assert mode.converged
    fit = gate_and_draws(model, mode.at, 100, rng)
    draws = np.array([gate.transition for gate in fit.draws])
    np.testing.assert_allclose(draws.sum(axis=2), 1)
    low, high = np.quantile(draws, [0.005, 0.995], axis=0)
    assert ((low <= T) & (high >= T)).mean() > 0.8
    assert (high - low).max() < 0.5


@given(st.integers(0, 10**6), st.sampled_from([2, 3]))
def test_information_of_right_labels_is_that_of_all_confusions_moved_together(seed, k):
    """The log-odds of a right label fall by one if those of all its confusions rise by one."""
    model, rng = random_model(seed, k)
    gate = model.gate(0.3 * rng.normal(size=model.size) - 1)
    pairs, rights = Directions.all_of(model), Directions.diagonal_of(model)
    of_pairs, of_rights = (
        fisher_information(model, gate, directions, np.zeros(len(directions.true)))
        for directions in (pairs, rights)
    )
    together = np.zeros((3 * k, model.n_odds + 2 * k))
    together[pairs.true, np.arange(model.n_odds)] = -1
    together[np.arange(k, 3 * k), np.arange(model.n_odds, model.n_odds + 2 * k)] = 1
    np.testing.assert_allclose(together @ of_pairs @ together.T, of_rights, rtol=1e-6, atol=1e-4)


def test_classes_that_are_certain_are_not_unsure():
    depths = np.array([[9.0, 0.0], [0.0, 9.0]]).repeat(30, axis=0)
    model = GateModel(depths, Cells.of(np.arange(60), np.repeat([0, 1], 30), 2))
    gate = Gate(np.full((2, 2), 0.5), np.full(2, 9.0), np.zeros(2))
    np.testing.assert_allclose(unsure_share(model, gate), 0, atol=1e-6)
    flat = Gate(np.full((2, 2), 0.5), np.full(2, 1e-9), np.zeros(2))
    np.testing.assert_allclose(unsure_share(model, flat), 0.5)
