"""Label issues in files: out for review, and back with the decisions of the reviewers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from labelnoise import checks
from labelnoise.atomic_files import read_text, write_bytes_atomically
from labelnoise.data.containers import NOT_A_COLUMN, as_columns, without_tuples
from labelnoise.data.files import ReadOptions, read_table
from labelnoise.errors import LabelNoiseError
from labelnoise.json_values import json_value
from labelnoise.review import delimited, label_studio
from labelnoise.review.settings import DECIMALS

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from labelnoise.arrays import IntArray

Columns = dict[str, list[Any]]

REVIEWED = "reviewed"  # column of labels that reviewers settle on; empty if a row was not reviewed
SPREADSHEET_ROW = "spreadsheet_row"  # column of row numbers; for people, and not read back
REQUIRED = ("row", "given", "suggested", "p_wrong")
PROBABILITIES = ("p_wrong", "p_suggested", "expected_precision", "expected_found")
OF_SPREADSHEETS = ("csv", "xlsx")  # formats in which texts are protected from being run as formulas


def export_label_issues(issues: Any, path: str | os.PathLike[str]) -> None:
    """Write label issues to a file for review, in one step: nobody ever reads half of it.

    Rows are identified by the column `row`: their id, or their position in the data, counted from
    0. It is what `apply_fixes` reads back, so leave it as it is.

    Parameters
    ----------
    issues : frame
        What `find_label_issues` returned, or some of its rows; columns may have been added.
    path : path
        Ending in ``.csv``, ``.tsv``, ``.xlsx`` (needs openpyxl), ``.parquet``, or ``.json`` (tasks
        for Label Studio, which can sort them by a `score`, the probability of being wrong).
        Next to the column `suggested`, tables have an empty column `reviewed` to fill in, which
        `apply_fixes` applies. Probabilities are rounded to four decimals. In CSV, TSV and
        Excel files the entries of a list are joined by semicolons, and a text that a spreadsheet
        would run as a formula has an apostrophe before it, which `apply_fixes` removes again.
    """
    columns = as_columns(issues, "issues")
    for name in REQUIRED:
        if name not in columns:
            facts = {"table": "issues", "columns": list(columns), "parameter": "issues"}
            raise LabelNoiseError("no_such_column", column=name, **facts)
    check_format(path)
    write_bytes_atomically(path, WRITERS[_ending(path)](_for_files(columns)))


def check_format(path: str | os.PathLike[str]) -> None:
    """Check that label issues can be written to a file of this name."""
    if _ending(path) not in WRITERS:
        raise LabelNoiseError("unknown_ending", path=str(path), endings=list(WRITERS))


def read_decisions(path: str | os.PathLike[str], column: str = REVIEWED) -> Columns:
    """Columns of a file that `export_label_issues` wrote, or a spreadsheet saved again.

    Ids and labels, among them those of `column`, are read as they are written.
    """
    if _ending(path) == ".json":
        return label_studio.reviewed(read_text(path), column)
    as_written = frozenset({"row", "given", REVIEWED, column})
    found = read_table(path, ReadOptions(text_columns=as_written))
    columns: Columns = found.table.to_pydict()
    if found.format not in OF_SPREADSHEETS:
        return columns
    return {
        delimited.unprotected(name): [delimited.unprotected(cell) for cell in cells]
        for name, cells in columns.items()
    }


def with_spreadsheet_rows(
    columns: Mapping[str, Any], positions: IntArray, first: int = 2
) -> dict[str, Any]:
    """Columns with one for the number that a spreadsheet shows next to each row, behind its id.

    `positions` (m,) are those of the rows in the file; `first` is the number of position 0: 2,
    below the header, or 1 in a file without one.

    >>> import numpy as np
    >>> with_spreadsheet_rows({"row": [0, 7], "given": ["a", "b"]}, np.array([0, 7]))
    {'row': [0, 7], 'spreadsheet_row': [2, 9], 'given': ['a', 'b']}
    """
    numbers = [int(position) + first for position in positions]
    return _inserted(dict(columns), SPREADSHEET_ROW, numbers, after="row")


def _ending(path: str | os.PathLike[str]) -> str:
    return Path(path).suffix.lower()


def _for_files(columns: Columns) -> Columns:
    """Columns with None for missing values, and probabilities of a few decimals."""

    def cell(name: str, value: Any) -> Any:
        if checks.is_missing(value):
            return None
        rounded = name in PROBABILITIES or name.startswith("p_true[")
        return round(value, DECIMALS) if rounded and isinstance(value, float) else value

    return {name: [cell(name, value) for value in values] for name, values in columns.items()}


def _for_review(columns: Columns) -> Columns:
    """Columns with one for reviewed labels, behind the suggested ones."""
    reviewed = columns.get(REVIEWED, [None] * len(columns["row"]))
    others = {name: values for name, values in columns.items() if name != REVIEWED}
    return _inserted(others, REVIEWED, reviewed, after="suggested")


def _inserted(columns: dict[str, Any], name: str, values: Any, *, after: str) -> dict[str, Any]:
    """Columns with another one behind the column `after`."""
    items = list(columns.items())
    place = list(columns).index(after) + 1
    return dict([*items[:place], (name, values), *items[place:]])


def _write_excel(columns: Columns) -> bytes:
    try:
        from labelnoise.review import excel_openpyxl
    except ModuleNotFoundError as error:
        facts = {"format": "xlsx", "package": "openpyxl", "extra": "excel"}
        raise LabelNoiseError("package_missing_for_format", **facts) from error
    return excel_openpyxl.to_bytes(_for_review(columns))


def _write_parquet(columns: Columns) -> bytes:
    stream = io.BytesIO()
    try:
        pq.write_table(pa.table(without_tuples(_for_review(columns))), stream)
    except NOT_A_COLUMN as error:
        raise LabelNoiseError("column_does_not_fit_parquet", reason=str(error)) from error
    return stream.getvalue()


def _write_tasks(columns: Columns) -> bytes:
    document = label_studio.tasks(json_value(without_tuples(columns)))
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    return (text + "\n").encode("utf-8")


# By the ending of a path.
WRITERS: Mapping[str, Callable[[Columns], bytes]] = {
    ".csv": lambda columns: delimited.to_bytes(_for_review(columns), ","),
    ".tsv": lambda columns: delimited.to_bytes(_for_review(columns), "\t"),
    ".xlsx": _write_excel,
    ".parquet": _write_parquet,
    ".json": _write_tasks,
}
