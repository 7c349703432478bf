"""``labelnoise score``: what a score would be on clean labels."""

from __future__ import annotations

from dataclasses import replace
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
        "score",
        "labelnoise score test.csv --label y --prediction model --noise noise.json",
        "labelnoise score test.csv --label y --prediction model --noise noise.json --metric f1",
    )(score)


def score(
    data: DataOptions,
    run: RunOptions,
    prediction: Annotated[
        str,
        typer.Option("--prediction", "-p", help="Column of predicted classes.", show_default=False),
    ],
    noise: Annotated[
        Path,
        typer.Option(
            "--noise", help="An estimate that labelnoise estimate saved.", show_default=False
        ),
    ],
    metric: Annotated[
        str,
        typer.Option(
            "--metric",
            help="accuracy, balanced_accuracy, precision, recall, f1 or confusion_matrix.",
        ),
    ] = "accuracy",
    average: Annotated[
        str, typer.Option("--average", help="macro, weighted or micro; none: one score a class.")
    ] = "macro",
    level: Annotated[
        float, typer.Option("--level", help="Probability of the interval.", min=0, max=1)
    ] = 0.9,
) -> ExitCode:
    """Score predictions as clean labels would, with an interval.

    Estimate the noise on other rows than these, such as those the model was trained on.
    """
    from labelnoise import checks
    from labelnoise.cli.calls import options_checked
    from labelnoise.cli.work import begin
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.remedies.clean_metrics import AVERAGES, METRICS
    from labelnoise.remedies.scores import corrected_score

    speaker = begin(run)
    est = NoiseEstimate.load(noise)
    with options_checked():
        checks.one_of(metric, "metric", METRICS)
        checks.one_of(average, "average", [*AVERAGES, "none"])
        checks.level(level)
    with speaker.working():
        labels, predicted = _labels_and_predictions(data, prediction)
        both = labels.told[~predicted.texts.missing[labels.told]]
        found = corrected_score(
            named_like(labels, both, est.classes),
            named_like(predicted, both, est.classes),
            est,
            metric=metric,
            average=None if average == "none" else average,
            level=level,
            random_state=run.seed,
        )
    speaker.guesses(labels.guess())
    n_left_out = len(labels.texts) - len(both)
    if n_left_out:
        speaker.note(f"{n_left_out:,} rows without a label or a prediction are left out")
    speaker.say(str(found))
    speaker.tell("score", _document(found))
    return ExitCode.DONE


def _labels_and_predictions(data: DataOptions, prediction: str) -> tuple[LabelColumn, LabelColumn]:
    from labelnoise.cli.calls import reading_of, wanted_of
    from labelnoise.data.old_label_column import LabelColumn, refuse_unknown
    from labelnoise.data.table_files import read_source

    wanted = wanted_of(data)
    wanted = replace(wanted, shown=(*wanted.shown, prediction))
    reading = reading_of(data, wanted)
    columns = read_source(data.data, reading).table.columns
    refuse_unknown(prediction, columns, reading.name, "--prediction")
    return (
        LabelColumn.of(columns, wanted, reading.name),
        LabelColumn.of(columns, replace(wanted, label=prediction), reading.name),
    )


def named_like(column: Any, rows: Any, classes: tuple[Any, ...]) -> list[Any]:
    """Texts of some rows as the classes they name, if they name any."""
    known = {str(label): label for label in classes}
    return [known.get(text, text) for text in column.texts.cells(rows)]


def _document(found: Any) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return value.tolist() if hasattr(value, "tolist") else value

    return {
        "metric": found.metric,
        **{name: plain(getattr(found, name)) for name in ("value", "lower", "upper", "naive")},
        "level": found.level,
        "classes": list(found.classes),
        "n_rows": found.n_rows,
        "notes": list(found.notes),
    }
