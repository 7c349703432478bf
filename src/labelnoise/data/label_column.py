"""The column of a table that holds its labels."""

from __future__ import annotations

import difflib
import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelnoise import checks
from labelnoise.checks.label_codes import look_like_ids
from labelnoise.data.settings import (
    LABEL_NAMES,
    LARGEST_LABEL,
    LIKE_MISSING,
    MORE_FREQUENT,
    MOST_COMPARED,
    SPELLED_ALIKE,
)
from labelnoise.data.table_options import nearest
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from labelnoise.arrays import IntArray


@dataclass(frozen=True, eq=False)
class LabelColumn:
    """The labels of a table."""

    name: str
    codes: IntArray  # (n,) position of each row's label in `levels`, -1 where there is none
    levels: tuple[Any, ...]  # distinct labels, sorted

    @classmethod
    def of(
        cls,
        name: str,
        data: pa.ChunkedArray,
        *,
        unlabeled: Sequence[str] = (),
        new_classes: Sequence[str] = (),
        from_file: bool = False,
    ) -> LabelColumn:
        """Labels of a column, without spaces around them; blank or `unlabeled` ones are missing.

        Texts of a file become numbers if they all are whole numbers, new classes included.
        """
        if pa.types.is_dictionary(data.type):
            data = data.cast(data.type.value_type)
        if pa.types.is_nested(data.type):
            raise LabelNoiseError("not_single_values", name=f"column {name!r}")
        values = _trimmed(data)
        meaning_none = pa.array([label.strip() for label in unlabeled], pa.string())
        missing = pc.is_in(values.cast(pa.string()), meaning_none)
        values = pc.if_else(missing, pa.scalar(None, values.type), values)
        coded = values.combine_chunks().dictionary_encode()
        found = coded.dictionary.to_pylist()
        if from_file and pa.types.is_string(values.type):
            found = whole_numbers([*map(str, found), *new_classes])[: len(found)]
        order = checks.labels(checks.label_array(found), None).codes if found else np.empty(0, int)
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        levels = [found[i] for i in np.argsort(order)]
        return cls(name, np.append(order, -1)[codes].astype(np.int64), tuple(levels))

    @property
    def labeled_rows(self) -> IntArray:
        """Rows that have a label."""
        return np.flatnonzero(self.codes >= 0)

    @property
    def counts(self) -> IntArray:
        """Rows of each level, (L,)."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.levels))

    def labels(self, rows: IntArray) -> np.ndarray[Any, Any]:
        """Labels of some rows that have one."""
        return checks.label_array(self.levels)[self.codes[rows]]

    def classes(self, rows: IntArray, new_classes: Sequence[str] = ()) -> tuple[Any, ...]:
        """Labels of some rows, and new classes in the form that labels have, sorted."""
        present = [self.levels[code] for code in np.unique(self.codes[rows])]
        numbers = all(isinstance(label, int) for label in self.levels)
        new = [int(label) if numbers else label for label in new_classes]
        every = list(dict.fromkeys([*present, *new]))
        return checks.labels(checks.label_array(every), None).classes

    def usable(self, kept_labels: Sequence[str] = ()) -> IntArray:
        """Rows whose label occurs more than once, or is to be kept in any case."""
        counts = self.counts
        if look_like_ids(counts):
            facts = {"n_labels": len(self.levels), "n_rows": len(self.labeled_rows)}
            raise LabelNoiseError("labels_look_like_ids", **facts)
        if (counts > 1).sum() < 2:
            raise LabelNoiseError("one_class_only", column=self.name)
        usable = np.append(~self._alone(kept_labels), False)  # a code of -1: no label
        return np.flatnonzero(usable[self.codes]).astype(np.int64)

    def notes(self, kept_labels: Sequence[str] = ()) -> Iterator[Note]:
        """Remarks on the labels."""
        counts = dict(zip(map(str, self.levels), self.counts.tolist(), strict=True))
        yield from _doubtful(list(counts))
        for rare, usual in _look_alikes(counts):
            facts = {"rare": rare, "n_rare": counts[rare], "usual": usual, "n_usual": counts[usual]}
            yield Note("label_misspelled", facts)
        n_without = len(self.codes) - len(self.labeled_rows)
        if n_without:
            yield Note("rows_without_label", {"n": n_without})
        alone = [self.levels[i] for i in np.flatnonzero(self._alone(kept_labels))]
        if alone:
            yield Note("labels_of_one_row", {"labels": alone})

    def _alone(self, kept_labels: Sequence[str]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Whether only one row has a level (L,) that is not to be kept."""
        kept = np.array([str(level) in set(kept_labels) for level in self.levels], dtype=bool)
        return (self.counts == 1) & ~kept


def likely_label(columns: Sequence[str], table: str) -> str:
    """The only column, or one with a usual name of label columns."""
    if len(columns) == 1:
        return columns[0]
    usual = [column for name in LABEL_NAMES for column in columns if column.lower() == name]
    if not usual:
        raise LabelNoiseError("no_label_column", table=table, columns=list(columns))
    return usual[0]


def doubtful_labels(data: pa.ChunkedArray) -> Iterator[Note]:
    """Labels that may stand for a missing label, or that differ only in spelling."""
    if not (pa.types.is_string(data.type) or pa.types.is_large_string(data.type)):
        return
    if look_like_ids(pc.value_counts(data).field("counts").to_numpy(zero_copy_only=False)):
        return  # no classes at all: refused elsewhere
    yield from _doubtful([level for level in data.unique().to_pylist() if level is not None])


def _doubtful(labels: Sequence[str]) -> Iterator[Note]:
    unclear = [label for label in labels if label.strip().casefold() in {"", *LIKE_MISSING}]
    for same in _spelled_alike(label for label in labels if label not in unclear):
        yield Note("labels_spelled_alike", {"labels": same})
    if unclear:
        yield Note("label_like_missing", {"labels": unclear})


def _trimmed(data: pa.ChunkedArray) -> pa.ChunkedArray:
    """Texts stripped of spaces, whole floats as integers, null for blank texts and NaN."""
    if pa.types.is_floating(data.type):
        data = pc.if_else(pc.is_nan(data), pa.scalar(None, data.type), data)
        is_whole = pc.and_(
            pc.equal(data, pc.floor(data)), pc.less(pc.abs(data), float(LARGEST_LABEL))
        )
        whole = pc.all(is_whole, skip_nulls=True).as_py()
        return data.cast(pa.int64()) if whole else data
    if not (pa.types.is_string(data.type) or pa.types.is_large_string(data.type)):
        return data
    trimmed = pc.utf8_trim_whitespace(data)
    return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, trimmed.type), trimmed)


def whole_numbers(levels: Sequence[str]) -> list[Any]:
    """Texts as whole numbers, if all are written as such, without leading zeros."""
    try:
        whole = [int(level) for level in levels]
    except ValueError:
        return list(levels)
    small = all(abs(number) < LARGEST_LABEL for number in whole)
    return whole if small and list(map(str, whole)) == list(levels) else list(levels)


def _spelled_alike(labels: Iterable[str]) -> list[list[str]]:
    """Labels that differ only in capitals, spaces or a trailing .0."""
    alike: dict[str, list[str]] = {}
    for label in labels:
        plain = unicodedata.normalize("NFKC", label).casefold()
        number = re.sub(r"^([+-]?\d+)\.0*$", r"\1", " ".join(plain.split()))
        alike.setdefault(number, []).append(label)
    return [same for same in alike.values() if len(same) > 1]


def _look_alikes(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """Labels that differ from a far more frequent one in a few letters, and that one."""
    words = [name for name in counts if len(name) > 3][:MOST_COMPARED]
    for rare in words:
        usual = [
            name
            for name in words
            if counts[name] >= MORE_FREQUENT * counts[rare] and name.casefold() != rare.casefold()
        ]
        close = difflib.get_close_matches(rare, usual, 1, SPELLED_ALIKE)
        if close and not any(letter.isdigit() for letter in rare):
            yield rare, close[0]


def unlabeled_not_found(column: pa.ChunkedArray, unlabeled: Sequence[str]) -> Iterator[Note]:
    """Values for unlabeled rows that do not occur; an error if they are misspelled labels."""
    present = {str(value).strip(): None for value in column.unique().to_pylist()}
    absent = [label for label in unlabeled if label.strip() not in present]
    for label in absent:
        meant = nearest(label.strip(), list(present), SPELLED_ALIKE)
        if meant is not None:
            raise LabelNoiseError("unlabeled_misspelled", label=label, suggestion=meant)
    if absent:
        yield Note("unlabeled_not_found", {"labels": absent})
