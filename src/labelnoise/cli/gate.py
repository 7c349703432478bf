"""A gate for continuous integration: whether more labels are wrong than are allowed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from labelnoise.cli.exit_codes import ExitCode

if TYPE_CHECKING:
    from labelnoise.cli.speaking import Speaker


def _number(share: float | None) -> float | None:
    if share is not None and math.isnan(share):
        raise typer.BadParameter("it must be a share from 0 to 1, such as 0.05.")
    return share


MaxNoise = Annotated[
    float | None,
    typer.Option(
        "--max-noise",
        help="Exit with 1 if a larger share of the labels is wrong, or the data cannot tell.",
        min=0,
        max=1,
        callback=_number,
        show_default=False,
    ),
]


def gate(left: float, max_noise: float | None, speaker: Speaker, *, can_tell: bool) -> ExitCode:
    """Say no if more labels are wrong than are allowed, or if nobody can tell."""
    if max_noise is None:
        return ExitCode.DONE
    passed = can_tell and left <= max_noise
    said = f"{left:.1%} of the labels are wrong; {max_noise:.1%} are allowed"
    doubt = "" if can_tell else ", but these data cannot tell"
    speaker.note(f"{'passed' if passed else 'failed'}: {said}{doubt}")
    return ExitCode.DONE if passed else ExitCode.GATE
