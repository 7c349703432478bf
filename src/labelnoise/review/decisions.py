"""Label issues in files: out for review, and back with reviewed labels."""

from __future__ import annotations

import json
import math
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from labelnoise import checks
from labelnoise.atomic_files import read_bytes, read_text, write_bytes_atomically
from labelnoise.data.containers import UNFIT, as_columns, without_tuples
from labelnoise.errors import LabelNoiseError
from labelnoise.review import delimited, label_studio

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping

REVIEWED = "reviewed"
"""Column for the label that a reviewer settles on; empty for rows that were not reviewed."""

Columns = dict[str, list[Any]]


class Format(NamedTuple):
    """How a kind of file is written and read."""

    write: Callable[[Columns], bytes]
    read: Callable[[Path], Columns]


def export_label_issues(issues: Any, path: str | os.PathLike[str]) -> None:
    """Write label issues to a file for review, in one step: a reader never sees half of it.

    Parameters
    ----------
    issues : frame
        What `find_label_issues` returned, or some of its rows; columns may have been added.
    path : path
        Ending in ``.csv``, ``.tsv``, ``.parquet`` (needs pyarrow) or ``.json`` (tasks for Label
        Studio, which can sort them by a `score`, the probability of being wrong). Tables get an
        empty column `reviewed` to fill in, which `apply_fixes` brings back. In a CSV file lists
        are JSON, and a text that a spreadsheet would run as a formula has an apostrophe before it
        (`apply_fixes` takes it away again).
    """
    columns = as_columns(issues, "issues")
    missing = [name for name in ("row", "given", "suggested", "p_wrong") if name not in columns]
    if missing:
        raise LabelNoiseError(
            f"issues lacks the columns {checks.named(missing)}. Pass what find_label_issues "
            "returned."
        )
    write_bytes_atomically(path, _format_of(Path(path)).write(columns))


def check_format(path: str | os.PathLike[str]) -> None:
    """Check that the ending of a path names a format."""
    _format_of(Path(path))


def read_fixes(path: str | os.PathLike[str]) -> Columns:
    """Columns of a file that `export_label_issues` wrote and somebody reviewed."""
    return _format_of(Path(path)).read(Path(path))


def _format_of(path: Path) -> Format:
    return FORMATS[checks.one_of(path.suffix.lower(), f"ending of {str(path)!r}", FORMATS)]


def _to_review(columns: Columns) -> Columns:
    """Columns with one for reviewed labels, and None for all that is missing."""
    full = {**columns, REVIEWED: columns.get(REVIEWED, [None] * len(columns["row"]))}
    return {
        name: [None if checks.is_missing(value) else value for value in values]
        for name, values in full.items()
    }


def _delimited(delimiter: str) -> Format:
    return Format(
        lambda columns: delimited.to_bytes(_to_review(columns), delimiter),
        lambda path: delimited.from_file(path, delimiter),
    )


def _parquet() -> Any:
    try:
        return import_module("labelnoise.review.parquet_pyarrow")
    except ModuleNotFoundError as error:
        raise LabelNoiseError(
            "Parquet files need pyarrow. Install it (pip install 'labelnoise[parquet]'), or use a "
            "path ending in .csv."
        ) from error


def _write_parquet(columns: Columns) -> bytes:
    try:
        content: bytes = _parquet().to_bytes(without_tuples(_to_review(columns)))
    except LabelNoiseError:
        raise
    except UNFIT as error:
        raise LabelNoiseError(
            f"a column does not fit into a Parquet file: {error}. Give its values one type, or use "
            "a path ending in .csv."
        ) from error
    return content


def _read_parquet(path: Path) -> Columns:
    content, pyarrow = read_bytes(path), _parquet()
    try:
        found: Columns = pyarrow.from_bytes(content)
    except ValueError as error:
        raise LabelNoiseError(f"{str(path)!r} is no Parquet file: {error}.") from error
    return found


def _write_tasks(columns: Columns) -> bytes:
    columns = without_tuples(columns)
    document = label_studio.tasks({name: _for_json(column) for name, column in columns.items()})
    text = json.dumps(document, indent=1, ensure_ascii=False, default=str, allow_nan=False)
    return (text + "\n").encode("utf-8")


def _for_json(value: Any) -> Any:
    """Values with missing and infinite ones as null: JSON has no NaN."""
    if isinstance(value, list):
        return [_for_json(item) for item in value]
    endless = isinstance(value, float) and math.isinf(value)
    return None if endless or checks.is_missing(value) else value


def _read_tasks(path: Path) -> Columns:
    text = read_text(path)
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LabelNoiseError(f"{str(path)!r} is not JSON: {error}. Export it again.") from error
    return label_studio.reviewed(document, REVIEWED)


FORMATS: Mapping[str, Format] = {
    ".csv": _delimited(","),
    ".tsv": _delimited("\t"),
    ".parquet": Format(_write_parquet, _read_parquet),
    ".json": Format(_write_tasks, _read_tasks),
}
"""Formats by the ending of a path."""
