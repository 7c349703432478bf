"""``labelnoise apply``: reviewed labels go into the file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, RunOptions

if TYPE_CHECKING:
    from labelnoise.data.old_label_column import LabelColumn


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
) -> ExitCode:
    """Apply reviewed labels: copy the data with new labels, all fixes or none.

    A row that does not exist, a label that is no class, or a row whose label is not the one that
    was reviewed is an error, and nothing is written.
    """
    from labelnoise.cli.copying import relabeled
    from labelnoise.cli.work import begin
    from labelnoise.review.correction import apply_fixes

    speaker = begin(run, output, data.data, data.label, data.embeddings, fixes)

    def fixed(labels: LabelColumn) -> Any:
        return apply_fixes(
            labels.labels(labels.told),
            fixes,
            column=column,
            ids=labels.ids[labels.told],
            classes=labels.classes(labels.told),
        )

    with speaker.working():
        labels, _, n_changed = relabeled(data, output, fixed)
    speaker.guesses(labels.guess())
    speaker.say(f"{n_changed:,} of {len(labels.texts):,} labels changed; wrote {output}")
    told = {"n_changed": n_changed, "n_rows": len(labels.texts), "written": str(output)}
    speaker.tell("apply", told)
    return ExitCode.DONE
