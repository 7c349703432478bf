"""How a report was made: settings, versions, time, and a fingerprint of the data."""

from __future__ import annotations

import datetime
import platform
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from labelnoise._version import __version__

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.about import About

LIBRARIES = ("numpy", "scipy", "scikit-learn")


@dataclass(frozen=True)
class Provenance:
    """What it takes to make the same report again."""

    method: str
    parameters: dict[str, Any]
    seed: Any
    versions: dict[str, str]
    made_at: str
    seconds: float | None
    sha256: dict[str, str]
    rows_named_by: str
    decisions: str
    guesses: list[str]
    command: str | None
    next_commands: list[str]

    @classmethod
    def of(cls, est: NoiseEstimate, about: About) -> Provenance:
        """Gather it, now."""
        parameters = {name: value for name, value in est.parameters.items() if value is not None}
        seed = parameters.pop("random_state", None)
        versions = {"labelnoise": __version__, "python": platform.python_version()}
        now = datetime.datetime.now(datetime.UTC).replace(microsecond=0)
        return cls(
            method=est.method,
            parameters=parameters,
            seed=seed,
            versions=versions | {name: version(name) for name in LIBRARIES},
            made_at=now.isoformat(),
            seconds=about.seconds,
            sha256=dict(about.digests),
            rows_named_by=about.named_by,
            decisions=about.decisions,
            guesses=[str(guess) for guess in about.guesses],
            command=about.command,
            next_commands=list(about.next_commands),
        )
