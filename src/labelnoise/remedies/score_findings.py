"""Warnings and remarks about a corrected score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.evidence.findings import nearly_singular
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.clean_metrics import CLASS_METRICS
from labelnoise.remedies.settings import (
    MIN_ROWS_FOR_CLASS_MEAN,
    MISFIT_LEVEL,
    OUTSIDE_RANGE,
)
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.remedies.clean_metrics import CorrectedMetric


def score_warnings(metric: CorrectedMetric, p_value: float | None) -> Iterator[Note]:
    """Findings that are also warnings; the p-value is that labels and predictions fit T."""
    yield from nearly_singular(metric.T.values)
    if p_value is not None and p_value < MISFIT_LEVEL:
        yield Note("scored_labels_do_not_fit")
    if not metric.value.ndim:  # if there are many numbers, some are often unknown
        yield from _negative_shares(metric)


def score_remarks(metric: CorrectedMetric, noise: Any) -> Iterator[Note]:
    """Findings that are not warnings, about the score and about the noise it was computed with."""
    if metric.value.ndim:
        yield from _negative_shares(metric)
    yield from _values_outside(metric)
    if metric.class_metric in CLASS_METRICS:
        yield from _conventions(metric)
    if metric.is_class_mean:
        yield from _few_rows(metric)
    if isinstance(noise, NoiseEstimate):
        yield from _noise_remarks(noise)


def _negative_shares(metric: CorrectedMetric) -> Iterator[Note]:
    """Classes whose value, or that of a mean over classes, has a negative denominator."""
    if np.isinf(metric.value).any():
        negative = np.isinf(CLASS_METRICS[metric.class_metric].values(metric.joint))
        yield Note("class_share_negative", {"classes": metric.class_names[negative].tolist()})


def _values_outside(metric: CorrectedMetric) -> Iterator[Note]:
    value, maximum = metric.value, np.inf if metric.metric == "confusion_matrix" else 1.0
    excess = np.where(np.isfinite(value), np.maximum(-value, value - maximum), 0.0)
    if excess.max() > OUTSIDE_RANGE:
        facts = {
            "n": int((excess > OUTSIDE_RANGE).sum()),
            "n_values": int(value.size),
            "worst": float(np.ravel(value)[excess.argmax()]),
        }
        yield Note("values_outside_range", facts)


def _conventions(metric: CorrectedMetric) -> Iterator[Note]:
    """Classes whose value is undefined, or a convention."""
    class_metric, names = CLASS_METRICS[metric.class_metric], metric.class_names
    undefined, values = class_metric.undefined(metric.joint), class_metric.values(metric.joint)
    zero, none = names[undefined & (values == 0)], names[undefined & (values != 0)]
    facts = {"metric": metric.class_metric}
    if zero.size:
        yield Note("class_never_predicted", facts | {"classes": zero.tolist()})
    if none.size:
        yield Note("class_without_scored_rows", facts | {"classes": none.tolist()})


def _few_rows(metric: CorrectedMetric) -> Iterator[Note]:
    """Classes with few rows that count as much as others in a mean over classes."""
    rows = CLASS_METRICS[metric.class_metric].denominator(metric.counts)
    few = metric.class_names[(rows > 0) & (rows < MIN_ROWS_FOR_CLASS_MEAN)]
    if few.size:
        facts = {"classes": few.tolist(), "least": MIN_ROWS_FOR_CLASS_MEAN}
        yield Note("mean_of_small_classes", facts | {"metric": metric.class_metric})


def _noise_remarks(noise: NoiseEstimate) -> Iterator[Note]:
    if noise.draws is None:
        yield Note("noise_without_draws", {"method": noise.method})
    if noise.diagnosis.verdict != "reliable":
        facts = {
            "verdict": noise.diagnosis.verdict,
            "reasons": "; ".join(
                one.reason() for one in noise.diagnosis.findings if one.verdict != "reliable"
            ),
        }
        yield Note("score_from_unreliable_noise", facts)
