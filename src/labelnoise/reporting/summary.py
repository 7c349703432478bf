"""An estimate and its rows -> a summary in plain values, which every rendering shows."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.data.plain_columns import text_of
from labelnoise.noise_estimate import SHOWN_LEVEL
from labelnoise.reporting.about import About
from labelnoise.reporting.feature_information import Feature, strongest_features
from labelnoise.reporting.provenance import Provenance
from labelnoise.reporting.suspicious_rows import (
    SuspiciousRow,
    Yield,
    some_yields,
    suspicious_rows,
    yields,
)
from labelnoise.reporting.words import (
    confusion_in_words,
    counted,
    share_in_words,
    shortened,
    with_ends,
)
from labelnoise.review.suspects import Suspects

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.findings import Verdict
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.uncertainty import Limits

MOST_CONFUSIONS, LEAST_OF_CLASS, LEAST_OF_ERRORS = 8, 0.01, 0.05
"""Confusions that are spelled out: so many, and none that makes up less of its class and less of
all errors."""

TO_AUDIT = 100
"""Rows that are shown if the data cannot tell: those whose true labels would tell most."""

NONE = np.array([], dtype=np.int64)
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
    """One class: how often it is given, how often it truly is, how often it is labeled right."""

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
    n_suspicious: int | None  # None: nobody knows
    nothing_stands_out: bool  # none of the rows looks wrong
    yields: list[Yield]
    made: Provenance

    @property
    def can_tell(self) -> bool:
        """Whether the data say anything about the noise."""
        return self.verdict != "not identifiable"

    @property
    def still_wrong(self) -> Share:
        """The share of wrong labels, once audited rows are corrected."""
        return self.left or self.noise_rate

    @property
    def what_is_wrong(self) -> str:
        """What that is the share of."""
        if self.left is None:
            return "of the labels are wrong"
        reviewed = counted(self.n_audited, "reviewed row is", "reviewed rows are")
        return f"of the labels are still wrong, once the {reviewed} corrected"

    @property
    def headline(self) -> str:
        """How many labels are wrong, or that the data cannot tell."""
        if self.can_tell:
            return f"{with_ends(self.still_wrong)} {self.what_is_wrong}"
        return "these data cannot tell how many labels are wrong"

    @property
    def of_which_labels(self) -> str:
        """After a review, that T and class shares are those of the labels before it."""
        if not self.n_audited:
            return ""
        reviewed = counted(self.n_audited, "row was", "rows were")
        return f"these are the labels as they were before {reviewed} reviewed"

    @property
    def told_yields(self) -> list[Yield]:
        """What is told in words of `yields`."""
        return some_yields(self.yields, len(self.suspicious))

    def to_document(self) -> dict[str, Any]:
        """As plain values for JSON."""
        said = {"headline": self.headline, "can_tell": self.can_tell}
        return {"schema": SCHEMA, "schema_version": SCHEMA_VERSION, **said, **asdict(self)}


def summarize(est: NoiseEstimate, about: About | None = None) -> Summary:
    """Say in plain values all there is to say about an estimate."""
    about = about or About()
    ends = None if est.draws is None else est.interval(SHOWN_LEVEL)
    lower, upper = (None, None) if ends is None else (ends.lower, ends.upper)
    can_tell = est.diagnosis.can_tell
    suspects = Suspects(est) if est.rows is not None else None
    chosen = NONE if suspects is None else _to_show(suspects, about)
    shown = [] if suspects is None else suspicious_rows(suspects, about, chosen)
    n_audited = 0 if est.rows is None else len(est.rows.audits())
    T = est.transition_matrix.values
    return Summary(
        title=text_of(about.name),
        n_rows=est.n_rows,
        method=est.method,
        level=SHOWN_LEVEL,
        noise_rate=_share(est.noise_rate, lower and lower.noise_rate, upper and upper.noise_rate),
        left=None if not n_audited else _share(*est.noise_left(SHOWN_LEVEL)),
        n_audited=n_audited,
        words=_words(est, n_audited),
        verdict=est.diagnosis.verdict,
        reasons=list(est.diagnosis.reasons),
        remedies=list(est.diagnosis.remedies_for(about.audience)),
        classes=_classes(est, suspects, lower, upper),
        transition=T.tolist(),
        transition_lower=None if lower is None else lower.transition_matrix.tolist(),
        transition_upper=None if upper is None else upper.transition_matrix.tolist(),
        confusions=strongest_confusions(est, lower, upper) if can_tell else [],
        views=_views(est),
        curves=_curves(est),
        features=[] if est.rows is None else strongest_features(about, est.rows.observed()),
        n_features=None if about.X is None else int(np.shape(about.X)[1]),
        suspicious=shown,
        n_suspicious=suspects.n_wrong if suspects is not None and can_tell else None,
        nothing_stands_out=bool(suspects is not None and about.max_rows and not shown),
        yields=yields(suspects, len(shown)) if suspects is not None and can_tell and shown else [],
        made=Provenance.of(est, about),
    )


def _to_show(suspects: Suspects, about: About) -> IntArray:
    """Rows for review: as many as are wrong; if the data cannot tell, those that would tell most.

    Those that a smaller page shows come first. There are none if no error stands out: then there
    is less than half of one in all of them.
    """
    if not suspects.est.diagnosis.can_tell:
        return suspects.est.suggest_audit(min(TO_AUDIT, about.max_rows)) if about.max_rows else NONE
    all_of_them = suspects.in_order_of_review(per_class=True)[: max(suspects.n_wrong, 1)]
    nothing_stands_out = suspects.p_wrong[all_of_them].sum() < 0.5
    return NONE if nothing_stands_out else all_of_them[: about.max_rows]


def _words(est: NoiseEstimate, n_audited: int) -> list[str]:
    """The noise rate in words; after a review what is left first."""
    words = est.noise_in_words()
    if not n_audited or not est.diagnosis.can_tell:
        return words
    first, *others = words
    return [
        _after_review(est, n_audited),
        "the interval rests on the reviewed rows now, which may make it wider than before",
        f"before the review, {first.replace(' are wrong', ' were wrong', 1)}",
        *others,
    ]


def _after_review(est: NoiseEstimate, n_audited: int) -> str:
    left, low, high = est.noise_left(SHOWN_LEVEL)
    reviewed = counted(n_audited, "reviewed row is", "reviewed rows are")
    said = f"once the {reviewed} corrected, about {left:.1%} of the labels are still wrong"
    if low is None or high is None:
        return said
    return f"{said} ({SHOWN_LEVEL:.0%} interval {low:.1%} to {high:.1%})"


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
    """Confusions that many rows share, surest first: by the interval's end."""
    T = est.transition_matrix.values
    sure = T if lower is None else lower.transition_matrix
    of_errors = est.class_prior[:, None] * T / max(est.noise_rate, 1e-12)
    n_rows = est.n_rows * est.class_prior[:, None] * T
    many = (T >= LEAST_OF_CLASS) | ((of_errors >= LEAST_OF_ERRORS) & (n_rows >= 1))
    seen = np.ones(len(T), dtype=bool) if est.rows is None else _seen(est)
    off = np.argwhere(~np.eye(len(T), dtype=bool) & many & seen[:, None])
    order = sorted(off.tolist(), key=lambda at: (-sure[*at].round(3), -T[*at]))
    found = []
    for i, j in order[:MOST_CONFUSIONS]:
        share = _share(
            T[i, j],
            lower and lower.transition_matrix[i, j],
            upper and upper.transition_matrix[i, j],
        )
        true, observed = str(est.classes[i]), str(est.classes[j])
        sentence = confusion_in_words(
            shortened(true, LONGEST_NAME),
            shortened(observed, LONGEST_NAME),
            share_in_words(share.value),
        )
        found.append(Confusion(true, observed, share, float(n_rows[i, j]), sentence))
    return found


def _seen(est: NoiseEstimate) -> NDArray[np.bool_]:
    """Which classes some row is labeled as, (K,): of others nothing but an audit tells."""
    counts = np.bincount(est.row_model("report").observed(), minlength=len(est.classes))
    return np.asarray(counts > 0)


def _views(est: NoiseEstimate) -> list[View]:
    if est.bounds is None:
        return []
    return [
        View(end.noise_rate, str(end.assumption), np.diag(end.transition_matrix).tolist())
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
    return [float(f"{value:.9g}") for value in values]  # the top of many rows is near 0, not 0
