"""``labelnoise report``: one page to send to a colleague."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions
from labelnoise.reporting.about import MOST_ROWS


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "report",
        "labelnoise report data.csv --label y -o report.html",
        "labelnoise report reviews.csv --label stars --text-column text --embeddings emb.npy",
        "labelnoise report data.csv --label y -o report.md",
    )(report)


def report(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where to: .html, .md or .json.")
    ] = Path("report.html"),
    rows: Annotated[
        int, typer.Option("--rows", help="Suspicious rows to show at most.", min=0)
    ] = MOST_ROWS,
    title: Annotated[
        str | None,
        typer.Option("--title", help="Title of the page.", show_default="name of the file"),
    ] = None,
) -> ExitCode:
    """Write a report: one page with T, confusions, trust, and the rows to review.

    The page needs no network. Mark rows on it as wrong or right, download the decisions, and let
    labelnoise apply put them into your file.
    """
    from labelnoise.cli.calls import options_checked
    from labelnoise.cli.showing import headline
    from labelnoise.cli.work import about, begin, estimated
    from labelnoise.reporting.render import check_ending, write_summary
    from labelnoise.reporting.summary import summarize

    with options_checked():
        check_ending(output)
    speaker = begin(run, output, data.data, data.label, data.embeddings, *(method.audit or ()))
    done = estimated(data, method, run, speaker)
    with speaker.working():
        summary = summarize(done.estimate, about(done, max_rows=rows, title=title))
        write_summary(summary, output)
    speaker.say(*headline(summary), f"Verdict: {summary.verdict}", f"wrote {output}")
    speaker.tell("report", {**summary.to_document(), "written": str(output)})
    return ExitCode.DONE
