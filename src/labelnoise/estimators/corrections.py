"""What audited rows teach about the chances of all others.

A fit says P(true = i | x, observed = j). The correction multiplies the odds of every class i
against the observed j by ``exp(g_j(t))``, where t is the lead of i over j by the features alone: g
says how far the fit is off for labels j that agree with their surroundings (t far below 0), for
labels that do not (far above), and in between. g is a random function, piecewise linear between
knots, zero on average: what is learnt at one t hardly reaches the others. How far from zero it may
go, its spread, is learnt too: a fit that audited rows confirm is believed elsewhere, one that
they contradict is not.

It is learnt given features and label, so rows may be chosen by anything that looks at those two
alone. Labels share nothing but the spread: each has a few numbers, found by Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import log_softmax, softmax

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

KNOTS: FloatArray = np.array([-6.0, -3.0, -1.0, -0.0, 0.0, 1.0, 3.0, 6.0])
"""Leads between which g is linear. At 0 it may jump: there a label ceases to agree with its
surroundings, and the fit itself may jump."""

REACH, JUMP = 2.0, 2.0
"""Length scale of g: leads further apart have shifts that are hardly related. And how far apart, in
that sense, the two sides of 0 are."""

SPREADS = (0.3, 1.0, 2.5)
"""Standard deviations of g that are tried, alike likely beforehand, in log-odds."""

STEPS, FLAT = 50, 1e-8
"""Newton steps at most, and the gain below which one is the last."""

_PLACE = KNOTS + JUMP / 2 * np.repeat([-1, 1], len(KNOTS) // 2)
_DISTANCE = _PLACE[:, None] - _PLACE
ROOT: FloatArray = np.linalg.cholesky(
    np.exp(-0.5 * (_DISTANCE / REACH) ** 2) + 1e-6 * np.eye(len(KNOTS))
).astype(np.float64)
"""Turns independent numbers into values of g at the knots."""


@dataclass(frozen=True)
class Audited:
    """Audited rows: log-chances and leads (m, K), observed and true codes (m,)."""

    odds: FloatArray
    lead: FloatArray
    label: IntArray
    true: IntArray

    def of_label(self, j: int) -> Audited:
        """Those with label j."""
        own = self.label == j
        return Audited(self.odds[own], self.lead[own], self.label[own], self.true[own])


@dataclass(frozen=True)
class Learnt:
    """For one spread: modes (K, B) of the free numbers, roots of their covariances, evidence."""

    spread: float
    modes: FloatArray  # (K, B)
    roots: FloatArray  # (K, B, B)
    evidence: float

    def at_knots(self, free: FloatArray) -> FloatArray:
        """Values of each g_j at the knots, (K, B)."""
        return self.spread * free @ ROOT.T


@dataclass(frozen=True)
class Correction:
    """What was learnt, for every spread that was tried."""

    learnt: tuple[Learnt, ...]

    @property
    def weights(self) -> FloatArray:
        """How likely each spread is now."""
        found: FloatArray = softmax([one.evidence for one in self.learnt])
        return found

    def spreads(self, n_draws: int, rng: np.random.Generator) -> list[float]:
        """Draws of the spread."""
        picked = rng.choice(len(self.learnt), n_draws, p=self.weights)
        return [self.learnt[i].spread for i in picked]

    def typical(self, odds: FloatArray, lead: FloatArray, label: IntArray) -> FloatArray:
        """Corrected chances (m, K): those of the modes, averaged over the spreads."""
        return sum(
            weight * Shift(one.at_knots(one.modes)).chances(odds, lead, label)
            for weight, one in zip(self.weights, self.learnt, strict=True)
        )

    def draw(self, rng: np.random.Generator) -> Shift:
        """One draw of g, for the first spread."""
        one = self.learnt[0]
        noise = rng.standard_normal(one.modes.shape)
        free = one.modes + np.einsum("kab,kb->ka", one.roots, noise)
        return Shift(one.at_knots(free))


@dataclass(frozen=True)
class Shift:
    """Functions g_j by their values at the knots, (K, B)."""

    values: FloatArray

    def chances(self, odds: FloatArray, lead: FloatArray, label: IntArray) -> FloatArray:
        """Shifted P(true | x, observed), (m, K)."""
        shift, half = np.zeros_like(lead), len(KNOTS) // 2
        for j, values in enumerate(self.values):  # hats of all rows would take B times the room
            own = label == j
            below, above = (
                np.interp(lead[own], KNOTS[side], values[side])
                for side in (slice(half), slice(half, None))
            )
            shift[own] = np.where(lead[own] < 0, below, above)
        shift[np.arange(len(label)), label] = 0.0
        shifted: FloatArray = softmax(odds + shift, axis=1)
        return shifted


def hats(lead: FloatArray) -> FloatArray:
    """Weights (..., B) of the knots for linear interpolation; beyond the ends g is constant.

    >>> hats(np.array([-0.5, 0.5, -9.0])).tolist()[:2]
    [[0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]]
    """
    half = len(KNOTS) // 2
    sides = [
        np.stack([np.interp(lead, knots, unit) for unit in np.eye(half)], axis=-1)
        for knots in (KNOTS[:half], KNOTS[half:])
    ]
    below = (lead < 0)[..., None]
    return np.concatenate([sides[0] * below, sides[1] * ~below], axis=-1)


def learn_correction(audited: Audited, spreads: tuple[float, ...]) -> Correction:
    """Learn the correction for each spread."""
    k = audited.odds.shape[1]
    parts = [_Part.of(audited.of_label(j), j) for j in range(k)]
    return Correction(tuple(_learnt(parts, spread) for spread in spreads))


def _learnt(parts: list[_Part], spread: float) -> Learnt:
    solved = [part.solve(spread * ROOT) for part in parts]
    modes, roots, evidence = zip(*solved, strict=True)
    return Learnt(spread, np.array(modes), np.array(roots), float(sum(evidence)))


@dataclass(frozen=True)
class _Part:
    """Audited rows of one label: their log-chances (m, K), hats (m, K, B) and true codes."""

    odds: FloatArray
    hats: FloatArray
    true: IntArray

    @classmethod
    def of(cls, audited: Audited, label: int) -> _Part:
        weights = hats(audited.lead)
        weights[:, label] = 0.0  # the observed class is not shifted
        return cls(audited.odds, weights, audited.true)

    def solve(self, root: FloatArray) -> tuple[FloatArray, FloatArray, float]:
        """Mode of the free numbers, root of their covariance, and Laplace's evidence.

        The log-posterior is concave: a softmax of linear functions, and a normal prior.
        """
        features = self.hats @ root  # (m, K, B)
        free = np.zeros(root.shape[1])
        value, gradient, precision = self._at(features, free)
        for _ in range(STEPS):
            step = np.linalg.solve(precision, gradient)
            if gradient @ step < FLAT:
                break
            while (reached := self._at(features, free + step))[0] < value:
                step /= 2
            free = free + step
            value, gradient, precision = reached
        root_of_precision = np.linalg.cholesky(precision)
        evidence = value - float(np.log(np.diag(root_of_precision)).sum())
        return free, np.linalg.inv(root_of_precision).T, evidence

    def _at(self, features: FloatArray, free: FloatArray) -> tuple[float, FloatArray, FloatArray]:
        """Log-posterior, its gradient (B,), and minus its Hessian (B, B)."""
        rows = np.arange(len(self.true))
        log_chances = log_softmax(self.odds + features @ free, axis=1)
        chances = np.exp(log_chances)
        value = float(log_chances[rows, self.true].sum() - 0.5 * free @ free)
        mean = np.einsum("mk,mkb->mb", chances, features)
        gradient = (features[rows, self.true] - mean).sum(axis=0) - free
        curved = np.einsum("mk,mka,mkb->ab", chances, features, features) - mean.T @ mean
        return value, gradient, curved + np.eye(len(free))
