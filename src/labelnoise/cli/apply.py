"""``labelnoise apply``: reviewed labels go into the file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from labelnoise.cli.calls import checked_output, files_of
from labelnoise.cli.command import command
from labelnoise.cli.options import DataOptions, RunOptions, SavedEstimate, option

FIXES = (
    "Decisions from a report, a file from labelnoise find with its column 'reviewed' filled in, or "
    "a Label Studio export (JSON)."
)


@command(
    "labelnoise apply data.csv decisions.csv --label y -o fixed.csv",
    "labelnoise apply data.csv issues.csv --label y --column reviewed -o fixed.csv",
    "labelnoise apply data.csv project-1-export.json --label y -o fixed.csv",
)
def apply(
    data: DataOptions,
    run: RunOptions,
    fixes: Annotated[Path, typer.Argument(help=FIXES, show_default=False)],
    output: Annotated[Path, option("--output -o", "The new file, in the same format.")],
    column: Annotated[str, option("--column", "Column of FIXES with the reviewed labels.")] = (
        "reviewed"
    ),
    saved: SavedEstimate = None,
) -> None:
    """Apply reviewed labels: copy the data with all corrections, or write nothing.

    A row that does not exist, a label that is not a class, or a row whose label has changed since
    the review is an error, and nothing is written. With --estimate, the data must be those of the
    estimate, and reviewers may use all of its classes.
    """
    from labelnoise.cli.estimates import check_same_data
    from labelnoise.cli.label_files import open_label_file
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.review.correction import apply_fixes

    out = checked_output(run, [output], [*data.files, fixes, *files_of(saved)])
    est = None if saved is None else NoiseEstimate.load(saved)
    with out.working(), open_label_file(data, run) as file:
        labels = file.table.labels
        classes = labels.classes(file.rows, file.table.options.new_classes)
        if est is not None:
            usable = labels.usable(tuple(map(str, est.classes)))
            check_same_data(est, labels.labels(usable), str(saved))
            named = set(map(str, classes))
            classes = (*classes, *(label for label in est.classes if str(label) not in named))
        new = apply_fixes(file.labels, fixes, column=column, ids=file.ids, classes=classes)
        n_changed = file.write_copy(output, new)
    n_rows = file.found.table.num_rows
    out.notes(file.notes)
    out.show(f"{n_changed:,} of {n_rows:,} labels changed; wrote {output}")
    out.document("apply", {"n_changed": n_changed, "n_rows": n_rows, "written": str(output)})
