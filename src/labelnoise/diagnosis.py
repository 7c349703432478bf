"""Whether an estimate can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, get_args

from labelnoise import checks

if TYPE_CHECKING:
    from collections.abc import Mapping

Verdict = Literal["reliable", "weak", "not identifiable"]


@dataclass(frozen=True)
class Diagnosis:
    """Whether an estimate can be trusted: a verdict, its reasons, and what to do."""

    verdict: Verdict
    reasons: tuple[str, ...] = ()
    remedies: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        checks.one_of(self.verdict, "verdict", get_args(Verdict))

    @property
    def can_tell(self) -> bool:
        """Whether the data say anything about the noise."""
        return self.verdict != "not identifiable"

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        return {
            "verdict": self.verdict,
            "reasons": list(self.reasons),
            "remedies": list(self.remedies),
        }

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> Self:
        """From plain values."""
        reasons, remedies = (tuple(document[name]) for name in ("reasons", "remedies"))
        return cls(document["verdict"], reasons, remedies)

    def __str__(self) -> str:
        lines: list[str] = [self.verdict]
        lines += [f"  - {reason}" for reason in self.reasons]
        lines += [f"  > {remedy}" for remedy in self.remedies]
        return "\n".join(lines)
