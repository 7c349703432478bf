"""``labelnoise find``: the rows whose labels are probably wrong."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.cli.speaking import Speaker
    from labelnoise.cli.work import Estimated

SHOWN, ROWS_TO_AUDIT = 15, 100


def register(app: typer.Typer) -> None:
    """Add the command."""
    command(
        app,
        "find",
        "labelnoise find data.csv --label y --budget 200 -o issues.csv",
        "labelnoise find data.csv --label y --text-column text -o tasks.json",
        "labelnoise find data.parquet --label y --threshold 0.9 -o issues.parquet",
        "labelnoise find data.csv --label y --for-audit -o audit.csv",
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
    for_audit: Annotated[
        bool,
        typer.Option(
            "--for-audit",
            help="The rows whose true labels would tell most about T (100, or --budget), to make a "
            "weak verdict reliable by --audit.",
        ),
    ] = False,
    by_probability: Annotated[
        bool,
        typer.Option(
            "--by-probability",
            help="The likeliest errors, whatever their label; else each label gets its share.",
        ),
    ] = False,
) -> ExitCode:
    """Find the rows whose labels are probably wrong, the likeliest first, with evidence."""
    from labelnoise.cli.calls import CallError
    from labelnoise.cli.rows import found_rows, rows_as_columns
    from labelnoise.cli.work import begin, estimated
    from labelnoise.review.decisions import export_label_issues

    if method.method != "rank-gated":
        raise CallError(
            f"method {method.method!r} says nothing about single rows. Leave out --method."
        )
    _check(output, threshold, for_audit=for_audit, alone=threshold is None and not by_probability)
    speaker = begin(run, output, data.data, data.label, data.embeddings, *(method.audit or ()))
    done = estimated(data, method, run, speaker)
    if for_audit:
        rows = done.estimate.suggest_audit(budget or ROWS_TO_AUDIT)
        columns, content = rows_as_columns(done, rows)
    else:
        asked: dict[str, Any] = {"budget": budget, "threshold": threshold}
        columns, content = found_rows(done, per_class=not by_probability, **asked)
    if output is not None:
        export_label_issues({**columns, **content}, output)
    speaker.say(*_shown(columns, content, done.estimate.n_rows, for_audit=for_audit))
    if run.json:
        names = [*columns, *content]
        told = [dict(zip(names, row, strict=True)) for row in _rows(columns, content)]
        speaker.tell("find", {"n_rows": done.estimate.n_rows, "rows": told})
    if len(columns["row"]) > SHOWN and output is None:
        speaker.note(f"the first {SHOWN} of them: write all with -o issues.csv")
    if done.estimate.diagnosis.verdict != "reliable":
        speaker.note(f"the verdict is {done.estimate.diagnosis.verdict!r}: see labelnoise check")
    if output is not None:
        _say_next(output, done, speaker, for_audit=for_audit)
    return ExitCode.DONE


def _check(output: Path | None, threshold: float | None, *, for_audit: bool, alone: bool) -> None:
    from labelnoise import checks
    from labelnoise.cli.calls import CallError, options_checked
    from labelnoise.review.decisions import check_format

    if for_audit and not alone:
        raise CallError("--for-audit goes with --budget only. Leave out the others.")
    with options_checked():
        if output is not None:
            check_format(output)
        if threshold is not None:
            checks.fraction(threshold, "--threshold")


def _shown(
    columns: dict[str, Any], content: dict[str, Any], n_rows: int, *, for_audit: bool
) -> Iterator[Any]:
    """What people see of the rows."""
    from labelnoise.cli.showing import show_rows

    n_found = len(columns["row"])
    yield f"{n_found:,} rows to review, of {n_rows:,}"
    if n_found and not for_audit:
        yield (
            f"about {columns['expected_precision'][-1]:.0%} of them are wrong, and they hold about "
            f"{columns['expected_found'][-1]:.0%} of all wrong labels"
        )
    if n_found:
        yield show_rows(columns, content, SHOWN)


def _say_next(output: Path, done: Estimated, speaker: Speaker, *, for_audit: bool) -> None:
    from labelnoise.cli.calls import again, apply_next

    fill = "annotate its tasks" if output.suffix == ".json" else "fill in its column 'reviewed'"
    speaker.note(f"wrote {output}: {fill}, then")
    if for_audit:
        call = again("estimate", done.data, others=done.also())
        speaker.note(f"next: {call} --audit {shlex.quote(str(output))}")
    else:
        speaker.note(
            f"next: {apply_next(done.data, str(output), labels_apart=done.table.labels_apart)}"
        )


def _rows(columns: dict[str, Any], content: dict[str, Any]) -> Any:
    plain = [
        values.tolist() if hasattr(values, "tolist") else values
        for values in (*columns.values(), *content.values())
    ]
    return zip(*plain, strict=True)
