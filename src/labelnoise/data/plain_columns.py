"""Plain Python values -> columns: what JSON and frames hold."""

from __future__ import annotations

import datetime
import json
import numbers
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.old_columns import NOTHING, Column, Dates, Numbers, Texts, Vectors

if TYPE_CHECKING:
    from collections.abc import Sequence

SECONDS_A_DAY = 86_400.0


def column_of(values: Sequence[Any], *, as_text: bool = False) -> Column:
    """The column that values make: numbers, dates, vectors of one length, or else texts.

    >>> type(column_of([1, None, 2.5])).__name__, type(column_of([True, None])).__name__
    ('Numbers', 'Texts')
    >>> column_of([[1, 2], [3, 4]]).values.shape
    (2, 2)
    """
    told = [value for value in values if not checks.is_missing(value)]
    if not as_text:
        if all(map(_is_number, told)):
            return Numbers(_filled(values, float))
        if all(isinstance(value, datetime.date) for value in told):
            return Dates(_filled(values, days))
        if len(told) == len(values) and _is_vectors(told):
            return Vectors(np.array([list(map(float, value)) for value in told]))
    return Texts.of([None if checks.is_missing(value) else text_of(value) for value in values])


def text_of(value: Any) -> str:
    """A value as text: lists and mappings as JSON; half of a character as a question mark."""
    if isinstance(value, list | dict | tuple):
        value = json.dumps(value, ensure_ascii=False, default=str)
    text = str(value)
    return text if can_be_written(text) else text.encode("utf-8", "replace").decode("utf-8")


def can_be_written(text: str) -> bool:
    r"""Whether UTF-8 can hold a text: JSON may have half of a character.

    >>> can_be_written("a"), can_be_written("\ud83d")
    (True, False)
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def days(moment: datetime.date) -> float:
    """Days since 1970, of a date or a moment; moments without a zone count as UTC.

    >>> days(datetime.date(1970, 1, 2)), days(datetime.datetime(1970, 1, 1, 12))
    (1.0, 0.5)
    """
    if not isinstance(moment, datetime.datetime):
        moment = datetime.datetime(moment.year, moment.month, moment.day)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=datetime.UTC)
    epoch = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    return (moment - epoch).total_seconds() / SECONDS_A_DAY


def joined(parts: Sequence[Column]) -> Column:
    """Blocks of one column as one; blocks of different kinds become texts.

    >>> joined([column_of([1, 2]), column_of([None])]).values.tolist()
    [1.0, 2.0, nan]
    >>> joined([column_of([1, 2]), column_of(["a"])]).levels
    ('1', '2', 'a')
    """
    kinds = {type(part) for part in parts if not part.missing.all()} or {type(parts[0])}
    if len(kinds) == 1 and kinds <= {Numbers, Dates}:
        numbers = [part.values for part in parts if isinstance(part, Numbers)]
        if len(numbers) == len(parts):
            return (
                Dates(np.concatenate(numbers))
                if Dates in kinds
                else Numbers(np.concatenate(numbers))
            )
    vectors = [part.values for part in parts if isinstance(part, Vectors)]
    if len(vectors) == len(parts) and len({values.shape[1] for values in vectors}) == 1:
        return Vectors(np.concatenate(vectors))
    return _joined_texts([as_texts(part) for part in parts])


def as_texts(column: Column) -> Texts:
    """A column as texts, whatever it holds."""
    if isinstance(column, Texts):
        return column
    cells = column.cells(np.arange(len(column)))
    return Texts.of([None if cell is None else text_of(cell) for cell in cells])


def _joined_texts(parts: Sequence[Texts]) -> Texts:
    index: dict[str, int] = {}
    codes = []
    for part in parts:
        place = [index.setdefault(level, len(index)) for level in part.levels]
        codes.append(np.array([*place, NOTHING], dtype=np.int32)[part.codes])
    return Texts(np.concatenate(codes), tuple(index))


def _filled(values: Sequence[Any], number: Any) -> Any:
    try:
        return np.array([np.nan if checks.is_missing(v) else number(v) for v in values])
    except OverflowError:  # a whole number beyond the range of floats
        return np.array([np.nan if checks.is_missing(v) else float(str(v)) for v in values])


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool | np.bool_)


def _is_vectors(values: Sequence[Any]) -> bool:
    listed = all(isinstance(value, list | tuple | np.ndarray) for value in values)
    return (
        bool(values)
        and listed
        and len({len(value) for value in values}) == 1
        and len(values[0]) > 0
        and all(all(map(_is_number, value)) for value in values)
    )
