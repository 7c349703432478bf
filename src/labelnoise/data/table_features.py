"""Columns of a table, or a file of embeddings -> features with names."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.column_roles import KINDS, Role, decide, guesses_in_words
from labelnoise.data.old_columns import Column, Numbers, Texts, Vectors
from labelnoise.data.encoding import Block, encode_columns
from labelnoise.data.distinct_rows import group_identical
from labelnoise.data.reading import Reading
from labelnoise.data.table_csv import numbers_in
from labelnoise.data.table_files import read_source
from labelnoise.errors import LabelNoiseError
from labelnoise.progress import stage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.old_label_column import LabelColumn
    from labelnoise.data.reading import Wanted

TELLTALE = 0.5
"""Share of what there is to know about the labels that a single column of categories tells, from
which on it is remarked on."""

FINE, COPIES, LOOKED_AT = 0.3, 0.02, 2000
"""Rows with as many different values in a column (a share of so many rows) should hardly be alike;
a larger share of copies than the second is remarked on."""


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the labeled rows.

    Attributes
    ----------
    X : (n, d) array
        Values.
    names, columns : tuples of d str
        What each is called, and the column of the table it was made from.
    roles : tuple of Role
        What became of every column.
    notes : tuple of str
        What there is to say about them.
    telltales : mapping from str to str
        Columns that may be made from the labels, and why that seems so.
    """

    X: FloatArray
    names: tuple[str, ...]
    columns: tuple[str, ...]
    roles: tuple[Role, ...]
    notes: tuple[str, ...]
    telltales: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, blocks: Sequence[Block], roles: tuple[Role, ...], *notes: str) -> Features:
        """Put blocks side by side."""
        return cls(
            np.hstack([block.values for block in blocks]),
            tuple(name for block in blocks for name in block.names),
            tuple(block.column for block in blocks for _ in block.names),
            roles,
            (*(note for block in blocks for note in block.notes), *notes),
        )

    def told(self) -> tuple[str, ...]:
        """What there is to say: what columns became, and how."""
        return (*guesses_in_words(self.roles), *self.notes)


def features_of_columns(
    columns: Mapping[str, Column], wanted: Wanted, labels: LabelColumn, kept: IntArray, seed: int
) -> Features:
    """Features of some rows, from all columns that may be one."""
    candidates, said = _candidates(columns, wanted, labels.name)
    taken = {name: _as_numbers(column).take(kept) for name, column in candidates.items()}
    codes = labels.texts.take(kept).codes.astype(np.int64)
    roles = list(decide(taken, codes, said))
    shown = {name: columns[name].take(kept) for name in wanted.shown}
    guessed = [role.name for role in roles if role.kind == "category" and not role.said]
    telltales = _telltales({name: taken[name] for name in guessed}, codes)
    notes = [*_unused_texts(shown, codes), *(f"{one} (--drop)" for one in telltales.values())]
    blocks, roles = _blocks(taken, roles, seed)
    return replace(Features.of(blocks, tuple(roles), *notes), telltales=telltales)


def features_of_file(path: str, n_rows: int, kept: IntArray) -> tuple[Features, str]:
    """Features from a file of embeddings for a table of `n_rows`, and the SHA-256 of the file."""
    found = read_source(path, Reading(repr(path)))
    vectors = [column for column in found.table.columns.values() if isinstance(column, Vectors)]
    if len(vectors) != 1 or len(vectors[0]) != n_rows:
        sizes = ", ".join(str(column.values.shape) for column in vectors) or "none"
        raise LabelNoiseError(
            f"--embeddings {path!r} must hold one array with a row for each of the {n_rows} rows "
            f"of the table, and has {sizes}. Save it with numpy.save."
        )
    values = vectors[0].values[kept]
    names = tuple(f"embedding[{i}]" for i in range(values.shape[1]))
    return Features.of([Block("embedding", values, names)], ()), found.digest


def _as_numbers(column: Column) -> Column:
    """Texts that are all numbers as such: a column may be called as labels are, and be none."""
    if not isinstance(column, Texts):
        return column
    found = numbers_in(column.levels)
    return column if found is None else Numbers(np.append(found, np.nan)[column.codes])


def _telltales(categories: Mapping[str, Column], codes: IntArray) -> dict[str, str]:
    """Categories that tell the labels so well that they may be made from them, with a remark."""
    told = {name: _share_told(column, codes) for name, column in categories.items()}
    return {
        name: f"{name!r} alone tells {share:.0%} of what there is to know about the labels"
        for name, share in told.items()
        if share >= TELLTALE
    }


def _share_told(column: Column, codes: IntArray) -> float:
    """Mutual information of a column and the labels (n,), as a share of the labels' entropy."""
    values = column.codes if isinstance(column, Texts) else column.values
    _, level = np.unique(values, return_inverse=True)
    joint = np.unique(level.ravel() * (int(codes.max()) + 1) + codes, return_inverse=True)[1]
    of_labels = _entropy(codes)
    told = of_labels + _entropy(level.ravel()) - _entropy(joint.ravel())
    return told / of_labels if of_labels else 0.0


def _entropy(codes: IntArray) -> float:
    """Entropy of how often codes (n,) occur, in nats."""
    shares = np.bincount(codes - codes.min()) / len(codes)
    return float(-(shares[shares > 0] * np.log(shares[shares > 0])).sum())


def _unused_texts(shown: Mapping[str, Column], codes: IntArray) -> list[str]:
    """A remark on texts that are shown, and tell nothing therefore."""
    texts = [role.name for role in decide(shown, codes, {}) if role.kind == "text"]
    return [
        f"{name!r} is only shown (--text-column): its words are not used. To use them leave the "
        "option out, or pass --embeddings of them"
        for name in texts
    ]


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


def _candidates(
    columns: Mapping[str, Column], wanted: Wanted, label: str
) -> tuple[dict[str, Column], dict[str, str]]:
    """Columns that may become features, and what was said about them."""
    for name, kind in wanted.kinds.items():
        checks.one_of(kind, f"kind of column {name!r}", KINDS)
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


def _blocks(
    taken: Mapping[str, Column], roles: Sequence[Role], seed: int
) -> tuple[list[Block], list[Role]]:
    """Blocks of all columns that are features, and what became of all columns."""
    with stage("encoding"):
        blocks, roles = encode_columns(taken, roles, seed)
    if not blocks:
        skipped = "; ".join(f"{role.name!r}: {role.reason}" for role in roles[:5])
        raise LabelNoiseError(
            "no column is left to use as a feature"
            + (f" ({skipped})" if skipped else "")
            + ". Name columns with --features, drop fewer, pass --embeddings, or leave out "
            "--text-column, which shows a column and does not use it."
        )
    return blocks, roles
