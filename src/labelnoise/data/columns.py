"""A column of a table: its values in the form that is asked for, each worked out once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelnoise.data import column_values

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.column_values import Content

Mask = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True, eq=False)
class Column:
    """A column as Arrow holds it, and what its values mean."""

    name: str
    data: pa.ChunkedArray

    def __len__(self) -> int:
        return len(self.data)

    @cached_property
    def content(self) -> Content | None:
        """What the column holds; None for types that no feature can be made from."""
        return column_values.content_of(self.data)

    @property
    def declared_categorical(self) -> bool:
        """Whether whoever made the table says that these are categories."""
        return pa.types.is_dictionary(self.data.type)

    @cached_property
    def numbers(self) -> FloatArray | None:
        """Values as numbers (n,), NaN where one is missing; None if one is something else."""
        return column_values.numbers(self.data)

    @cached_property
    def days(self) -> FloatArray | None:
        """Values as days since 1970 (n,), NaN where one is missing; None if one is no date."""
        return column_values.days(self.data)

    @cached_property
    def vectors(self) -> FloatArray | None:
        """Values as rows of numbers (n, d); None if they are no vectors of one length."""
        return column_values.vectors(self.data)

    @cached_property
    def texts(self) -> np.ndarray[Any, Any] | None:
        """Values as texts (n,), None where one is missing; None if they are lists."""
        return column_values.texts(self.data)

    @cached_property
    def levels(self) -> list[str]:
        """Distinct texts, in order; a missing value is none."""
        return self._coded.dictionary.to_pylist()

    @cached_property
    def level_codes(self) -> IntArray:
        """Position of each value in `levels` (n,), -1 where it is missing."""
        found: IntArray = self._coded.indices.fill_null(-1).to_numpy().astype(np.int64)
        return found

    @cached_property
    def missing(self) -> Mask:
        """Which values are missing, (n,)."""
        if self.content in ("number", "date"):
            values = self.numbers if self.content == "number" else self.days
            return np.isnan(np.asarray(values))
        if self.content == "vector":
            return np.zeros(len(self), dtype=bool)
        return np.asarray(self.level_codes < 0)

    @cached_property
    def _coded(self) -> pa.DictionaryArray:
        coded = pa.array(self.texts, pa.string()).dictionary_encode()
        order = np.argsort(coded.dictionary.to_numpy(zero_copy_only=False), kind="stable")
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order))
        codes = pa.array(place).take(coded.indices)
        return pa.DictionaryArray.from_arrays(codes, coded.dictionary.take(pa.array(order)))
