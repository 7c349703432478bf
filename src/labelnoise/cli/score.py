"""``labelnoise score``: what a score would be on clean labels."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.options import DataOptions, RunOptions, option
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator


ESTIMATE = "Estimate saved by labelnoise estimate -o: a .json file or a folder."
METRIC = "accuracy, balanced_accuracy, precision, recall, f1 or confusion_matrix."
AVERAGE = "macro, weighted or micro; none: one score per class."


@command(
    "labelnoise score test.csv --label y --prediction model --estimate noise.json",
    "labelnoise score test.csv --label y --prediction model --estimate noise.json --metric f1",
)
def score(
    data: DataOptions,
    run: RunOptions,
    prediction: Annotated[str, option("--prediction -p", "Column of predicted classes.")],
    saved: Annotated[str, option("--estimate", ESTIMATE, metavar="PATH")],
    metric: Annotated[str, option("--metric", METRIC)] = "accuracy",
    average: Annotated[str, option("--average", AVERAGE)] = "macro",
    level: Annotated[float, option("--level", "Level of the interval.", min=0, max=1)] = 0.9,
) -> ExitCode:
    """Score predictions as clean labels would, with an interval.

    Estimate the noise on other rows, such as those the model was trained on.
    """
    from labelnoise.cli.begin import begin
    from labelnoise.cli.label_files import open_label_file
    from labelnoise.cli.saved_estimates import as_classes, load_estimate
    from labelnoise.remedies.scores import corrected_score

    out = begin(run)
    est = load_estimate(saved)
    _check(metric, average, level)
    with out.working(), open_label_file(data, run, prediction) as file:
        predicted = file.other_column(prediction, "--prediction")
        rows = file.rows[predicted.codes[file.rows] >= 0]
        with _columns_named(y_noisy=file.column.name, y_pred=prediction):
            found = corrected_score(
                as_classes(file.column.labels(rows), est.classes),
                as_classes(predicted.labels(rows), est.classes),
                est,
                metric=metric,
                average=None if average == "none" else average,
                level=level,
                random_state=run.seed,
            )
    out.notes(file.notes)
    n_left_out = file.found.table.num_rows - len(rows)
    if n_left_out:
        out.hint(f"{n_left_out:,} rows without a label or a prediction are left out")
    out.show(found.text("command line"))
    noise = {"noise_rate": est.noise_rate, "verdict": est.diagnosis.verdict}
    out.document("score", {**_document(found), "noise": noise})
    return ExitCode.DONE


def _check(metric: str, average: str, level: float) -> None:
    from labelnoise import checks
    from labelnoise.cli.errors import options_checked
    from labelnoise.remedies.clean_metrics import AVERAGES, METRICS

    with options_checked():
        checks.one_of(metric, "metric", METRICS)
        checks.one_of(average, "average", [*AVERAGES, "none"])
        checks.level(level)


@contextmanager
def _columns_named(**columns: str) -> Iterator[None]:
    """Let errors about an argument name the column that it came from."""
    try:
        yield
    except LabelNoiseError as error:
        facts = error.note.facts
        if facts.get("name") not in columns:
            raise
        name = f"column {columns[facts['name']]!r}"
        raise LabelNoiseError(error.note.code, **{**facts, "name": name}) from error


def _document(found: Any) -> dict[str, Any]:
    def plain(value: Any) -> Any:
        return value.tolist() if hasattr(value, "tolist") else value

    return {
        "metric": found.metric,
        **{name: plain(getattr(found, name)) for name in ("value", "lower", "upper", "naive")},
        "level": found.level,
        "classes": list(found.classes),
        "n_rows": found.n_rows,
        "findings": [
            {"code": one.code, "text": one.text("command line")} for one in found.findings
        ],
    }
