"""An estimate and its context -> a summary."""

from __future__ import annotations

import datetime
import platform
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise._version import __version__
from labelnoise.json_values import json_value
from labelnoise.noise_estimate import (
    SHOWN_LEVEL,
    n_reviewed,
    no_clear_sign,
    noise_statement,
    states_noise_rate,
    touches_zero,
)
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.feature_information import FeatureInformation, informative_features
from labelnoise.reporting.settings import (
    MAX_CONFUSIONS,
    MIN_SHARE_OF_CLASS,
    MIN_SHARE_OF_ERRORS,
)
from labelnoise.reporting.summary import (
    ClassSummary,
    Confusion,
    Curve,
    FindingSummary,
    Provenance,
    Reading,
    Share,
    Summary,
)
from labelnoise.reporting.suspicious_rows import review_curve, suspicious_rows
from labelnoise.reporting.words import as_text, confusion_sentence, shortened
from labelnoise.review.suspects import Suspects
from labelnoise.uncertainty import Limits

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.wording import Audience

NAME_LENGTH = 60  # characters of a class name in a sentence
LIBRARIES = ("numpy", "scipy", "scikit-learn")  # whose versions are stated


def summarize(est: NoiseEstimate, context: ReportContext | None = None) -> Summary:
    """An estimate and its context as plain values."""
    context = context or ReportContext()
    ends = _ends(est)
    lower, upper = (end.transition_matrix.tolist() for end in ends[1:]) if est.draws else 2 * [None]
    can_tell = est.diagnosis.can_tell
    suspects = None if est.rows is None else Suspects(est)
    shown = [] if suspects is None else suspicious_rows(suspects, context)
    reviewed = n_reviewed(est)
    clear = states_noise_rate(est)
    return Summary(
        title=as_text(context.title),
        audience=context.audience,
        n_rows=est.n_rows,
        method=est.method,
        level=SHOWN_LEVEL,
        noise_rate=Share(*(end.noise_rate for end in ends)),
        remaining=Share(*est.noise_left(SHOWN_LEVEL)) if reviewed else None,
        n_reviewed=reviewed,
        statement=noise_statement(est).reason(),
        statements=est.noise_in_words(),
        no_clear_sign=no_clear_sign(est),
        hides_noise=can_tell and est.diagnosis.hides_noise,
        verdict=est.diagnosis.verdict,
        findings=_findings(est, context.audience),
        classes=_classes(est, _label_counts(est, context.labels), ends),
        transition=est.transition_matrix.values.tolist(),
        transition_lower=lower,
        transition_upper=upper,
        confusions=_largest_confusions(est, ends, clear=clear) if can_tell else [],
        readings=_readings(est),
        curves=_curves(est),
        features=_features(est, context),
        n_features=None if context.X is None else int(np.shape(context.X)[1]),
        suspicious=shown,
        n_wrong=suspects.n_wrong if suspects is not None and can_tell else None,
        no_suspicious_rows=bool(suspects is not None and context.max_rows and not shown),
        review_curve=review_curve(suspects, len(shown)) if suspects and clear and shown else [],
        provenance=_provenance(est, context),
    )


def _findings(est: NoiseEstimate, audience: Audience) -> list[FindingSummary]:
    return [
        FindingSummary(
            finding.code,
            json_value(finding.facts, as_text),
            finding.verdict,
            as_text(finding.reason()),
            as_text(finding.remedy(audience)),
        )
        for finding in est.diagnosis.findings
    ]


def _ends(est: NoiseEstimate) -> list[Limits]:
    """The numbers of the estimate, and those at the ends of its interval if it has one."""
    point = Limits(est.transition_matrix.values, est.class_prior, est.noise_rate)
    if est.draws is None:
        return [point]
    interval = est.interval(SHOWN_LEVEL)
    return [point, interval.lower, interval.upper]


def _entry(ends: list[Limits], i: int, j: int) -> Share:
    """``T[i, j]`` with its interval."""
    return Share(*(float(end.transition_matrix[i, j]) for end in ends))


def _label_counts(est: NoiseEstimate, labels: Any) -> IntArray | None:
    """Rows of each label (K,); None if they are not known."""
    if est.rows is not None:
        codes = est.rows.observed()
    elif labels is not None:
        codes = checks.known_labels(labels, est.classes, est.n_rows, "labels")
    else:
        return None
    return np.bincount(codes, minlength=len(est.classes))


def _classes(est: NoiseEstimate, known: IntArray | None, ends: list[Limits]) -> list[ClassSummary]:
    implied = est.class_prior @ est.transition_matrix.values * est.n_rows
    counts = implied if known is None else known
    given = counts / max(counts.sum(), 1)
    return [
        ClassSummary(
            name=as_text(label),
            n_given=round(counts[i]),
            given=float(given[i]),
            clean=Share(*(float(end.class_prior[i]) for end in ends)),
            correct=_entry(ends, i, i),
            placeholder=known is not None and not counts[i],
        )
        for i, label in enumerate(est.classes)
    ]


def _largest_confusions(est: NoiseEstimate, ends: list[Limits], *, clear: bool) -> list[Confusion]:
    """Confusions that affect many rows, in the order of the lower ends of their intervals.

    Without a `clear` sign of wrong labels, only those that are clear themselves.
    """
    T = est.transition_matrix.values
    joint = est.class_prior[:, None] * T
    of_errors = joint / max(est.noise_rate, 1e-12)
    many = (of_errors >= MIN_SHARE_OF_ERRORS) & (est.n_rows * joint >= 1)
    many = (many | (T >= MIN_SHARE_OF_CLASS)) & ~np.eye(len(T), dtype=bool)
    if est.rows is not None:  # classes that are no row's label are known from an audit at best
        many &= np.bincount(est.rows.observed(), minlength=len(T))[:, None] > 0
    entries = [(_entry(ends, i, j), i, j) for i, j in np.argwhere(many).tolist()]
    entries = [one for one in entries if clear or not touches_zero(one[0].lower)]
    entries.sort(key=lambda one: _certainty(one[0]), reverse=True)
    return [_confusion(est, entry, i, j) for entry, i, j in entries[:MAX_CONFUSIONS]]


def _certainty(entry: Share) -> tuple[float, float]:
    """Sorts by the lower end of the interval, then by the share."""
    lower = entry.value if entry.lower is None else entry.lower
    return round(lower, 3), entry.value


def _confusion(est: NoiseEstimate, entry: Share, i: int, j: int) -> Confusion:
    true, observed = est.classes[i], est.classes[j]
    return Confusion(
        as_text(true),
        as_text(observed),
        entry,
        n_rows=float(est.n_rows * est.class_prior[i] * entry.value),
        sentence=confusion_sentence(_in_sentence(true), _in_sentence(observed), entry),
    )


def _in_sentence(label: Any) -> str:
    """The name of a class in a sentence: texts are in quotes."""
    name = shortened(as_text(label), NAME_LENGTH)
    return f"'{name}'" if isinstance(label, str) else name


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
    # Significant digits, not decimals: the top of a long ranking is close to 0, but not 0.
    return [float(f"{value:.9g}") for value in values]


def _features(est: NoiseEstimate, context: ReportContext) -> list[FeatureInformation]:
    if context.X is None or est.rows is None:
        return []
    return informative_features(context.X, est.rows.observed(), context.feature_names)


def _provenance(est: NoiseEstimate, context: ReportContext) -> Provenance:
    """How a report was made that is made now."""
    parameters = {name: value for name, value in est.parameters.items() if value is not None}
    seed = parameters.pop("random_state", None)
    versions = {"labelnoise": __version__, "python": platform.python_version()}
    return Provenance(
        parameters=parameters,
        seed=seed,
        versions=versions | {name: version(name) for name in LIBRARIES},
        created_at=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        seconds=context.seconds,
        sha256=dict(context.digests),
        id_source=None if context.id_source is None else as_text(context.id_source),
        decisions_file=as_text(context.decisions_file),
        notes=[as_text(note.text(context.audience)) for note in context.notes],
        command=None if context.command is None else as_text(context.command),
        next_commands=[as_text(command) for command in context.next_commands],
    )
