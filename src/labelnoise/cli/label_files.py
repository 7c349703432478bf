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
from labelnoise.data.containers import row_ids
from labelnoise.data.files import (
    FileTable,
    InputFile,
    ReadOptions,
    compressed,
    fits_format,
    open_input,
)
from labelnoise.data.label_column import LabelColumn, likely_label
from labelnoise.data.table_options import TableOptions, refuse_unknown_column
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note


@dataclass(frozen=True, eq=False)
class LabelFile:
    """An open file, its table, and the labels in one of its columns."""

    source: InputFile
    reading: ReadOptions
    found: FileTable
    options: TableOptions
    column: LabelColumn
    notes: tuple[Note, ...]

    @cached_property
    def rows(self) -> IntArray:
        """Positions of the rows that have a label, (m,)."""
        return self.column.labeled_rows

    @cached_property
    def labels(self) -> Any:
        """Labels of these rows, (m,)."""
        return self.column.labels(self.rows)

    @property
    def classes(self) -> tuple[Any, ...]:
        """Labels that occur, and new classes."""
        return self.column.classes(self.rows, self.options.new_classes)

    @property
    def ids(self) -> Any:
        """What these rows are called, (m,)."""
        n_rows = self.found.table.num_rows
        if self.options.id_column is None:
            return np.arange(n_rows)[self.rows]
        ids = self.other_column(self.options.id_column, "id_column")
        if (ids.codes < 0).any():
            raise LabelNoiseError("ids_missing")
        return row_ids(ids.labels(np.arange(n_rows)), n_rows, None)[self.rows]

    def other_column(self, name: str, parameter: str) -> LabelColumn:
        """Another column that is read as labels are; `parameter` names it."""
        table = self.found.table
        refuse_unknown_column(name, table.column_names, self.source.name, parameter)
        return LabelColumn.of(name, table[name], from_file=True)

    def write_copy(self, output: Path, new_labels: Any) -> int:
        """Copy the file with new labels (m,) of the labeled rows; returns how many differ."""
        if not fits_format(output.name, self.found.format):
            raise LabelNoiseError(
                "copy_of_other_format", format=self.found.format, path=output.name
            )
        changed = np.flatnonzero(self.labels != new_labels)
        labels = dict(zip(self.rows[changed].tolist(), new_labels[changed].tolist(), strict=True))
        with written_atomically(output) as raw, compressed(raw, output.name) as out:
            self.source.copy_with_labels(out, self.found, self.column.name, labels, self.reading)
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
        columns = found.table.column_names
        options = options.resolved(columns)
        notes = list(found.notes)
        if options.label is None:
            options = replace(options, label=likely_label(columns, source.name))
            notes.append(Note("label_guessed", {"column": options.label}))
        options.check(columns, source.name)
        column = LabelColumn.of(
            str(options.label),
            found.table[options.label],
            unlabeled=options.unlabeled,
            new_classes=options.new_classes,
            from_file=True,
        )
        yield LabelFile(source, reading, found, options, column, tuple(notes))
