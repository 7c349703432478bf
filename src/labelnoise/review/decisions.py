"""Label issues in files: out for review, and back with the decisions of the reviewers."""

from __future__ import annotations

import io
import json
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from labelnoise import checks
from labelnoise.atomic_files import read_bytes, read_text, write_bytes_atomically
from labelnoise.data.containers import NOT_A_COLUMN, as_columns, without_tuples
from labelnoise.errors import LabelNoiseError
from labelnoise.review import delimited, label_studio
from labelnoise.review.settings import DECIMALS

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

    from labelnoise.arrays import IntArray

Columns = dict[str, list[Any]]

REVIEWED = "reviewed"
"""Column for the label that a reviewer settles on; empty for rows that were not reviewed."""

LINE = "line"
"""Column for the number that a spreadsheet shows beside a row."""

REQUIRED = ("row", "given", "suggested", "p_wrong")
PROBABILITIES = ("p_wrong", "p_suggested", "expected_precision", "expected_found")


def export_label_issues(issues: Any, path: str | os.PathLike[str]) -> None:
    """Write label issues to a file for review, in one step: a reader never sees half of it.

    Parameters
    ----------
    issues : frame
        What `find_label_issues` returned, or some of its rows; columns may have been added.
    path : path
        Ending in ``.csv``, ``.tsv``, ``.parquet`` or ``.json`` (tasks for Label Studio, which can
        sort them by a `score`, the probability of being wrong). Beside the column `suggested`,
        tables have an empty column `reviewed` to fill in, which `apply_fixes` brings back.
        Probabilities are rounded to four decimals. In CSV and TSV files the entries of a list are
        joined by semicolons, and a text that a spreadsheet would run as a formula has an
        apostrophe before it, which `apply_fixes` takes away again.
    """
    columns = as_columns(issues, "issues")
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise LabelNoiseError("issues_without_columns", columns=missing)
    write = _by_ending(Path(path), WRITERS)
    write_bytes_atomically(path, write(_rounded(columns)))


def check_format(path: str | os.PathLike[str]) -> None:
    """Check that label issues can be written to a file of this name."""
    _by_ending(Path(path), WRITERS)


def read_decisions(path: str | os.PathLike[str]) -> Columns:
    """Columns of a file that `export_label_issues` wrote and somebody reviewed.

    A spreadsheet may have saved it again, as CSV or, if openpyxl is installed, as ``.xlsx``.
    """
    return _by_ending(Path(path), READERS)(Path(path))


def with_lines(columns: Mapping[str, Any], positions: IntArray, first: int = 2) -> dict[str, Any]:
    """Columns with the number that a spreadsheet shows beside each row, next to its id.

    `positions` (m,) count the rows of the file from 0; the first of them is line 2, below the
    header, or line 1 of a file without one.

    >>> import numpy as np
    >>> with_lines({"row": [0, 7], "given": ["a", "b"]}, np.array([0, 7]))
    {'row': [0, 7], 'line': [2, 9], 'given': ['a', 'b']}
    """
    lines = [int(position) + first for position in positions]
    return _inserted(dict(columns), LINE, lines, after="row")


def _by_ending(path: Path, formats: Mapping[str, Any]) -> Any:
    ending = path.suffix.lower()
    if ending not in formats:
        raise LabelNoiseError(
            "unknown_review_format", path=str(path), ending=ending, endings=list(formats)
        )
    return formats[ending]


def _rounded(columns: Columns) -> Columns:
    """Columns with probabilities of a few decimals."""
    return {
        name: [round(p, DECIMALS) if isinstance(p, float) else p for p in values]
        if name in PROBABILITIES or name.startswith("p_true[")
        else values
        for name, values in columns.items()
    }


def _for_review(columns: Columns) -> Columns:
    """Columns with one for reviewed labels, and None for all that is missing."""
    reviewed = columns.get(REVIEWED, [None] * len(columns["row"]))
    others = {name: values for name, values in columns.items() if name != REVIEWED}
    return {
        name: [None if checks.is_missing(value) else value for value in values]
        for name, values in _inserted(others, REVIEWED, reviewed, after="suggested").items()
    }


def _inserted(columns: dict[str, Any], name: str, values: Any, *, after: str) -> dict[str, Any]:
    """Columns with another one behind the one that is named."""
    items = list(columns.items())
    place = list(columns).index(after) + 1
    return dict([*items[:place], (name, values), *items[place:]])


def _write_delimited(delimiter: str) -> Callable[[Columns], bytes]:
    return lambda columns: delimited.to_bytes(_for_review(columns), delimiter)


def _write_parquet(columns: Columns) -> bytes:
    stream = io.BytesIO()
    try:
        pq.write_table(pa.table(without_tuples(_for_review(columns))), stream)
    except NOT_A_COLUMN as error:
        raise LabelNoiseError("column_does_not_fit_parquet", reason=str(error)) from error
    return stream.getvalue()


def _read_parquet(path: Path) -> Columns:
    content = read_bytes(path)
    try:
        found: Columns = pq.read_table(io.BytesIO(content)).to_pydict()
    except (ValueError, OSError) as error:
        raise LabelNoiseError("decisions_not_parquet", path=str(path), reason=str(error)) from error
    return found


def _read_excel(path: Path) -> Columns:
    content = read_bytes(path)
    try:
        from labelnoise.review import excel_openpyxl
    except ModuleNotFoundError as error:
        raise LabelNoiseError("excel_needs_openpyxl", path=str(path)) from error
    try:
        rows = excel_openpyxl.first_sheet(content)
    except excel_openpyxl.NOT_EXCEL as error:
        raise LabelNoiseError("decisions_not_excel", path=str(path), reason=str(error)) from error
    return delimited.as_columns(rows, range(1, len(rows) + 1), path)


def _write_tasks(columns: Columns) -> bytes:
    plain = {name: _for_json(column) for name, column in without_tuples(columns).items()}
    document = label_studio.tasks(plain)
    text = json.dumps(document, indent=1, ensure_ascii=False, default=str, allow_nan=False)
    return (text + "\n").encode("utf-8")


def _for_json(value: Any) -> Any:
    """Values with missing and infinite ones as null: JSON has no NaN."""
    if isinstance(value, list):
        return [_for_json(item) for item in value]
    infinite = isinstance(value, float) and math.isinf(value)
    return None if infinite or checks.is_missing(value) else value


def _read_tasks(path: Path) -> Columns:
    text = read_text(path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelNoiseError("decisions_not_json", path=str(path), reason=str(error)) from error
    return label_studio.reviewed(document, REVIEWED)


WRITERS: Mapping[str, Callable[[Columns], bytes]] = {
    ".csv": _write_delimited(","),
    ".tsv": _write_delimited("\t"),
    ".parquet": _write_parquet,
    ".json": _write_tasks,
}
"""How to write label issues, by the ending of a path."""

READERS: Mapping[str, Callable[[Path], Columns]] = {
    ".csv": delimited.from_file,
    ".tsv": delimited.from_file,
    ".parquet": _read_parquet,
    ".json": _read_tasks,
    ".xlsx": _read_excel,
}
"""How to read decisions, by the ending of a path."""
