"""``labelnoise annotators``: what several annotators' answers say about rows and annotators."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from labelnoise.cli.calls import checked_output, outputs_at
from labelnoise.cli.command import command
from labelnoise.cli.memory import memory_limit
from labelnoise.cli.options import DATA, RunOptions, Texts, data_option, option
from labelnoise.cli.output import first_of, grid
from labelnoise.cli.settings import MAX_NAME
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.annotators.result import AnnotatorEstimate

FILES_OF_FOLDER = CONSENSUS_FILE, ESTIMATE_FILE = "consensus.csv", "annotators.json"

ANSWERS = f"Answers, a line each. {DATA}"
FEATURES = "Table with the features of the rows, in any of these formats."
ID = "Column of FEATURES that names the rows as the answers do."
OUTPUT = (
    "Where to write the result: a .csv file for the consensus labels, a .json file for everything, "
    "or a folder (FOLDER/) for both."
)


@command(
    "labelnoise annotators answers.csv",
    "labelnoise annotators answers.csv --row task --annotator worker --label answer -o consensus/",
    "labelnoise annotators answers.csv --features items.csv --id item -o consensus.csv",
)
def annotators(
    answers: Annotated[str, typer.Argument(help=ANSWERS, show_default=False)],
    run: RunOptions,
    row: Annotated[str | None, data_option("--row", "Column of the rows.", "guessed")] = None,
    annotator: Annotated[
        str | None, data_option("--annotator", "Column of the annotators.", "guessed")
    ] = None,
    label: Annotated[
        str | None, data_option("--label -l", "Column of the labels.", "guessed")
    ] = None,
    features: Annotated[str | None, data_option("--features", FEATURES, metavar="FILE")] = None,
    id_column: Annotated[str | None, data_option("--id", ID, "row numbers, from 0")] = None,
    drop: Annotated[Texts, data_option("--drop", "Ignore these columns of FEATURES.")] = None,
    output: Annotated[str | None, option("--output -o", OUTPUT)] = None,
) -> None:
    """Find the label that several annotators' answers support, and how reliable each annotator is.

    Without features, three or more annotators are needed to tell who is right.
    """
    from labelnoise.annotators.estimate import estimate_annotators
    from labelnoise.atomic_files import make_folder

    if features is None and (id_column or drop):
        raise LabelNoiseError("features_not_given")
    written = _written(output)
    outputs = [] if output is None else outputs_at(output, FILES_OF_FOLDER)
    out = checked_output(run, outputs, [answers, features])
    columns = {"row": row, "annotator": annotator, "label": label}
    with out.working():
        est = estimate_annotators(
            _answers(answers, run, columns, rows_as_text=id_column is not None),
            None if features is None else _features(features, run, drop or [], id_column),
            row=row,
            annotator=annotator,
            label=label,
            ids=id_column,
            random_state=run.seed,
        )
    if len(written) > 1:
        make_folder(str(output))
    _write(est, written)
    out.show(*_shown(est))
    out.document("annotators", _document(est))
    for path in written.values():
        out.hint(f"wrote {path}")
    if output is None:
        out.hint("write the consensus labels with -o consensus.csv")


def _read(path: str, run: RunOptions, text_columns: frozenset[str] | None) -> Any:
    from labelnoise.data.files import ReadOptions, read_table

    limit = memory_limit(run.max_memory)
    return read_table(path, ReadOptions(text_columns=text_columns, max_bytes=limit)).table


def _answers(
    path: str, run: RunOptions, columns: dict[str, str | None], *, rows_as_text: bool
) -> Any:
    """The table of answers as it is written, but for columns of whole numbers."""
    from labelnoise.annotators.answer_tables import with_whole_numbers

    return with_whole_numbers(_read(path, run, None), columns, rows_as_text=rows_as_text)


def _features(path: str, run: RunOptions, drop: list[str], id_column: str | None) -> Any:
    """The table of features without the columns to ignore; names of rows are texts."""
    from labelnoise.annotators.answer_tables import with_texts
    from labelnoise.data.table_options import refuse_unknown_column

    table = _read(path, run, frozenset(filter(None, [id_column])))
    for name in drop:
        refuse_unknown_column(name, table.column_names, repr(path), "drop")
    if id_column is not None:
        refuse_unknown_column(id_column, table.column_names, repr(path), "id")
        table = with_texts(table, id_column)
    return table.drop_columns(drop)


def _written(output: str | None) -> dict[str, Path]:
    """Files to write, by what they hold."""
    from labelnoise.noise_estimate.saving import names_folder

    if output is None:
        return {}
    path = Path(output)
    if names_folder(output):
        return {"consensus": path / CONSENSUS_FILE, "estimate": path / ESTIMATE_FILE}
    ending = path.suffix.lower()
    if ending not in {".csv", ".json"}:
        endings = [".csv", ".json", "/"]
        raise LabelNoiseError("unknown_ending", path=output, endings=endings)
    return {"consensus" if ending == ".csv" else "estimate": path}


def _write(est: AnnotatorEstimate, written: dict[str, Path]) -> None:
    from labelnoise.atomic_files import write_bytes_atomically
    from labelnoise.data.containers import as_columns
    from labelnoise.review.delimited import to_bytes

    if "estimate" in written:
        est.save(written["estimate"])
    if "consensus" in written:
        columns = as_columns(est.to_frame(), "consensus")
        columns["probability"] = [round(p, 4) for p in columns["probability"]]
        write_bytes_atomically(written["consensus"], to_bytes(columns, ","))


def _shown(est: AnnotatorEstimate) -> Iterator[Any]:
    """Rows and answers, the annotators, and the diagnosis."""
    from labelnoise.findings import verdict_in_words
    from labelnoise.wording import sentence

    n_answers = int(est.n_answers.sum())
    yield f"{n_answers:,} answers of {len(est.annotators)} annotators to {len(est.rows):,} rows"
    yield ""
    yield from (sentence(line) for line in est.in_words())
    yield _class_table(est)
    yield _annotator_table(est)
    diagnosis = est.diagnosis
    yield verdict_in_words(diagnosis.verdict)
    yield from (f"  - {sentence(one.reason('command line'))}" for one in diagnosis.findings)
    remedies = dict.fromkeys(one.remedy("command line") for one in diagnosis.findings)
    yield from (f"  > {sentence(remedy)}" for remedy in remedies if remedy)


def _class_table(est: AnnotatorEstimate) -> Any:
    """Every class: its frequency, and whom to trust."""
    from labelnoise.reporting.words import percent, shortened

    rows = [
        [
            shortened(str(name), MAX_NAME),
            percent(share),
            f"{int((est.consensus == name).sum()):,}",
            ", ".join(shortened(str(who), MAX_NAME) for who in est.most_reliable(name, 3)),
        ]
        for name, share in zip(est.classes, est.class_prior, strict=True)
    ]
    table = grid(["class", "share", "consensus", "most reliable annotators"], first_of(rows))
    table.columns[-1].justify = "left"
    return table


def _annotator_table(est: AnnotatorEstimate) -> Any:
    """Annotators with the most answers: wrong answers, and the most frequent confusion."""
    from labelnoise.reporting.words import percent, percent_range, shortened

    order = sorted(range(len(est.annotators)), key=lambda a: -est.counts[a].sum())
    hardly_known = "single_label_sources" in [one.code for one in est.diagnosis.findings]
    rows = []
    for a in order:
        one = est[est.annotators[a]]
        ends = one.interval()
        known = percent_range(ends.lower.noise_rate, ends.upper.noise_rate)
        rows.append(
            [
                shortened(str(one.name), MAX_NAME),
                f"{one.n_answers:,}",
                percent(one.noise_rate),
                "hardly known" if one.single_label and hardly_known else known,
                _confusion(est, a),
            ]
        )
    head = ["annotator", "answers", "wrong", "90% interval", "most frequent confusion"]
    table = grid(head, first_of(rows))
    table.columns[-1].justify = "left"
    return table


def _confusion(est: AnnotatorEstimate, a: int) -> str:
    """The most frequent wrong answer, among the expected answers."""
    import numpy as np

    from labelnoise.reporting.words import percent, shortened

    if est.single_label[a]:
        only = est.classes[int(est.counts[a].sum(axis=0).argmax())]
        return f"always {shortened(str(only), MAX_NAME)}"
    wrong = est.counts[a] * (1 - np.eye(len(est.classes)))
    i, j = np.unravel_index(int(wrong.argmax()), wrong.shape)
    true, given = (shortened(str(est.classes[int(at)]), MAX_NAME) for at in (i, j))
    return f"{percent(float(est.transition[a, i, j]))} of {true} as {given}"


def _document(est: AnnotatorEstimate) -> dict[str, Any]:
    """The result without rows; -o holds them."""
    everyone = [est[name] for name in est.annotators]
    ends = [one.interval() for one in everyone]
    return {
        "n_rows": len(est.rows),
        "n_answers": int(est.n_answers.sum()),
        "classes": list(est.classes),
        "class_prior": est.class_prior,
        "expected_accuracy": float(est.consensus_probability[est.n_answers > 0].mean()),
        "agreement": vars(est.agreement),
        "annotators": [
            {
                "name": one.name,
                "n_answers": one.n_answers,
                "noise_rate": one.noise_rate,
                "lower": end.lower.noise_rate,
                "upper": end.upper.noise_rate,
                "kappa": one.kappa,
                "single_label": one.single_label,
                "transition_matrix": one.transition_matrix.values,
            }
            for one, end in zip(everyone, ends, strict=True)
        ],
        "transition_matrix": est.transition_matrix.values,
        "verdict": est.diagnosis.verdict,
        "findings": [
            {"code": one.code, "text": one.text("command line")} for one in est.diagnosis.findings
        ],
    }
