"""A table with labels -> features, labels, ids, and the cells that reviewers see."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelnoise import checks
from labelnoise.atomic_files import is_file
from labelnoise.data.columns import Column
from labelnoise.data.containers import pandas_index, row_ids
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.files import ReadOptions, read_table
from labelnoise.data.frames import as_arrow
from labelnoise.data.label_column import LabelColumn, likely_label
from labelnoise.data.settings import MOST_SHOWN
from labelnoise.data.table_findings import (
    USELESS,
    copied_rows,
    notes_on_types,
    predictive_columns,
    texts_only_shown,
    unlabeled_not_found,
)
from labelnoise.data.table_options import TableOptions
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage
from labelnoise.wording import Note

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.column_types import ColumnType
    from labelnoise.data.files import FileTable
    from labelnoise.findings import Finding

POSITION = "position"
"""What names rows that have no ids: their number in the table, from 0."""


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """The labeled rows of a table, ready to estimate from, to review and to report on.

    Attributes
    ----------
    X : (n, d) array
        Features.
    y : (n,) array
        Labels; whole numbers as such.
    ids : (n,) array
        Names of the rows: by a column of the table, or their position in it, from 0.
    row_names : str
        The column that `ids` come from, or "position".
    feature_names : tuple of str
        Names of the columns of X.
    feature_columns : tuple of str
        The column of the table that each of them was made from.
    label : LabelColumn
        The labels of all rows of the table.
    classes : tuple
        All classes, with new ones that no row has.
    column_types : tuple of ColumnType
        What became of every other column, and why.
    encoder : TableEncoder or None
        How columns became features, to encode new rows; None for embeddings from a file.
    notes : tuple of Note
        What was guessed, left out, pooled or imputed.
    findings : tuple of Finding
        What makes an estimate from these data less trustworthy.
    table : pa.Table
        The whole table as it was read.
    positions : (n,) array
        Where the rows stand in the whole table.
    shown : tuple of str
        Columns to show to reviewers: those that were named, or else the first of `showable`.
    showable : tuple of str
        All columns that could be shown: texts, then other features, then the rest.
    digests : mapping from str to str
        SHA-256 of every file that was read, by what is in it: "data", "labels", "embeddings".
    format : str or None
        Format of the file with the table; None for a table in memory.
    """

    X: FloatArray
    y: np.ndarray[Any, Any]
    ids: np.ndarray[Any, Any]
    row_names: str
    feature_names: tuple[str, ...]
    feature_columns: tuple[str, ...]
    label: LabelColumn
    classes: tuple[Any, ...]
    column_types: tuple[ColumnType, ...]
    encoder: TableEncoder | None
    notes: tuple[Note, ...]
    findings: tuple[Finding, ...]
    table: pa.Table
    positions: IntArray
    shown: tuple[str, ...]
    showable: tuple[str, ...]
    digests: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None

    def __repr__(self) -> str:
        n_rows, n_features = self.X.shape
        return f"Dataset({n_rows} rows, {n_features} features, labels in {self.label.name!r})"

    @property
    def row_ids(self) -> np.ndarray[Any, Any] | None:
        """`ids`, or None if they are just the positions of the rows, from 0."""
        plain = self.row_names == POSITION and len(self.ids) == self.table.num_rows
        return None if plain else self.ids

    @property
    def labels_in_own_file(self) -> bool:
        """Whether labels stand in a file of their own."""
        return "labels" in self.digests

    def content(self, rows: Any, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
        """Cells of some rows by column: of the columns that are shown, unless some are named."""
        names = list(self.shown if columns is None else columns)
        positions = pa.array(self.positions[np.asarray(rows, dtype=np.int64)])
        return self.table.select(names).take(positions).to_pydict()

    @classmethod
    def from_table(
        cls,
        table: Any,
        options: TableOptions | str,
        *,
        name: str = "the table",
        random_state: int = 0,
    ) -> Dataset:
        """From a table in memory, of any library; the options may be just the label column."""
        if isinstance(options, str):
            options = TableOptions(label=options)
        index = pandas_index(table)
        source = _Source(as_arrow(table), name, from_file=False, index=index)
        return source.dataset(options, random_state)

    @classmethod
    def from_file(
        cls,
        path: str | os.PathLike[str],
        options: TableOptions,
        reading: ReadOptions | None = None,
        random_state: int = 0,
    ) -> Dataset:
        """From a file, or from standard input for "-"."""
        reading = replace(reading or ReadOptions(), text_columns=options.text_columns)
        found = read_table(path, reading)
        name = "standard input" if str(path) == "-" else repr(str(path))
        source = _Source(
            found.table,
            name,
            from_file=True,
            digests={"data": found.digest},
            notes=found.notes,
            format=found.format,
        )
        names_file = options.label is not None and options.label not in found.table.column_names
        if names_file and options.label != "-" and is_file(str(options.label)):
            source, options = source.with_labels_from(str(options.label), options)
        return source.dataset(options, random_state)


def labels_and_ids(y: Any, ids: Any) -> tuple[Any, Any]:
    """Labels and row ids: those of a data set, if that is what stands in the place of labels."""
    if not isinstance(y, Dataset):
        return y, ids
    return y.y, y.ids if ids is None else ids


@dataclass(frozen=True, eq=False)
class _Features:
    """Features of the labeled rows, and what is known about them."""

    X: FloatArray
    names: tuple[str, ...]
    columns: tuple[str, ...]
    column_types: tuple[ColumnType, ...] = ()
    encoder: TableEncoder | None = None
    notes: tuple[Note, ...] = ()
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True, eq=False)
class _Source:
    """A whole table and where it came from, on the way to a data set."""

    table: pa.Table
    name: str
    from_file: bool
    index: Any = None
    digests: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[Note, ...] = ()
    format: str | None = None

    def dataset(self, options: TableOptions, seed: int) -> Dataset:
        """Find labels, ids and features in the table."""
        columns = self.table.column_names
        options = options.resolved(columns)
        guessed = options.label is None
        options = replace(options, label=options.label or likely_label(columns, self.name))
        options.check(columns, self.name)
        labels = self._labels(options)
        rows = labels.usable((*options.kept_labels, *options.new_classes))
        y, digests = labels.labels(rows), dict(self.digests)
        if options.embeddings is None:
            features = self._features(options, labels, rows, seed)
        else:
            features, digests["embeddings"] = self._embeddings(options.embeddings, rows)
        showable = self._showable(options, features.column_types)
        notes = [Note("label_guessed", {"column": labels.name})] if guessed else []
        notes += labels.notes((*options.kept_labels, *options.new_classes))
        notes += unlabeled_not_found(self.table[labels.name], options.unlabeled)
        return Dataset(
            X=features.X,
            y=y,
            ids=self._ids(options)[rows],
            row_names=options.id_column or ("ids" if self.index is not None else POSITION),
            feature_names=features.names,
            feature_columns=features.columns,
            label=labels,
            classes=labels.classes(rows, options.new_classes),
            column_types=features.column_types,
            encoder=features.encoder,
            notes=(*self.notes, *notes, *features.notes, *copied_rows(features.X, y)),
            findings=features.findings,
            table=self.table,
            positions=rows,
            shown=options.shown or showable[:MOST_SHOWN],
            showable=showable,
            digests=digests,
            format=self.format,
        )

    def with_labels_from(self, path: str, options: TableOptions) -> tuple[_Source, TableOptions]:
        """The same table with a column of labels from a file of their own."""
        beside = read_table(path, ReadOptions(text_columns=None))
        if beside.table.num_columns != 1:
            n_columns = beside.table.num_columns
            raise LabelNoiseError("labels_in_wide_file", path=path, n_columns=n_columns)
        if beside.table.num_rows != self.table.num_rows:
            raise LabelNoiseError(
                "labels_of_other_length",
                table=self.name,
                n_rows=self.table.num_rows,
                path=path,
                n_labels=beside.table.num_rows,
            )
        name = "label" if "label" not in self.table.column_names else f"label ({path})"
        notes = [*self.notes, *beside.notes]
        if options.id_column is not None:  # corrections go into the file of labels: no ids there
            notes.append(Note("ids_with_separate_labels", {"column": options.id_column}))
            types = {**options.column_types, options.id_column: "skip"}
            options = replace(options, id_column=None, column_types=types)
        source = replace(
            self,
            table=self.table.append_column(name, beside.table.column(0)),
            notes=tuple(notes),
            digests={**self.digests, "labels": beside.digest},
        )
        return source, replace(options, label=name)

    def _labels(self, options: TableOptions) -> LabelColumn:
        name = str(options.label)
        return LabelColumn.of(
            name,
            self.table[name],
            unlabeled=options.unlabeled,
            new_classes=options.new_classes,
            from_file=self.from_file,
        )

    def _ids(self, options: TableOptions) -> np.ndarray[Any, Any]:
        """What rows are called, (n,)."""
        n_rows = self.table.num_rows
        if options.id_column is None:
            return row_ids(self.index, n_rows, None)
        ids = LabelColumn.of("ids", self.table[options.id_column], from_file=self.from_file)
        if (ids.codes < 0).any():
            raise LabelNoiseError("ids_missing")
        return row_ids(ids.labels(np.arange(n_rows)), n_rows, None)

    def _features(
        self, options: TableOptions, labels: LabelColumn, rows: IntArray, seed: int
    ) -> _Features:
        """Features of some rows, from all columns that may be one."""
        apart = {options.label, options.id_column, *options.shown, *options.drop}
        names = [n for n in options.features or self.table.column_names if n not in apart]
        taken = self.table.select(names)
        if len(rows) < taken.num_rows:
            taken = taken.take(pa.array(rows))
        given = dict.fromkeys(options.features, "use") | dict(options.column_types)
        given = {name: kind for name, kind in given.items() if name in names}
        codes = labels.codes[rows]
        encoder = TableEncoder(column_types=given, random_state=seed)
        with stage("encoding"):
            X = encoder.fit_transform(taken, codes)
        return _Features(
            X,
            tuple(encoder.get_feature_names_out()),
            encoder.feature_columns_,
            encoder.column_types_,
            encoder,
            (
                *notes_on_types(encoder.column_types_),
                *encoder.notes_,
                *texts_only_shown(self.table.select(options.shown)),
            ),
            tuple(predictive_columns(taken, encoder.column_types_, codes)),
        )

    def _embeddings(self, path: str, rows: IntArray) -> tuple[_Features, str]:
        """Features from a file of embeddings, and the SHA-256 of the file."""
        found = read_table(path, ReadOptions(numeric_header=True))
        matrix = _only_matrix(found)
        if matrix is None:
            raise LabelNoiseError("embeddings_not_numbers", path=path)
        if len(matrix) != self.table.num_rows:
            raise LabelNoiseError(
                "embeddings_of_other_shape",
                path=path,
                n_rows=self.table.num_rows,
                shapes=str(matrix.shape),
            )
        names = tuple(found.table.column_names)
        if len(names) != matrix.shape[1]:
            names = tuple(f"embedding[{i}]" for i in range(matrix.shape[1]))
        X = checks.feature_matrix(matrix[rows])
        return _Features(X, names, ("embedding",) * len(names)), found.digest

    def _showable(self, options: TableOptions, types: Sequence[ColumnType]) -> tuple[str, ...]:
        """Columns of text, then other features, then what else tells rows apart."""
        texts = [kind.name for kind in types if kind.type == "text"]
        used = [kind.name for kind in types if kind.is_feature]
        useless = [kind.name for kind in types if kind.reason.code in USELESS]
        apart = {options.label, options.id_column, *options.drop, *useless}
        return tuple(
            name
            for name in dict.fromkeys([*texts, *used, *self.table.column_names])
            if name not in apart and not pa.types.is_nested(self.table[name].type)
        )


def _only_matrix(found: FileTable) -> FloatArray | None:
    """The one array of numbers (n, d) in a file: its only list column, or all its numbers."""
    columns = [Column(name, found.table[name]) for name in found.table.column_names]
    if len(columns) == 1 and columns[0].vectors is not None:
        return columns[0].vectors
    numbers = [column.numbers for column in columns]
    return None if any(values is None for values in numbers) else np.column_stack(numbers)  # type: ignore[arg-type]
