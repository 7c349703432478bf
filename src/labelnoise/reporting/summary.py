"""An estimate and its rows -> a summary in plain values, which every rendering shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.diagnosis import Diagnosis, Verdict
from labelnoise.noise_estimate import SHOWN_LEVEL
from labelnoise.remedies.label_issues import Suspects
from labelnoise.reporting.about import About
from labelnoise.reporting.provenance import Provenance
from labelnoise.reporting.suspicious_rows import SuspiciousRow, Yield, suspicious_rows, yields
from labelnoise.reporting.words import (
    confusion_in_words,
    per_cent,
    share_in_words,
    shortened,
    with_ends,
)
from labelnoise.representation.mutual_information import f_mutual_information

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.uncertainty import Limits

MOST_CONFUSIONS, LEAST_SHOWN = 8, 0.01
"""Confusions that are spelled out: so many, and none that is rarer."""

MOST_FEATURES = 20
LONGEST_NAME = 60
"""Characters of a class's name in a sentence."""

SCHEMA, SCHEMA_VERSION = "labelnoise/report", 1


@dataclass(frozen=True)
class Share:
    """A share with the ends of its interval, None where the method gives none."""

    value: float
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class ClassSummary:
    """One class: how often it is given, how often it truly is, how often it is labelled right."""

    name: str
    n_given: int
    given: float
    clean: Share
    right: Share
    placeholder: bool  # no row carries this label


@dataclass(frozen=True)
class Confusion:
    """Rows of one class that carry another label."""

    true: str
    observed: str
    share: Share
    n_rows: float
    sentence: str


@dataclass(frozen=True)
class View:
    """One of the two readings of the same data."""

    noise_rate: float
    assumption: str
    right: list[float]  # diagonal of T, class by class


@dataclass(frozen=True)
class Curve:
    """How labels change along the ranking of a class."""

    name: str
    top: list[float]
    n_rows: list[float]
    observed: list[float]
    fitted: list[float]
    clean: list[float]


@dataclass(frozen=True)
class Feature:
    """How much a feature says about the labels, in nats."""

    name: str
    information: float


@dataclass(frozen=True)
class Summary:
    """Everything a report says."""

    title: str
    n_rows: int
    method: str
    level: float
    noise_rate: Share
    left: Share | None  # once audited rows are corrected
    n_audited: int
    words: list[str]
    verdict: Verdict
    reasons: list[str]
    remedies: list[str]
    classes: list[ClassSummary]
    transition: list[list[float]]
    transition_lower: list[list[float]] | None
    transition_upper: list[list[float]] | None
    confusions: list[Confusion]
    views: list[View]
    curves: list[Curve]
    features: list[Feature]
    n_features: int | None
    suspicious: list[SuspiciousRow]
    n_suspicious: int
    yields: list[Yield]
    made: Provenance

    @property
    def can_tell(self) -> bool:
        """Whether the data say anything about the noise."""
        return Diagnosis(self.verdict).can_tell

    @property
    def rate_in_words(self) -> str:
        """The share of wrong labels, or what it may be if the data cannot tell."""
        if self.can_tell:
            return f"{self.noise_rate.value:.1%}"
        rates = [view.noise_rate for view in self.views]
        if self.noise_rate.lower is None or self.noise_rate.upper is None:
            return "an unknown share"
        low = per_cent(min(self.noise_rate.lower, *rates))
        return f"{low} to {per_cent(max(self.noise_rate.upper, *rates))}"

    @property
    def headline(self) -> str:
        """How many labels are wrong, or that the data cannot tell."""
        if self.can_tell:
            return f"{with_ends(self.noise_rate)} of the labels are wrong"
        return f"{self.rate_in_words} of the labels may be wrong: these data cannot tell"

    def to_document(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, **asdict(self)}


def summarise(est: NoiseEstimate, about: About | None = None) -> Summary:
    """Say in plain values all there is to say about an estimate."""
    about = about or About()
    ends = None if est.draws is None else est.interval(SHOWN_LEVEL)
    lower, upper = (None, None) if ends is None else (ends.lower, ends.upper)
    suspects = Suspects(est) if est.rows is not None else None
    shown = [] if suspects is None else suspicious_rows(suspects, about)
    n_audited = 0 if est.rows is None else len(est.rows.audits())
    T = est.transition_matrix.values
    return Summary(
        title=about.name,
        n_rows=est.n_rows,
        method=est.method,
        level=SHOWN_LEVEL,
        noise_rate=_share(est.noise_rate, lower and lower.noise_rate, upper and upper.noise_rate),
        left=None if not n_audited else _share(*est.noise_left(SHOWN_LEVEL)),
        n_audited=n_audited,
        words=[*est.noise_in_words(), *_after_review(est, n_audited)],
        verdict=est.diagnosis.verdict,
        reasons=list(est.diagnosis.reasons),
        remedies=[_said_here(remedy, about) for remedy in est.diagnosis.remedies],
        classes=_classes(est, suspects, lower, upper),
        transition=T.tolist(),
        transition_lower=None if lower is None else lower.transition_matrix.tolist(),
        transition_upper=None if upper is None else upper.transition_matrix.tolist(),
        confusions=strongest_confusions(est, lower, upper),
        views=_views(est),
        curves=_curves(est),
        features=_features(est, about),
        n_features=None if about.X is None else int(np.shape(about.X)[1]),
        suspicious=shown,
        n_suspicious=0 if suspects is None else suspects.n_wrong,
        yields=[] if suspects is None else yields(suspects),
        made=Provenance.of(est, about),
    )


def _said_here(remedy: str, about: About) -> str:
    """A remedy in the words of the command line, if that is where we are."""
    if about.command is None:
        return remedy
    return remedy.replace("(suggest_audit)", "(labelnoise find --for-audit)")


def _after_review(est: NoiseEstimate, n_audited: int) -> list[str]:
    if not n_audited:
        return []
    left, low, high = est.noise_left(SHOWN_LEVEL)
    said = f"once the {n_audited:,} reviewed rows are corrected, about {left:.1%} of the labels are"
    if low is None or high is None:
        return [f"{said} still wrong"]
    return [f"{said} still wrong ({SHOWN_LEVEL:.0%} interval {low:.1%} to {high:.1%})"]


def _classes(
    est: NoiseEstimate, suspects: Suspects | None, lower: Limits | None, upper: Limits | None
) -> list[ClassSummary]:
    T, prior = est.transition_matrix.values, est.class_prior
    if suspects is None:  # a loaded estimate: what labels its T and prior make
        counts = prior @ T * est.n_rows
    else:
        counts = np.bincount(suspects.given, minlength=len(prior)).astype(float)
    found = []
    for i, label in enumerate(est.classes):
        clean = _share(prior[i], lower and lower.class_prior[i], upper and upper.class_prior[i])
        right = _share(
            T[i, i],
            lower and lower.transition_matrix[i, i],
            upper and upper.transition_matrix[i, i],
        )
        given = float(counts[i] / max(counts.sum(), 1.0))
        placeholder = suspects is not None and not counts[i]
        found.append(ClassSummary(str(label), round(counts[i]), given, clean, right, placeholder))
    return found


def _share(value: Any, lower: Any, upper: Any) -> Share:
    ends = [None if end is None else float(end) for end in (lower, upper)]
    return Share(float(value), *ends)


def strongest_confusions(
    est: NoiseEstimate, lower: Limits | None, upper: Limits | None
) -> list[Confusion]:
    """Confusions that make up 1% of their class or more, surest first: by the interval's end."""
    T = est.transition_matrix.values
    sure = T if lower is None else lower.transition_matrix
    off = np.argwhere(~np.eye(len(T), dtype=bool) & (T >= LEAST_SHOWN))
    order = sorted(off.tolist(), key=lambda at: (-sure[*at].round(3), -T[*at]))
    found = []
    for i, j in order[:MOST_CONFUSIONS]:
        share = _share(
            T[i, j],
            lower and lower.transition_matrix[i, j],
            upper and upper.transition_matrix[i, j],
        )
        true, observed = str(est.classes[i]), str(est.classes[j])
        n_rows = float(est.n_rows * est.class_prior[i] * T[i, j])
        sentence = confusion_in_words(
            shortened(true, LONGEST_NAME),
            shortened(observed, LONGEST_NAME),
            share_in_words(share.value),
        )
        found.append(Confusion(true, observed, share, n_rows, sentence))
    return found


def _views(est: NoiseEstimate) -> list[View]:
    if est.bounds is None:
        return []
    return [
        View(end.noise_rate, end.assumption, np.diag(end.transition_matrix).tolist())
        for end in (est.bounds.lower, est.bounds.upper)
    ]


def _curves(est: NoiseEstimate) -> list[Curve]:
    if est.rows is None:
        return []
    parts = ("top", "n_rows", "observed", "fitted", "clean")
    return [
        Curve(str(curve.label), *(_rounded(getattr(curve, part)) for part in parts))
        for curve in est.rows.purity()
    ]


def _rounded(values: FloatArray) -> list[float]:
    return [round(float(value), 4) for value in values]


def _features(est: NoiseEstimate, about: About) -> list[Feature]:
    if about.X is None or est.rows is None:
        return []
    information = f_mutual_information(about.X, est.rows.observed(), "kl")
    most = np.argsort(-information, kind="stable")[:MOST_FEATURES]
    names = about.names_of_features(len(information))
    return [Feature(names[i], float(information[i])) for i in most]
