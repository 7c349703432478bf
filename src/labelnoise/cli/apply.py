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
    import numpy as np

    from labelnoise.cli.work import begin, reading_of, wanted_of
    from labelnoise.data.label_column import LabelColumn, plain_levels
    from labelnoise.data.table_files import opened, read_stream, rewrite_stream
    from labelnoise.files import written_atomically
    from labelnoise.remedies.fixes import apply_fixes

    speaker = begin(run, output, data.data, fixes)
    wanted = wanted_of(data)
    reading = reading_of(data, wanted)
    with speaker.working(), opened(data.data) as stream:
        source = read_stream(stream, data.data, reading)
        labels = LabelColumn.of(source.table.columns, wanted, reading.name)
        known = plain_levels([*labels.texts.levels, *(new_class or ())])
        old = labels.labels(labels.told)
        new = apply_fixes(
            old, fixes, column=column, ids=labels.ids[labels.told], classes=sorted(known)
        )
        with written_atomically(output) as out:
            rewrite_stream(stream, out, source, reading, {labels.name: labels.replaced(new)})
    n_changed = int(np.sum(np.asarray(new) != old))
    speaker.say(f"{n_changed:,} of {len(labels.texts):,} labels changed; wrote {output}")
    speaker.tell({"n_changed": n_changed, "n_rows": len(labels.texts), "written": str(output)})
    return ExitCode.DONE
