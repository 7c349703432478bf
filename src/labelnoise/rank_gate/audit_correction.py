"""A correction of the fit, estimated from audited rows and applied to all others.

A fit predicts P(true = i | x, observed = j). The correction multiplies the odds of every class i
against the observed j by ``exp(g_j(t) + c_ji)``, where t is the lead of i over j by the features
alone: g is how far the fit is off for labels j that agree with their surroundings (t far below
0), for labels that do not (far above), and in between. g is a random function, piecewise linear
between knots, zero on average: rows at one t hardly inform about others. With three to
thirty classes, c is how, on either side of t = 0, class i differs from the other rivals of j. How
far the fit is off on average over all labels, and how far from that both may go, is estimated too:
a fit that audited rows confirm is trusted elsewhere, one that they contradict is not.

It is estimated given features and label, so rows may be chosen by anything that depends on those
two alone. Labels share nothing but the spread: each has a few numbers, found by Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

from labelnoise.rank_gate.settings import (
    JUMP,
    KNOTS,
    MAX_CLASSES_PAIRED,
    MAX_NEWTON_STEPS,
    MEANS,
    NEWTON_TOLERANCE,
    PAIR_SHARE,
    REACH,
    SPREADS,
    USUAL_MEAN,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


class Size(NamedTuple):
    """How far the fit may be off: on average over all labels, and around that."""

    mean: float
    spread: float

    @property
    def log_prior(self) -> float:
        """Log-probability beforehand: the same for every spread, however many means it has."""
        if self.spread == SPREADS[0]:
            return 0.0
        mean, *means = -0.5 * (np.array([self.mean, *MEANS]) / USUAL_MEAN) ** 2
        return float(mean - logsumexp(means))


SIZES = (
    Size(0.0, SPREADS[0]),
    *(Size(mean, spread) for spread in SPREADS[1:] for mean in MEANS),
)
"""Sizes that are tried. A fit that is off on average may not be off evenly."""

_PLACE = np.array(KNOTS) + JUMP / 2 * np.repeat([-1, 1], len(KNOTS) // 2)
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
class FittedShift:
    """For one size: modes (K, B + 2 K) of the free numbers, and the evidence for it.

    The free numbers of a label are those behind its g at the knots, then its c on the side t < 0
    and on the other; with two classes, or very many, there is no c, and they are B.
    """

    size: Size
    modes: FloatArray
    evidence: float
    parts: tuple[_LabelAudit, ...]

    def shift(self, free: FloatArray) -> Shift:
        """The shift that free numbers, like the modes, stand for."""
        n_knots, k = len(KNOTS), len(free)
        root, scale = _scaled(self.size.spread, k)
        offsets = np.full((k, 2, k), self.size.mean)
        if scale:
            offsets += scale * free[:, n_knots:].reshape(k, 2, k)
        return Shift(free[:, :n_knots] @ root.T, offsets)

    def draw(self, rng: np.random.Generator) -> Shift:
        """One draw of the shift, from the normal distribution around the modes."""
        noise = rng.standard_normal(self.modes.shape)
        around = zip(self.parts, self.modes, noise, strict=True)
        moves = [part.move(self.size, mode, away) for part, mode, away in around]
        return self.shift(self.modes + np.array(moves))


def _scaled(spread: float, n_classes: int) -> tuple[FloatArray, float]:
    """What turns free numbers into g at the knots (B, B), and into c."""
    own = PAIR_SHARE if 2 < n_classes <= MAX_CLASSES_PAIRED else 0.0
    return spread * np.sqrt(1 - own) * ROOT, spread * float(np.sqrt(own))


@dataclass(frozen=True)
class Correction:
    """The shift that was fitted, for every size that was tried."""

    fitted: tuple[FittedShift, ...]

    @property
    def weights(self) -> FloatArray:
        """Probability of each size, given the audited rows."""
        found: FloatArray = softmax([one.evidence for one in self.fitted])
        return found

    @property
    def far_off(self) -> float:
        """Probability that the fit is off as far as was tried: by its mean or its spread."""
        far = [
            one.size.spread == SPREADS[-1] or abs(one.size.mean) == MEANS[-1] for one in self.fitted
        ]
        return float(self.weights[far].sum())

    def sizes(self, n_draws: int, rng: np.random.Generator) -> list[Size]:
        """Draws of the size."""
        picked = rng.choice(len(self.fitted), n_draws, p=self.weights)
        return [self.fitted[i].size for i in picked]

    def typical(self, odds: FloatArray, lead: FloatArray, label: IntArray) -> FloatArray:
        """Corrected chances (m, K), by the average shift; none without audited rows."""
        shifts = [one.shift(one.modes) for one in self.fitted]
        values, offsets = (
            np.tensordot(self.weights, np.array(parts), axes=1)
            for parts in zip(*((shift.values, shift.offsets) for shift in shifts), strict=True)
        )
        return Shift(values, offsets).chances(odds, lead, label)


@dataclass(frozen=True)
class Shift:
    """Functions g_j by their values at the knots, (K, B), and c, (K, 2, K): label, side, class."""

    values: FloatArray
    offsets: FloatArray

    def chances(self, odds: FloatArray, lead: FloatArray, label: IntArray) -> FloatArray:
        """Shifted P(true | x, observed), (m, K)."""
        shift, half = np.zeros_like(lead), len(KNOTS) // 2
        for j, values in enumerate(self.values):  # hats of all rows would take B times the memory
            own = label == j
            below, above = (
                np.interp(lead[own], KNOTS[side], values[side]) + offset
                for side, offset in zip(
                    (slice(half), slice(half, None)), self.offsets[j], strict=True
                )
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


def fit_correction(audited: Audited, sizes: tuple[Size, ...] = SIZES) -> Correction:
    """Fit the correction for each size."""
    k = audited.odds.shape[1]
    parts = [_LabelAudit.of(audited.of_label(j), j) for j in range(k)]
    return Correction(tuple(_fit_size(parts, size) for size in sizes))


def _fit_size(parts: list[_LabelAudit], size: Size) -> FittedShift:
    modes, evidence = zip(*(part.solve(size) for part in parts), strict=True)
    return FittedShift(size, np.array(modes), size.log_prior + sum(evidence), tuple(parts))


class _Value(NamedTuple):
    """Log-posterior, its gradient, and minus its Hessian."""

    value: float
    gradient: FloatArray
    precision: FloatArray


@dataclass(frozen=True)
class _LabelAudit:
    """Audited rows of one label: log-chances (m, K), hats (m, K, B), sides (m, 2, K), true codes.

    Sides are indicators of the side of 0 on which each class leads. For the observed class, which
    is not shifted, hats and sides are zero.
    """

    odds: FloatArray
    hats: FloatArray
    sides: FloatArray
    true: IntArray

    @classmethod
    def of(cls, audited: Audited, label: int) -> _LabelAudit:
        weights = hats(audited.lead)
        weights[:, label] = 0.0
        below = audited.lead < 0
        sides = np.stack([below, ~below], axis=1).astype(float)
        sides[:, :, label] = 0.0
        return cls(audited.odds, weights, sides, audited.true)

    def of_size(self, size: Size) -> _LabelAudit:
        """The same in terms of free numbers: hats become features, sides are scaled."""
        root, scale = _scaled(size.spread, self.odds.shape[1])
        odds = self.odds + size.mean * self.sides.sum(axis=1)
        sides = scale * self.sides if scale else self.sides[:, :0]
        return _LabelAudit(odds, self.hats @ root, sides, self.true)

    def solve(self, size: Size) -> tuple[FloatArray, float]:
        """Mode of the free numbers, and Laplace's evidence.

        The log-posterior is concave: a softmax of linear functions, and a normal prior.
        """
        part = self.of_size(size)
        free = np.zeros(part.hats.shape[2] + part.sides.shape[1] * part.sides.shape[2])
        if not len(self.true):  # nothing is known but the prior
            return free, 0.0
        here = part._at(free)
        for _ in range(MAX_NEWTON_STEPS):
            step = np.linalg.solve(here.precision, here.gradient)
            if here.gradient @ step < NEWTON_TOLERANCE:
                break
            while (reached := part._at(free + step)).value < here.value:
                step /= 2
            free, here = free + step, reached
        return free, here.value - 0.5 * float(np.linalg.slogdet(here.precision)[1])

    def move(self, size: Size, mode: FloatArray, noise: FloatArray) -> FloatArray:
        """Independent noise as a move away from the mode."""
        if not len(self.true):
            return noise
        precision = self.of_size(size)._at(mode).precision
        moved: FloatArray = np.linalg.solve(np.linalg.cholesky(precision).T, noise)
        return moved

    def _at(self, free: FloatArray) -> _Value:
        """Value, gradient and precision at free numbers: those of g, then those of c.

        Every class has one number of c on its side, so that their products are never formed.
        """
        features, sides = self.hats, self.sides
        m, n_knots = len(self.true), features.shape[2]
        rows = np.arange(m)
        offset = np.einsum("msk,sk->mk", sides, free[n_knots:].reshape(sides.shape[1:]))
        log_chances = log_softmax(self.odds + features @ free[:n_knots] + offset, axis=1)
        chances = np.exp(log_chances)
        value = float(log_chances[rows, self.true].sum() - 0.5 * free @ free)
        own = np.zeros_like(sides)
        own[rows, :, self.true] = sides[rows, :, self.true]
        expected = chances[:, None] * sides  # (m, 2, K)
        mean = np.hstack([np.einsum("mk,mkb->mb", chances, features), expected.reshape(m, -1)])
        seen = np.hstack([features[rows, self.true], own.reshape(m, -1)])
        precision = np.eye(len(free)) - mean.T @ mean
        precision[:n_knots, :n_knots] += np.einsum("mk,mka,mkb->ab", chances, features, features)
        across = np.einsum("msk,mkb->skb", expected, features).reshape(-1, n_knots)
        precision[n_knots:, :n_knots] += across
        precision[:n_knots, n_knots:] += across.T
        squares = (expected * sides).sum(axis=0).ravel()
        precision[range(n_knots, len(free)), range(n_knots, len(free))] += squares
        return _Value(value, (seen - mean).sum(axis=0) - free, precision)
