"""A correction of the fit, estimated from audited rows and applied to all others.

A fit predicts P(true = i | x, observed = j). The correction multiplies the odds of every class i
against the observed j by ``exp(g_j(t) + c_ji)``, where t is the margin of i over j, in log-odds, by
the features alone. g is the error of the fit for labels j that agree with their surroundings (t far
below 0), for labels that do not (t far above), and in between. It is a random function, piecewise
linear between knots, with mean zero: rows at one t say little about rows at another. With three to
thirty classes, c is how class i differs from the other rivals of j, on either side of t = 0. The
average error over all labels, and the size of the deviations from it, are estimated too: a fit that
audited rows confirm is trusted elsewhere, one that they contradict is not.

The correction conditions on features and label, so rows may be chosen by anything that depends on
those two alone. Labels share only the prior of the shift; each has a few parameters of its own,
found by Newton's method.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.special import log_softmax, logsumexp, softmax

from labelnoise.rank_gate.settings import (
    JITTER,
    KNOT_JUMP,
    KNOT_LENGTH_SCALE,
    KNOTS,
    MAX_CLASSES_PAIRED,
    MAX_NEWTON_STEPS,
    NEWTON_TOLERANCE,
    PAIR_SHARE,
    SHIFT_MEAN_SPREAD,
    SHIFT_MEANS,
    SHIFT_SPREADS,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


class ShiftPrior(NamedTuple):
    """A prior of the errors of the fit: their mean over all labels, and the spread around it."""

    mean: float
    spread: float

    @property
    def log_probability(self) -> float:
        """Prior log-probability: the same for every spread, however many means it has."""
        if self.spread == SHIFT_SPREADS[0]:
            return 0.0
        mean, *means = -0.5 * (np.array([self.mean, *SHIFT_MEANS]) / SHIFT_MEAN_SPREAD) ** 2
        return float(mean - logsumexp(means))


SHIFT_PRIORS = (
    ShiftPrior(0.0, SHIFT_SPREADS[0]),
    *(ShiftPrior(mean, spread) for spread in SHIFT_SPREADS[1:] for mean in SHIFT_MEANS),
)
"""Priors that are tried. With a mean other than zero, the errors also vary."""

_PLACE = np.array(KNOTS) + KNOT_JUMP / 2 * np.repeat([-1, 1], len(KNOTS) // 2)
_DISTANCE = _PLACE[:, None] - _PLACE
KNOT_FACTOR: FloatArray = np.linalg.cholesky(
    np.exp(-0.5 * (_DISTANCE / KNOT_LENGTH_SCALE) ** 2) + JITTER * np.eye(len(KNOTS))
).astype(np.float64)
"""Cholesky factor of the prior covariance of g at the knots, (B, B)."""


@dataclass(frozen=True)
class Audited:
    """Audited rows: log-probabilities and margins (m, K), observed and true codes (m,)."""

    logits: FloatArray
    margin: FloatArray
    label: IntArray
    true: IntArray

    def of_label(self, j: int) -> Audited:
        """Those with label j."""
        own = self.label == j
        return Audited(self.logits[own], self.margin[own], self.label[own], self.true[own])


@dataclass(frozen=True)
class FittedShift:
    """For one prior: modes (K, B + 2 K) of the standardized parameters, and its evidence.

    The parameters of a label determine its g at the knots, then its c for t < 0 and for t >= 0.
    Under the prior they are independent standard normal. With two classes, or very many, there is
    no c, and B parameters are left.
    """

    prior: ShiftPrior
    modes: FloatArray
    evidence: float
    parts: tuple[_LabelAudit, ...]

    def shift(self, free: FloatArray) -> Shift:
        """The shift with these standardized parameters, such as the modes."""
        n_knots, k = len(KNOTS), len(free)
        root, scale = _scaled(self.prior.spread, k)
        offsets = np.full((k, 2, k), self.prior.mean)
        if scale:
            offsets += scale * free[:, n_knots:].reshape(k, 2, k)
        return Shift(free[:, :n_knots] @ root.T, offsets)

    def draw(self, rng: np.random.Generator) -> Shift:
        """One draw of the shift, from the normal distribution around the modes."""
        noise = rng.standard_normal(self.modes.shape)
        around = zip(self.parts, self.modes, noise, strict=True)
        moves = [part.move(self.prior, mode, away) for part, mode, away in around]
        return self.shift(self.modes + np.array(moves))


def _scaled(spread: float, n_classes: int) -> tuple[FloatArray, float]:
    """Factors that turn standardized parameters into g at the knots, (B, B), and into c."""
    own = PAIR_SHARE if 2 < n_classes <= MAX_CLASSES_PAIRED else 0.0
    return spread * np.sqrt(1 - own) * KNOT_FACTOR, spread * float(np.sqrt(own))


@dataclass(frozen=True)
class Correction:
    """The fitted shift under every prior that was tried."""

    fitted: tuple[FittedShift, ...]

    @property
    def weights(self) -> FloatArray:
        """Probability of each prior, given the audited rows."""
        found: FloatArray = softmax([one.evidence for one in self.fitted])
        return found

    @property
    def probability_of_large_error(self) -> float:
        """Probability that the mean or the spread of the errors is the largest that was tried."""
        extreme = [
            one.prior.spread == SHIFT_SPREADS[-1] or abs(one.prior.mean) == SHIFT_MEANS[-1]
            for one in self.fitted
        ]
        return float(self.weights[extreme].sum())

    def draw_priors(self, n_draws: int, rng: np.random.Generator) -> list[ShiftPrior]:
        """Draws of the prior, by their probabilities given the audited rows."""
        drawn = rng.choice(len(self.fitted), n_draws, p=self.weights)
        return [self.fitted[i].prior for i in drawn]

    def corrected(self, logits: FloatArray, margin: FloatArray, label: IntArray) -> FloatArray:
        """Probabilities (m, K) corrected by the average shift, which is zero without an audit."""
        shifts = [one.shift(one.modes) for one in self.fitted]
        values, offsets = (
            np.tensordot(self.weights, np.array(parts), axes=1)
            for parts in zip(*((shift.values, shift.offsets) for shift in shifts), strict=True)
        )
        return Shift(values, offsets).probabilities(logits, margin, label)


@dataclass(frozen=True)
class Shift:
    """Functions g_j by their values at the knots, (K, B), and c, (K, 2, K): label, side, class."""

    values: FloatArray
    offsets: FloatArray

    def probabilities(self, logits: FloatArray, margin: FloatArray, label: IntArray) -> FloatArray:
        """Shifted P(true | x, observed), (m, K)."""
        shift, half = np.zeros_like(margin), len(KNOTS) // 2
        # One label at a time: the weights of all knots would take B times the memory.
        for j, values in enumerate(self.values):
            own = label == j
            below, above = (
                np.interp(margin[own], KNOTS[side], values[side]) + offset
                for side, offset in zip(
                    (slice(half), slice(half, None)), self.offsets[j], strict=True
                )
            )
            shift[own] = np.where(margin[own] < 0, below, above)
        shift[np.arange(len(label)), label] = 0.0
        shifted: FloatArray = softmax(logits + shift, axis=1)
        return shifted


def interpolation_weights(margin: FloatArray) -> FloatArray:
    """Weights (..., B) of the knots for linear interpolation; beyond the ends g is constant.

    >>> interpolation_weights(np.array([-0.5, 0.5, -9.0])).tolist()[:2]
    [[0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0]]
    """
    half = len(KNOTS) // 2
    sides = [
        np.stack([np.interp(margin, knots, unit) for unit in np.eye(half)], axis=-1)
        for knots in (KNOTS[:half], KNOTS[half:])
    ]
    below = (margin < 0)[..., None]
    return np.concatenate([sides[0] * below, sides[1] * ~below], axis=-1)


def fit_correction(audited: Audited, priors: tuple[ShiftPrior, ...] = SHIFT_PRIORS) -> Correction:
    """Fit the correction for each prior."""
    k = audited.logits.shape[1]
    parts = [_LabelAudit.of(audited.of_label(j), j) for j in range(k)]
    return Correction(tuple(_fit_prior(parts, prior) for prior in priors))


def _fit_prior(parts: list[_LabelAudit], prior: ShiftPrior) -> FittedShift:
    modes, evidence = zip(*(part.solve(prior) for part in parts), strict=True)
    return FittedShift(prior, np.array(modes), prior.log_probability + sum(evidence), tuple(parts))


class _Value(NamedTuple):
    """Log-posterior, its gradient, and minus its Hessian."""

    value: float
    gradient: FloatArray
    precision: FloatArray


@dataclass(frozen=True)
class _LabelAudit:
    """Audited rows of one label.

    Log-probabilities (m, K), weights of the knots (m, K, B), sides (m, 2, K) and true codes (m,).
    Sides indicate whether the margin of each class is negative, or not. The observed class is not
    shifted: its weights and sides are zero.
    """

    logits: FloatArray
    knot_weights: FloatArray
    sides: FloatArray
    true: IntArray

    @classmethod
    def of(cls, audited: Audited, label: int) -> _LabelAudit:
        weights = interpolation_weights(audited.margin)
        weights[:, label] = 0.0
        below = audited.margin < 0
        sides = np.stack([below, ~below], axis=1).astype(float)
        sides[:, :, label] = 0.0
        return cls(audited.logits, weights, sides, audited.true)

    def standardized(self, prior: ShiftPrior) -> _LabelAudit:
        """The same for standardized parameters: knot weights become features, sides are scaled."""
        root, scale = _scaled(prior.spread, self.logits.shape[1])
        logits = self.logits + prior.mean * self.sides.sum(axis=1)
        sides = scale * self.sides if scale else self.sides[:, :0]
        return _LabelAudit(logits, self.knot_weights @ root, sides, self.true)

    def solve(self, prior: ShiftPrior) -> tuple[FloatArray, float]:
        """Mode of the standardized parameters, and Laplace's approximation of the evidence.

        The log-posterior is concave: a softmax of linear functions, and a normal prior.
        """
        part = self.standardized(prior)
        free = np.zeros(part.knot_weights.shape[2] + part.sides.shape[1] * part.sides.shape[2])
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

    def move(self, prior: ShiftPrior, mode: FloatArray, noise: FloatArray) -> FloatArray:
        """Standard normal noise as a deviation from the mode, with the posterior covariance."""
        if not len(self.true):
            return noise
        precision = self.standardized(prior)._at(mode).precision
        moved: FloatArray = np.linalg.solve(np.linalg.cholesky(precision).T, noise)
        return moved

    def _at(self, free: FloatArray) -> _Value:
        """Value, gradient and precision at standardized parameters: those of g, then those of c.

        Each class depends on one parameter of c only, so the products of two are zero.
        """
        features, sides = self.knot_weights, self.sides
        m, n_knots = len(self.true), features.shape[2]
        rows = np.arange(m)
        offset = np.einsum("msk,sk->mk", sides, free[n_knots:].reshape(sides.shape[1:]))
        log_probabilities = log_softmax(self.logits + features @ free[:n_knots] + offset, axis=1)
        probabilities = np.exp(log_probabilities)
        value = float(log_probabilities[rows, self.true].sum() - 0.5 * free @ free)
        own = np.zeros_like(sides)
        own[rows, :, self.true] = sides[rows, :, self.true]
        expected = probabilities[:, None] * sides  # (m, 2, K)
        mean = np.hstack(
            [np.einsum("mk,mkb->mb", probabilities, features), expected.reshape(m, -1)]
        )
        observed = np.hstack([features[rows, self.true], own.reshape(m, -1)])
        precision = np.eye(len(free)) - mean.T @ mean
        precision[:n_knots, :n_knots] += np.einsum(
            "mk,mka,mkb->ab", probabilities, features, features
        )
        across = np.einsum("msk,mkb->skb", expected, features).reshape(-1, n_knots)
        precision[n_knots:, :n_knots] += across
        precision[:n_knots, n_knots:] += across.T
        squares = (expected * sides).sum(axis=0).ravel()
        precision[range(n_knots, len(free)), range(n_knots, len(free))] += squares
        return _Value(value, (observed - mean).sum(axis=0) - free, precision)
