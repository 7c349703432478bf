"""The fitted gate and draws of it: the whole posterior for two classes, its top for more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import betaincinv, ndtr

from labelnoise.progress import stage, steps
from labelnoise.rank_gate.hamiltonian import hamiltonian_draws
from labelnoise.rank_gate.model import (
    PRIOR_ROWS,
    SEEN_RIGHT,
    SEEN_WRONG,
    SLOPE_SCALE,
    TEMPER,
    Gate,
    GateModel,
    Mode,
)
from labelnoise.rank_gate.readings import GateDraws

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.ranking import Ranking

RERANKINGS = 2
FEW_CLASSES = 2
"""Up to here a hundred draws pin the posterior mean; the number of parameters grows as K squared,
and with it what the average of so many draws is off by."""

SHARED, UNSURE = 3.0, 0.1
"""Variance that neighbors' shared errors add for many classes, in units of what independent rows
have, once this share of a class's rows is unsure. Rows that are surely of a class add none:
their labels are independent draws, whoever their neighbors are."""

LEAST_WORTH = 2.0
"""Rows that even a row of T about which nothing is known is worth: those of its prior."""

MAX_HALVINGS = 8
BLOCK_NUMBERS = 2_000_000


@dataclass(frozen=True)
class GateFit:
    """A ranking, the gate fitted to it with draws, and whether the search converged."""

    ranking: Ranking
    gates: GateDraws
    converged: bool


def fit_gate(ranking: Ranking, n_draws: int, rng: np.random.Generator) -> GateFit:
    """Fit a gate to a ranking, or to one by unmixed scores where that fits better.

    The point estimate is the posterior mean for two classes, which has the smallest expected
    error where data are few and the posterior is skewed, else the mode.
    """
    with stage("fitting"):
        ranking, model, mode = _best_ranking(ranking)
    gates = _gate_and_draws(model, mode.at, n_draws, rng)
    return GateFit(ranking, gates, mode.converged)


def _best_ranking(ranking: Ranking) -> tuple[Ranking, GateModel, Mode]:
    """Rank by labels, then by what T makes of them, as long as the labels become likelier."""
    cells = ranking.evidence.cells
    model = GateModel(ranking.tail_depths, cells)
    mode = model.mode()
    for _ in range(RERANKINGS if cells.n_classes > 2 else 0):
        other = ranking.unmixed(model.gate(mode.at).transition)
        other_model = GateModel(other.tail_depths, cells)
        other_mode = other_model.mode()
        if other_mode.value >= mode.value:
            break
        ranking, model, mode = other, other_model, other_mode
    return ranking, model, mode


def _gate_and_draws(
    model: GateModel, mode: FloatArray, n_draws: int, rng: np.random.Generator
) -> GateDraws:
    point, prior = model.gate(mode), model.prior(mode)
    if not n_draws:
        return GateDraws(point, (), prior)
    if model.n_classes > FEW_CLASSES:
        return GateDraws(point, _top_draws(model, mode, n_draws, rng), prior)
    drawn = hamiltonian_draws(model, mode, model.curvature(mode), n_draws, rng)
    gates = tuple(model.gate(at) for at in drawn)
    mean = Gate(np.mean([gate.transition for gate in gates], axis=0), point.slopes, point.offsets)
    prior = np.mean([model.prior(at) for at in drawn], axis=0)
    return GateDraws(mean, gates, prior)


def _top_draws(
    model: GateModel, mode: FloatArray, n_draws: int, rng: np.random.Generator
) -> tuple[Gate, ...]:
    """Draws from a normal law in 3 K directions, and where the wrong labels go from a Dirichlet.

    The directions are the log-odds of a right label, class by class, log-slopes and offsets: what
    is uncertain together. The chance of a right label then gets the beta law with its mean
    and variance, which stays in place where there is next to no noise. Given how many
    labels of a class are wrong, where they go is nearly independent of all that.
    """
    gate, k = model.gate(mode), model.n_classes
    right = np.diag(gate.transition)
    information, unsure = _information(model, gate)
    widening = np.sqrt(1 + SHARED * np.minimum(unsure / UNSURE, 1.0))
    covariance = np.linalg.inv(information)
    covariance *= np.outer(np.tile(widening, 3), np.tile(widening, 3))
    root = np.linalg.cholesky((covariance + covariance.T) / 2)
    moves = rng.standard_normal((n_draws, 3 * k)) @ root.T
    spread = np.sqrt(np.diag(covariance)[:k])
    # Rows that would be as informative: a beta law of so many has variance right (1 - right) / n.
    worth = np.maximum(1 / (np.maximum(right * (1 - right), 1e-9) * spread**2), LEAST_WORTH)
    chances = betaincinv(worth * right, worth * (1 - right), ndtr(moves[:, :k] / spread))
    wrong = gate.transition * model.off
    gates = []
    kept_of_move = np.clip(chances, 1e-9, 1 - 1e-9)
    for draw in steps("drawing intervals", range(n_draws)):
        move, kept = moves[draw], kept_of_move[draw]
        moved = model.gate(_held_back(model, mode, move[k:]))
        split = np.maximum(rng.gamma(np.maximum(worth[:, None] * wrong, 1e-3)), 1e-12) * model.off
        T = (1 - kept)[:, None] * split / split.sum(axis=1, keepdims=True) + np.diag(kept)
        gates.append(Gate(T, moved.slopes, moved.offsets))
    return tuple(gates)


def _held_back(model: GateModel, mode: FloatArray, move: FloatArray) -> FloatArray:
    """Move slopes and offsets (2 K,), and halve the move while it leads out of the posterior.

    Where classes are well apart the posterior is flat around its mode and falls off steeply
    further out: a normal law, which knows the flat part alone, would go too far.
    """
    k = model.n_classes
    enough = model(mode)[0] + k + 3 * np.sqrt(k)  # of 2 K directions, and then some
    at = mode.copy()
    for halvings in range(MAX_HALVINGS):
        at[model.n_odds :] = mode[model.n_odds :] + move * 0.5**halvings
        if model(at)[0] < enough:
            return at
    return mode


def _information(model: GateModel, gate: Gate) -> tuple[FloatArray, FloatArray]:
    """Fisher information (3 K, 3 K) in those directions, and each class's unsure share, (K,).

    Empirical, with rows taken as independent, and with the curvature of the priors.
    """
    k, right = model.n_classes, np.diag(gate.transition)
    information, moved = np.zeros((3 * k, 3 * k)), np.zeros((k, k))
    belonging, surely = np.zeros(k), np.zeros(k)
    block = max(1, BLOCK_NUMBERS // (3 * k))
    for low in range(0, len(model.tails), block):
        part = slice(low, low + block)
        tails, label, share = model.tails[part], model.label[part], model.share[part]
        eta = gate.clean_posterior(tails)
        r = gate.row_posterior(tails, label)
        scores = np.hstack(
            [
                r * ((label[:, None] == np.arange(k)) - right),
                (r - eta) * tails * gate.slopes,
                r - eta,
            ]
        )
        information += (scores * model.weight[part, None]).T @ scores / TEMPER
        moved += np.diag(share @ eta) - (eta * share[:, None]).T @ eta
        belonging += share @ r
        surely += share @ r**2
    p = np.einsum("c,ck->k", model.share, gate.clean_posterior(model.tails))
    priors = np.concatenate(
        [
            (SEEN_RIGHT + SEEN_WRONG) * right * (1 - right),
            SLOPE_SCALE / gate.slopes,
            np.zeros(k),
        ]
    )
    information[np.diag_indices(3 * k)] += priors + 1e-6
    information[-k:, -k:] += 1 / k + (moved * (PRIOR_ROWS * model.frequencies / p**2)) @ moved.T
    return information, 1 - surely / belonging
