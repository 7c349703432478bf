"""The search for the most probable parameters of the gate."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import Bounds, minimize

from labelnoise.rank_gate.model import Gate
from labelnoise.rank_gate.settings import (
    CROSS_SPREAD,
    FLAT_GRADIENT,
    MAX_OBJECTIVE,
    MAX_SEARCH_STEPS,
    SEARCH_TOLERANCE,
    SLOPE_SCALE,
    SLOPE_SHAPE,
    START_PSEUDO_COUNT,
    START_ROUNDS,
    START_TOP_DIVISOR,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.rank_gate.model import GateModel


@dataclass(frozen=True)
class Mode:
    """The most probable parameters (size,), their value, and whether the search converged."""

    at: FloatArray
    value: float
    converged: bool


def find_mode(model: GateModel, start: FloatArray | None = None) -> Mode:
    """Find the most probable parameters, from a `start` (size,) if given.

    Parameters are scaled by the square root of the curvature at the start: the posterior depends a
    thousand times less on the odds of rare confusions than on others.
    """
    start = starting_point(model) if start is None else start
    scale = np.sqrt(_diagonal_curvature(model, start))

    def scaled(at: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = model(at / scale)
        return min(value, MAX_OBJECTIVE), gradient / scale

    options: Any = {"maxiter": MAX_SEARCH_STEPS, "maxfun": 2 * MAX_SEARCH_STEPS, "maxcor": 20}
    options["ftol"] = SEARCH_TOLERANCE / max(abs(model(start)[0]), 1.0)
    upper = np.where((np.arange(model.size) < model.n_odds) & model.dominant, 0.0, np.inf)
    found = minimize(
        scaled,
        start * scale,
        jac=True,
        method="L-BFGS-B",
        bounds=Bounds(ub=upper),
        options=options,
    )
    # At the minimum, a line search may fail because of rounding errors; the gradient is flat there.
    flat = np.abs(found.jac[found.x < upper]).max() < FLAT_GRADIENT
    converged = bool(found.success or (found.status == 2 and flat))
    return Mode(found.x / scale, float(found.fun), converged)


def starting_point(model: GateModel) -> FloatArray:
    """T from the labels at the top of each class's ranking, with classes as frequent as labels."""
    k = model.n_classes
    T = np.empty((k, k))
    for i in range(k):
        depth = model.depths[:, i]
        deepest = np.argsort(-depth, kind="stable")
        reached = np.cumsum(model.share[deepest]) <= model.frequencies[i] / START_TOP_DIVISOR
        last = deepest[max(0, int(reached.sum()) - 1)]
        top = depth >= depth[last]  # with all ties, whatever their labels
        T[i] = np.bincount(model.label[top], model.weight[top], k) + START_PSEUDO_COUNT / k
        T[i, i] = T[i].max()
    T /= T.sum(axis=1, keepdims=True)
    if np.linalg.slogdet(T)[0] <= 0:
        T = (T + np.eye(k)) / 2
    gate = Gate(T, np.full(k, SLOPE_SCALE / SLOPE_SHAPE), np.zeros(k))
    for _ in range(START_ROUNDS):
        p = model.share @ gate.clean_posterior(model.depths)
        gate = replace(gate, offsets=gate.offsets + np.log(model.frequencies / p))
    return model.parameters(replace(gate, offsets=gate.offsets - gate.offsets.mean()))


def _diagonal_curvature(model: GateModel, at: FloatArray) -> FloatArray:
    """Approximate diagonal of the Hessian (size,), cheap even for very many classes."""
    gate = model.gate(at)
    T, eta = gate.transition, gate.clean_posterior(model.depths)
    r = gate.given_labels(eta, model.label)
    rows = np.einsum("c,ck->k", model.weight, r)
    squares = model.weight[:, None] * (r - eta) ** 2
    crossed = (model.depths**2).T @ squares + CROSS_SPREAD**-2
    return np.concatenate(
        [
            (rows[:, None] * T * (1 - T) + model.prior_counts)[model.off],
            (squares * model.depths**2).sum(axis=0) * gate.slopes**2 + SLOPE_SCALE / gate.slopes,
            squares.sum(axis=0) + 1.0,
            crossed[model.off] if gate.cross is not None else np.zeros(0),
        ]
    )
