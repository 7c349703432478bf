"""A report as plain data, which renderers show without further computation."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from labelnoise.reporting.suspicious_rows import milestones
from labelnoise.wording import counted, sentence

if TYPE_CHECKING:
    from labelnoise.findings import Verdict
    from labelnoise.reporting.feature_information import FeatureInformation
    from labelnoise.reporting.suspicious_rows import ReviewPoint, SuspiciousRow
    from labelnoise.wording import Audience

SCHEMA, SCHEMA_VERSION = "labelnoise/report", 2


@dataclass(frozen=True)
class Share:
    """A share with the ends of its interval, None if the method has no intervals."""

    value: float
    lower: float | None = None
    upper: float | None = None


@dataclass(frozen=True)
class ClassSummary:
    """One class: its frequency among labels and true classes, and its share of correct labels."""

    name: str
    n_given: int  # rows with this label
    given: float  # their share
    clean: Share  # share of the rows that truly are of the class
    correct: Share  # share of those with the correct label: the entry on the diagonal of T
    placeholder: bool  # no row has this label, so its row of T is not an estimate


@dataclass(frozen=True)
class Confusion:
    """Rows of one class that have the label of another."""

    true: str
    observed: str
    share: Share
    n_rows: float
    sentence: str


@dataclass(frozen=True)
class Reading:
    """One of the two readings of the same data, and its assumption."""

    noise_rate: float
    assumption: str
    correct: list[float]  # diagonal of T, class by class


@dataclass(frozen=True)
class Curve:
    """How labels change along the ranking of a class, in steps; see `PurityCurve`."""

    name: str
    top: list[float]
    n_rows: list[float]
    observed: list[float]
    fitted: list[float]
    clean: list[float]


@dataclass(frozen=True)
class FindingSummary:
    """A finding about the estimate: its code and facts, and both in words."""

    code: str
    facts: dict[str, Any]
    verdict: Verdict
    reason: str
    remedy: str


@dataclass(frozen=True)
class Provenance:
    """How a report was made: everything that is needed to reproduce it."""

    parameters: dict[str, Any]
    seed: Any
    versions: dict[str, str]
    created_at: str
    seconds: float | None
    sha256: dict[str, str]
    id_source: str | None
    decisions_file: str
    notes: list[str]
    command: str | None
    next_commands: list[str]

    def lines(self) -> list[tuple[str, str]]:
        """Names and texts to list in a report, without those that are unknown."""
        parameters = ", ".join(f"{name}={value}" for name, value in self.parameters.items())
        versions = ", ".join(f"{name} {number}" for name, number in self.versions.items())
        seconds = "" if self.seconds is None else f", estimated in {self.seconds:.1f} s"
        lines = [
            ("parameters", parameters),
            ("seed", "" if self.seed is None else str(self.seed)),
            ("versions", versions),
            ("created", f"{self.created_at}{seconds}"),
            *((f"SHA-256 of {what}", digest) for what, digest in self.sha256.items()),
            ("command", self.command or ""),
            *(("note", sentence(note)) for note in self.notes),
        ]
        return [(name, text) for name, text in lines if text]


@dataclass(frozen=True)
class Summary:
    """Everything a report states."""

    title: str
    audience: Audience
    n_rows: int
    method: str
    level: float  # of all intervals
    noise_rate: Share
    remaining: Share | None  # share of wrong labels once reviewed rows are corrected
    n_reviewed: int
    statement: str  # how many labels are wrong, in short
    statements: list[str]  # the same with the assumption, and related sentences
    no_clear_sign: bool  # it is possible that no label is wrong (any more, after a review)
    hides_noise: bool  # wrong labels may look right: the share of them is a lower limit
    verdict: Verdict
    findings: list[FindingSummary]
    classes: list[ClassSummary]
    transition: list[list[float]]
    transition_lower: list[list[float]] | None
    transition_upper: list[list[float]] | None
    confusions: list[Confusion]
    readings: list[Reading]
    curves: list[Curve]
    features: list[FeatureInformation]
    n_features: int | None
    suspicious: list[SuspiciousRow]
    n_wrong: int | None  # expected number of wrong labels; None if the data cannot tell
    no_suspicious_rows: bool  # rows were requested, and none of them looks wrong
    review_curve: list[ReviewPoint]
    provenance: Provenance

    @property
    def can_tell(self) -> bool:
        """Whether the data identify the noise at all."""
        return self.verdict != "cannot tell"

    @property
    def states_noise_rate(self) -> bool:
        """Whether a positive share of wrong labels is stated, to derive more from."""
        return self.can_tell and not (self.no_clear_sign or self.hides_noise)

    @property
    def reasons(self) -> list[str]:
        """The findings in words."""
        return [finding.reason for finding in self.findings]

    @property
    def remedies(self) -> list[str]:
        """What to do about the findings, each remedy once."""
        return list(dict.fromkeys(one.remedy for one in self.findings if one.remedy))

    @property
    def current_rate(self) -> Share:
        """The share of wrong labels, after correction of the reviewed rows if there are any."""
        return self.remaining or self.noise_rate

    @property
    def data_line(self) -> str:
        """The size of the data, and the method."""
        classes = counted(len(self.classes), "class", "classes")
        features = [] if self.n_features is None else [counted(self.n_features, "feature")]
        return ", ".join([counted(self.n_rows, "row"), classes, *features, f"method {self.method}"])

    @property
    def reviewed_labels_note(self) -> str:
        """Which labels T and the class frequencies describe, if rows were reviewed."""
        if not self.n_reviewed:
            return ""
        reviewed = counted(self.n_reviewed, "row was", "rows were")
        return f"these numbers describe the labels before {reviewed} reviewed"

    @property
    def milestones(self) -> list[ReviewPoint]:
        """The points of the review curve that are also stated in words."""
        stated = milestones(len(self.suspicious))
        return [point for point in self.review_curve if point.n_reviewed in stated]

    def to_document(self) -> dict[str, Any]:
        """As plain values for JSON."""
        return {
            "schema": SCHEMA,
            "schema_version": SCHEMA_VERSION,
            "can_tell": self.can_tell,
            "reasons": self.reasons,
            "remedies": self.remedies,
            **asdict(self),
        }
