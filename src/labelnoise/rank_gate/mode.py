"""The most probable parameters of the gate: where the search starts, and how it is scaled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import Bounds, minimize

from labelnoise.rank_gate.model import Gate
from labelnoise.rank_gate.settings import (
    CROSS_SPREAD,
    LARGEST_VALUE,
    MAX_SEARCH_STEPS,
    SEARCH_TOLERANCE,
    SLOPE_SCALE,
    SLOPE_SHAPE,
    START_ROUNDS,
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
    """Find the most probable parameters, from a `start` (size,) if there is one.

    Parameters are scaled by the root of the curvature at the start: the posterior changes a
    thousand times less with the odds of rare confusions than with others.
    """
    start = starting_point(model) if start is None else start
    scale = np.sqrt(_diagonal_curvature(model, start))

    def scaled(at: FloatArray) -> tuple[float, FloatArray]:
        value, gradient = model(at / scale)
        return min(value, LARGEST_VALUE), gradient / scale

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
    # A line search may fail at the very minimum, for lack of digits: there the gradient is flat.
    flat = np.abs(found.jac[found.x < upper]).max() < 1.0
    converged = bool(found.success or (found.status == 2 and flat))
    return Mode(found.x / scale, float(found.fun), converged)


def starting_point(model: GateModel) -> FloatArray:
    """T from the labels at the top of each class's ranking; classes as frequent as labels."""
    k = model.n_classes
    T = np.empty((k, k))
    for i in range(k):
        depth = model.depths[:, i]
        deepest = np.argsort(-depth, kind="stable")
        reached = np.cumsum(model.share[deepest]) <= model.frequencies[i] / 3
        last = deepest[max(0, int(reached.sum()) - 1)]
        top = depth >= depth[last]  # with all ties, whatever their labels
        T[i] = np.bincount(model.label[top], model.weight[top], k) + 0.5 / k
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
    """Roughly the diagonal of the Hessian (size,), cheap also for very many classes."""
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
