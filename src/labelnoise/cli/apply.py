"""``labelnoise apply``: reviewed labels go into the file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, RunOptions


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "apply",
        "labelnoise apply data.csv decisions.csv --label y -o fixed.csv",
        "labelnoise apply data.csv issues.csv --label y --column reviewed -o fixed.csv",
        "labelnoise apply data.csv project-1-export.json --label y -o fixed.csv",
    )(apply)


def apply(
    data: DataOptions,
    run: RunOptions,
    fixes: Annotated[
        Path,
        typer.Argument(
            help="Decisions from a report, a file of labelnoise find with its column 'reviewed' "
            "filled in, or a Label Studio export (JSON).",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", help="The new file, of the same format.", show_default=False
        ),
    ],
    column: Annotated[
        str, typer.Option("--column", help="Column of FIXES with the reviewed labels.")
    ] = "reviewed",
    new_class: Annotated[
        list[str] | None,
        typer.Option("--new-class", help="A class that reviewers use and no row has yet."),
    ] = None,
) -> ExitCode:
    """Apply reviewed labels: copy the data with new labels, all fixes or none.

    A row that does not exist, a label that is no class, or a row whose label is not the one that
    was reviewed is an error, and nothing is written.
    """
    from labelnoise.cli.calls import listed, reading_of, wanted_of
    from labelnoise.cli.copying import copied
    from labelnoise.cli.work import begin
    from labelnoise.data.label_column import LabelColumn
    from labelnoise.data.table_files import Change, opened, read_stream
    from labelnoise.remedies.fixes import apply_fixes

    speaker = begin(run, output, data.data, fixes)
    wanted = wanted_of(data)
    reading = reading_of(data, wanted)
    with speaker.working(), opened(data.data) as stream:
        source = read_stream(stream, data.data, reading)
        columns = source.table.columns
        labels = LabelColumn.of(columns, wanted.resolved(columns), reading.name)
        also = listed(new_class)
        new = apply_fixes(
            labels.labels(labels.told, also),
            fixes,
            column=column,
            ids=labels.ids[labels.told],
            classes=labels.classes(also),
        )
        changes = labels.changes(new)
        copied(stream, source, reading, Change(labels.name, changes), output)
    speaker.say(f"{len(changes):,} of {len(labels.texts):,} labels changed; wrote {output}")
    speaker.tell({"n_changed": len(changes), "n_rows": len(labels.texts), "written": str(output)})
    return ExitCode.DONE
