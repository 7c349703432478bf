"""A copy of a table with other labels, in one step."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from labelnoise.atomic_files import written_atomically
from labelnoise.cli.calls import CallError, reading_of, wanted_of
from labelnoise.data.old_label_column import LabelColumn
from labelnoise.data.table_files import (
    Change,
    ending_fits,
    opened,
    read_stream,
    rewrite_stream,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from labelnoise.cli.settings import DataOptions
    from labelnoise.data.reading import Reading
    from labelnoise.data.table_files import Source


class Relabeled(NamedTuple):
    """Labels as they were, new ones of the rows that have one, and how many of these are others."""

    labels: LabelColumn
    new: Any
    n_changed: int


def relabeled(
    data: DataOptions, output: Path, new_labels: Callable[[LabelColumn], Any]
) -> Relabeled:
    """Copy a table with new labels (m,) of the rows that have one."""
    wanted = wanted_of(data)
    reading = reading_of(data, wanted)
    with opened(data.data) as stream:
        source = read_stream(stream, data.data, reading)
        columns = source.table.columns
        labels = LabelColumn.of(columns, wanted, reading.name)
        new = new_labels(labels)
        changes = labels.changes(new)
        _copy(stream, source, reading, Change(labels.name, changes), output)
    return Relabeled(labels, new, len(changes))


def _copy(stream: BinaryIO, source: Source, reading: Reading, change: Change, output: Path) -> None:
    """Copy what was read to a file of the same format; gzipped, if its name says so."""
    if not ending_fits(output.name, source.format):
        raise CallError(
            f"the copy is {source.format}, as the data are, and {output.name!r} says otherwise. "
            "Choose a name with the ending of the data."
        )
    with written_atomically(output) as out:
        if output.suffix == ".gz":
            with gzip.GzipFile(fileobj=out, mode="wb", filename="", mtime=0) as zipped:
                rewrite_stream(stream, zipped, source, reading, change)  # type: ignore[arg-type]
        else:
            rewrite_stream(stream, out, source, reading, change)
