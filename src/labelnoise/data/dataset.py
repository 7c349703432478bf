"""A table with labels -> features, labels, ids, and the cells that reviewers see."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelnoise import checks
from labelnoise.data.columns import Column, columns_of
from labelnoise.data.containers import pandas_index
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.files import ReadOptions, read_table
from labelnoise.data.frames import as_arrow
from labelnoise.data.labeled_table import LabeledTable
from labelnoise.data.leaks import leaks_among
from labelnoise.data.settings import MOST_SHOWN
from labelnoise.data.table_findings import (
    USELESS,
    copied_rows,
    notes_on_types,
    texts_only_shown,
    unlabeled_not_found,
)
from labelnoise.data.table_options import TableOptions
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.column_types import ColumnType
    from labelnoise.data.label_column import LabelColumn
    from labelnoise.findings import Finding


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
        Ids of the rows, from a column or an index, or their positions in the table, from 0.
    id_source : str or None
        The column that `ids` come from, "ids" for the index of a pandas frame; None if they are
        positions.
    feature_names : tuple of str
        Names of the columns of X.
    label : LabelColumn
        The labels of all rows of the table.
    classes : tuple
        All classes, including new ones that no row has.
    encoder : TableEncoder or None
        How columns became features, to encode new rows; None for embeddings from a file.
    notes : tuple of Note
        What was guessed, left out, pooled or imputed.
    table : pa.Table
        The whole table as it was read.
    positions : (n,) array
        Positions of the rows in the whole table.
    shown : tuple of str
        Columns to show to reviewers: those that were specified, or the first of `showable`.
    showable : tuple of str
        All columns that could be shown: texts, then other features, then the rest.
    groups : (n,) array or None
        The group of each row, if a column of groups was named; None for a row without one.
    group_name : str or None
        The column they come from.
    digests : mapping from str to str
        SHA-256 of every file that was read, by what is in it: "data", "labels", "embeddings".
    format : str or None
        Format of the file with the table; None for a table in memory.
    """

    X: FloatArray
    y: np.ndarray[Any, Any]
    ids: np.ndarray[Any, Any]
    id_source: str | None
    feature_names: tuple[str, ...]
    label: LabelColumn
    classes: tuple[Any, ...]
    encoder: TableEncoder | None
    notes: tuple[Note, ...]
    table: pa.Table
    positions: IntArray
    shown: tuple[str, ...]
    showable: tuple[str, ...]
    groups: np.ndarray[Any, Any] | None = None
    group_name: str | None = None
    digests: Mapping[str, str] = field(default_factory=dict)
    format: str | None = None

    def __repr__(self) -> str:
        n_rows, n_features = self.X.shape
        return f"Dataset({n_rows} rows, {n_features} features, labels in {self.label.name!r})"

    @property
    def row_ids(self) -> np.ndarray[Any, Any] | None:
        """`ids`, or None if they are just the positions of the rows, from 0."""
        plain = self.id_source is None and len(self.ids) == self.table.num_rows
        return None if plain else self.ids

    @property
    def feature_columns(self) -> tuple[str, ...]:
        """The column of the table that each feature was made from."""
        if self.encoder is None:
            return ("embedding",) * len(self.feature_names)
        return self.encoder.feature_columns_

    @property
    def column_types(self) -> tuple[ColumnType, ...]:
        """How every other column is used, and why; empty for embeddings from a file."""
        return () if self.encoder is None else self.encoder.column_types_

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """What makes an estimate from these data less trustworthy; computed on first access."""
        if self.encoder is None:
            return ()
        return leaks_among(self.encoder, self.X, checks.labels(self.y, None).compact_codes)

    @property
    def labels_in_own_file(self) -> bool:
        """Whether the labels are in a file of their own."""
        return "labels" in self.digests

    def content(self, rows: Any, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
        """Cells of some rows by column; by default of the columns that are shown."""
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
        if index is not None and np.array_equal(index, np.arange(len(index))):
            index = None  # just the positions of the rows
        source = _Source(as_arrow(table), name, index=index)
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
            found.table, name, {"data": found.digest}, notes=found.notes, format=found.format
        )
        names_file = options.label is not None and options.label not in found.table.column_names
        if names_file and options.label != "-" and os.path.isfile(str(options.label)):  # noqa: PTH113
            source, options = source.with_labels_from(str(options.label), options)
        return source.dataset(options, random_state)


def labels_and_ids(y: Any, ids: Any) -> tuple[Any, Any]:
    """Labels and row ids; those of a data set if one is passed in place of labels."""
    if not isinstance(y, Dataset):
        return y, ids
    return y.y, y.ids if ids is None else ids


@dataclass(frozen=True, eq=False)
class _Source:
    """A whole table and where it came from, on the way to a data set."""

    table: pa.Table
    name: str
    digests: Mapping[str, str] = field(default_factory=dict)
    index: Any = None
    notes: tuple[Note, ...] = ()
    format: str | None = None  # None: not from a file

    def dataset(self, options: TableOptions, seed: int) -> Dataset:
        """Find labels, ids and features in the table."""
        from_file = self.format is not None
        labeled = LabeledTable.of(
            self.table, self.name, options, index=self.index, from_file=from_file
        )
        options, labels = labeled.options, labeled.labels
        kept = (*options.kept_labels, *options.new_classes)
        rows = labels.usable(kept)
        y, codes, digests = labels.labels(rows), labels.codes[rows], dict(self.digests)
        notes = [*self.notes, *labeled.notes, *labels.notes(kept)]
        notes += unlabeled_not_found(self.table[labels.name], options.unlabeled)
        encoder: TableEncoder | None = None
        if options.embeddings is None:
            X, encoder = self._encoded(options, rows, codes, seed)
            names = tuple(encoder.get_feature_names_out())
            notes += (*notes_on_types(encoder.column_types_), *encoder.notes_)
            notes += texts_only_shown(self.table.select(options.shown))
        else:
            X, names, digests["embeddings"] = self._embeddings(options.embeddings, rows)
        showable = self._showable(options, () if encoder is None else encoder.column_types_)
        return Dataset(
            X=X,
            y=y,
            ids=labeled.ids[rows],
            id_source=options.id_column or (None if self.index is None else "ids"),
            feature_names=names,
            label=labels,
            classes=labels.classes(rows, options.new_classes),
            encoder=encoder,
            notes=(*notes, *copied_rows(X, y, self._texts(encoder, rows))),
            table=self.table,
            positions=rows,
            shown=options.shown or showable[:MOST_SHOWN],
            showable=showable,
            groups=self._groups(options, rows),
            group_name=options.group,
            digests=digests,
            format=self.format,
        )

    def with_labels_from(self, path: str, options: TableOptions) -> tuple[_Source, TableOptions]:
        """The same table with a column of labels from a file of their own."""
        beside = read_table(path, ReadOptions(text_columns=None))
        if (beside.table.num_columns, beside.table.num_rows) != (1, self.table.num_rows):
            raise LabelNoiseError(
                "labels_of_other_length",
                table=self.name,
                n_rows=self.table.num_rows,
                path=path,
                n_labels=beside.table.num_rows,
                n_columns=beside.table.num_columns,
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

    def _groups(self, options: TableOptions, rows: IntArray) -> np.ndarray[Any, Any] | None:
        """The group of each row as a text, (n,)."""
        if options.group is None:
            return None
        texts = Column(options.group, self.table[options.group]).texts
        if texts is None:
            raise LabelNoiseError("not_single_values", name=f"column {options.group!r}")
        return texts[rows]

    def _encoded(
        self, options: TableOptions, rows: IntArray, codes: IntArray, seed: int
    ) -> tuple[FloatArray, TableEncoder]:
        """Features (n, d) of some rows with labels (n,), and what made them of the columns."""
        features = self._features(options, rows)
        types = options.types_of(features.column_names)
        encoder = TableEncoder(column_types=types, random_state=seed)
        with stage("encoding"):
            return encoder.fit_transform(features, codes), encoder

    def _texts(self, encoder: TableEncoder | None, rows: IntArray) -> list[pa.ChunkedArray]:
        """Some rows of the columns that are used as texts."""
        types = () if encoder is None else encoder.column_types_
        return [self.table[kind.name].take(pa.array(rows)) for kind in types if kind.type == "text"]

    def _features(self, options: TableOptions, rows: IntArray) -> pa.Table:
        """Some rows of all columns that may be a feature."""
        apart = {options.label, options.id_column, options.group, *options.shown, *options.drop}
        names = [n for n in options.features or self.table.column_names if n not in apart]
        taken = self.table.select(names)
        return taken if len(rows) == taken.num_rows else taken.take(pa.array(rows))

    def _embeddings(self, path: str, rows: IntArray) -> tuple[FloatArray, tuple[str, ...], str]:
        """Features from a file of embeddings, their names, and the SHA-256 of the file."""
        found = read_table(path, ReadOptions(numeric_header=True))
        matrix = _only_matrix(found.table)
        if matrix is None or len(matrix) != self.table.num_rows:
            raise LabelNoiseError(
                "embeddings_of_other_shape",
                path=path,
                n_rows=self.table.num_rows,
                found="other values" if matrix is None else f"one of shape {matrix.shape}",
            )
        names = tuple(found.table.column_names)
        if len(names) != matrix.shape[1]:
            names = tuple(f"embedding[{i}]" for i in range(matrix.shape[1]))
        return checks.feature_matrix(matrix[rows]), names, found.digest

    def _showable(self, options: TableOptions, types: Sequence[ColumnType]) -> tuple[str, ...]:
        """Columns of text, then other features, then other columns that are not constant."""
        texts = [kind.name for kind in types if kind.type == "text"]
        used = [kind.name for kind in types if kind.is_feature]
        useless = [kind.name for kind in types if kind.reason.code in USELESS]
        apart = {options.label, options.id_column, *options.drop, *useless}
        return tuple(
            name
            for name in dict.fromkeys([*texts, *used, *self.table.column_names])
            if name not in apart and not pa.types.is_nested(self.table[name].type)
        )


def _only_matrix(table: pa.Table) -> FloatArray | None:
    """The one array of numbers (n, d) in a table: its only list column, or all its numbers."""
    columns = columns_of(table)
    if len(columns) == 1 and columns[0].vectors is not None:
        return columns[0].vectors
    numbers = [column.numbers for column in columns]
    return None if any(values is None for values in numbers) else np.column_stack(numbers)  # type: ignore[arg-type]
