"""Matching values that went through files, frames and spreadsheets with the original values."""

from __future__ import annotations

import numbers
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import IntArray


def is_empty(value: Any) -> bool:
    """Whether a cell is empty: a missing value, or blank text."""
    return checks.is_missing(value) or (isinstance(value, str) and not value.strip())


def match(values: Sequence[Any], known: np.ndarray[Any, Any]) -> IntArray:
    """Position of each value among the known ones (K,), shape (m,); -1 where there is none.

    Values are compared as numbers where all known values are numbers (frames turn whole numbers
    with gaps into floats), else as text: first as they are, then as a spreadsheet would show them,
    if that leaves one candidate.

    >>> match(["1", 2.0, "x"], np.array([1, 2])).tolist()
    [0, 1, -1]
    >>> match(["TRUE", "7"], np.array(["false", "true", "007"])).tolist()
    [1, 2]
    """
    kind = known.dtype.kind
    position = {comparable(value, kind): i for i, value in enumerate(known.tolist())}
    position.pop(None, None)  # values that cannot be compared are not found
    found = [position.get(comparable(value, kind), -1) for value in values]
    if kind not in "biuf" and -1 in found:
        shown = [_as_shown(value) for value in known.tolist()]
        times = Counter(shown)
        unique = {text: i for i, text in enumerate(shown) if times[text] == 1}
        found = [
            unique.get(_as_shown(value), -1) if i < 0 else i
            for i, value in zip(found, values, strict=True)
        ]
    return np.array(found, dtype=np.int64)


def comparable(value: Any, kind: str) -> Any:
    """What a value is compared by among values of a NumPy kind; None if it is not of it."""
    if kind in "iuf":
        return _number(value)
    return str(value).strip().lower() if kind == "b" else str(value)


def _number(value: Any) -> int | float | None:
    """A value as a number, None if it is none; large ids are exact only as whole numbers."""
    if isinstance(value, bool):
        return None  # an answer such as "yes, it is wrong" is not the label 1
    try:
        if isinstance(value, numbers.Integral) or str(value).strip().lstrip("+-").isdigit():
            return int(value)
        number = float(value)
    except (OverflowError, TypeError, ValueError):
        return None
    return int(number) if number.is_integer() else number


def _as_shown(value: Any) -> str:
    """Text as a spreadsheet would show it: without leading zeros, with one spelling of truth.

    >>> _as_shown("007"), _as_shown("7.0"), _as_shown(True), _as_shown(" cat ")
    ('7', '7', 'true', 'cat')
    """
    text = str(value).strip()
    if text.casefold() in ("true", "false"):
        return text.casefold()
    number = _number(text)
    return text if number is None else str(number)
