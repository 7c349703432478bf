"""A file -> features, labels, ids, and the cells that reviewers see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.column_roles import KINDS, Role, decide
from labelnoise.data.columns import Column, Numbers, RawTable, Texts, Vectors
from labelnoise.data.encoding import Block, encode_columns
from labelnoise.data.label_column import LabelColumn
from labelnoise.data.points import group_identical
from labelnoise.data.reading import ONLY_ARRAY, Reading, Wanted
from labelnoise.data.table_csv import numbers_in
from labelnoise.data.table_files import STDIN, Source, read_source
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray

FINE, COPIES, LOOKED_AT = 0.3, 0.02, 2000
"""Rows with as many different values in a column (a share of so many rows) should hardly be alike;
a larger share of copies than the second is remarked on."""

MOST_SHOWN = 12
"""Columns that are shown beside a row if nobody says which."""


@dataclass(frozen=True, eq=False, repr=False)
class LabelledTable:
    """Rows of a table that have a label, as everything else wants them.

    Attributes
    ----------
    X : (n, d) array
        Features.
    y : (n,) array
        Labels as they were written; whole numbers as such.
    ids : (n,) array
        What rows are called: by a column of the table, or by their number in it, from 0.
    feature_names : tuple of str
        Names of the columns of X.
    label : str
        Name of the column of labels.
    roles : tuple of Role
        What became of every other column, and why.
    guesses : tuple of str
        What had to be guessed, in words.
    source : Source
        The whole table as it was read, its format and the SHA-256 of the file.
    positions : (n,) array
        Where the rows stand in the whole table.
    shown : tuple of str
        Columns to show to reviewers.
    """

    X: FloatArray
    y: np.ndarray[Any, Any]
    ids: np.ndarray[Any, Any]
    feature_names: tuple[str, ...]
    label: str
    roles: tuple[Role, ...]
    guesses: tuple[str, ...]
    source: Source
    positions: IntArray
    shown: tuple[str, ...]

    def __repr__(self) -> str:
        n_rows, n_features = self.X.shape
        return f"LabelledTable({n_rows} rows, {n_features} features, labels in {self.label!r})"

    def content(self, rows: Any) -> dict[str, list[Any]]:
        """Cells of some rows, by column."""
        columns = self.source.table.columns
        where = self.positions[np.asarray(rows, dtype=np.int64)]
        return {name: columns[name].cells(where) for name in self.shown}


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
    unlabelled: Sequence[str] = (),
    random_state: int = 0,
) -> LabelledTable:
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
    unlabelled : sequence of str
        Labels that stand for none: rows with them are left out.
    random_state : int
        Seed of what is done to texts.

    Returns
    -------
    LabelledTable
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
        unlabelled=tuple(unlabelled),
    )
    reading = Reading(repr(str(path)), as_text=wanted.as_text)
    return read_labelled(str(path), wanted, reading, random_state)


def read_labelled(path: str, wanted: Wanted, reading: Reading, seed: int) -> LabelledTable:
    """Read a file, or standard input for "-", into features and labels."""
    source = read_source(path, reading)
    if wanted.label and wanted.label not in source.table.columns and _is_file(wanted.label):
        source, wanted = _with_labels_from(source, wanted, reading)
    columns = source.table.columns
    wanted = wanted.resolved(columns)
    labels = LabelColumn.of(columns, wanted, reading.name)
    kept, left_out = labels.usable()
    candidates, said = _candidates(columns, wanted, labels.name)
    candidates = {name: _as_numbers(column) for name, column in candidates.items()}
    taken = {name: column.take(kept) for name, column in candidates.items()}
    roles = tuple(decide(taken, labels.texts.take(kept).codes.astype(np.int64), said))
    if wanted.embeddings is None:
        blocks = _features(taken, roles, seed)
    else:
        blocks = [_embeddings(wanted.embeddings, source.table.n_rows, kept)]
    guessed = [f"column {labels.name!r} holds the labels (--label)"] if labels.guessed else []
    X, y = np.hstack([block.values for block in blocks]), labels.labels(kept)
    notes = [*(note for block in blocks for note in block.notes), *copies_in_words(X, y)]
    return LabelledTable(
        X=X,
        y=y,
        ids=labels.ids[kept],
        feature_names=tuple(name for block in blocks for name in block.names),
        label=labels.name,
        roles=roles,
        guesses=(*source.table.guesses, *guessed, *left_out, *notes),
        source=source,
        positions=kept,
        shown=wanted.shown or _worth_seeing(columns, roles, (labels.name, wanted.id, *wanted.drop)),
    )


def _as_numbers(column: Column) -> Column:
    """Texts that are all numbers as such: a column may be called as labels are, and be none."""
    if not isinstance(column, Texts):
        return column
    found = numbers_in(column.levels)
    return column if found is None else Numbers(np.append(found, np.nan)[column.codes])


def copies_in_words(X: FloatArray, y: np.ndarray[Any, Any]) -> list[str]:
    """A remark on rows that are copies of others, labels and all, where hardly any should be."""
    finest = max((len(np.unique(column)) for column in X[:LOOKED_AT].T), default=0)
    if finest < FINE * min(len(X), LOOKED_AT):
        return []  # with few different values rows are alike by chance
    _, codes = np.unique(y, return_inverse=True)
    _, group = group_identical(np.column_stack([X + 0.0, codes]))
    n_copies = len(X) - int(group.max()) - 1
    if n_copies <= COPIES * len(X):
        return []
    said = (
        f"{n_copies:,} rows are copies of others, labels and all. Labels of copies agree, and look "
    )
    return [f"{said}right: drop copies from the data"]


def _worth_seeing(
    columns: Mapping[str, Column], roles: Sequence[Role], apart: tuple[str | None, ...]
) -> tuple[str, ...]:
    """Columns of text, or if there are none the first features, and then others, to be shown."""
    texts = tuple(role.name for role in roles if role.kind == "text")
    used = [role.name for role in roles if role.kind != "skip"]
    others = [name for name in dict.fromkeys([*used, *columns]) if name not in apart]
    plain = tuple(name for name in others if not isinstance(columns[name], Vectors))
    return texts or plain[:MOST_SHOWN]


def _candidates(
    columns: Mapping[str, Column], wanted: Wanted, label: str
) -> tuple[dict[str, Column], dict[str, str]]:
    """Columns that may become features, and what was said about them."""
    for name, kind in wanted.kinds.items():
        checks.one_of(kind, f"kind of column {name!r}", KINDS)
    if wanted.embeddings is not None:
        return {}, {}
    named = wanted.features or tuple(columns)
    apart = {label, wanted.id, *wanted.shown, *wanted.drop}
    contested = [name for name in wanted.features if name in (*wanted.shown, *wanted.drop)]
    if contested:
        raise LabelNoiseError(
            f"{checks.named(contested)} is in --features and in --text-column or --drop. Name it "
            "once."
        )
    if set(wanted.features) & {label}:
        raise LabelNoiseError(
            f"column {label!r} is both the label and a feature: that would tell T nothing. Take it "
            "out of --features."
        )
    said = dict.fromkeys(wanted.features, "use") | dict(wanted.kinds)
    return {name: columns[name] for name in named if name not in apart}, said


def _features(taken: Mapping[str, Column], roles: Sequence[Role], seed: int) -> list[Block]:
    if not any(role.kind != "skip" for role in roles):
        skipped = "; ".join(f"{role.name!r}: {role.reason}" for role in roles[:5])
        raise LabelNoiseError(
            "no column is left to use as a feature"
            + (f" ({skipped})" if skipped else "")
            + ". Name columns with --features, drop fewer, pass --embeddings, or leave out "
            "--text-column, which shows a column and does not use it."
        )
    with stage("encoding"):
        blocks = encode_columns(taken, roles, seed)
    if not any(block.names for block in blocks):
        raise LabelNoiseError("; ".join(note for block in blocks for note in block.notes))
    return blocks


def _embeddings(path: str, n_rows: int, kept: IntArray) -> Block:
    found = read_source(path, Reading(repr(path))).table
    vectors = [column for column in found.columns.values() if isinstance(column, Vectors)]
    if len(vectors) != 1 or len(vectors[0]) != n_rows:
        sizes = ", ".join(str(column.values.shape) for column in vectors) or "none"
        raise LabelNoiseError(
            f"--embeddings {path!r} must hold one array with a row for each of the {n_rows} rows "
            f"of the table, and has {sizes}. Save it with numpy.save."
        )
    values = vectors[0].values[kept]
    return Block(values, tuple(f"embedding[{i}]" for i in range(values.shape[1])))


def _is_file(label: str) -> bool:
    return label != STDIN and Path(label).is_file()


def _with_labels_from(source: Source, wanted: Wanted, reading: Reading) -> tuple[Source, Wanted]:
    """Labels from a file of their own, beside a table of features."""
    path = str(wanted.label)
    columns = read_source(
        path, Reading(repr(path), as_text=frozenset([ONLY_ARRAY]), header=True)
    ).table.columns
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
    table = RawTable({**source.table.columns, "label": found}, source.table.guesses)
    return source._replace(table=table), replace(wanted, label="label")
