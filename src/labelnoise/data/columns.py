"""A column of a table, and what its values mean: numbers, texts, days or vectors.

Content decides, not who read it: the texts "1.5", "?" and "2" are numbers. So the same table has
the same columns as a file, as a pandas frame and as a polars frame.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from labelnoise.data.settings import PROBED_TEXTS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

MISSING_TEXTS = (*csv.ConvertOptions().null_values, "<NA>", "None")
"""Texts that stand for no value: those that pandas reads as missing unless it is told otherwise."""

MISSING_AMONG_NUMBERS = ("?", "-", ".")
"""Texts that stand for no value among numbers and dates; among other texts they are values."""

Convert = Callable[[pa.ChunkedArray], pa.ChunkedArray]

FLOATS: Convert = partial(pc.cast, target_type=pa.float64())
DATES: tuple[Convert, ...] = (
    partial(pc.cast, target_type=pa.timestamp("us")),
    partial(pc.cast, target_type=pa.timestamp("us", tz="UTC")),
    partial(pc.strptime, format="%Y/%m/%d", unit="us"),
    partial(pc.strptime, format="%d.%m.%Y", unit="us"),
)
"""Conversions of texts to dates: ISO 8601, and two unambiguous formats."""

MICROSECONDS_PER_DAY = 86_400e6
TRUE_OR_FALSE = pa.array(["true", "false"])


@dataclass(frozen=True, eq=False)
class Column:
    """A column as Arrow holds it, with its values as numbers, texts, days or vectors.

    >>> [Column("x", pa.chunked_array([v])).content for v in (["1", "?"], ["a", None], [True])]
    ['number', 'text', 'boolean']
    """

    name: str
    data: pa.ChunkedArray

    def __len__(self) -> int:
        return len(self.data)

    @property
    def declared_categorical(self) -> bool:
        """Whether the table says that these are categories."""
        return pa.types.is_dictionary(self.data.type)

    @cached_property
    def content(self) -> str | None:
        """Number, boolean, date, text or vector; None if no feature can be made from the type."""
        kind = self._plain.type
        if self.declared_categorical or pa.types.is_time(kind):
            return "text" if _is_single(kind) else None
        if _is_text(kind):
            return self._content_of_texts()
        if pa.types.is_boolean(kind):
            return "boolean"
        if _is_number(kind) or pa.types.is_duration(kind):
            return "number"
        if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
            return "date"
        return None if self.vectors is None else "vector"

    @cached_property
    def numbers(self) -> FloatArray | None:
        """Values as numbers (n,), NaN where one is missing; None if one is something else."""
        column, kind = self._plain, self._plain.type
        if _is_text(kind):
            column = _numbers_in_texts(column)
        elif pa.types.is_duration(kind):
            column = pc.divide(
                column.cast(pa.duration("us")).cast(pa.int64()), MICROSECONDS_PER_DAY
            )
        elif not _is_number(kind) and not pa.types.is_boolean(kind):
            return None
        return None if column is None else _floats(column)

    @cached_property
    def days(self) -> FloatArray | None:
        """Dates or times as days since 1970 (n,), in UTC; NaN where one is missing."""
        column = self._plain
        if _is_text(column.type):
            column = _without(column, MISSING_AMONG_NUMBERS)
            parsed = (_parsed(column, convert) for convert in DATES)
            column = next((dates for dates in parsed if dates is not None), column)
        if not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
            return None
        zone = getattr(column.type, "tz", None)
        moments = column.cast(pa.timestamp("us", tz=zone), safe=False).cast(pa.int64())
        return _floats(moments) / MICROSECONDS_PER_DAY

    @cached_property
    def vectors(self) -> FloatArray | None:
        """Lists of numbers of one length as rows (n, d); None for anything else."""
        kind = self.data.type
        lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
        if not any(is_one(kind) for is_one in lists) or not _is_number(kind.value_type):
            return None
        lengths = pc.unique(pc.list_value_length(self.data)).to_pylist()
        values = pc.list_flatten(self.data)
        if len(lengths) != 1 or not lengths[0] or values.null_count:
            return None
        return _floats(values).reshape(len(self), lengths[0])

    @cached_property
    def texts(self) -> np.ndarray[Any, Any] | None:
        """Values as texts (n,) such as 1 or 2.5, None where one is missing; None for lists."""
        if not _is_single(self._plain.type):
            return None
        if pa.types.is_floating(self._plain.type):
            return _written_numbers(_floats(self._plain))
        written = _without(self._plain)
        if _is_true_or_false(written):
            written = pc.utf8_lower(written)
        return np.asarray(written.to_numpy(zero_copy_only=False), dtype=object)

    @cached_property
    def levels(self) -> list[str]:
        """Distinct texts, sorted, without missing values."""
        return self._coded.dictionary.to_pylist()

    @cached_property
    def level_codes(self) -> IntArray:
        """Position of each value in `levels` (n,), -1 where it is missing."""
        return np.asarray(self._coded.indices.fill_null(-1).to_numpy(), dtype=np.int64)

    @cached_property
    def missing(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which values are missing, (n,)."""
        if self.content in ("number", "date"):
            values = self.numbers if self.content == "number" else self.days
            return np.isnan(np.asarray(values))
        if self.content == "vector":
            return np.zeros(len(self), dtype=bool)
        return np.asarray(self.level_codes < 0)

    @cached_property
    def _plain(self) -> pa.ChunkedArray:
        """The column with values in place of dictionary codes."""
        return self.data.cast(self.data.type.value_type) if self.declared_categorical else self.data

    @cached_property
    def _coded(self) -> pa.DictionaryArray:
        coded = pa.array(self.texts, pa.string()).dictionary_encode()
        order = np.argsort(coded.dictionary.to_numpy(zero_copy_only=False), kind="stable")
        place = np.empty(len(order), dtype=np.int32)
        place[order] = np.arange(len(order))
        codes = pa.array(place).take(coded.indices)
        return pa.DictionaryArray.from_arrays(codes, coded.dictionary.take(pa.array(order)))

    def _content_of_texts(self) -> str:
        written = _without(self.data)
        if written.null_count == len(written):
            return "number"  # empty: of no kind at all
        if _is_true_or_false(written):
            return "boolean"
        if self.numbers is not None:
            return "number"
        return "text" if self.days is None else "date"


def columns_of(table: pa.Table) -> list[Column]:
    """All columns of a table."""
    return [Column(name, table[name]) for name in table.column_names]


def _is_true_or_false(column: pa.ChunkedArray) -> bool:
    present = pc.drop_null(column)
    if not len(present) or present[0].as_py().lower() not in TRUE_OR_FALSE.to_pylist():
        return False  # a look at one value saves reading them all
    return bool(pc.all(pc.is_in(pc.utf8_lower(present), TRUE_OR_FALSE)).as_py())


def _without(column: pa.ChunkedArray, more: tuple[str, ...] = ()) -> pa.ChunkedArray:
    """Values as texts, null where they stand for no value."""
    column = column.cast(pa.string())
    missing = pc.is_in(pc.utf8_trim_whitespace(column), pa.array([*MISSING_TEXTS, *more]))
    return pc.if_else(missing, pa.scalar(None, pa.string()), column)


def _parsed(column: pa.ChunkedArray, convert: Convert) -> pa.ChunkedArray | None:
    """Texts converted to another type; None if one cannot be, or if there are no texts."""
    column = pc.utf8_trim_whitespace(column)
    if column.null_count == len(column):
        return None
    try:
        convert(column.slice(0, PROBED_TEXTS))  # a few texts rule most types out
        return convert(column)
    except pa.ArrowInvalid:
        return None


def _numbers_in_texts(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    """Texts as numbers, if all are; all missing if there are none, as in an empty column."""
    written = _without(column, MISSING_AMONG_NUMBERS)
    if written.null_count == len(written) == _without(column).null_count:
        return pa.chunked_array([pa.nulls(len(written), pa.float64())])
    return _parsed(written, FLOATS)


def _floats(column: pa.ChunkedArray) -> FloatArray:
    values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(values, dtype=np.float64)


def _written_numbers(values: FloatArray) -> np.ndarray[Any, Any]:
    distinct, position = np.unique(values, return_inverse=True)
    written = [None if np.isnan(v) else repr(v).removesuffix(".0") for v in distinct.tolist()]
    return np.array(written, dtype=object)[position]


def _is_text(kind: pa.DataType) -> bool:
    texts = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_one(kind) for is_one in texts)


def _is_number(kind: pa.DataType) -> bool:
    numbers = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal, pa.types.is_null)
    return any(is_one(kind) for is_one in numbers)


def _is_single(kind: pa.DataType) -> bool:
    return not pa.types.is_nested(kind) and not pa.types.is_null(kind)
