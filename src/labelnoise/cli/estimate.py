"""``labelnoise estimate``: how the labels go wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.gate import MaxNoise, gate
from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "estimate",
        "labelnoise estimate data.csv --label y -o noise.json",
        "labelnoise estimate X.npy --label y.npy --json",
        "cat data.csv | labelnoise estimate - --label y --max-noise 0.05",
        "labelnoise estimate data.csv --label y --audit decisions.csv",
    )(estimate)


def estimate(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Save the estimate (.json).", show_default=False),
    ] = None,
    max_noise: MaxNoise = None,
) -> ExitCode:
    """Estimate how labels go wrong: T, the true class shares, and whether to trust them."""
    from labelnoise.cli.calls import CallError, again
    from labelnoise.cli.showing import show_summary
    from labelnoise.cli.work import about, begin, estimated
    from labelnoise.reporting.summary import summarize

    speaker = begin(run, output, data.data, data.label, data.embeddings, *(method.audit or ()))
    if output is not None and output.suffix.lower() != ".json":
        raise CallError(
            f"an estimate is saved as JSON, and {output.name!r} says otherwise. Choose a name that "
            "ends in .json; labelnoise report writes pages, labelnoise find tables."
        )
    done = estimated(data, method, run, speaker)
    if output is not None:
        done.estimate.save(output)
    summary = summarize(done.estimate, about(done, max_rows=0, features=False))
    speaker.say(*show_summary(summary))
    speaker.tell("report", summary.to_document())
    if output is not None:
        speaker.note(f"wrote {output}")
    speaker.note(f"next: {again('report', data, others=done.also())} -o report.html")
    return gate(done.estimate, max_noise, speaker)
