"""The column of a table that holds its labels."""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.old_columns import NOTHING, Column, Texts, Vectors
from labelnoise.data.containers import row_ids
from labelnoise.data.plain_columns import as_texts
from labelnoise.data.reading import LABEL_NAMES
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from labelnoise.arrays import IntArray
    from labelnoise.data.reading import Wanted

LIKE_MISSING = frozenset({"na", "n/a", "nan", "null", "none", "?", "-", "unknown"})
ALIKE, OFTENER, MOST_COMPARED = 0.8, 10, 200
"""How alike two labels are, and how much oftener one occurs, if the other may be misspelt; and how
many labels are compared."""


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """The labels of a table as they were written, and what its rows are called.

    Attributes
    ----------
    name : str
        Name of the column.
    texts : Texts
        What stands in it.
    ids : (n,) array
        What rows are called: by a column of the table, or by their number, from 0.
    guessed : bool
        Whether nobody said that this column holds the labels.
    new_classes : tuple of str
        Classes that hardly any row has, or none.
    kept_labels : tuple of str
        Labels that one row is enough for.
    """

    name: str
    texts: Texts
    ids: np.ndarray[Any, Any]
    guessed: bool
    new_classes: tuple[str, ...] = ()
    kept_labels: tuple[str, ...] = ()

    @classmethod
    def of(cls, columns: Mapping[str, Column], wanted: Wanted, table: str) -> LabelColumn:
        """Find the labels in a table that is called `table` in messages."""
        wanted = wanted.resolved(columns)
        for option, column in wanted.mentioned():
            refuse_unknown(column, columns, table, option)
        name = wanted.label or likely_label(columns, table)
        ids = np.arange(len(columns[name]))
        if wanted.id is not None:
            ids = _ids(columns[wanted.id], wanted.id)
        texts = _trimmed(_label_texts(columns[name], name), wanted.unlabeled)
        names = row_ids(ids, len(texts), None)
        guessed = wanted.label is None
        return cls(name, texts, names, guessed, wanted.new_classes, wanted.kept_labels)

    def guess(self) -> list[str]:
        """That this column holds the labels, if nobody said so."""
        return [f"column {self.name!r} holds the labels (--label)"] if self.guessed else []

    @property
    def told(self) -> IntArray:
        """Rows that have a label."""
        return np.flatnonzero(~self.texts.missing)

    def classes(self, rows: IntArray) -> list[Any]:
        """Labels of some rows, and new classes, in order; whole numbers as such."""
        levels = self.texts.take(rows).levels
        return sorted(plain_levels(list(dict.fromkeys([*levels, *self.new_classes]))))

    def labels(self, rows: IntArray) -> np.ndarray[Any, Any]:
        """Labels of some rows that have one, whole numbers as such if new classes are, too."""
        texts = self.texts.take(rows)
        levels = plain_levels([*texts.levels, *self.new_classes])[: len(texts.levels)]
        return checks.label_array(levels)[texts.codes]

    def changes(self, labels: Any) -> dict[int, str]:
        """Other labels (m,) of the rows that have one, by row, where they are others."""
        new = [str(label) for label in np.asarray(labels).tolist()]
        old = self.texts.cells(self.told)
        told = zip(self.told.tolist(), old, new, strict=True)
        return {row: after for row, before, after in told if after != before}

    def unmet(self, column: Column, unlabeled: Sequence[str]) -> list[str]:
        """Labels that were said to stand for none, and do not occur."""
        met = {level.strip() for level in as_texts(column).levels}
        return [
            f"no label is {text!r} (--unlabeled)" for text in unlabeled if text.strip() not in met
        ]

    def usable(self) -> tuple[IntArray, tuple[str, ...]]:
        """Rows with a label that another row has too, and what was left out, in words."""
        levels, counts, n_told = self.texts.levels, self.texts.counts, len(self.told)
        if len(levels) > max(2, n_told // 2):
            raise LabelNoiseError(
                f"column {self.name!r} has {len(levels)} different values in {n_told} rows: these "
                "are no classes, but numbers or names. Name the column of the labels (--label)."
            )
        if (counts > 1).sum() < 2:
            only = checks.named([levels[i] for i in np.flatnonzero(counts > 1)]) or "none"
            raise LabelNoiseError(
                f"column {self.name!r} has one label only that occurs more than once ({only}): "
                "with a single class there are no confusions to estimate. Name the column of the "
                "labels (--label)."
            )
        once = (counts == 1) & ~np.isin(levels, [*self.new_classes, *self.kept_labels])
        usual = np.append(~once, False)  # a code of -1: missing
        kept = np.flatnonzero(usual[self.texts.codes]).astype(np.int64)
        return kept, tuple(self._left_out(n_told, [levels[i] for i in np.flatnonzero(once)]))

    def _left_out(self, n_told: int, once: list[str]) -> Iterator[str]:
        counts = dict(zip(self.texts.levels, self.texts.counts.tolist(), strict=True))
        for same in written_alike(counts):
            yield (
                f"labels {checks.named(same)} count as different classes, and differ in how they "
                "are written only. Write them alike in the data"
            )
        for rare, usual in look_alikes(counts):
            yield (
                f"label {rare!r} ({counts[rare]} rows) looks like {usual!r} ({counts[usual]} "
                "rows). Misspelt? Correct it in the data"
            )
        unsaid = [level for level in counts if level.casefold() in LIKE_MISSING]
        if unsaid:
            yield (
                f"{checks.named(unsaid)} counts as a class. If it means that nobody labeled the "
                "row, pass --unlabeled with it"
            )
        if n_told < len(self.texts):
            without = len(self.texts) - n_told
            rows = (
                "1 row without a label is"
                if without == 1
                else f"{without:,} rows without a label are"
            )
            yield f"{rows} left out"
        if once:
            yield (
                f"rows whose label no other row has are left out: {checks.named(once)}. Misspelt?"
            )


def _label_texts(column: Column, name: str) -> Texts:
    if isinstance(column, Vectors):
        raise LabelNoiseError(
            f"column {name!r} holds vectors, not labels. Name the column of the labels (--label)."
        )
    return as_texts(column)


def _trimmed(texts: Texts, missing: Sequence[str] = ()) -> Texts:
    """Texts without spaces around them; blank ones are missing, and some that are named.

    >>> found = _trimmed(Texts.of(["cat", "cat ", " "]))
    >>> found.levels, found.codes.tolist()
    (('cat',), [0, 0, -1])
    """
    nothing = {text.strip() for text in missing}
    trimmed = ["" if level.strip() in nothing else level.strip() for level in texts.levels]
    if all(trimmed) and trimmed == list(texts.levels):
        return texts
    levels = Texts.of([level or None for level in trimmed])
    return Texts(np.append(levels.codes, NOTHING)[texts.codes].astype(np.int32), levels.levels)


def written_alike(labels: Iterable[str]) -> list[list[str]]:
    """Labels that are the same but for capitals, spaces, invisible letters, or a point and zeros.

    >>> written_alike(["cat", "dog", "CAT", "1", "1.0", "2"])
    [['cat', 'CAT'], ['1', '1.0']]
    """
    alike: dict[str, list[str]] = {}
    for label in labels:
        plain = unicodedata.normalize("NFKC", label).casefold()
        plain = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
        number = re.sub(r"^([+-]?\d+)\.0*$", r"\1", " ".join(plain.split()))
        alike.setdefault(number, []).append(label)
    return [same for same in alike.values() if len(same) > 1]


def look_alikes(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Labels that differ from a far more frequent one in a few letters.

    >>> list(look_alikes({"Retail": 500, "Retial": 3, "Food": 400}))
    [('Retial', 'Retail')]
    """
    usual = [name for name, count in counts.items() if len(name) > 3][:MOST_COMPARED]
    for rare, count in list(counts.items())[:MOST_COMPARED]:
        others = [name for name in usual if name != rare and counts[name] >= OFTENER * count]
        others = [name for name in others if name.casefold() != rare.casefold()]
        near = difflib.get_close_matches(rare, others, 1, ALIKE) if len(rare) > 3 else []
        if near and not (rare.isnumeric() or any(c.isdigit() for c in rare)):
            yield rare, near[0]


def refuse_unknown(
    column: str, columns: Mapping[str, Any], name: str, option: str, *, delimited: bool = True
) -> None:
    """Refuse a column that is not there, and name the one that was probably meant."""
    if column in columns:
        return
    near = difflib.get_close_matches(column.lower(), [c.lower() for c in columns], 1)
    meant = [c for c in columns if near and c.lower() == near[0]]
    hint = f" Did you mean {meant[0]!r}?" if meant else ""
    if delimited and len(columns) == 1 and not isinstance(next(iter(columns.values())), Vectors):
        hint += " There is one column only: are cells separated by something else (--delimiter)?"
    raise LabelNoiseError(
        f"{name} has no column {column!r} ({option}).{hint} Its columns are "
        f"{checks.named(list(columns), 20)}."
    )


def likely_label(columns: Mapping[str, Column], table: str) -> str:
    """The column that is called as labels usually are, or the only one."""
    if len(columns) == 1 and not isinstance(next(iter(columns.values())), Vectors):
        return next(iter(columns))
    found = [column for usual in LABEL_NAMES for column in columns if column.lower() == usual]
    if not found:
        raise LabelNoiseError(
            f"which column of {table} holds the labels? Pass --label with one of "
            f"{checks.named(list(columns), 20)}."
        )
    return found[0]


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


def _ids(column: Column, name: str) -> np.ndarray[Any, Any]:
    if not isinstance(column, Texts) or column.missing.any():
        raise LabelNoiseError(
            f"column {name!r} (--id) does not name every row. Give each a name, or leave out --id."
        )
    return checks.label_array(plain_levels(column.levels))[column.codes]
