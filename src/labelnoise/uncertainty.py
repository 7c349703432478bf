"""Uncertainty of an estimate: draws of T and the prior, intervals, and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError, wrong_shape
from labelnoise.transition import MAX_SHOWN, ROW_SUM_TOLERANCE, class_position, labeled_table
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label


PROBABILITY_TOLERANCE = 1e-9
"""How far outside of [0, 1] a probability may be: rounding errors."""


def _probabilities(owner: Any, name: str) -> FloatArray:
    """An attribute that holds probabilities: checked, and kept as a read-only array."""
    own = np.array(getattr(owner, name), dtype=np.float64)
    if not (np.abs(own - 0.5) <= 0.5 + PROBABILITY_TOLERANCE).all():  # this form also refuses NaN
        raise LabelNoiseError("not_probabilities", name=name)
    own.setflags(write=False)
    object.__setattr__(owner, name, own)
    return own


class _Numbers:
    """Arrays that are equal if all their numbers are."""

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return isinstance(other, type(self)) and self.to_document() == other.to_document()

    __hash__ = None  # type: ignore[assignment]


def _misfit(T: FloatArray, prior: FloatArray) -> LabelNoiseError:
    expected = f"one that fits the shape {prior.shape} of class_prior"
    return wrong_shape("transition_matrix", T.shape, expected)


@dataclass(frozen=True, eq=False)
class Limits(_Numbers):
    """One end of an interval or of the bounds, entry by entry.

    For bounds with the assumption under which this end is the truth.
    """

    transition_matrix: FloatArray  # (K, K)
    class_prior: FloatArray  # (K,)
    noise_rate: float
    assumption: Assumption | None = None

    def __post_init__(self) -> None:
        T, prior = (_probabilities(self, name) for name in ("transition_matrix", "class_prior"))
        if prior.ndim != 1 or T.shape != (len(prior), len(prior)):
            raise _misfit(T, prior)
        object.__setattr__(self, "noise_rate", float(_probabilities(self, "noise_rate")))

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "transition_matrix": self.transition_matrix.tolist(),
            "class_prior": self.class_prior.tolist(),
            "noise_rate": self.noise_rate,
            "assumption": self.assumption and self.assumption.to_document(),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(
            np.array(document["transition_matrix"], dtype=float),
            np.array(document["class_prior"], dtype=float),
            float(document["noise_rate"]),
            Assumption.from_document(document["assumption"]),
        )


@dataclass(frozen=True, repr=False)
class _Ends:
    """A lower and an upper end of every number."""

    lower: Limits
    upper: Limits
    classes: tuple[Label, ...]

    def at(self, *, true: Label, observed: Label) -> tuple[float, float]:
        """One entry of T at both ends, by the names of its classes."""
        i, j = (class_position(label, self.classes) for label in (true, observed))
        ends = (self.lower, self.upper)
        low, high = (float(end.transition_matrix[i, j]) for end in ends)
        return low, high

    def _table(self, between: str) -> str:
        low, high = self.lower.transition_matrix, self.upper.transition_matrix
        return labeled_table(self.classes, lambda i, j: f"{low[i, j]:.3f}{between}{high[i, j]:.3f}")


@dataclass(frozen=True, repr=False)
class Interval(_Ends):
    """Interval that contains the truth with probability `level`, for every number separately.

    Attributes
    ----------
    lower, upper : Limits
        Each with ``transition_matrix``, ``class_prior`` and ``noise_rate``.
    classes : tuple
        Names, in the order of T's rows and columns.
    level : float
    """

    level: float

    def __repr__(self) -> str:
        low, high = self.lower, self.upper
        priors = [
            f"{label}: {a:.3f}-{b:.3f}"
            for label, a, b in zip(self.classes, low.class_prior, high.class_prior, strict=True)
        ]
        shown = ", ".join(priors[:MAX_SHOWN]) + ", ..." * (len(priors) > MAX_SHOWN)
        return (
            f"{self.level:.0%} interval: {low.noise_rate:.1%} to {high.noise_rate:.1%} of the "
            f"labels are wrong\n\n{self._table('-')}\n\nclean class prior: {shown}"
        )


@dataclass(frozen=True, repr=False)
class Bounds(_Ends):
    """Two readings of the same features and labels, and their assumptions.

    Where classes overlap, a label that disagrees with its surroundings may be a mistake or a true
    exception. One end counts as noise only the errors that occur even where classes are pure, the
    other counts every local disagreement; `lower` is the one with less noise. They bound the truth
    if every class has some clear-cut rows, and if wrong labels are nowhere in the majority. If a
    class has none, there may be less noise than in both; where most labels are wrong, more.

    Attributes
    ----------
    lower, upper : Limits
        Each with ``transition_matrix``, ``class_prior``, ``noise_rate`` and ``assumption``.
    classes : tuple
        Names, in the order of T's rows and columns.
    """

    def to_document(self) -> dict[str, Any]:
        """As plain values, without the classes."""
        return {"lower": self.lower.to_document(), "upper": self.upper.to_document()}

    @classmethod
    def from_document(cls, document: Mapping[str, Any], classes: tuple[Label, ...]) -> Self:
        """From plain values."""
        lower, upper = (Limits.from_document(document[end]) for end in ("lower", "upper"))
        return cls(lower, upper, classes)

    def __repr__(self) -> str:
        ends = (f"{e.noise_rate:.1%}, assuming {e.assumption}" for e in (self.lower, self.upper))
        return "wrong labels: {}\n          or: {}".format(*ends) + f"\n\n{self._table(' or ')}"


@dataclass(frozen=True, eq=False)
class Draws(_Numbers):
    """Draws of T and the prior from their posterior distribution."""

    transition: FloatArray  # (S, K, K)
    prior: FloatArray  # (S, K)

    def __post_init__(self) -> None:
        T, prior = (_probabilities(self, name) for name in ("transition", "prior"))
        if prior.ndim != 2 or T.shape != (*prior.shape, prior.shape[1]) or not len(prior):
            raise _misfit(T, prior)
        for name, sums in (("transition", T.sum(axis=2)), ("prior", prior.sum(axis=1))):
            if np.abs(sums - 1).max() > ROW_SUM_TOLERANCE:
                raise LabelNoiseError("not_distributions", name=f"draws of the {name}")

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        return {"transition_matrix": self.transition.tolist(), "class_prior": self.prior.tolist()}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(
            np.array(document["transition_matrix"], dtype=float),
            np.array(document["class_prior"], dtype=float),
        )

    @property
    def noise_rate(self) -> FloatArray:
        """Share of wrong labels in each draw, (S,)."""
        diagonals = np.diagonal(self.transition, axis1=1, axis2=2)
        return (self.prior * (1 - diagonals)).sum(axis=1)

    def interval(self, level: float, point: Limits, classes: tuple[Label, ...]) -> Interval:
        """Central interval of every number, extended to the point estimate if necessary."""
        checks.level(level)

        def end(q: float, choose: np.ufunc) -> Limits:
            return Limits(
                choose(np.quantile(self.transition, q, axis=0), point.transition_matrix),
                choose(np.quantile(self.prior, q, axis=0), point.class_prior),
                float(choose(np.quantile(self.noise_rate, q), point.noise_rate)),
            )

        lower, upper = end((1 - level) / 2, np.minimum), end((1 + level) / 2, np.maximum)
        return Interval(lower, upper, classes, level)
