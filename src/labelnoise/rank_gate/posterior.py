"""The fitted gate and draws from its posterior: by Hamiltonian Monte Carlo, or around the mode."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv, ndtr

from labelnoise.progress import stage, steps
from labelnoise.rank_gate.hamiltonian import hamiltonian_draws
from labelnoise.rank_gate.information import Directions, fisher_information, unsure_share
from labelnoise.rank_gate.mode import find_mode
from labelnoise.rank_gate.model import Gate, GateModel
from labelnoise.rank_gate.readings import GateDraws
from labelnoise.rank_gate.settings import (
    DIAGONAL_MARGIN,
    MAX_CLASSES_SAMPLED,
    MAX_EXCESS_DEVIATIONS,
    MAX_HALVINGS,
    MAX_RERANKINGS,
    MIN_EFFECTIVE_ROWS,
    MIN_GAMMA_DRAW,
    MIN_GAMMA_SHAPE,
    SHARED_VARIANCE,
    SHARING_ROUNDS,
    TEMPER,
    UNSURE_SHARE,
)
from labelnoise.rank_gate.shared_errors import shared_errors

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.ranking import Ranking
    from labelnoise.rank_gate.mode import Mode


@dataclass(frozen=True)
class GateFit:
    """A ranking, the gate fitted to it with draws, and whether the search converged."""

    ranking: Ranking
    gates: GateDraws
    converged: bool


def fit_gate(
    ranking: Ranking, n_draws: int, rng: np.random.Generator, *, dominant: bool = True
) -> GateFit:
    """Fit a gate to a ranking, or to a ranking by unmixed scores if that fits better.

    The point estimate is the posterior mean for two classes, which has the smallest expected
    error where data are few and the posterior is skewed, else the mode.
    """
    with stage("fitting"):
        ranking, model, mode = _best_ranking(ranking, dominant)
        for _ in range(SHARING_ROUNDS):
            model.prior_counts = shared_errors(model, mode.at)
            mode = find_mode(model, mode.at)
    return GateFit(ranking, gate_and_draws(model, mode.at, n_draws, rng), mode.converged)


def _best_ranking(ranking: Ranking, dominant: bool) -> tuple[Ranking, GateModel, Mode]:
    """Rank by labels, then by unmixed scores, as long as that increases the posterior."""
    cells = ranking.evidence.cells
    row_weight = ranking.row_weight
    model = GateModel(ranking.tail_depths, cells, dominant=dominant, row_weight=row_weight)
    mode = find_mode(model)
    for _ in range(MAX_RERANKINGS if cells.n_classes > 2 else 0):
        other = ranking.unmixed(model.gate(mode.at).transition)
        other_model = GateModel(other.tail_depths, cells, dominant=dominant, row_weight=row_weight)
        other_mode = find_mode(other_model)
        if other_mode.value >= mode.value:
            break
        ranking, model, mode = other, other_model, other_mode
    return ranking, model, mode


def gate_and_draws(
    model: GateModel, mode: FloatArray, n_draws: int, rng: np.random.Generator
) -> GateDraws:
    """The point estimate and draws around it, from the mode (size,) of a model."""
    point, prior = model.gate(mode), model.prior(mode)
    if not n_draws:
        return GateDraws(point, (), prior)
    if model.n_classes > MAX_CLASSES_SAMPLED:
        return GateDraws(point, _draws_around_mode(model, mode, n_draws, rng), prior)
    entries = Directions.all_of(model)
    prior_of_T = model.prior_counts[entries] * (1 - point.transition[entries])
    curvature = fisher_information(model, point, entries, prior_of_T)
    drawn = hamiltonian_draws(model, mode, curvature, n_draws, rng)
    gates = tuple(model.gate(at) for at in drawn)
    mean = replace(point, transition=np.mean([gate.transition for gate in gates], axis=0))
    prior = np.mean([model.prior(at) for at in drawn], axis=0)
    return GateDraws(mean, gates, prior)


def _draws_around_mode(
    model: GateModel, mode: FloatArray, n_draws: int, rng: np.random.Generator
) -> tuple[Gate, ...]:
    """Draws for many classes: normal in 3 K directions, and Dirichlet for the wrong labels.

    The directions are the log-odds of a correct label for each class, log-slopes and offsets, whose
    errors are correlated. The probability of a correct label then gets the beta distribution with
    the same mean and variance, which stays between 0 and 1 where there is hardly any noise. Given
    the number of wrong labels of a class, their distribution is nearly independent of the rest.
    Cross weights are fixed at the mode.
    """
    gate, k = model.gate(mode), model.n_classes
    right = np.diag(gate.transition)
    covariance = _covariance(model, gate)
    root = np.linalg.cholesky((covariance + covariance.T) / 2)
    moves = rng.standard_normal((n_draws, 3 * k)) @ root.T
    spread = np.sqrt(np.diag(covariance)[:k])
    # Number n of rows with the same information: a beta distribution has variance p (1 - p) / n.
    variance = right * (1 - right)
    n_rows = np.maximum(1 / (np.maximum(variance, DIAGONAL_MARGIN) * spread**2), MIN_EFFECTIVE_ROWS)
    kept = betaincinv(n_rows * right, n_rows * (1 - right), ndtr(moves[:, :k] / spread))
    smallest = 1 / k if model.dominant else 0.0  # the largest of K entries cannot be smaller
    kept_of_draw = np.clip(kept, max(smallest, DIAGONAL_MARGIN), 1 - DIAGONAL_MARGIN)
    wrong = gate.transition * model.off
    gates = []
    for draw in steps("drawing intervals", range(n_draws)):
        kept = kept_of_draw[draw]
        moved = model.gate(_shortened(model, mode, moves[draw, k:]))
        drawn = rng.gamma(np.maximum(n_rows[:, None] * wrong, MIN_GAMMA_SHAPE))
        split = np.maximum(drawn, MIN_GAMMA_DRAW) * model.off
        T = _split_below(split, 1 - kept, kept if model.dominant else np.ones(k))
        gates.append(replace(moved, transition=T + np.diag(1 - T.sum(axis=1))))
    return tuple(gates)


def _split_below(split: FloatArray, total: FloatArray, limit: FloatArray) -> FloatArray:
    """Rows (K, K) proportional to `split` with sums `total` (K,), no entry above its row's `limit`.

    The excess over the limit is distributed over the other entries, up to their limits.

    >>> _split_below(np.array([[0.0, 8.0, 1.0, 1.0]]), np.array([0.6]), np.array([0.4])).round(3)
    array([[0. , 0.4, 0.1, 0.1]])
    """
    found = split * (total / split.sum(axis=1))[:, None]
    for _ in range(split.shape[1]):
        full = found >= limit[:, None]
        room = total - np.where(full, limit[:, None], 0.0).sum(axis=1)
        free = np.where(full, 0.0, found)
        scale = np.maximum(room, 0.0) / np.maximum(free.sum(axis=1), 1e-300)
        found = np.where(full, limit[:, None], free * scale[:, None])
    return np.minimum(found, limit[:, None])


def _covariance(model: GateModel, gate: Gate) -> FloatArray:
    """Covariance (3 K, 3 K) of correct labels, log-slopes and offsets; wider where classes overlap.

    Rows have full weight here, as if independent; the shared errors of neighbors are added class by
    class.
    """
    right = np.diag(gate.transition)
    prior_of_T = model.prior_counts.sum(axis=1) * right * (1 - right)
    information = fisher_information(
        model, gate, Directions.diagonal_of(model), prior_of_T, 1 / TEMPER
    )
    unsure = unsure_share(model, gate)
    widening = np.tile(np.sqrt(1 + SHARED_VARIANCE * np.minimum(unsure / UNSURE_SHARE, 1.0)), 3)
    covariance: FloatArray = np.linalg.inv(information).astype(np.float64)
    return covariance * np.outer(widening, widening)


def _shortened(model: GateModel, mode: FloatArray, move: FloatArray) -> FloatArray:
    """Move slopes and offsets (2 K,), and halve the move while the posterior there is negligible.

    Where classes are well separated, the posterior is flat around its mode and falls off steeply
    further out: a normal distribution with the curvature at the mode would be too wide.
    """
    k, gate = model.n_classes, slice(model.n_odds, model.n_odds + 2 * model.n_classes)
    # The loss in 2 K directions has mean K and standard deviation sqrt(K).
    limit = model(mode)[0] + k + MAX_EXCESS_DEVIATIONS * np.sqrt(k)
    at = mode.copy()
    for halvings in range(MAX_HALVINGS):
        at[gate] = mode[gate] + move * 0.5**halvings
        if model(at)[0] < limit:
            return at
    return mode
