"""A gate for continuous integration: whether more labels are wrong than are allowed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.options import option

if TYPE_CHECKING:
    from labelnoise.cli.output import Output
    from labelnoise.noise_estimate import NoiseEstimate


def _number(share: float | None) -> float | None:
    if share is not None and math.isnan(share):
        raise typer.BadParameter("it must be a share from 0 to 1, such as 0.05.")
    return share


MAX_NOISE = (
    "Exit with 1 if a larger share of the labels is wrong by the estimate (not by its interval), "
    "or if the data cannot tell."
)
MaxNoise = Annotated[float | None, option("--max-noise", MAX_NOISE, min=0, max=1, callback=_number)]


def remaining_noise(est: NoiseEstimate) -> str:
    """The share of wrong labels, once audited rows are corrected, with its interval."""
    from labelnoise.reporting.summary import Share
    from labelnoise.reporting.words import percent_range

    share = Share(*est.noise_left())
    if share.lower is None or share.upper is None:
        return f"{share.value:.1%}"
    return f"{share.value:.1%} ({percent_range(share.lower, share.upper)})"


def gate(est: NoiseEstimate, max_noise: float | None, out: Output) -> ExitCode:
    """Fail if more labels are wrong than are allowed, or if the data cannot tell."""
    if max_noise is None:
        return ExitCode.DONE
    if not est.diagnosis.can_tell:
        out.hint("failed: these data cannot tell how many labels are wrong")
        return ExitCode.GATE
    passed = est.noise_left().share <= max_noise
    weak = "; the verdict is weak" if est.diagnosis.verdict == "weak" else ""
    out.hint(
        f"{'passed' if passed else 'failed'}: {remaining_noise(est)} of the labels are wrong; "
        f"{max_noise:.1%} are allowed{weak}"
    )
    return ExitCode.DONE if passed else ExitCode.GATE
