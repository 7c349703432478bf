"""``labelnoise compare``: whether relabeling helped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.gate import MaxNoise, gate, left_in_words
from labelnoise.cli.settings import RunOptions

if TYPE_CHECKING:
    from labelnoise.review.comparison import Comparison


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "compare",
        "labelnoise compare before.json after.json",
        "labelnoise compare before.json after.json --max-noise 0.05",
    )(compare)


def compare(
    before: Annotated[Path, typer.Argument(help="An estimate (JSON).", show_default=False)],
    after: Annotated[Path, typer.Argument(help="A later one.", show_default=False)],
    run: RunOptions,
    max_noise: MaxNoise = None,
) -> ExitCode:
    """Compare two saved estimates: whether there is less noise now.

    With --max-noise it is a gate for continuous integration: exit code 1 if the later estimate
    says that more labels are wrong.
    """
    from labelnoise.cli.speaking import grid
    from labelnoise.cli.work import begin
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.words import per_cent
    from labelnoise.review.comparison import compare_estimates

    speaker = begin(run)
    old, new = NoiseEstimate.load(before), NoiseEstimate.load(after)
    found = compare_estimates(old, new)
    rows = [
        ["all labels", left_in_words(old), left_in_words(new), _change(found.change)],
        *(
            [f"  {label}", per_cent(a), per_cent(b), _change(b - a)]
            for label, a, b in found.by_class
        ),
    ]
    speaker.say(grid(["wrong labels", before.name, after.name, "change"], rows), found.in_words())
    speaker.say(f"verdicts: {old.diagnosis.verdict}, then {new.diagnosis.verdict}")
    if not new.corrected:
        speaker.note(
            "if labels were corrected where they looked wrong, the later estimate is too low: what "
            "is left looks right. Estimate it with --audit and the decisions"
        )
    if set(old.classes) != set(new.classes) and not new.corrected:
        speaker.note("the two estimates have different classes: are they of the same data?")
    code = gate(new, max_noise, speaker)
    verdicts = [old.diagnosis.verdict, new.diagnosis.verdict]
    passed = None if max_noise is None else code is ExitCode.DONE
    speaker.tell("compare", {**_document(found), "verdicts": verdicts, "passed": passed})
    return code


def _document(found: Comparison) -> dict[str, Any]:
    return {
        "before": found.before,
        "after": found.after,
        "change": found.change,
        "p_less_noise": found.p_less_noise,
        "by_class": [
            {"class": str(label), "before": a, "after": b} for label, a, b in found.by_class
        ],
    }


def _change(by: Any) -> str:
    return f"{100 * by:+.1f} points"
