"""A gate for continuous integration: whether more labels are wrong than are allowed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from labelnoise.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from labelnoise.cli.speaking import Speaker
    from labelnoise.noise_estimate import NoiseEstimate


def _number(share: float | None) -> float | None:
    if share is not None and math.isnan(share):
        raise typer.BadParameter("it must be a share from 0 to 1, such as 0.05.")
    return share


MaxNoise = Annotated[
    float | None,
    typer.Option(
        "--max-noise",
        help="Exit with 1 if a larger share of the labels is wrong by the estimate (not by its "
        "interval), or the data cannot tell.",
        min=0,
        max=1,
        callback=_number,
        show_default=False,
    ),
]


def left_in_words(est: NoiseEstimate) -> str:
    """The share of wrong labels, once audited rows are corrected, with its interval."""
    left, low, high = est.noise_left()
    return f"{left:.1%}" if low is None else f"{left:.1%} ({low:.1%} to {high:.1%})"


def gate(est: NoiseEstimate, max_noise: float | None, speaker: Speaker) -> ExitCode:
    """Say no if more labels are wrong than are allowed, or if nobody can tell."""
    if max_noise is None:
        return ExitCode.DONE
    if not est.diagnosis.can_tell:
        speaker.note("failed: these data cannot tell how many labels are wrong")
        return ExitCode.GATE
    said = f"{left_in_words(est)} of the labels are wrong; {max_noise:.1%} are allowed"
    doubt = "; the verdict is weak" if est.diagnosis.verdict == "weak" else ""
    passed = est.noise_left().share <= max_noise
    speaker.note(f"{'passed' if passed else 'failed'}: {said}{doubt}")
    return ExitCode.DONE if passed else ExitCode.GATE
