"""Columns of a table as they were read: numbers, texts, or vectors of numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from labelnoise.arrays import FloatArray, IndexArray, IntArray

NOTHING = -1
"""Code of a missing text."""


@dataclass(frozen=True, eq=False)
class Numbers:
    """A column of numbers, NaN where one is missing."""

    values: FloatArray  # (n,)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which rows have no value, (n,)."""
        return np.isnan(self.values)

    def take(self, rows: IntArray) -> Numbers:
        """Some of the rows."""
        return Numbers(self.values[rows])

    def cells(self, rows: IntArray) -> list[Any]:
        """Plain values of some rows, whole numbers as such; None where one is missing."""
        return [_whole(value) for value in self.values[rows].tolist()]


@dataclass(frozen=True, eq=False)
class Dates(Numbers):
    """A column of dates or moments, as days since 1970; NaN where one is missing."""

    def take(self, rows: IntArray) -> Dates:
        """Some of the rows."""
        return Dates(self.values[rows])

    def cells(self, rows: IntArray) -> list[Any]:
        """Dates of some rows as text, with the time if it is not midnight."""
        return [_date(value) for value in self.values[rows].tolist()]


@dataclass(frozen=True, eq=False)
class Texts:
    """A column of texts, each different one kept once.

    Attributes
    ----------
    codes : (n,) int32 array
        Position of each row's text in `levels`, -1 where it is missing.
    levels : tuple of str
        The different texts, in the order in which they were met.
    """

    codes: IndexArray
    levels: tuple[str, ...]

    @classmethod
    def of(cls, values: Sequence[Any]) -> Texts:
        """Gather texts; None is missing.

        >>> Texts.of(["b", None, "a", "b"]).codes.tolist()
        [0, -1, 1, 0]
        """
        index: dict[str, int] = {}
        codes = [
            NOTHING if value is None else index.setdefault(str(value), len(index))
            for value in values
        ]
        return cls(np.array(codes, dtype=np.int32), tuple(index))

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def missing(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which rows have no value, (n,)."""
        found: np.ndarray[Any, np.dtype[np.bool_]] = self.codes == NOTHING
        return found

    @property
    def counts(self) -> IntArray:
        """Rows of each level, (L,)."""
        return np.bincount(self.codes[~self.missing], minlength=len(self.levels))

    def take(self, rows: IntArray) -> Texts:
        """Some of the rows; levels that no longer occur are dropped."""
        codes = self.codes[rows]
        used, codes_of_used = np.unique(codes, return_inverse=True)
        kept = used[used != NOTHING]
        shift = len(used) - len(kept)
        levels = tuple(self.levels[code] for code in kept.tolist())
        return Texts((codes_of_used.ravel() - shift).astype(np.int32), levels)

    def cells(self, rows: IntArray) -> list[Any]:
        """Texts of some rows; None where one is missing."""
        return [None if c == NOTHING else self.levels[c] for c in self.codes[rows].tolist()]


@dataclass(frozen=True, eq=False)
class Vectors:
    """A column of vectors of one length, such as embeddings."""

    values: FloatArray  # (n, d)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def missing(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which rows have no value, (n,)."""
        return np.asarray(np.isnan(self.values).any(axis=1))

    def take(self, rows: IntArray) -> Vectors:
        """Some of the rows."""
        return Vectors(self.values[rows])

    def cells(self, rows: IntArray) -> list[Any]:
        """Vectors of some rows, as lists."""
        return self.values[rows].tolist()


Column = Numbers | Texts | Vectors


@dataclass(frozen=True, eq=False)
class RawTable:
    """Columns of one length, by name, and what had to be guessed to read them."""

    columns: Mapping[str, Column]
    guesses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        sizes = {name: len(column) for name, column in self.columns.items()}
        if len(set(sizes.values())) > 1:
            raise LabelNoiseError(
                f"columns differ in length: {sizes}. Give each one value for every row."
            )

    @property
    def n_rows(self) -> int:
        """Rows of every column."""
        return len(next(iter(self.columns.values()), ()))


def _date(days: float) -> str | None:
    if np.isnan(days):
        return None
    seconds = np.datetime64(round(days * 86_400), "s")
    return str(seconds.astype("datetime64[D]") if days.is_integer() else seconds)


def _whole(value: float) -> Any:
    if np.isnan(value):
        return None
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
