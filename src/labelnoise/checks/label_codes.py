"""Checks of labels, and labels as codes."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.checks.arguments import positive_int
from labelnoise.checks.settings import FEW_ROWS_PER_CLASS, LONG_LABEL, MANY_CLASSES, MIN_ROWS
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray

Label = Hashable
TEXT_TYPES = {"str", "str_", "bytes", "bytes_"}


@dataclass(frozen=True)
class Labels:
    """Labels as codes: row r has class ``classes[codes[r]]``."""

    codes: IntArray  # (n,)
    classes: tuple[Label, ...]

    @property
    def counts(self) -> IntArray:
        """Rows of each class, shape (K,)."""
        return np.bincount(self.codes, minlength=len(self.classes))

    @property
    def present_codes(self) -> IntArray:
        """Codes of the classes that occur."""
        return np.flatnonzero(self.counts)

    @property
    def compact_codes(self) -> IntArray:
        """Codes (n,) of the classes that occur, without gaps."""
        position = np.zeros(len(self.classes), dtype=np.int64)
        position[self.present_codes] = np.arange(len(self.present_codes))
        return position[self.codes]

    @property
    def present_classes(self) -> tuple[Label, ...]:
        """Classes that occur."""
        return tuple(self.classes[i] for i in self.present_codes)

    @property
    def absent_classes(self) -> tuple[Label, ...]:
        """Classes that were declared and do not occur."""
        return tuple(self.classes[i] for i in np.flatnonzero(self.counts == 0))


def class_names(classes: Any) -> tuple[Label, ...]:
    """Names of at least two classes; a number stands for 0, 1, ... below it."""
    if isinstance(classes, numbers.Integral) and not isinstance(classes, bool):
        return tuple(range(positive_int(classes, "classes", minimum=2)))
    try:
        names = tuple(c.item() if isinstance(c, np.generic) else c for c in classes)
        distinct = set(names)
    except TypeError:
        facts = {"expected": "a number or a sequence of labels", "example": "classes=['a', 'b']"}
        raise LabelNoiseError("wrong_value", name="classes", value=classes, **facts) from None
    if len(distinct) != len(names) or len(names) < 2:
        raise LabelNoiseError("classes_not_distinct", classes=names)
    return names


def label_array(classes: Sequence[Label]) -> np.ndarray[Any, Any]:
    """Classes as a 1-d array: of their common type, or of objects if they have none or are long."""
    long = any(isinstance(label, str) and len(label) > LONG_LABEL for label in classes)
    if len(set(map(type, classes))) == 1 and not isinstance(classes[0], tuple) and not long:
        found = np.array(list(classes))
        if not (found.dtype.kind == "f" and isinstance(classes[0], int)):
            return found  # NumPy rounds whole numbers if some are above 2^63
    array = np.empty(len(classes), dtype=object)
    for i, label in enumerate(classes):  # assigned together, tuples would become rows
        array[i] = label
    return array


def labels(
    y: Any, n_rows: int | None, classes: Sequence[Label] | None = None, *, of: str = "X"
) -> Labels:
    """Check labels (n,) of one type, and return them as codes of the classes.

    The classes are those that occur, sorted, or `classes`, in this order. `n_rows` is the number of
    rows of what the labels are `of`; None if there is no X.
    """
    values = _label_values(y)
    if n_rows is not None and len(values) != n_rows:
        raise LabelNoiseError("wrong_length", name="y", n=len(values), n_rows=n_rows, of=of)
    if not len(values):
        raise LabelNoiseError("no_labels")
    encoded = _encode(values)
    return encoded if classes is None else _declare(encoded, classes)


def _label_values(y: Any) -> np.ndarray[Any, Any]:
    if y is None:
        raise LabelNoiseError("labels_are_none")
    if isinstance(y, np.ma.MaskedArray):
        _refuse_missing(np.ma.getmaskarray(y))
    try:
        values = np.asarray(y)
    except ValueError:  # lists of different lengths
        raise _several_labels(y) from None
    if values.dtype.kind in "US" and isinstance(y, list | tuple):
        others = {type(v).__name__ for v in y} - TEXT_TYPES
        if others:
            types = sorted({"str"} | others)
            raise LabelNoiseError("labels_of_mixed_types", name="y", types=types)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.ndim != 1:
        raise LabelNoiseError("labels_not_one_column", shape=values.shape)
    return values


def _several_labels(values: Iterable[Any], name: str = "y") -> LabelNoiseError:
    several = (value for value in values if not isinstance(value, str) and isinstance(value, Sized))
    return LabelNoiseError("several_labels_per_row", name=name, example=repr(next(several, None)))


def _encode(values: np.ndarray[Any, Any]) -> Labels:
    if values.dtype.kind == "O":
        return _encode_objects(values.tolist())
    _refuse_missing(values != values)  # noqa: PLR0124 - NaN and NaT are not equal to themselves
    if values.dtype.kind == "f":
        fractional = (values != np.floor(values)) | np.isinf(values)
        if fractional.any():
            raise LabelNoiseError("fractional_labels", example=values[fractional][0].item())
    distinct, codes = np.unique(values, return_inverse=True)
    return Labels(codes.astype(np.int64).ravel(), tuple(distinct.tolist()))


def _encode_objects(items: list[Any]) -> Labels:
    try:
        different = set(items)
    except TypeError:
        raise _several_labels(items) from None
    if any(map(is_missing, different)):
        _refuse_missing(np.fromiter(map(is_missing, items), dtype=bool))
    try:
        found = tuple(sorted(different))
    except TypeError:
        types = sorted({type(label).__name__ for label in different})
        raise LabelNoiseError("labels_of_mixed_types", name="y", types=types) from None
    position = {label: code for code, label in enumerate(found)}
    codes = np.fromiter(map(position.__getitem__, items), dtype=np.int64, count=len(items))
    return Labels(codes, found)


def is_missing(label: Any) -> bool:
    """Whether a value is missing: None, NaN, or pandas' NA and NaT."""
    if label is None or type(label).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(label, float) and math.isnan(label)


def _refuse_missing(missing: np.ndarray[Any, Any], name: str = "y") -> None:
    if missing.any():
        first = int(missing.ravel().argmax())
        raise LabelNoiseError("missing_labels", name=name, n=int(missing.sum()), first=first)


def _declare(found: Labels, classes: Sequence[Label]) -> Labels:
    declared = class_names(classes)
    position = {label: code for code, label in enumerate(declared)}
    unknown = [label for label in found.classes if label not in position]
    if unknown:
        raise LabelNoiseError("labels_not_in_classes", labels=unknown)
    recode = np.array([position[label] for label in found.classes], dtype=np.int64)
    return Labels(recode[found.codes], declared)


def estimable(encoded: Labels) -> Labels:
    """Check that there are enough rows, and enough of each class, to estimate anything."""
    n_rows, counts = len(encoded.codes), encoded.counts
    if n_rows < MIN_ROWS:
        raise LabelNoiseError("too_few_rows", n_rows=n_rows, minimum=MIN_ROWS)
    if len(encoded.present_codes) < 2:
        raise LabelNoiseError("single_class", classes=encoded.present_classes)
    if look_like_ids(counts):
        raise LabelNoiseError(
            "labels_look_like_ids", n_labels=len(encoded.present_codes), n_rows=n_rows
        )
    single = np.flatnonzero(counts == 1)
    if single.size:
        raise LabelNoiseError(
            "classes_with_one_row", n=len(single), classes=[encoded.classes[i] for i in single]
        )
    return encoded


def look_like_ids(counts: IntArray) -> bool:
    """Whether labels with these counts (K,) look like identifiers or numbers, not like classes.

    Either there are more labels than half of the rows, or very many labels of which most have only
    one row or two.

    >>> look_like_ids(np.array([1, 1, 1, 2])), look_like_ids(np.array([2, 2]))
    (True, False)
    >>> look_like_ids(np.repeat([2, 3], [30_000, 10_000]))
    True
    """
    rows_per_class = counts[counts > 0]
    n_classes, n_rows = len(rows_per_class), int(counts.sum())
    if n_classes > MANY_CLASSES:
        return bool(np.median(rows_per_class) < FEW_ROWS_PER_CLASS)
    return n_classes > max(2, n_rows // 2)


def known_labels(values: Any, classes: Sequence[Label], n_expected: int, name: str) -> IntArray:
    """Codes of labels that must be among `classes`, one for each of the rows expected."""
    given = plain_labels(values, name)
    if len(given) != n_expected:
        raise LabelNoiseError("wrong_length", name=name, n=len(given), n_rows=n_expected)
    position = {label: code for code, label in enumerate(classes)}
    unknown = list(dict.fromkeys(label for label in given if label not in position))
    if unknown:
        same_names = {str(label) for label in unknown} <= {str(label) for label in classes}
        code = "labels_of_another_type" if same_names else "labels_not_among_classes"
        raise LabelNoiseError(code, name=name, labels=unknown, classes=classes)
    return np.array([position[label] for label in given], dtype=np.int64)


def plain_labels(values: Any, name: str) -> list[Any]:
    """Labels in any container, or in a table of one column, as a list of plain values."""
    if hasattr(values, "__array__"):
        values = np.asarray(values)
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise LabelNoiseError("not_a_sequence", name=name, value=values)
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    if not all(isinstance(value, Hashable) for value in plain):
        raise _several_labels(plain, name)
    _refuse_missing(np.fromiter(map(is_missing, plain), dtype=bool), name)
    return plain
