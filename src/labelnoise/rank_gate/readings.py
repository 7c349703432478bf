"""Two readings of one fit: noise by class, or wherever labels disagree with their surroundings.

Both start from the clean posteriors eta(x) of the gate. If labels err by class alone, overlap
of classes is no noise, and T is what the gate says it is at the pure ends. If people err where
classes are alike, the true class of a row is the one its surroundings point to, and every label
that disagrees is an error. Features and labels alone cannot tell which: they are the two bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.uncertainty import Draws, Limits
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.rank_gate.model import Gate

BY_CLASS, BY_INSTANCE = Assumption("noise_by_class"), Assumption("noise_by_instance")

IMPURITY = 0.3
"""Average impurity of a class's best region, as a share of the class's overlap with the others.
No curve can tell a plateau of rows that are all of one class from one where a few are not; how
many are not is the larger the more the classes overlap elsewhere."""

DOUBT = 0.02
"""Chance, shared out among all classes, that a row is of any class rather than of the likeliest at
its place, if errors are by instance."""


@dataclass(frozen=True)
class GateDraws:
    """The fitted gate, and draws of what it might be as well."""

    point: Gate
    draws: tuple[Gate, ...]
    prior: FloatArray  # (K,) frequencies of the true classes that go with the point


@dataclass(frozen=True)
class View:
    """One reading: the point estimate and its draws."""

    transition: FloatArray  # (K, K)
    prior: FloatArray  # (K,)
    draws: Draws | None
    assumption: Assumption

    @property
    def limits(self) -> Limits:
        """The point estimate as one end of the bounds."""
        rate = float(self.prior @ (1 - np.diag(self.transition)))
        return Limits(self.transition, self.prior, rate, self.assumption)


def by_class(fit: GateDraws, tails: FloatArray, cells: Cells, rng: np.random.Generator) -> View:
    """T at the pure ends. Draws allow for ends that are not quite pure; the estimate does not."""
    share = cells.weight / cells.weight.sum()
    T, prior = fit.point.transition, fit.prior
    if not fit.draws:
        return View(T, prior, None, BY_CLASS)
    eta = fit.point.clean_posterior(tails)
    Ts = np.array([gate.transition for gate in fit.draws])
    priors = np.array([share @ gate.clean_posterior(tails) for gate in fit.draws])
    mixed_up = confusion(eta, share)
    impurity = impurities(mixed_up, prior, len(priors), rng)
    purer = [purified(*draw, mixed_up) for draw in zip(Ts, priors, impurity, strict=True)]
    draws = Draws(np.array([T for T, _ in purer]), np.array([p for _, p in purer]))
    return View(T, prior, draws, BY_CLASS)


def by_instance(fit: GateDraws, tails: FloatArray, cells: Cells, rng: np.random.Generator) -> View:
    """T on average over rows whose true class is the likeliest at their place."""
    point = hard_counts(fit.point, tails, cells)
    T, prior = point / point.sum(axis=1, keepdims=True), point.sum(axis=1) / point.sum()
    if not fit.draws:
        return View(T, prior, None, BY_INSTANCE)
    counts = np.array([hard_counts(gate, tails, cells) for gate in fit.draws])
    Ts = rng.gamma(counts)  # rows are Dirichlet once they are divided by their sums
    Ts /= Ts.sum(axis=2, keepdims=True)
    totals = counts.sum(axis=2)
    priors = totals / totals.sum(axis=1, keepdims=True)
    return View(T, prior, Draws(Ts, priors), BY_INSTANCE)


def likeliest_classes(eta: FloatArray) -> FloatArray:
    """P(true | x) if the true class is the likeliest at a row's place, all but a doubt, (m, K)."""
    k = eta.shape[1]
    return (1 - DOUBT) * np.eye(k)[eta.argmax(axis=1)] + DOUBT / k


def hard_counts(gate: Gate, tails: FloatArray, cells: Cells) -> FloatArray:
    """Rows by the likeliest class at their place and their label, (K, K).

    One row's worth of the gate's own T keeps classes that win nowhere from being empty.
    """
    k = cells.n_classes
    likeliest = gate.clean_posterior(tails).argmax(axis=1)
    counts = np.bincount(likeliest * k + cells.label, cells.weight, k * k).reshape(k, k)
    return counts.astype(np.float64) + np.maximum(gate.transition, 1e-12)


def confusion(eta: FloatArray, share: FloatArray) -> FloatArray:
    """Average clean posterior (K, K) of the rows that look most like class i, row by row."""
    likeliest = eta.argmax(axis=1)
    k = eta.shape[1]
    found = np.zeros((k, k))
    np.add.at(found, likeliest, share[:, None] * eta)
    nowhere = np.setdiff1d(np.arange(k), likeliest)
    for i in nowhere:  # a class that is nowhere the likeliest: where it is at all likely
        found[i] = (share * eta[:, i]) @ eta
    return (found + 1e-12) / (found + 1e-12).sum(axis=1, keepdims=True)


def impurities(
    mixed_up: FloatArray, prior: FloatArray, n_draws: int, rng: np.random.Generator
) -> FloatArray:
    """Draws of the share of other classes in each class's best region, (S, K)."""
    return rng.exponential(IMPURITY * overlap(mixed_up, prior), size=(n_draws, len(prior)))


def purified(
    T: FloatArray, prior: FloatArray, impurity: FloatArray, mixed_up: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """T and prior if the best region of class i holds a share impurity_i of other classes.

    Then the region's labels are distributed as ``M = D T`` with
    ``D[i] = (1 - impurity_i) e_i + impurity_i (others, as often as i is mixed up with them)``, and
    it is M that was read off the region: ``T = D^{-1} M``. Labels are as frequent as before:
    ``(p D) T = p M``.
    """
    D = diluted(impurity, mixed_up)
    pure = np.maximum(np.linalg.solve(D, T), 0.0)
    return pure / pure.sum(axis=1, keepdims=True), prior @ D


def diluted(impurity: FloatArray, mixed_up: FloatArray) -> FloatArray:
    """What is really in a place that seems to belong to class i, (K, K), row by row."""
    others = mixed_up - np.diag(np.diag(mixed_up))
    others /= others.sum(axis=1, keepdims=True)
    share = np.minimum(impurity, 0.4)[:, None]
    return share * others + (1 - share) * np.eye(len(mixed_up))


def dilution(eta: FloatArray, cells: Cells) -> FloatArray:
    """The typical dilution (K, K): ``eta @ dilution`` is less sure of itself than eta.

    The gate follows its curve to certainty; single rows at its ends are less certain than that.
    """
    share = cells.weight / cells.weight.sum()
    mixed_up = confusion(eta, share)
    return diluted(0.5 * IMPURITY * overlap(mixed_up, share @ eta), mixed_up)


def overlap(mixed_up: FloatArray, prior: FloatArray) -> FloatArray:
    """How far each class overlaps with others, (K,): half its own share, half everybody's."""
    own = 1 - np.diag(mixed_up)
    return (own + prior @ own) / 2
