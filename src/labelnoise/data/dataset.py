"""A table with labels -> features, labels, ids, and the cells that reviewers see."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelnoise import checks
from labelnoise.data.column_types import column_types, notes_on_types
from labelnoise.data.columns import columns_of
from labelnoise.data.containers import pandas_index
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.files import ReadOptions, open_input, read_table
from labelnoise.data.frames import as_arrow, is_table
from labelnoise.data.label_column import unlabeled_not_found
from labelnoise.data.labeled_table import LabeledTable
from labelnoise.data.leaks import leaks_among
from labelnoise.data.settings import MOST_SHOWN
from labelnoise.data.table_options import TableOptions
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.column_types import ColumnType
    from labelnoise.data.columns import Column
    from labelnoise.data.files import FileTable
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
        cls, table: Any, options: TableOptions | str, *, random_state: int = 0
    ) -> Dataset:
        """From a table in memory, of any library; the options may be just the label column."""
        if isinstance(options, str):
            options = TableOptions(label=options)
        index = pandas_index(table)
        if index is not None and np.array_equal(index, np.arange(len(index))):
            index = None  # just the positions of the rows
        arrow = as_arrow(table)
        labeled = LabeledTable.of(arrow, "the table", options, index=index, from_file=False)
        return cls._of(labeled, random_state)

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
        with open_input(path) as source:
            found, name = source.read(reading), source.name
        digests = {"data": found.digest}
        names_file = options.label is not None and options.label not in found.table.column_names
        if names_file and options.label != "-" and os.path.isfile(str(options.label)):  # noqa: PTH113
            found, options, digests["labels"] = _with_label_file(found, name, options)
        labeled = LabeledTable.of(found.table, name, options)
        return cls._of(labeled, random_state, digests, found.notes, found.format)

    @classmethod
    def _of(
        cls,
        labeled: LabeledTable,
        seed: int,
        digests: Mapping[str, str] | None = None,
        notes: Sequence[Note] = (),
        format: str | None = None,  # noqa: A002
    ) -> Dataset:
        """Encode the features of a table, and note what was decided."""
        options, labels, digests = labeled.options, labeled.labels, dict(digests or {})
        rows = labels.usable(labeled.kept_labels)
        notes = [*notes, *labeled.notes, *labels.notes(labeled.kept_labels)]
        notes += unlabeled_not_found(labeled.table[labels.name], options.unlabeled)
        if options.embeddings is None:
            X, encoder = _encoded(labeled, rows, seed)
            names, types = tuple(encoder.get_feature_names_out()), encoder.column_types_
            notes += (*notes_on_types(types), *encoder.notes_, *_texts_only_shown(labeled))
        else:
            X, names, digests["embeddings"] = _embeddings(options.embeddings, labeled, rows)
            encoder, types = None, ()
        showable = labeled.showable(types)
        return cls(
            X=X,
            y=labels.labels(rows),
            ids=labeled.ids[rows],
            id_source=options.id_column or (None if labeled.index is None else "ids"),
            feature_names=names,
            label=labels,
            classes=labels.classes(rows, options.new_classes),
            encoder=encoder,
            notes=tuple(notes),
            table=labeled.table,
            positions=rows,
            shown=options.shown or showable[:MOST_SHOWN],
            showable=showable,
            groups=labeled.groups(rows),
            group_name=options.group,
            digests=digests,
            format=format,
        )


def labels_and_ids(y: Any, ids: Any) -> tuple[Any, Any]:
    """Labels and row ids; those of a data set if one is passed in place of labels."""
    if not isinstance(y, Dataset):
        return y, ids
    return y.y, y.ids if ids is None else ids


def load_table(
    path: str | os.PathLike[str] | Any,
    label: str | None = None,
    *,
    features: str | Sequence[str] = (),
    drop: str | Sequence[str] = (),
    id_column: str | None = None,
    group: str | None = None,
    shown: str | Sequence[str] = (),
    column_types: Mapping[str, str] | None = None,
    embeddings: str | os.PathLike[str] | None = None,
    unlabeled: str | Sequence[str] = (),
    random_state: int = 0,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool = True,
) -> Dataset:
    """Read a table as the command line does: features, labels, ids, and what was guessed.

    Parameters
    ----------
    path : path or table
        CSV, TSV, JSON Lines, Parquet, Arrow, Feather, Excel (.xlsx), ``.npy`` or ``.npz``, also
        compressed; or a table in memory (a pandas or polars frame, an Arrow table, a Hugging Face
        dataset), for which `format`, `delimiter`, `encoding` and `header` cannot be specified.
    label : str, optional
        Column of the labels, or path of a file that holds them. Guessed if left out.
    features : str or sequence of str
        The only columns to use as features.
    drop : str or sequence of str
        Columns to ignore.
    id_column : str, optional
        Column that names the rows; without it they are numbered from 0.
    group : str, optional
        Column that says which rows belong together, such as a patient: see
        `RankGatedEstimator.fit`. It is not used as a feature.
    shown : str or sequence of str
        Columns to show to reviewers and not to use as features.
    column_types : mapping from str to str, optional
        What columns are: "number", "category", "date", "text", "vector" or "skip". All others are
        decided by their content.
    embeddings : path, optional
        Array (``.npy``) to use as features in place of columns.
    unlabeled : str or sequence of str
        Labels that stand for a missing label: rows with them are left out.
    random_state : int
        Seed of the decomposition of texts.
    format : {"csv", "jsonl", "parquet", "arrow", "xlsx", "npy", "npz"}, optional
        Format of the file; guessed from its name and its first bytes if left out.
    delimiter, encoding : str, optional
        Of delimited text, where the guess would be wrong.
    header : bool
        Whether the first line names the columns; otherwise they are called c1, c2, ...

    Returns
    -------
    Dataset
        Above all ``X``, ``y``, ``ids``, ``feature_names``, ``notes`` and ``content(rows)``.
    """
    options = TableOptions(
        label=label,
        features=_names(features),
        drop=_names(drop),
        id_column=id_column,
        group=group,
        shown=_names(shown),
        column_types=dict(column_types or {}),
        embeddings=None if embeddings is None else str(embeddings),
        unlabeled=_names(unlabeled),
    )
    reading = ReadOptions(format=format, delimiter=delimiter, encoding=encoding, header=header)
    if is_table(path):
        if reading != ReadOptions():
            of_files = "format=, delimiter=, encoding= or header="
            raise LabelNoiseError("exclude_each_other", first="a table in memory", other=of_files)
        return Dataset.from_table(path, options, random_state=random_state)
    return Dataset.from_file(path, options, reading, random_state)


def _names(given: str | Sequence[str]) -> tuple[str, ...]:
    """Names as a tuple; a text is a single name."""
    return (given,) if isinstance(given, str) else tuple(given)


def _with_label_file(
    found: FileTable, name: str, options: TableOptions
) -> tuple[FileTable, TableOptions, str]:
    """The same table with labels from a file of their own, and the SHA-256 of that file."""
    path, table = str(options.label), found.table
    beside = read_table(path, ReadOptions(text_columns=None))
    if (beside.table.num_columns, beside.table.num_rows) != (1, table.num_rows):
        raise LabelNoiseError(
            "labels_of_other_length",
            table=name,
            n_rows=table.num_rows,
            path=path,
            n_labels=beside.table.num_rows,
            n_columns=beside.table.num_columns,
        )
    label = "label" if "label" not in table.column_names else f"label ({path})"
    notes = (*found.notes, *beside.notes)
    if options.id_column is not None:  # corrections go into the file of labels: no ids there
        notes += (Note("ids_with_separate_labels", {"column": options.id_column}),)
        types = {**options.column_types, options.id_column: "skip"}
        options = replace(options, id_column=None, column_types=types)
    table = table.append_column(label, beside.table.column(0))
    found = replace(found, table=table, notes=notes)
    return found, replace(options, label=label), beside.digest


def _encoded(labeled: LabeledTable, rows: IntArray, seed: int) -> tuple[FloatArray, TableEncoder]:
    """Features (n, d) of some rows, and what made them of the columns."""
    features = labeled.features(rows)
    types = labeled.options.types_of(features.column_names)
    encoder = TableEncoder(column_types=types, random_state=seed)
    with stage("encoding"):
        return encoder.fit_transform(features, labeled.labels.codes[rows]), encoder


def _texts_only_shown(labeled: LabeledTable) -> Iterator[Note]:
    """Free texts that reviewers see and that are not used as features."""
    for kind in column_types(columns_of(labeled.table.select(labeled.options.shown))):
        if kind.type == "text":
            yield Note("shown_only", {"column": kind.name})


def _embeddings(
    path: str, labeled: LabeledTable, rows: IntArray
) -> tuple[FloatArray, tuple[str, ...], str]:
    """Features from a file of embeddings, their names, and the SHA-256 of the file."""
    found = read_table(path, ReadOptions(numeric_header=True))
    matrix, n_rows = _matrix(columns_of(found.table)), labeled.table.num_rows
    if matrix is None or len(matrix) != n_rows:
        raise LabelNoiseError(
            "embeddings_of_other_shape",
            path=path,
            n_rows=n_rows,
            found="other values" if matrix is None else f"one of shape {matrix.shape}",
        )
    names = tuple(found.table.column_names)
    if len(names) != matrix.shape[1]:
        names = tuple(f"embedding[{i}]" for i in range(matrix.shape[1]))
    return checks.feature_matrix(matrix[rows]), names, found.digest


def _matrix(columns: Sequence[Column]) -> FloatArray | None:
    """The only array of numbers (n, d) in some columns: a column of vectors, or all numbers."""
    if len(columns) == 1 and columns[0].vectors is not None:
        return columns[0].vectors
    numbers = [column.numbers for column in columns]
    return None if any(values is None for values in numbers) else np.column_stack(numbers)  # type: ignore[arg-type]
