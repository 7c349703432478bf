"""Notes: something to tell the user, as a code with its facts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from labelnoise.wording.catalog import CATALOG
from labelnoise.wording.message import Audience, Message, filled, full_stop, sentence

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Note:
    """Something to tell the user: a code, and the facts that its message is filled with.

    >>> note = Note("no_such_file", {"path": "a.csv", "suggestion": "b.csv"})
    >>> print(note)
    there is no file 'a.csv'. Did you mean 'b.csv'?
    """

    code: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    def reason(self, audience: Audience = "python") -> str:
        """What is the case, as a phrase."""
        given = (name for name in self._message.optional if self.facts.get(name) is not None)
        added = (self._message.optional[name] for name in given)
        return filled("".join([self._message.text, *added]), self.facts, audience)

    def remedy(self, audience: Audience = "python") -> str:
        """What to do next, empty if there is nothing to do."""
        return filled(self._message.remedy(audience), self.facts, audience)

    def text(self, audience: Audience = "python") -> str:
        """Reason and remedy in sentences; the first may begin with a name, and keeps its case."""
        reason, remedy = self.reason(audience), self.remedy(audience)
        return f"{full_stop(reason)} {sentence(remedy)}" if remedy else full_stop(reason)

    @property
    def _message(self) -> Message:
        """The message of the code, or the code itself if another version has saved it."""
        return CATALOG.get(self.code) or Message(self.code)

    def __str__(self) -> str:
        return self.text()

    def __hash__(self) -> int:
        return hash(self.code)


@dataclass(frozen=True)
class Assumption(Note):
    """What has to be true for an estimate to be right."""

    def __str__(self) -> str:
        return self.reason()

    __hash__ = Note.__hash__

    def to_document(self) -> dict[str, Any]:
        """As plain values."""
        return {"code": self.code, "facts": dict(self.facts)}

    @classmethod
    def from_document(cls, document: Mapping[str, Any] | None) -> Assumption | None:
        """From plain values."""
        return document and cls(str(document["code"]), dict(document["facts"]))  # type: ignore[return-value]
