"""``labelnoise check``: what is in the table, and whether it can tell how labels go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions

if TYPE_CHECKING:
    from labelnoise.data.labeled_table import LabeledTable


MOST_LABELS = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "check",
        "labelnoise check data.csv --label y",
        "labelnoise check data.csv --label y --only-table",
        "labelnoise check data.csv --label y --as zip=category --drop notes",
    )(check)


def check(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    only_table: Annotated[
        bool, typer.Option("--only-table", help="Look at the table only; do not estimate.")
    ] = False,
) -> ExitCode:
    """Check before you trust: what becomes of every column, and the diagnosis.

    Exits with 1 if the data cannot tell how labels go wrong.
    """
    from labelnoise.cli.showing import diagnosis
    from labelnoise.cli.work import about, begin, estimated, loaded
    from labelnoise.reporting.summary import summarize

    speaker = begin(run)
    if only_table:
        table = loaded(data, run, speaker)
        speaker.say(*_table(table))
        speaker.tell("check", _document(table))
        return ExitCode.DONE
    done = estimated(data, method, run, speaker)
    summary = summarize(done.estimate, about(done, max_rows=0, features=False))
    speaker.say(*_table(done.table), *diagnosis(summary))
    told = {"verdict": summary.verdict, "reasons": summary.reasons, "remedies": summary.remedies}
    speaker.tell("check", {**_document(done.table), "diagnosis": told})
    return ExitCode.DONE if summary.can_tell else ExitCode.GATE


def _table(table: LabeledTable) -> list[Any]:
    from labelnoise.cli.speaking import grid

    document = _document(table)
    columns = [[one["name"], one["becomes"], one["why"]] for one in document["columns"]]
    labels = [[name, f"{count:,}"] for name, count in document["labels"].items()]
    more = [[f"({len(labels) - MOST_LABELS} more)", ""]] if len(labels) > MOST_LABELS else []
    n_rows, n_features = table.X.shape
    return [
        f"{n_rows:,} labeled rows, {n_features} features",
        grid(["column", "becomes", "because"], columns, numbers=3),
        grid([f"label ({table.label})", "rows"], [*labels[:MOST_LABELS], *more]),
    ]


def _document(table: LabeledTable) -> dict[str, Any]:
    import numpy as np

    names, counts = np.unique(table.y, return_counts=True)
    return {
        "n_rows": len(table.y),
        "n_features": table.X.shape[1],
        "label": table.label,
        "labels": {str(name): int(count) for name, count in zip(names, counts, strict=True)},
        "columns": [
            {"name": role.name, "becomes": role.kind, "why": role.reason} for role in table.roles
        ],
        "guesses": list(table.guesses),
    }
