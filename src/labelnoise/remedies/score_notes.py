"""A corrected score -> what to know before using it, in sentences without a full stop."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.evidence.findings import nearly_singular
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.clean_metrics import OF_CLASS
from labelnoise.remedies.misfit import HARDLY, MOST_TESTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.remedies.clean_metrics import Asked
    from labelnoise.transition import TransitionMatrix

ROUNDING = 1e-9
"""Values outside of what a metric allows by less than this are inside."""

ENOUGH_BEYOND = 5
"""Draws beyond an end of an interval, below which the end is rough."""

SURE = 3.0
"""Standard errors that are more than chance."""

FEW_ROWS = 10
"""Rows of a class below which a mean over classes is rough."""


@dataclass(frozen=True)
class Found:
    """A corrected score, as far as there is something to say about it."""

    asked: Asked
    T: TransitionMatrix
    share_singular: float
    ends: tuple[FloatArray, FloatArray]
    chance: float | None

    @property
    def negative(self) -> tuple[Any, Any]:
        """Classes that the metric divides by a negative share of, and which are no accident."""
        asked = self.asked
        if not np.isinf(asked.value).any():
            return np.empty(0, dtype=object), np.empty(0, dtype=bool)
        negative = np.flatnonzero(np.isinf(OF_CLASS[asked.of_class].values(asked.joint)))
        labels = asked.counts.sum(axis=1)
        q = (labels + 0.5) / (labels + 0.5).sum()  # labels that were not seen may come as well
        error = np.sqrt(np.maximum(asked.undo**2 @ q - (asked.undo @ q) ** 2, 0.0) / asked.n_rows)
        share = asked.joint.sum(axis=1)
        return checks.label_array(self.T.classes)[negative], (share < -SURE * error)[negative]


def alarms(found: Found) -> Iterator[str]:
    """What users are warned of."""
    yield from (finding.reason() for finding in nearly_singular(found.T.values))
    yield from _open_ended(found)
    yield from _surely_negative(found)
    yield from _misfit(found)
    yield from _surely_outside(found)
    if not found.asked.value.ndim:  # of many numbers some are often unknown
        yield from _perhaps_none(found)


def of_score(found: Found) -> Iterator[str]:
    """What else there is to know."""
    if found.asked.value.ndim:
        yield from _perhaps_none(found)
    yield from _perhaps_outside(found.asked)
    yield from _conventions(found)
    yield from _few_rows(found)


def _open_ended(found: Found) -> Iterator[str]:
    if found.share_singular > 0:
        yield (
            f"{found.share_singular:.1%} of the draws of T have no inverse: as far as these go, "
            "the score could be anything"
        )


def _surely_negative(found: Found) -> Iterator[str]:
    names, sure = found.negative
    if sure.any():
        yield (
            f"the share of rows that truly are of class {checks.named(names[sure].tolist())} comes "
            "out negative by more than chance, so no value can be said: labels go wrong in another "
            "way than T says"
        )


def _perhaps_none(found: Found) -> Iterator[str]:
    names, sure = found.negative
    if not sure.all():
        yield (
            "there are too few rows to tell whether any truly are of class "
            f"{checks.named(names[~sure].tolist())}, so no value can be said for it, nor for a "
            "mean that it belongs to. Score more rows, or leave the class out of T"
        )


def _misfit(found: Found) -> Iterator[str]:
    if found.chance is not None and found.chance < HARDLY:
        yield (
            "labels and predictions do not fit to this T by more than chance: labels of these rows "
            "go wrong in another way, or the model was trained on them"
        )


def _surely_outside(found: Found) -> Iterator[str]:
    """A single number whose whole interval is outside of what the metric allows.

    Of many numbers some are outside by chance: whether they all fit is what the test of T is for.
    """
    asked, (lower, upper) = found.asked, found.ends
    if lower.ndim == 0 and (upper < -ROUNDING or lower > asked.most + ROUNDING):
        yield (
            f"the value and its whole interval lie outside of {_allowed(asked)}: labels of these "
            "rows go wrong in another way than T says, or the model was trained on them"
        )


def _perhaps_outside(asked: Asked) -> Iterator[str]:
    value = asked.value
    off = np.where(np.isfinite(value), np.maximum(-value, value - asked.most), 0.0)
    if off.max() > ROUNDING:
        worst = float(np.ravel(value)[off.argmax()])
        yield (
            f"{int((off > ROUNDING).sum())} of {value.size} value(s) lie outside of "
            f"{_allowed(asked)}, the worst is {worst:.3f}. That happens by chance where rows are "
            "few, and else means that labels go wrong in another way than T says"
        )


def _allowed(asked: Asked) -> str:
    return "0 and more" if asked.most == math.inf else "0 to 1"


def _conventions(found: Found) -> Iterator[str]:
    """Classes that have no value, or one that nobody measured."""
    asked = found.asked
    if asked.of_class not in OF_CLASS:
        return
    metric, names = OF_CLASS[asked.of_class], checks.label_array(found.T.classes)
    nothing, values = metric.nothing(asked.joint), metric.values(asked.joint)
    zero, none = names[nothing & (values == 0)], names[nothing & (values != 0)]
    if zero.size:
        yield (
            f"no row is predicted as {checks.named(zero.tolist())}: the {asked.of_class} is 0 by "
            "convention, which the interval of a mean takes as known"
        )
    if none.size:
        yield (
            f"{checks.named(none.tolist())}: no rows, so no {asked.of_class}, and no part in "
            "averages"
        )


def _few_rows(found: Found) -> Iterator[str]:
    """Classes that a mean over classes leans on too heavily."""
    asked = found.asked
    if not asked.mean_of_classes:
        return
    rows = OF_CLASS[asked.of_class].divisor(asked.counts)
    few = checks.label_array(found.T.classes)[(rows > 0) & (rows < FEW_ROWS)]
    if few.size:
        yield (
            f"the {asked.of_class} of {checks.named(few.tolist())} rests on fewer than {FEW_ROWS} "
            "rows and counts as much as the others: the mean is rough, and its interval may be too "
            "narrow"
        )


def rough(level: float, n_draws: int) -> Iterator[str]:
    """An interval that wants more draws than there are."""
    beyond = (1 - level) / 2 * n_draws
    if beyond < ENOUGH_BEYOND:
        yield (
            f"only {beyond:.2g} of {n_draws} draws lie beyond each end of an interval of level "
            f"{level:g}, so its ends are rough"
        )


def of_noise(noise: Any, chance: float | None) -> Iterator[str]:
    """What is known of T itself."""
    if chance is None:
        yield f"with more than {MOST_TESTED} classes it is not tested whether labels fit to T"
    if isinstance(noise, NoiseEstimate):
        if noise.draws is None:
            yield (
                f"the estimate by {noise.method!r} has no draws, so the interval takes T as known "
                "and is too narrow"
            )
        if noise.diagnosis.verdict != "reliable":
            reasons = "; ".join(noise.diagnosis.reasons)
            yield (
                f"the estimate of T is {noise.diagnosis.verdict!r}, and the interval holds no more "
                f"than it does: {reasons}"
            )
