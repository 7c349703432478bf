"""``labelnoise find``: the rows whose labels are probably wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions

SHOWN = 15


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "find",
        "labelnoise find data.csv --label y --budget 200 -o issues.csv",
        "labelnoise find data.csv --label y --text-column text -o tasks.json",
        "labelnoise find data.parquet --label y --threshold 0.9 -o issues.parquet",
    )(find)


def find(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write them: .csv, .tsv, .parquet, or .json for Label Studio.",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            "--budget",
            "-n",
            help="Rows you have time to review.",
            min=1,
            show_default="as many as are wrong",
        ),
    ] = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            "--threshold",
            help="Rows that are wrong with at least this probability.",
            min=0,
            max=1,
            show_default=False,
        ),
    ] = None,
    by_probability: Annotated[
        bool,
        typer.Option(
            "--by-probability",
            help="The likeliest errors, whatever their label; else each label gets its share.",
        ),
    ] = False,
) -> ExitCode:
    """Find the rows whose labels are probably wrong, the likeliest first, with evidence."""
    from labelnoise import checks
    from labelnoise.cli.showing import show_rows
    from labelnoise.cli.work import again, begin, estimated, found_rows, options_checked
    from labelnoise.data.containers import Table
    from labelnoise.remedies.issue_files import check_format, export_label_issues

    with options_checked():
        if output is not None:
            check_format(output)
        if threshold is not None:
            checks.fraction(threshold, "--threshold")
    speaker = begin(run, output, data.data, data.label, data.embeddings, method.audit)
    done = estimated(data, method, run, speaker)
    asked: dict[str, Any] = {"budget": budget, "threshold": threshold}
    columns, content = found_rows(done, per_class=not by_probability, **asked)
    if output is not None:
        export_label_issues(Table({**columns, **content}), output)
    n_found = len(columns["row"])
    speaker.say(f"{n_found:,} rows to review, of {done.estimate.n_rows:,}")
    if n_found:
        speaker.say(
            f"about {columns['expected_precision'][-1]:.0%} of them are wrong, and they hold about "
            f"{columns['expected_found'][-1]:.0%} of all wrong labels",
            show_rows(columns, content, SHOWN),
        )
    if n_found > SHOWN and output is None:
        speaker.note(f"{n_found - SHOWN:,} more rows: write all with -o issues.csv")
    if run.json:
        names = [*columns, *content]
        speaker.tell([dict(zip(names, row, strict=True)) for row in _rows(columns, content)])
    if done.estimate.diagnosis.verdict != "reliable":
        speaker.note(f"the verdict is {done.estimate.diagnosis.verdict!r}: see labelnoise check")
    if output is not None:
        speaker.note(f"wrote {output}: fill in its column 'reviewed', then")
        speaker.note(f"next: {again('apply', data, str(output))} -o fixed{_ending(data.data)}")
    return ExitCode.DONE


def _ending(path: str) -> str:
    endings = Path(path).suffixes
    return "".join(endings[-2:] if path.endswith(".gz") else endings[-1:]) or ".csv"


def _rows(columns: dict[str, Any], content: dict[str, Any]) -> Any:
    plain = [
        values.tolist() if hasattr(values, "tolist") else values
        for values in (*columns.values(), *content.values())
    ]
    return zip(*plain, strict=True)
