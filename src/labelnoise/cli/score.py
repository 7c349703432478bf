"""``labelnoise score``: what a score would be on clean labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.calls import checked_output
from labelnoise.cli.command import command
from labelnoise.cli.options import DataOptions, RunOptions, option

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.remedies.scores import CorrectedScore

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
) -> None:
    """Estimate what a score of predictions would be on clean labels, with an interval.

    Estimate the noise on other rows, such as those the model was trained on.
    """
    from labelnoise.cli.estimates import as_classes
    from labelnoise.cli.label_files import open_label_file
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.remedies.scores import corrected_score

    out = checked_output(run)
    est = NoiseEstimate.load(saved)
    with out.working(), open_label_file(data, run, prediction) as file:
        predicted = file.table.other_column(prediction, "prediction")
        rows = file.rows[predicted.codes[file.rows] >= 0]
        found = corrected_score(
            as_classes(file.table.labels.labels(rows), est.classes),
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
    out.document("score", _document(found, est))


def _document(found: CorrectedScore, est: NoiseEstimate) -> dict[str, Any]:
    names = ("metric", "value", "lower", "upper", "naive", "level", "classes", "n_rows")
    findings = [{"code": one.code, "text": one.text("command line")} for one in found.findings]
    return {
        **{name: getattr(found, name) for name in names},
        "findings": findings,
        "noise": {"noise_rate": est.noise_rate, "verdict": est.diagnosis.verdict},
    }
