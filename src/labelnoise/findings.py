"""Whether an estimate can be trusted: the findings about it, and the verdict."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from labelnoise import checks
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Verdict = Literal["reliable", "rough", "cannot tell"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""From the best to the worst."""


def verdict_in_words(verdict: Verdict) -> str:
    """A verdict as it is shown. It is about the estimate, not about the labels.

    >>> verdict_in_words("reliable")
    'This estimate: reliable'
    """
    return f"This estimate: {verdict}"


@dataclass(frozen=True)
class Finding(Note):
    """A reason to trust an estimate less.

    Attributes
    ----------
    code : str
    facts : mapping
        Plain values that JSON can hold.
    verdict : Verdict
        The best verdict that an estimate with this finding can have.
    settled_by_audit : bool
        Whether enough hand-checked rows settle it.
    about : tuple of int
        Positions, among the classes that occur, of the classes that it is about.
    hides_noise : bool
        Whether wrong labels may look right for this reason: then an estimate is a lower limit.
    """

    verdict: Verdict = "rough"
    settled_by_audit: bool = False
    about: tuple[int, ...] = ()
    hides_noise: bool = False

    def __post_init__(self) -> None:
        checks.one_of(self.verdict, "verdict", VERDICTS)

    __hash__ = Note.__hash__

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self) | {"about": list(self.about)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(
            code=str(document["code"]),
            facts=dict(document["facts"]),
            verdict=document["verdict"],
            settled_by_audit=bool(document["settled_by_audit"]),
            about=tuple(map(int, document["about"])),
            hides_noise=bool(document["hides_noise"]),
        )


@dataclass(frozen=True)
class Diagnosis:
    """Whether an estimate can be trusted: the findings, and the worst verdict among them."""

    findings: tuple[Finding, ...] = ()

    @classmethod
    def of(cls, findings: Sequence[Finding]) -> Self:
        """From a sequence of findings."""
        return cls(tuple(findings))

    @property
    def verdict(self) -> Verdict:
        """The worst verdict among the findings; reliable if there are none."""
        return max((one.verdict for one in self.findings), key=VERDICTS.index, default=VERDICTS[0])

    @property
    def can_tell(self) -> bool:
        """Whether the data identify the noise at all."""
        return self.verdict != "cannot tell"

    @property
    def findings_hiding_noise(self) -> tuple[Finding, ...]:
        """Findings for which wrong labels may look right."""
        return tuple(finding for finding in self.findings if finding.hides_noise)

    @property
    def hides_noise(self) -> bool:
        """Whether the noise rate is a lower limit at best: wrong labels may look right."""
        return bool(self.findings_hiding_noise)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The findings, in words."""
        return tuple(finding.reason() for finding in self.findings)

    @property
    def remedies(self) -> tuple[str, ...]:
        """Remedies, each once, in words for Python."""
        remedies = (finding.remedy() for finding in self.findings)
        return tuple(dict.fromkeys(remedy for remedy in remedies if remedy))

    def to_document(self) -> list[dict[str, Any]]:
        """As plain values."""
        return [finding.to_document() for finding in self.findings]

    @classmethod
    def from_document(cls, document: Sequence[Mapping[str, Any]]) -> Self:
        """From plain values."""
        return cls(tuple(Finding.from_document(one) for one in document))

    def __str__(self) -> str:
        lines = [verdict_in_words(self.verdict)]
        lines += [f"  - {reason}" for reason in self.reasons]
        lines += [f"  > {remedy}" for remedy in self.remedies]
        return "\n".join(lines)
