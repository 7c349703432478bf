"""``labelnoise compare``: whether relabeling helped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.calls import checked_output
from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.gate import MaxNoise, gate
from labelnoise.cli.options import RunOptions
from labelnoise.cli.output import Output, grid

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.noise_estimate.estimate import NoiseLeft
    from labelnoise.review.comparison import Comparison


@command(
    "labelnoise compare before.json after.json",
    "labelnoise compare before.json after.json --max-noise 0.05",
)
def compare(
    before: Annotated[Path, typer.Argument(help="A saved estimate.", show_default=False)],
    after: Annotated[Path, typer.Argument(help="A later estimate.", show_default=False)],
    run: RunOptions,
    max_noise: MaxNoise = None,
) -> ExitCode:
    """Compare two saved estimates: whether there is less noise now.

    With --max-noise, it is a gate for continuous integration: the exit code is 1 if the later
    estimate is above this share.
    """
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.words import percent
    from labelnoise.review.comparison import compare_estimates
    from labelnoise.wording import sentence

    out = checked_output(run)
    old, new = NoiseEstimate.load(before), NoiseEstimate.load(after)
    found = compare_estimates(old, new)
    shares = [_share(found.before, old), _share(found.after, new)]
    rows = [["all labels", *shares, _points(found.change)]]
    rows += [
        [f"  {label}", percent(share), percent(later), _points(later - share)]
        for label, share, later in found.by_class
    ]
    verdicts = [old.diagnosis.verdict, new.diagnosis.verdict]
    out.show(
        grid(["wrong labels", before.name, after.name, "change"], rows),
        sentence(found.conclusion.reason()),
        f"These estimates: {verdicts[0]}, then {verdicts[1]}",
    )
    if found.same_labels:
        out.hint(
            "both estimates are of the same labels, so the one with more reviewed rows is used for "
            "both columns"
        )
    _warn(old, new, out)
    code = gate(new, max_noise, out)
    passed = None if max_noise is None else code is ExitCode.DONE
    out.document("compare", {**_document(found), "verdicts": verdicts, "passed": passed})
    return code


def _share(left: NoiseLeft, est: NoiseEstimate) -> str:
    """The share of wrong labels, once audited rows are corrected, with its interval."""
    from labelnoise.noise_estimate import lower_limit
    from labelnoise.reporting.words import percent_range

    if est.diagnosis.hides_noise:
        least = lower_limit(est)
        return "not known" if least is None else f"at least {least:.1%}"
    if left.lower is None or left.upper is None:
        return f"{left.share:.1%}"
    return f"{left.share:.1%} ({percent_range(left.lower, left.upper)})"


def _warn(old: NoiseEstimate, new: NoiseEstimate, out: Output) -> None:
    """Say what would make the comparison misleading."""
    if old.diagnosis.hides_noise or new.diagnosis.hides_noise:
        out.hint("wrong labels may be hidden in one or both of the estimates; see labelnoise check")
    if set(old.classes) != set(new.classes):
        out.hint("the two estimates have different classes: were they made from the same data?")
    if not new.corrected:
        out.hint(
            "if labels were corrected where they looked wrong, the later estimate is too low: the "
            "remaining errors look right. Estimate again with --audit and the decisions"
        )


def _document(found: Comparison) -> dict[str, Any]:
    names = ("same_labels", "change", "p_less_noise", "hides_noise")
    return {
        "before": found.before.share,
        "after": found.after.share,
        **{name: getattr(found, name) for name in names},
        "by_class": [
            {"class": str(label), "before": share, "after": later}
            for label, share, later in found.by_class
        ],
    }


def _points(change: float) -> str:
    return f"{100 * change:+.1f} points"
