"""A gate for continuous integration: whether more labels are wrong than are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.options import option

if TYPE_CHECKING:
    from labelnoise.cli.output import Output
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.noise_estimate.estimate import NoiseLeft

MAX_NOISE = (
    "Exit with 1 if a larger share of the labels is wrong by the estimate (not by its interval), "
    "or if the data cannot tell."
)
MaxNoise = Annotated[float | None, option("--max-noise", MAX_NOISE, min=0, max=1)]


def share_with_interval(left: NoiseLeft) -> str:
    """The share of wrong labels, once audited rows are corrected, with its interval."""
    from labelnoise.reporting.words import percent_range

    if left.lower is None or left.upper is None:
        return f"{left.share:.1%}"
    return f"{left.share:.1%} ({percent_range(left.lower, left.upper)})"


def gate(est: NoiseEstimate, max_noise: float | None, out: Output) -> ExitCode:
    """Fail if more labels are wrong than are allowed, or if the data cannot tell."""
    if max_noise is None:
        return ExitCode.DONE
    if not est.diagnosis.can_tell:
        out.hint("failed: these data cannot tell how many labels are wrong")
        return ExitCode.GATE
    left = est.noise_left()
    passed = left.share <= max_noise
    rough = "; the estimate is rough" if est.diagnosis.verdict == "rough" else ""
    out.hint(
        f"{'passed' if passed else 'failed'}: {share_with_interval(left)} of the labels are wrong "
        f"by the estimate; {max_noise:.1%} are allowed{rough}"
    )
    return ExitCode.DONE if passed else ExitCode.GATE
