"""Two readings of one fit: labels err by class, or wherever they disagree with their surroundings.

Both start from the clean posteriors eta(x) of the gate. If labels err by class alone, overlap of
classes is not noise, and T is read where classes are pure. If mistakes are made where classes are
alike, the true class of a row is the one that its surroundings indicate, and every label that
disagrees with them is wrong. Features and labels alone cannot tell which: the two readings are the
bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.impurity import confusion, impurities, purified
from labelnoise.rank_gate.settings import LIKELIEST_CLASS_SMOOTHING
from labelnoise.uncertainty import Draws, Limits
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.rank_gate.model import Gate

BY_CLASS, BY_INSTANCE = Assumption("noise_by_class"), Assumption("noise_by_instance")


@dataclass(frozen=True)
class GateDraws:
    """The fitted gate, and draws from its posterior distribution."""

    point: Gate
    draws: tuple[Gate, ...]
    prior: FloatArray  # (K,) frequencies of the true classes, for the point estimate


@dataclass(frozen=True)
class Reading:
    """T and the prior under one assumption: the point estimate and its draws."""

    transition: FloatArray  # (K, K)
    prior: FloatArray  # (K,)
    draws: Draws | None
    assumption: Assumption

    @property
    def limits(self) -> Limits:
        """The point estimate as one end of the bounds."""
        rate = float(self.prior @ (1 - np.diag(self.transition)))
        return Limits(self.transition, self.prior, rate, self.assumption)


def by_class(fit: GateDraws, depths: FloatArray, cells: Cells, rng: np.random.Generator) -> Reading:
    """T where classes are pure. Draws include impurity; the point estimate does not."""
    share = cells.weight / cells.weight.sum()
    T, prior = fit.point.transition, fit.prior
    if not fit.draws:
        return Reading(T, prior, None, BY_CLASS)
    eta = fit.point.clean_posterior(depths)
    Ts = np.array([gate.transition for gate in fit.draws])
    priors = np.array([share @ gate.clean_posterior(depths) for gate in fit.draws])
    confused = confusion(eta, share)
    impurity = impurities(confused, T, prior, len(priors), rng)
    purer = [purified(*draw, confused) for draw in zip(Ts, priors, impurity, strict=True)]
    draws = Draws(np.array([T for T, _ in purer]), np.array([p for _, p in purer]))
    return Reading(T, prior, draws, BY_CLASS)


def by_instance(
    fit: GateDraws, depths: FloatArray, cells: Cells, rng: np.random.Generator
) -> Reading:
    """T as the average over all rows if the true class is the one that surroundings indicate."""
    point = _counts_by_likeliest(fit.point, depths, cells)
    T, prior = point / point.sum(axis=1, keepdims=True), point.sum(axis=1) / point.sum()
    if not fit.draws:
        return Reading(T, prior, None, BY_INSTANCE)
    counts = np.array([_counts_by_likeliest(gate, depths, cells) for gate in fit.draws])
    Ts = rng.gamma(counts)  # divided by their sums, rows are Dirichlet
    Ts /= Ts.sum(axis=2, keepdims=True)
    totals = counts.sum(axis=2)
    priors = totals / totals.sum(axis=1, keepdims=True)
    return Reading(T, prior, Draws(Ts, priors), BY_INSTANCE)


READINGS = {"class": by_class, "instance": by_instance}
"""Readings by the value of the parameter ``noise``."""


def likeliest_classes(eta: FloatArray) -> FloatArray:
    """P(true | x) if the true class is the one that surroundings indicate, smoothed, (m, K)."""
    k = eta.shape[1]
    certain = np.eye(k)[eta.argmax(axis=1)]
    return (1 - LIKELIEST_CLASS_SMOOTHING) * certain + LIKELIEST_CLASS_SMOOTHING / k


def _counts_by_likeliest(gate: Gate, depths: FloatArray, cells: Cells) -> FloatArray:
    """Number of rows by the class that surroundings indicate and their label, (K, K).

    The T of the gate is added as one row per class: a class may be the likeliest nowhere.
    """
    k = cells.n_classes
    likeliest = gate.clean_posterior(depths).argmax(axis=1)
    counts = np.bincount(likeliest * k + cells.label, cells.weight, k * k).reshape(k, k)
    return counts.astype(np.float64) + np.maximum(gate.transition, 1e-12)
