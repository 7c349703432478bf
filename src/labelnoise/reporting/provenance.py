"""How a report was made: settings, versions, time, and digests of the data."""

from __future__ import annotations

import datetime
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from labelnoise._version import __version__
from labelnoise.reporting.words import as_text
from labelnoise.wording import Note, sentence

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.context import ReportContext

LIBRARIES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Provenance:
    """Everything that is needed to reproduce the report."""

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

    @classmethod
    def of(cls, est: NoiseEstimate, context: ReportContext) -> Provenance:
        """Of a report that is made now."""
        parameters = {name: value for name, value in est.parameters.items() if value is not None}
        seed = parameters.pop("random_state", None)
        versions = {"labelnoise": __version__, "python": platform.python_version()}
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        return cls(
            parameters=parameters,
            seed=seed,
            versions=versions | {name: version(name) for name in LIBRARIES},
            created_at=now.isoformat(),
            seconds=context.seconds,
            sha256=dict(context.digests),
            id_source=None if context.id_source is None else as_text(context.id_source),
            decisions_file=as_text(context.decisions_file),
            notes=[
                as_text(note.text(context.audience) if isinstance(note, Note) else note)
                for note in context.notes
            ],
            command=None if context.command is None else as_text(context.command),
            next_commands=[as_text(command) for command in context.next_commands],
        )

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
