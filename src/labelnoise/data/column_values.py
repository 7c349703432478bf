"""Arrow columns -> the values that encoders need: numbers, texts, days or vectors.

What a column holds is decided by its content, not by who read it: the texts "1.5" and "2" are
numbers, and so are those of a library that kept them as text because of a "?" between them. So
the same table has the same columns as a file, as a pandas frame and as a polars frame.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

Content = Literal["number", "boolean", "date", "text", "vector"]
"""What a column can hold."""

MISSING_TEXTS = (
    "",
    "#N/A",
    "#N/A N/A",
    "#NA",
    "-1.#IND",
    "-1.#QNAN",
    "-NaN",
    "-nan",
    "1.#IND",
    "1.#QNAN",
    "<NA>",
    "N/A",
    "NA",
    "NULL",
    "NaN",
    "None",
    "n/a",
    "nan",
    "null",
)
"""Texts that stand for no value: those that pandas reads as missing unless it is told otherwise."""

MISSING_AMONG_NUMBERS = ("?", "-", ".")
"""Texts that stand for no value between numbers and dates; among other texts they are values."""

DATE_FORMATS = ("%Y/%m/%d", "%d.%m.%Y")
"""Formats of dates beside ISO 8601 that mean one thing only."""

PROBED = 100
"""Texts that are parsed before all others are."""

MICROSECONDS_PER_DAY = 86_400e6
TRUE_OR_FALSE = pa.array(["true", "false"])


def content_of(column: pa.ChunkedArray) -> Content | None:
    """What a column holds; None for types that no feature can be made from.

    >>> [content_of(pa.chunked_array([values])) for values in (["1", "?"], ["a", None], [True])]
    ['number', 'text', 'boolean']
    """
    kind = column.type
    if pa.types.is_dictionary(kind):  # declared to be categories
        return "text" if _is_scalar(kind.value_type) else None
    if _is_text(kind):
        return _content_of_texts(column)
    if pa.types.is_boolean(kind):
        return "boolean"
    if _is_number(kind) or pa.types.is_null(kind) or pa.types.is_duration(kind):
        return "number"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "date"
    return "vector" if _is_list(kind) and _vector_length(column) else None


def numbers(column: pa.ChunkedArray) -> FloatArray | None:
    """Values as numbers (n,), NaN where one is missing; None if one is something else."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if _is_text(column.type):
        column = _parsed(_without(column, MISSING_AMONG_NUMBERS), pa.float64())
    elif pa.types.is_duration(column.type):
        column = pc.divide(column.cast(pa.duration("us")).cast(pa.int64()), MICROSECONDS_PER_DAY)
    elif pa.types.is_boolean(column.type):
        column = column.cast(pa.int8())
    if column is None or not (_is_number(column.type) or pa.types.is_null(column.type)):
        return None
    return _floats(column)


def days(column: pa.ChunkedArray) -> FloatArray | None:
    """Dates or times as days since 1970 (n,), in UTC; NaN where one is missing."""
    if _is_text(column.type):
        column = _dates_in_texts(column)
    if column is None or not (pa.types.is_date(column.type) or pa.types.is_timestamp(column.type)):
        return None
    zone = getattr(column.type, "tz", None)
    moments = column.cast(pa.timestamp("us", tz=zone), safe=False).cast(pa.int64())
    return _floats(moments) / MICROSECONDS_PER_DAY


def texts(column: pa.ChunkedArray) -> np.ndarray[Any, Any] | None:
    """Values as texts (n,), None where one is missing; None for lists and the like.

    Whole numbers have no point, dates are written as in ISO 8601, and truth in small letters.

    >>> texts(pa.chunked_array([[1.0, None, 2.5]])).tolist()
    ['1', None, '2.5']
    """
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if not _is_scalar(column.type):
        return None
    if pa.types.is_floating(column.type):
        return _written_numbers(_floats(column))
    written = _without(column.cast(pa.string()))
    if _is_true_or_false(written):
        written = pc.utf8_lower(written)
    found: np.ndarray[Any, Any] = written.to_numpy(zero_copy_only=False)
    return found.astype(object)


def vectors(column: pa.ChunkedArray) -> FloatArray | None:
    """Lists of numbers of one length as rows (n, d)."""
    length = _vector_length(column) if _is_list(column.type) else 0
    if not length:
        return None
    return _floats(pc.list_flatten(column)).reshape(len(column), length)


def _content_of_texts(column: pa.ChunkedArray) -> Content:
    written = _without(column)
    if written.null_count == len(written):
        return "number"  # empty: of no kind at all
    if _is_true_or_false(written):
        return "boolean"
    if numbers(column) is not None:
        return "number"
    return "date" if days(column) is not None else "text"


def _is_true_or_false(column: pa.ChunkedArray) -> bool:
    present = pc.drop_null(column)
    if not len(present) or present[0].as_py().lower() not in TRUE_OR_FALSE.to_pylist():
        return False  # a look at one value saves reading them all
    return bool(pc.all(pc.is_in(pc.utf8_lower(present), TRUE_OR_FALSE)).as_py())


def _without(column: pa.ChunkedArray, more: tuple[str, ...] = ()) -> pa.ChunkedArray:
    """Texts with null for those that stand for no value."""
    column = column.cast(pa.string())
    missing = pc.is_in(pc.utf8_trim_whitespace(column), pa.array([*MISSING_TEXTS, *more]))
    return pc.if_else(missing, pa.scalar(None, pa.string()), column)


def _parsed(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray | None:
    """Texts cast to a type; None if one cannot be, or if there are none."""
    present = column.slice(0, PROBED).drop_null()
    if not len(present) and column.null_count == len(column):
        return None
    try:
        pc.utf8_trim_whitespace(present).cast(kind)  # a few texts rule most types out
        return pc.utf8_trim_whitespace(column).cast(kind)
    except pa.ArrowInvalid:
        return None


def _dates_in_texts(column: pa.ChunkedArray) -> pa.ChunkedArray | None:
    column = pc.utf8_trim_whitespace(_without(column, MISSING_AMONG_NUMBERS))
    for kind in (pa.timestamp("us"), pa.timestamp("us", tz="UTC")):
        found = _parsed(column, kind)
        if found is not None:
            return found
    probed = column.slice(0, PROBED)
    for form in DATE_FORMATS:
        some = pc.strptime(probed, format=form, unit="us", error_is_null=True)
        if some.null_count > probed.null_count:
            continue
        found = pc.strptime(column, format=form, unit="us", error_is_null=True)
        if len(found) > found.null_count == column.null_count:
            return found
    return None


def _floats(column: pa.ChunkedArray) -> FloatArray:
    values = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.asarray(values, dtype=np.float64)


def _written_numbers(values: FloatArray) -> np.ndarray[Any, Any]:
    distinct, position = np.unique(values, return_inverse=True)
    written = [None if np.isnan(v) else repr(v).removesuffix(".0") for v in distinct.tolist()]
    return np.array(written, dtype=object)[position]


def _vector_length(column: pa.ChunkedArray) -> int:
    """The one length of all lists; 0 if they differ, are empty, or hold anything but numbers."""
    if not _is_number(column.type.value_type) or column.null_count:
        return 0
    lengths = pc.unique(pc.list_value_length(column)).to_pylist()
    same = len(lengths) == 1 and lengths[0]
    return int(lengths[0]) if same and not pc.list_flatten(column).null_count else 0


def _is_text(kind: pa.DataType) -> bool:
    text = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view)
    return any(is_one(kind) for is_one in text)


def _is_number(kind: pa.DataType) -> bool:
    number = (pa.types.is_integer, pa.types.is_floating, pa.types.is_decimal)
    return any(is_one(kind) for is_one in number)


def _is_list(kind: pa.DataType) -> bool:
    lists = (pa.types.is_list, pa.types.is_large_list, pa.types.is_fixed_size_list)
    return any(is_one(kind) for is_one in lists)


def _is_scalar(kind: pa.DataType) -> bool:
    return not pa.types.is_nested(kind) and not pa.types.is_null(kind)
