"""A gate for continuous integration: whether more labels are wrong than are allowed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.options import option
from labelnoise.cli.settings import NEARLY_CLEAN

if TYPE_CHECKING:
    from labelnoise.cli.output import Output
    from labelnoise.noise_estimate import NoiseEstimate

MAX_NOISE = (
    "Exit with 1 if the estimated share of wrong labels is larger than this, if it cannot be "
    "determined, or if wrong labels may be hidden. If there is no clear sign of wrong labels, and "
    "at most 5% may be wrong, the share counts as 0."
)
MaxNoise = Annotated[float | None, option("--max-noise", MAX_NOISE, min=0, max=1)]


def gate(est: NoiseEstimate, max_noise: float | None, out: Output) -> ExitCode:
    """Fail if more labels are wrong than allowed, or if the data cannot rule that out."""
    from labelnoise.noise_estimate import no_clear_sign, noise_statement

    if max_noise is None:
        return ExitCode.DONE
    if not est.diagnosis.can_tell or est.diagnosis.hides_noise:
        out.hint(f"failed: {noise_statement(est).reason()}")
        return ExitCode.GATE
    left = est.noise_left()
    none = no_clear_sign(est) and (left.upper or 0.0) <= max(max_noise, NEARLY_CLEAN)
    passed = none or left.share <= max_noise
    rough = "; the estimate is rough" if est.diagnosis.verdict == "rough" else ""
    outcome = f"{'passed' if passed else 'failed'} ({max_noise:.1%} allowed)"
    out.hint(f"{outcome}: {noise_statement(est).reason()}{rough}")
    return ExitCode.DONE if passed else ExitCode.GATE
