"""A file -> features, labels, ids, and the cells that reviewers see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.atomic_files import is_file
from labelnoise.data.column_roles import CONSTANT, EMPTY, Role
from labelnoise.data.old_columns import Column, RawTable, Vectors
from labelnoise.data.old_label_column import LabelColumn, refuse_unknown
from labelnoise.data.reading import Reading, Wanted
from labelnoise.data.table_features import copies_in_words, features_of_columns, features_of_file
from labelnoise.data.table_files import STDIN, Source, read_source
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray

MOST_SHOWN = 12
"""Columns that are shown beside a row if nobody says which."""


@dataclass(frozen=True, eq=False, repr=False)
class LabeledTable:
    """Rows of a table that have a label, as everything else wants them.

    Attributes
    ----------
    X : (n, d) array
        Features.
    y : (n,) array
        Labels as they were written; whole numbers as such.
    ids : (n,) array
        What rows are called: by a column of the table, or by their number in it, from 0.
    named_by : str
        That column, or "place".
    feature_names : tuple of str
        Names of the columns of X.
    feature_columns : tuple of str
        The column of the table that each of them was made from.
    label : str
        Name of the column of labels.
    classes : tuple
        All classes, new ones that no row has among them.
    roles : tuple of Role
        What became of every other column, and why.
    guesses : tuple of str
        What had to be guessed, in words.
    source : Source
        The whole table as it was read, and its format.
    positions : (n,) array
        Where the rows stand in the whole table.
    shown : tuple of str
        Columns to show to reviewers: those that were named, or else the first of `showable`.
    showable : tuple of str
        All columns that could be shown: texts, then other features, then what else there is.
    digests : mapping from str to str
        SHA-256 of every file that was read, by what is in it: "labels" if they stand in their own.
    telltales : mapping from str to str
        Columns that may be made from the labels, and why that seems so.
    """

    X: FloatArray
    y: np.ndarray[Any, Any]
    ids: np.ndarray[Any, Any]
    named_by: str
    feature_names: tuple[str, ...]
    feature_columns: tuple[str, ...]
    label: str
    classes: tuple[Any, ...]
    roles: tuple[Role, ...]
    guesses: tuple[str, ...]
    source: Source
    positions: IntArray
    shown: tuple[str, ...]
    showable: tuple[str, ...]
    digests: Mapping[str, str]
    telltales: Mapping[str, str]

    def __repr__(self) -> str:
        n_rows, n_features = self.X.shape
        return f"LabeledTable({n_rows} rows, {n_features} features, labels in {self.label!r})"

    @property
    def labels_apart(self) -> bool:
        """Whether labels stand in a file of their own."""
        return "labels" in self.digests

    def content(self, rows: Any, columns: Sequence[str] | None = None) -> dict[str, list[Any]]:
        """Cells of some rows, by column: of those that are shown, if none are named."""
        table = self.source.table.columns
        where = self.positions[np.asarray(rows, dtype=np.int64)]
        wanted = self.shown if columns is None else columns
        return {name: table[name].cells(where) for name in wanted}


def load_table(
    path: str | os.PathLike[str],
    label: str | None = None,
    *,
    features: Sequence[str] = (),
    drop: Sequence[str] = (),
    id_column: str | None = None,
    shown: Sequence[str] = (),
    kinds: Mapping[str, str] | None = None,
    embeddings: str | os.PathLike[str] | None = None,
    unlabeled: Sequence[str] = (),
    random_state: int = 0,
    format: str | None = None,  # noqa: A002
    delimiter: str | None = None,
    encoding: str | None = None,
    header: bool = True,
) -> LabeledTable:
    """Read a file as the command line does: features, labels, ids, and what was guessed.

    Parameters
    ----------
    path : path
        CSV, TSV, Parquet, Arrow, Feather, JSON Lines, ``.npy`` or ``.npz``, also gzipped.
    label : str, optional
        Column of the labels; for ``.npy`` the path of a file of them. Guessed if left out.
    features : sequence of str
        The only columns to use as features.
    drop : sequence of str
        Columns to leave alone.
    id_column : str, optional
        Column that names the rows; else they are numbered from 0.
    shown : sequence of str
        Columns to show to reviewers and not to use as features.
    kinds : mapping from str to str, optional
        What columns are: "number", "category", "date", "text", "vector" or "skip". Guessed for
        all others.
    embeddings : path, optional
        Array (``.npy``) to use as features in the place of columns.
    unlabeled : sequence of str
        Labels that stand for none: rows with them are left out.
    random_state : int
        Seed of what is done to texts.
    format : {"csv", "jsonl", "parquet", "arrow", "npy", "npz"}, optional
        Of the file; by its name and its first bytes, if left out.
    delimiter, encoding : str, optional
        Of delimited text, where a guess would be wrong.
    header : bool
        Whether the first line names the columns; else they are called c1, c2, ...

    Returns
    -------
    LabeledTable
        Above all ``X``, ``y``, ``ids``, ``feature_names``, ``guesses`` and ``content(rows)``.
    """
    wanted = Wanted(
        label=label,
        features=tuple(features),
        drop=tuple(drop),
        id=id_column,
        shown=tuple(shown),
        kinds=dict(kinds or {}),
        embeddings=None if embeddings is None else str(embeddings),
        unlabeled=tuple(unlabeled),
    )
    said = Reading(repr(str(path)), format, delimiter, encoding, header, wanted.as_text)
    return read_labeled(str(path), wanted, said, random_state)


def read_labeled(path: str, wanted: Wanted, reading: Reading, seed: int) -> LabeledTable:
    """Read a file, or standard input for "-", into features and labels."""
    source = read_source(path, reading)
    digests = {"data": source.digest}
    if wanted.label and wanted.label not in source.table.columns and _is_file(wanted.label):
        source, wanted, digests["labels"] = _with_labels_from(source, wanted, reading)
    columns = source.table.columns
    wanted = wanted.resolved(columns)
    labels = LabelColumn.of(columns, wanted, reading.name)
    kept, left_out = labels.usable()
    unmet = labels.unmet(columns[labels.name], wanted.unlabeled)
    if wanted.embeddings is None:
        found = features_of_columns(columns, wanted, labels, kept, seed)
    else:
        found, digests["embeddings"] = features_of_file(
            wanted.embeddings, source.table.n_rows, kept
        )
    y = labels.labels(kept)
    copies = copies_in_words(found.X, y)
    showable = _showable(columns, found.roles, (labels.name, wanted.id, *wanted.drop))
    return LabeledTable(
        X=found.X,
        y=y,
        ids=labels.ids[kept],
        named_by=wanted.id or "place",
        feature_names=found.names,
        feature_columns=found.columns,
        label=labels.name,
        classes=tuple(labels.classes(kept)),
        roles=found.roles,
        guesses=(*source.table.guesses, *labels.guess(), *left_out, *unmet, *found.told(), *copies),
        source=source,
        positions=kept,
        shown=wanted.shown or showable[:MOST_SHOWN],
        showable=showable,
        digests=digests,
        telltales=found.telltales,
    )


def _showable(
    columns: Mapping[str, Column], roles: Sequence[Role], apart: tuple[str | None, ...]
) -> tuple[str, ...]:
    """Columns of text, then other features, then what else tells rows apart and is no vector."""
    texts = [role.name for role in roles if role.kind == "text"]
    used = [role.name for role in roles if role.kind != "skip"]
    useless = [role.name for role in roles if role.reason in (CONSTANT, EMPTY)]
    return tuple(
        name
        for name in dict.fromkeys([*texts, *used, *columns])
        if name not in (*apart, *useless) and not isinstance(columns[name], Vectors)
    )


def _is_file(label: str) -> bool:
    return label != STDIN and is_file(label)


def _with_labels_from(
    source: Source, wanted: Wanted, reading: Reading
) -> tuple[Source, Wanted, str]:
    """Labels from a file of their own beside a table of features, and the SHA-256 of that file."""
    path = str(wanted.label)
    beside = read_source(path, Reading(repr(path), as_text=None))
    columns = beside.table.columns
    if len(columns) != 1:
        raise LabelNoiseError(
            f"--label {path!r} is a file with {len(columns)} columns. Pass one with a single array "
            "of labels."
        )
    (found,) = columns.values()
    if len(found) != source.table.n_rows:
        raise LabelNoiseError(
            f"{reading.name} has {source.table.n_rows} rows and {path!r} {len(found)} labels. Pass "
            "one label for each row."
        )
    name = "label" if "label" not in source.table.columns else f"label ({path})"
    guesses = [*source.table.guesses, *beside.table.guesses]
    if wanted.id is not None:  # fixes go into the file of labels, which has places only
        refuse_unknown(wanted.id, source.table.columns, reading.name, "--id")
        told = "labels stand in a file of their own, so rows are numbered"
        guesses.append(f"{told}, and not named by {wanted.id!r} (--id)")
        wanted = replace(wanted, id=None, kinds={**wanted.kinds, wanted.id: "skip"})
    table = RawTable({**source.table.columns, name: found}, tuple(guesses))
    return source._replace(table=table), replace(wanted, label=name), beside.digest
