"""``labelnoise check``: what is in the table, and whether the noise can be estimated from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from labelnoise.cli.calls import Call, checked_output
from labelnoise.cli.command import command
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.options import DataOptions, MethodOptions, RunOptions, SavedEstimate, option
from labelnoise.cli.output import first_of, grid

if TYPE_CHECKING:
    from labelnoise.data.dataset import Dataset


@command(
    "labelnoise check data.csv --label y",
    "labelnoise check data.csv --label y --only-table",
    "labelnoise check data.csv --label y --as zip=category --drop notes",
)
def check(
    data: DataOptions,
    method: MethodOptions,
    run: RunOptions,
    saved: SavedEstimate = None,
    only_table: Annotated[
        bool, option("--only-table", "Show the table only, without an estimate.")
    ] = False,
) -> ExitCode:
    """Check how every column is used, and whether the noise can be estimated from the data.

    The exit code is 1 if it cannot.
    """
    from labelnoise.cli.estimates import estimated, load_dataset, summary_of
    from labelnoise.cli.showing import show_diagnosis

    out = checked_output(run)
    call = Call(data, method, run, saved)
    if only_table:
        dataset = load_dataset(call, out)
        document = _document(dataset)
        findings = [finding.text("command line") for finding in dataset.findings]
        out.show(*_tables(document), *findings)
        out.document("check", {**document, "findings": findings})
        return ExitCode.DONE
    done = estimated(call, out)
    summary = summary_of(done)
    document = _document(done.dataset)
    out.show(*_tables(document), *show_diagnosis(summary))
    report = summary.to_document()
    names = ("noise_rate", "verdict", "reasons", "remedies")
    out.document("check", {**document, "diagnosis": {name: report[name] for name in names}})
    return ExitCode.DONE if summary.can_tell else ExitCode.GATE


def _tables(document: dict[str, Any]) -> list[Any]:
    columns = [one.values() for one in document["columns"]]
    labels = [[name, f"{count:,}"] for name, count in document["labels"].items()]
    types = [grid(["column", "used as", "because"], columns, numbers=3)] if columns else []
    return [
        f"{document['n_rows']:,} labeled rows, {document['n_features']} features",
        *types,
        grid([f"label ({document['label']})", "rows"], first_of(labels)),
    ]


def _document(dataset: Dataset) -> dict[str, Any]:
    import numpy as np

    names, counts = np.unique(dataset.y, return_counts=True)
    return {
        "n_rows": len(dataset.y),
        "n_features": dataset.X.shape[1],
        "label": dataset.label.name,
        "labels": {str(name): int(count) for name, count in zip(names, counts, strict=True)},
        "columns": [
            {"name": one.name, "type": one.type, "why": one.reason.reason()}
            for one in dataset.column_types
        ],
        "notes": [note.text("command line") for note in dataset.notes],
    }
