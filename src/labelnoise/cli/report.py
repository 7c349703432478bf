"""``labelnoise report``: one page to send to a colleague."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from labelnoise.cli.calls import Call, checked_output
from labelnoise.cli.command import command
from labelnoise.cli.options import DataOptions, MethodOptions, RunOptions, SavedEstimate, option
from labelnoise.reporting.settings import MAX_ROWS


@command(
    "labelnoise report data.csv --label y -o report.html",
    "labelnoise report reviews.csv --label stars --text-column text --embeddings emb.npy",
    "labelnoise report data.csv --label y --estimate noise/ -o report.md",
)
def report(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    output: Annotated[
        Path, option("--output -o", "Path of the report: .html, .md or .json.")
    ] = Path("report.html"),
    saved: SavedEstimate = None,
    rows: Annotated[
        int, option("--rows", "Maximum number of suspicious rows to show.", min=0)
    ] = MAX_ROWS,
) -> None:
    """Write a report: one page with T, confusions, their reliability, and the rows to review.

    The page needs no network. Mark labels on it as wrong or correct and download the decisions;
    labelnoise apply puts them into a copy of your file.
    """
    from labelnoise.cli.estimates import estimated, summary_of
    from labelnoise.cli.showing import show_headline, show_verdict
    from labelnoise.reporting.render import check_ending, write_summary

    check_ending(output)
    call = Call(data, method, run, saved)
    out = checked_output(run, [output], call.files)
    done = estimated(call, out)
    est = done.estimate
    if rows and est.rows is None:
        out.notes([est.without_rows("the list of rows to review")])
    with out.working():
        summary = summary_of(done, max_rows=rows, features=True)
        write_summary(summary, output)
    out.show(*show_headline(summary), show_verdict(summary), f"wrote {output}")
    out.document("report", {**summary.to_document(), "written": str(output)})
