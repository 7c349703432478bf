"""A file or a frame -> features, labels, ids, and the cells that reviewers see."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.column_roles import KINDS, Role, decide
from labelnoise.data.columns import Column, RawTable, Texts, Vectors
from labelnoise.data.containers import row_ids
from labelnoise.data.encoding import Block, encode_columns
from labelnoise.data.reading import Reading
from labelnoise.data.table_files import STDIN, Source, read_source
from labelnoise.data.table_numpy import ONLY_ARRAY
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray

LABEL_NAMES = ("label", "labels", "target", "y", "class", "category", "given_label", "noisy_label")
"""Columns that are taken for the labels if nobody says which, in any case of letters."""

MOST_SHOWN = 12
"""Columns that are shown beside a row if nobody says which."""


@dataclass(frozen=True)
class Wanted:
    """What the user said about the columns of a table.

    Attributes
    ----------
    label : str or None
        Column of the labels; for a .npy file the path of another one. None guesses.
    features : tuple of str
        The only columns to use as features; none stands for all that are left.
    drop : tuple of str
        Columns to leave alone.
    id : str or None
        Column that names the rows; else they are numbered from 0.
    shown : tuple of str
        Columns to show to reviewers and not to use as features.
    kinds : mapping from str to str
        What columns are to become, one of `column_roles.KINDS` each.
    embeddings : str or None
        Path of an array of features to use in the place of columns.
    """

    label: str | None = None
    features: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    id: str | None = None
    shown: tuple[str, ...] = ()
    kinds: Mapping[str, str] = field(default_factory=dict)
    embeddings: str | None = None

    @property
    def as_text(self) -> frozenset[str]:
        """Columns whose cells stay as they are written."""
        usual = [form(name) for name in LABEL_NAMES for form in (str, str.upper, str.title)]
        labels = [*usual, ONLY_ARRAY] if self.label is None else [self.label]
        return frozenset([*labels, *self.shown, *filter(None, [self.id])])


@dataclass(frozen=True, eq=False)
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

    def content(self, rows: Any) -> dict[str, list[Any]]:
        """Cells of some rows, by column."""
        columns = self.source.table.columns
        where = self.positions[np.asarray(rows, dtype=np.int64)]
        return {name: columns[name].cells(where) for name in self.shown}


def load_table(path: str, wanted: Wanted, reading: Reading, seed: int = 0) -> LabelledTable:
    """Read a file, or standard input for "-", into features and labels."""
    source = read_source(path, reading)
    if wanted.label and wanted.label not in source.table.columns and _is_file(wanted.label):
        source, wanted = _with_labels_from(source, wanted, reading)
    return labelled(source, wanted, reading.name, seed)


def labelled(source: Source, wanted: Wanted, name: str, seed: int) -> LabelledTable:
    """Find the labels in a table, and turn other columns into features."""
    columns = source.table.columns
    for what, column in _mentioned(wanted):
        refuse_unknown(column, columns, name, what)
    label, guessed = (wanted.label, ()) if wanted.label else _likely_label(columns, name)
    kept, y, left_out = _labels(columns[label], label)
    candidates, said = _candidates(columns, wanted, label)
    taken = {name: column.take(kept) for name, column in candidates.items()}
    _, codes = np.unique(y, return_inverse=True)
    roles = tuple(decide(taken, codes.astype(np.int64).ravel(), said))
    blocks = _features(taken, roles, wanted, kept, len(columns[label]), seed)
    texts = tuple(role.name for role in roles if role.kind == "text")
    others = tuple(name for name in columns if name not in (label, wanted.id))
    shown = (
        wanted.shown
        or texts
        or tuple(name for name in others if not isinstance(columns[name], Vectors))
    )
    ids = kept if wanted.id is None else _ids(columns[wanted.id], wanted.id)[kept]
    return LabelledTable(
        X=np.hstack([block.values for block in blocks]),
        y=y,
        ids=row_ids(ids, len(kept), y),
        feature_names=tuple(name for block in blocks for name in block.names),
        label=label,
        roles=roles,
        guesses=(
            *source.table.guesses,
            *guessed,
            *left_out,
            *(note for block in blocks for note in block.notes),
        ),
        source=source,
        positions=kept,
        shown=shown[:MOST_SHOWN] if not wanted.shown else shown,
    )


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """The labels of a table as they were written, and what its rows are called."""

    name: str
    texts: Texts
    ids: np.ndarray[Any, Any]  # (n,)

    @classmethod
    def of(cls, source: Source, wanted: Wanted, name: str) -> LabelColumn:
        """Find the labels in a table."""
        columns = source.table.columns
        for what, column in _mentioned(wanted):
            refuse_unknown(column, columns, name, what)
        label = wanted.label or _likely_label(columns, name)[0]
        found = columns[label]
        if not isinstance(found, Texts):
            raise _no_labels(label)
        n_rows = len(found)
        ids = np.arange(n_rows) if wanted.id is None else _ids(columns[wanted.id], wanted.id)
        return cls(label, found, row_ids(ids, n_rows, None))

    @property
    def told(self) -> IntArray:
        """Rows that have a label."""
        return np.flatnonzero(~self.texts.missing)

    @property
    def y(self) -> np.ndarray[Any, Any]:
        """Labels of these rows; whole numbers as such."""
        levels = checks.label_array(plain_levels(self.texts.levels))
        return levels[self.texts.codes[self.told]]

    def replaced(self, labels: Any) -> list[str | None]:
        """Texts of all rows, with other labels (m,) in the rows that have one."""
        cells: list[str | None] = [None] * len(self.texts)
        for row, label in zip(self.told.tolist(), np.asarray(labels).tolist(), strict=True):
            cells[row] = str(label)
        return cells


def refuse_unknown(column: str, columns: Mapping[str, Any], name: str, option: str) -> None:
    """Refuse a column that is not there, and name the one that was probably meant."""
    if column in columns:
        return
    near = difflib.get_close_matches(column.lower(), [c.lower() for c in columns], 1)
    meant = [c for c in columns if near and c.lower() == near[0]]
    hint = f" Did you mean {meant[0]!r}?" if meant else ""
    if len(columns) == 1:
        hint += " There is one column only: are cells separated by something else (--delimiter)?"
    raise LabelNoiseError(
        f"{name} has no column {column!r} ({option}).{hint} Its columns are "
        f"{checks.named(list(columns), 20)}."
    )


def _mentioned(wanted: Wanted) -> list[tuple[str, str]]:
    given = {
        "--label": [wanted.label],
        "--features": wanted.features,
        "--drop": wanted.drop,
        "--id": [wanted.id],
        "--text-column": wanted.shown,
        "--as": wanted.kinds,
    }
    return [(option, name) for option, names in given.items() for name in names if name is not None]


def _likely_label(columns: Mapping[str, Column], name: str) -> tuple[str, tuple[str, ...]]:
    if len(columns) == 1 and not isinstance(next(iter(columns.values())), Vectors):
        return next(iter(columns)), ()
    found = [column for usual in LABEL_NAMES for column in columns if column.lower() == usual]
    if not found:
        raise LabelNoiseError(
            f"which column of {name} holds the labels? Pass --label with one of "
            f"{checks.named(list(columns), 20)}."
        )
    return found[0], (f"column {found[0]!r} holds the labels (--label)",)


def _labels(column: Column, name: str) -> tuple[IntArray, np.ndarray[Any, Any], tuple[str, ...]]:
    """Rows that have a label that another row has too, their labels, and what was left out."""
    if not isinstance(column, Texts):
        raise _no_labels(name)
    n_told = int((~column.missing).sum())
    if len(column.levels) > max(2, n_told // 2):
        raise LabelNoiseError(
            f"column {name!r} has {len(column.levels)} different values in {n_told} rows: these "
            "are no classes, but numbers or names. Name the column of the labels (--label)."
        )
    counts = column.counts
    if (counts > 1).sum() < 2:
        only = checks.named([column.levels[i] for i in np.flatnonzero(counts > 1)] or ["none"])
        raise LabelNoiseError(
            f"column {name!r} has one label only that occurs more than once ({only}): with a "
            "single class there are no confusions to estimate. Name the column of the labels "
            "(--label)."
        )
    said = []
    if n_told < len(column):
        said.append(f"{len(column) - n_told} rows without a label are left out")
    once = [column.levels[i] for i in np.flatnonzero(counts == 1)]
    if once:
        said.append(
            f"{len(once)} label(s) occur in one row only, which is left out: {checks.named(once)}. "
            "Misspelt?"
        )
    often = np.append(counts > 1, False)  # a code of -1: missing
    kept = np.flatnonzero(often[column.codes]).astype(np.int64)
    levels = checks.label_array(plain_levels(column.levels))
    return kept, levels[column.codes[kept]], tuple(said)


def _no_labels(name: str) -> LabelNoiseError:
    return LabelNoiseError(
        f"column {name!r} holds vectors, not labels. Name the column of the labels (--label)."
    )


def plain_levels(levels: Sequence[str]) -> list[Any]:
    """Texts as whole numbers, if all are written as such.

    >>> plain_levels(["10", "-2"]), plain_levels(["07", "8"])
    ([10, -2], ['07', '8'])
    """
    try:
        whole = [int(level) for level in levels]
    except ValueError:
        return list(levels)
    small = all(abs(number) < 2**62 for number in whole)
    return whole if small and list(map(str, whole)) == list(levels) else list(levels)


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
    if set(wanted.features) & {label}:
        raise LabelNoiseError(
            f"column {label!r} is both the label and a feature: that would tell T nothing. Take it "
            "out of --features."
        )
    said = dict.fromkeys(wanted.features, "use") | dict(wanted.kinds)
    return {name: columns[name] for name in named if name not in apart}, said


def _features(
    taken: Mapping[str, Column],
    roles: Sequence[Role],
    wanted: Wanted,
    kept: IntArray,
    n_rows: int,
    seed: int,
) -> list[Block]:
    if wanted.embeddings is not None:
        return [_embeddings(wanted.embeddings, n_rows, kept)]
    if not any(role.kind != "skip" for role in roles):
        skipped = "; ".join(f"{role.name!r}: {role.reason}" for role in roles[:5])
        raise LabelNoiseError(
            "no column is left to use as a feature"
            + (f" ({skipped})" if skipped else "")
            + ". Name columns with --features, drop or show fewer, or pass --embeddings."
        )
    with stage("encoding"):
        return encode_columns(taken, roles, seed)


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


def _ids(column: Column, name: str) -> np.ndarray[Any, Any]:
    if not isinstance(column, Texts) or column.missing.any():
        raise LabelNoiseError(
            f"column {name!r} (--id) does not name every row. Give each a name, or leave out --id."
        )
    return checks.label_array(plain_levels(column.levels))[column.codes]


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
