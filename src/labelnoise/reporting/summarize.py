"""An estimate and its context -> a summary."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.noise_estimate import SHOWN_LEVEL
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.feature_information import informative_features
from labelnoise.reporting.provenance import Provenance
from labelnoise.reporting.settings import (
    MAX_CONFUSIONS,
    MAX_ROWS_TO_AUDIT,
    MIN_EXPECTED_ERRORS,
    MIN_SHARE_OF_CLASS,
    MIN_SHARE_OF_ERRORS,
)
from labelnoise.reporting.summary import (
    ClassSummary,
    Confusion,
    Curve,
    FindingSummary,
    Reading,
    Share,
    Summary,
)
from labelnoise.reporting.suspicious_rows import review_curve, suspicious_rows
from labelnoise.reporting.words import (
    INTERVAL_AFTER_REVIEW,
    after_review_sentence,
    as_text,
    before_review_sentence,
    confusion_sentence,
    shortened,
)
from labelnoise.review.suspects import Suspects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.uncertainty import Interval
    from labelnoise.wording import Audience

NO_ROWS = np.array([], dtype=np.int64)

NAME_LENGTH = 60
"""Characters of a class name in a sentence."""


def summarize(est: NoiseEstimate, context: ReportContext | None = None) -> Summary:
    """State in plain values what an estimate and its context say."""
    context = context or ReportContext()
    ends = None if est.draws is None else est.interval(SHOWN_LEVEL)
    can_tell = est.diagnosis.can_tell
    suspects = None if est.rows is None else Suspects(est)
    shown = [] if suspects is None else _suspicious(suspects, context)
    n_reviewed = 0 if est.rows is None else len(est.rows.audits())
    T = est.transition_matrix.values
    return Summary(
        title=as_text(context.title),
        audience=context.audience,
        n_rows=est.n_rows,
        method=est.method,
        level=SHOWN_LEVEL,
        noise_rate=_noise_rate(est, ends),
        remaining=_share(*est.noise_left(SHOWN_LEVEL)) if n_reviewed else None,
        n_reviewed=n_reviewed,
        statements=_statements(est, ends, n_reviewed),
        verdict=est.diagnosis.verdict,
        findings=_findings(est, context.audience),
        classes=_classes(est, suspects, ends),
        transition=T.tolist(),
        transition_lower=None if ends is None else ends.lower.transition_matrix.tolist(),
        transition_upper=None if ends is None else ends.upper.transition_matrix.tolist(),
        confusions=largest_confusions(est, ends) if can_tell else [],
        readings=_readings(est),
        curves=_curves(est),
        features=_features(est, context),
        n_features=None if context.X is None else int(np.shape(context.X)[1]),
        suspicious=shown,
        n_wrong=suspects.n_wrong if suspects is not None and can_tell else None,
        no_suspicious_rows=bool(suspects is not None and context.max_rows and not shown),
        review_curve=review_curve(suspects, len(shown)) if suspects and can_tell and shown else [],
        provenance=Provenance.of(est, context),
    )


def _suspicious(suspects: Suspects, context: ReportContext) -> list[Any]:
    return suspicious_rows(suspects, context, _rows_to_show(suspects, context.max_rows))


def _rows_to_show(suspects: Suspects, max_rows: int) -> IntArray:
    """Positions of the rows to review: as many as labels are expected to be wrong.

    If the data cannot identify the noise, the rows whose true labels would help most. Rows that a
    smaller page would show come first. None if hardly an error is expected among all of them.
    """
    if not max_rows:
        return NO_ROWS
    if not suspects.est.diagnosis.can_tell:
        return suspects.est.suggest_audit(min(MAX_ROWS_TO_AUDIT, max_rows))
    rows = suspects.review_order(per_class=True)[: max(suspects.n_wrong, 1)]
    if suspects.p_wrong[rows].sum() < MIN_EXPECTED_ERRORS:
        return NO_ROWS
    return rows[:max_rows]


def _statements(est: NoiseEstimate, ends: Interval | None, n_reviewed: int) -> list[str]:
    """The noise rate in words; after a review, what remains comes first."""
    statements = est.noise_in_words()
    if not n_reviewed or not est.diagnosis.can_tell:
        return statements
    remaining = _share(*est.noise_left(SHOWN_LEVEL))
    return [
        after_review_sentence(remaining, SHOWN_LEVEL, n_reviewed),
        INTERVAL_AFTER_REVIEW,
        before_review_sentence(_noise_rate(est, ends), SHOWN_LEVEL, est.assumption),
        *statements[1:],
    ]


def _findings(est: NoiseEstimate, audience: Audience) -> list[FindingSummary]:
    return [
        FindingSummary(
            finding.code,
            plain_facts(finding.facts),
            finding.verdict,
            as_text(finding.reason()),
            as_text(finding.remedy(audience)),
        )
        for finding in est.diagnosis.findings
    ]


def plain_facts(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Facts as values that JSON can hold.

    >>> plain_facts({"classes": (np.int64(1), "a"), "condition": float("inf")})
    {'classes': [1, 'a'], 'condition': 'inf'}
    """
    return {name: _plain(value) for name, value in facts.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(one) for one in value]
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return value
    return as_text(value)


def _share(value: Any, lower: Any = None, upper: Any = None) -> Share:
    lower, upper = (None if end is None else float(end) for end in (lower, upper))
    return Share(float(value), lower, upper)


def _noise_rate(est: NoiseEstimate, ends: Interval | None) -> Share:
    if ends is None:
        return _share(est.noise_rate)
    return _share(est.noise_rate, ends.lower.noise_rate, ends.upper.noise_rate)


def _entry(est: NoiseEstimate, ends: Interval | None, i: int, j: int) -> Share:
    """``T[i, j]`` with its interval."""
    limits = () if ends is None else (ends.lower, ends.upper)
    return _share(
        est.transition_matrix.values[i, j], *(end.transition_matrix[i, j] for end in limits)
    )


def _frequency(est: NoiseEstimate, ends: Interval | None, i: int) -> Share:
    """The frequency of a true class with its interval."""
    limits = () if ends is None else (ends.lower, ends.upper)
    return _share(est.class_prior[i], *(end.class_prior[i] for end in limits))


def _classes(
    est: NoiseEstimate, suspects: Suspects | None, ends: Interval | None
) -> list[ClassSummary]:
    if suspects is None:  # a loaded estimate: the labels that its T and prior imply
        counts = est.class_prior @ est.transition_matrix.values * est.n_rows
    else:
        counts = np.bincount(suspects.given, minlength=len(est.classes)).astype(float)
    return [
        ClassSummary(
            name=as_text(label),
            n_given=round(counts[i]),
            given=float(counts[i] / max(counts.sum(), 1.0)),
            clean=_frequency(est, ends, i),
            correct=_entry(est, ends, i, i),
            placeholder=suspects is not None and not counts[i],
        )
        for i, label in enumerate(est.classes)
    ]


def largest_confusions(est: NoiseEstimate, ends: Interval | None) -> list[Confusion]:
    """Confusions that affect many rows, in the order of the lower ends of their intervals."""
    T = est.transition_matrix.values
    certain = T if ends is None else ends.lower.transition_matrix
    joint = est.class_prior[:, None] * T
    of_errors = joint / max(est.noise_rate, 1e-12)
    n_rows = est.n_rows * joint
    many = (T >= MIN_SHARE_OF_CLASS) | ((of_errors >= MIN_SHARE_OF_ERRORS) & (n_rows >= 1))
    off_diagonal = ~np.eye(len(T), dtype=bool)
    entries = np.argwhere(off_diagonal & many & _labeled(est)[:, None]).tolist()
    entries.sort(key=lambda at: (-certain[*at].round(3), -T[*at]))
    confusions = []
    for i, j in entries[:MAX_CONFUSIONS]:
        share = _entry(est, ends, i, j)
        true, observed = as_text(est.classes[i]), as_text(est.classes[j])
        short = (shortened(true, NAME_LENGTH), shortened(observed, NAME_LENGTH))
        sentence = confusion_sentence(*short, share)
        confusions.append(Confusion(true, observed, share, float(n_rows[i, j]), sentence))
    return confusions


def _labeled(est: NoiseEstimate) -> NDArray[np.bool_]:
    """Which classes occur among the labels, (K,): others are known from an audit at best."""
    if est.rows is None:
        return np.ones(len(est.classes), dtype=bool)
    return np.asarray(np.bincount(est.rows.observed(), minlength=len(est.classes)) > 0)


def _readings(est: NoiseEstimate) -> list[Reading]:
    if est.bounds is None:
        return []
    return [
        Reading(end.noise_rate, str(end.assumption), np.diag(end.transition_matrix).tolist())
        for end in (est.bounds.lower, est.bounds.upper)
    ]


def _curves(est: NoiseEstimate) -> list[Curve]:
    if est.rows is None:
        return []
    parts = ("top", "n_rows", "observed", "fitted", "clean")
    return [
        Curve(as_text(curve.label), *(_nine_digits(getattr(curve, part)) for part in parts))
        for curve in est.rows.purity()
    ]


def _nine_digits(values: FloatArray) -> list[float]:
    # Significant digits, not decimals: the top of a long ranking is close to 0, and must not be 0.
    return [float(f"{value:.9g}") for value in values]


def _features(est: NoiseEstimate, context: ReportContext) -> list[Any]:
    if context.X is None or est.rows is None:
        return []
    return informative_features(context.X, est.rows.observed(), context.feature_names)
