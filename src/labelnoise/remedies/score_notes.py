"""A corrected score -> what to know before using it, in sentences without a full stop."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.clean_metrics import OF_CLASS
from labelnoise.remedies.possible_scores import MOST_TESTED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.remedies.clean_metrics import Asked

ROUNDING = 1e-9
"""Values outside of what a metric allows by less than this are inside."""

HARDLY = 1e-3
"""Chance below which labels do not fit to T by accident."""

ENOUGH_BEYOND = 5
"""Draws beyond an end of an interval, below which the end is rough."""

FEW_ROWS = 10
"""Rows of a class below which an average over classes is rough, and its interval too narrow."""


def open_ended(share_singular: float) -> Iterator[str]:
    """Draws of T that undo nothing."""
    if share_singular > 0:
        yield (
            f"{share_singular:.1%} of the draws of T have no inverse: as far as these go, the "
            "score could be anything"
        )


def less_than_nothing(value: FloatArray, classes: tuple[Label, ...]) -> Iterator[str]:
    """Classes whose share of the rows comes out negative."""
    endless = np.isinf(value)
    if endless.any():
        of = checks.named([classes[i] for i in np.flatnonzero(endless)]) if value.ndim else "some"
        yield (
            f"the share of rows that truly are of class {of} comes out negative, so no value can "
            "be said: too few rows, or labels that go wrong in another way than T says"
        )


def misfit(chance: float | None) -> Iterator[str]:
    """Labels that T does not explain."""
    if chance is not None and chance < HARDLY:
        yield (
            "labels and predictions do not fit to this T by more than chance: labels of these rows "
            "go wrong in another way, or the model was trained on them"
        )


def surely_outside(asked: Asked, lower: FloatArray, upper: FloatArray) -> Iterator[str]:
    """A single number whose whole interval is outside of what the metric allows.

    Of many numbers some are outside by chance: whether they all fit is what the test of T is for.
    """
    if lower.ndim == 0 and (upper < -ROUNDING or lower > asked.most + ROUNDING):
        yield (
            f"the value and its whole interval lie outside of {_allowed(asked)}: labels of these "
            "rows go wrong in another way than T says, or the model was trained on them"
        )


def perhaps_outside(asked: Asked, value: FloatArray) -> Iterator[str]:
    """Values that the metric does not allow."""
    off = np.where(np.isfinite(value), np.maximum(-value, value - asked.most), 0.0)
    if off.max() > ROUNDING:
        worst = float(np.ravel(value)[off.argmax()])
        yield (
            f"{int((off > ROUNDING).sum())} of {value.size} value(s) lie outside of "
            f"{_allowed(asked)}, the worst is {worst:.3f}. That happens by chance where rows are "
            "few, and else means that labels go wrong in another way than T says"
        )


def conventions(asked: Asked, classes: tuple[Label, ...]) -> Iterator[str]:
    """Classes that have no value, or one that nobody measured."""
    if asked.of_class not in OF_CLASS:
        return
    metric = OF_CLASS[asked.of_class]
    nothing, values = metric.nothing(asked.joint), metric.values(asked.joint)
    zero, none = np.flatnonzero(nothing & (values == 0)), np.flatnonzero(nothing & (values != 0))
    if zero.size:
        names = checks.named([classes[i] for i in zero])
        yield f"no row is predicted as {names}: the {asked.of_class} is 0 by convention"
    if none.size:
        names = checks.named([classes[i] for i in none])
        yield f"{names}: no rows, so no {asked.of_class}, and no part in averages"


def few_rows(asked: Asked, classes: tuple[Label, ...]) -> Iterator[str]:
    """Classes that a mean over classes leans on too heavily."""
    rows = asked.counts.sum(axis=1)
    few = np.flatnonzero((rows > 0) & (rows < FEW_ROWS))
    if few.size and asked.mean_of_classes:
        yield (
            f"fewer than {FEW_ROWS} rows are labelled {checks.named([classes[i] for i in few])}, "
            "which count as much as the others: the mean over classes is rough, and its interval "
            "may be too narrow"
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


def _allowed(asked: Asked) -> str:
    return "0 and more" if asked.most == math.inf else "0 to 1"
