"""A file with a column of labels: read once, and copied with other labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from labelnoise.arrays import IntArray
from labelnoise.atomic_files import written_atomically
from labelnoise.cli.arguments import read_options, table_options
from labelnoise.cli.options import DataOptions, RunOptions
from labelnoise.data.files import (
    FileTable,
    InputFile,
    ReadOptions,
    compressed,
    fits_format,
    open_input,
)
from labelnoise.data.labeled_table import LabeledTable
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note


@dataclass(frozen=True, eq=False)
class LabelFile:
    """An open file, its table, and the labels in one of its columns."""

    source: InputFile
    reading: ReadOptions
    found: FileTable
    table: LabeledTable

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was decided while the file was read."""
        return (*self.found.notes, *self.table.notes)

    @cached_property
    def rows(self) -> IntArray:
        """Positions of the rows that have a label, (m,)."""
        return self.table.labels.labeled_rows

    @cached_property
    def labels(self) -> Any:
        """Labels of these rows, (m,)."""
        return self.table.labels.labels(self.rows)

    @property
    def ids(self) -> Any:
        """What these rows are called, (m,)."""
        return self.table.ids[self.rows]

    def write_copy(self, output: Path, new_labels: Any) -> int:
        """Copy the file with new labels (m,) of the labeled rows; returns how many differ."""
        if not fits_format(output.name, self.found.format):
            facts = {"format": self.found.format, "path": output.name}
            raise LabelNoiseError("copy_of_other_format", **facts)
        changed = np.flatnonzero(self.labels != new_labels)
        labels = dict(zip(self.rows[changed].tolist(), new_labels[changed].tolist(), strict=True))
        with written_atomically(output) as raw, compressed(raw, output.name) as out:
            name = self.table.labels.name
            self.source.copy_with_labels(out, self.found, name, labels, self.reading)
        return len(changed)


@contextmanager
def open_label_file(
    data: DataOptions, run: RunOptions, text_column: str | None = None
) -> Iterator[LabelFile]:
    """Open the data, and read them; cells of `text_column` are kept as they are written."""
    options = table_options(data)
    kept = {text_column} if text_column else set()
    reading = replace(read_options(data, run), text_columns=options.text_columns | kept)
    with open_input(data.data) as source:
        found = source.read(reading)
        yield LabelFile(source, reading, found, LabeledTable.of(found.table, source.name, options))
