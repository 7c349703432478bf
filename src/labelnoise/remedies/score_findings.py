"""Warnings and remarks about a corrected score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.evidence.findings import nearly_singular
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.clean_metrics import CLASS_METRICS
from labelnoise.remedies.settings import (
    MAX_TESTED_CLASSES,
    MIN_DRAWS_BEYOND,
    MIN_ROWS_FOR_CLASS_MEAN,
    MISFIT_LEVEL,
    OUTSIDE_RANGE,
    SIGNIFICANT_ERRORS,
)
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.remedies.clean_metrics import CorrectedMetric
    from labelnoise.transition import TransitionMatrix


@dataclass(frozen=True)
class ScoreEvidence:
    """A corrected metric, and the facts on which its warnings and remarks depend.

    Attributes
    ----------
    metric : CorrectedMetric
    T : TransitionMatrix
    share_singular : float
        Share of the draws of T that have no inverse.
    ends : (lower, upper)
        Of the interval.
    p_value : float or None
        That labels and predictions fit T; None if it was not tested.
    """

    metric: CorrectedMetric
    T: TransitionMatrix
    share_singular: float
    ends: tuple[FloatArray, FloatArray]
    p_value: float | None

    @property
    def negative_classes(self) -> tuple[Any, Any]:
        """Classes whose denominator is negative, and which of them are significantly so."""
        metric = self.metric
        if not np.isinf(metric.value).any():
            return np.empty(0, dtype=object), np.empty(0, dtype=bool)
        values = CLASS_METRICS[metric.class_metric].values(metric.joint)
        negative = np.flatnonzero(np.isinf(values))
        labels = metric.counts.sum(axis=1) + 0.5  # labels without rows may occur as well
        q, inverse = labels / labels.sum(), metric.inverse
        variance = np.maximum(inverse**2 @ q - (inverse @ q) ** 2, 0.0) / metric.n_rows
        share = metric.joint.sum(axis=1)
        by_more_than_chance = share < -SIGNIFICANT_ERRORS * np.sqrt(variance)
        return checks.label_array(self.T.classes)[negative], by_more_than_chance[negative]


def score_warnings(evidence: ScoreEvidence) -> Iterator[Note]:
    """Findings that are also warnings."""
    yield from nearly_singular(evidence.T.values)
    if evidence.share_singular > 0:
        yield Note("draws_without_inverse", {"share": evidence.share_singular})
    names, certain = evidence.negative_classes
    if certain.any():
        yield Note("class_share_negative", {"classes": names[certain].tolist()})
    if evidence.p_value is not None and evidence.p_value < MISFIT_LEVEL:
        yield Note("scored_labels_do_not_fit")
    yield from _interval_outside(evidence)
    if not evidence.metric.value.ndim:  # if there are many numbers, some are often unknown
        yield from _class_share_unknown(evidence)


def score_remarks(evidence: ScoreEvidence) -> Iterator[Note]:
    """Findings that are not warnings."""
    if evidence.metric.value.ndim:
        yield from _class_share_unknown(evidence)
    yield from _values_outside(evidence.metric)
    yield from _conventions(evidence)
    yield from _few_rows(evidence)


def _class_share_unknown(evidence: ScoreEvidence) -> Iterator[Note]:
    names, certain = evidence.negative_classes
    if not certain.all():
        yield Note("class_share_unknown", {"classes": names[~certain].tolist()})


def _interval_outside(evidence: ScoreEvidence) -> Iterator[Note]:
    """A single number whose whole interval is outside the range of the metric.

    Of several numbers, some are outside by chance; the fit of T tests them together.
    """
    metric, (lower, upper) = evidence.metric, evidence.ends
    if lower.ndim:
        return
    if upper < -OUTSIDE_RANGE or lower > metric.maximum + OUTSIDE_RANGE:
        yield Note("interval_outside_range")


def _values_outside(metric: CorrectedMetric) -> Iterator[Note]:
    value = metric.value
    excess = np.where(np.isfinite(value), np.maximum(-value, value - metric.maximum), 0.0)
    if excess.max() > OUTSIDE_RANGE:
        facts = {
            "n": int((excess > OUTSIDE_RANGE).sum()),
            "n_values": int(value.size),
            "worst": float(np.ravel(value)[excess.argmax()]),
        }
        yield Note("values_outside_range", facts)


def _conventions(evidence: ScoreEvidence) -> Iterator[Note]:
    """Classes whose value is undefined, or a convention."""
    metric = evidence.metric
    if metric.class_metric not in CLASS_METRICS:
        return
    class_metric = CLASS_METRICS[metric.class_metric]
    names = checks.label_array(evidence.T.classes)
    undefined, values = class_metric.undefined(metric.joint), class_metric.values(metric.joint)
    zero, none = names[undefined & (values == 0)], names[undefined & (values != 0)]
    facts = {"metric": metric.class_metric}
    if zero.size:
        yield Note("class_never_predicted", facts | {"classes": zero.tolist()})
    if none.size:
        yield Note("class_without_scored_rows", facts | {"classes": none.tolist()})


def _few_rows(evidence: ScoreEvidence) -> Iterator[Note]:
    """Classes with few rows that count as much as others in a mean over classes."""
    metric = evidence.metric
    if not metric.is_class_mean:
        return
    rows = CLASS_METRICS[metric.class_metric].denominator(metric.counts)
    few = checks.label_array(evidence.T.classes)[(rows > 0) & (rows < MIN_ROWS_FOR_CLASS_MEAN)]
    if few.size:
        facts = {"classes": few.tolist(), "least": MIN_ROWS_FOR_CLASS_MEAN}
        yield Note("mean_of_small_classes", facts | {"metric": metric.class_metric})


def interval_accuracy(level: float, n_draws: int) -> Iterator[Note]:
    """An interval for which there are too few draws."""
    beyond = (1 - level) / 2 * n_draws
    if beyond < MIN_DRAWS_BEYOND:
        facts = {"beyond": beyond, "n_draws": n_draws, "level": level}
        yield Note("few_draws_beyond_interval", facts)


def noise_remarks(noise: Any, p_value: float | None) -> Iterator[Note]:
    """Remarks about T itself."""
    if p_value is None:
        yield Note("fit_not_tested", {"most": MAX_TESTED_CLASSES})
    if isinstance(noise, NoiseEstimate):
        if noise.draws is None:
            yield Note("noise_without_draws", {"method": noise.method})
        if noise.diagnosis.verdict != "reliable":
            reasons = "; ".join(noise.diagnosis.reasons)
            facts = {"verdict": noise.diagnosis.verdict, "reasons": reasons}
            yield Note("score_from_unreliable_noise", facts)
