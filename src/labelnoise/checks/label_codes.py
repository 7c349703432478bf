"""Tests of labels, and labels as codes."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.checks.arguments import named, positive_int
from labelnoise.checks.tables import MIN_ROWS
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray

Label = Hashable

LONG = 100
"""Characters of a text beyond which texts are kept as objects: in an array all are as long."""


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
    def present(self) -> IntArray:
        """Codes of the classes that occur."""
        return np.flatnonzero(self.counts)

    @property
    def numbered(self) -> IntArray:
        """Codes (n,) of the classes that occur, without gaps."""
        position = np.zeros(len(self.classes), dtype=np.int64)
        position[self.present] = np.arange(len(self.present))
        return position[self.codes]

    @property
    def occurring(self) -> tuple[Label, ...]:
        """Classes that occur."""
        return tuple(self.classes[i] for i in self.present)

    @property
    def absent(self) -> tuple[Label, ...]:
        """Classes that were declared and do not occur."""
        return tuple(self.classes[i] for i in np.flatnonzero(self.counts == 0))

    def named(self, positions: Iterable[int]) -> str:
        """Classes at these positions, for a message."""
        return named([self.classes[i] for i in positions])


def class_names(classes: Any) -> tuple[Label, ...]:
    """Names of at least two classes; a number stands for 0, 1, ... below it."""
    if isinstance(classes, numbers.Integral) and not isinstance(classes, bool):
        return tuple(range(positive_int(classes, "classes", minimum=2)))
    try:
        names = tuple(c.item() if isinstance(c, np.generic) else c for c in classes)
        distinct = set(names)
    except TypeError:
        raise LabelNoiseError(
            f"classes must be a number or a sequence of labels, got {classes!r}. Pass for example "
            "classes=['cat', 'dog']."
        ) from None
    if len(distinct) != len(names) or len(names) < 2:
        raise LabelNoiseError(
            f"classes must name at least two classes, each once, got {named(names)}."
        )
    return names


def label_array(classes: Sequence[Label]) -> np.ndarray[Any, Any]:
    """Classes as a 1-d array: of their own type if they share one, else (or if long) of objects."""
    long = any(isinstance(label, str) and len(label) > LONG for label in classes)
    if len(set(map(type, classes))) == 1 and not isinstance(classes[0], tuple) and not long:
        return np.array(list(classes))
    array = np.empty(len(classes), dtype=object)
    for i, label in enumerate(classes):  # assigned at once, tuples would be rows
        array[i] = label
    return array


def labels(
    y: Any, n_rows: int | None, classes: Sequence[Label] | None = None, *, of: str = "X"
) -> Labels:
    """Check labels and return them as codes with the classes, sorted or as declared.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels of any one type that can be sorted and compared.
    n_rows : int or None
        Rows of X, to compare lengths with; None when there is no X.
    classes : sequence, optional
        All classes in the order T is to have, also those that do not occur in `y`.
    of : str
        What has the rows, for a message.
    """
    values = _label_values(y)
    if n_rows is not None and len(values) != n_rows:
        raise LabelNoiseError(
            f"{of} has {n_rows} rows but y has {len(values)} labels. Pass one label for each row."
        )
    if not len(values):
        raise LabelNoiseError("y is empty: n_samples = 0. Pass labeled rows.")
    encoded = _encode(values)
    return encoded if classes is None else _declare(encoded, classes)


def _label_values(y: Any) -> np.ndarray[Any, Any]:
    if y is None:
        raise LabelNoiseError(
            "labelnoise requires y to be passed, but the target y is None. Pass the noisy labels."
        )
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise _missing_labels(np.ma.getmaskarray(y))
    values = np.asarray(y)
    if values.dtype.kind in "US" and isinstance(y, list | tuple):
        strange = {type(v).__name__ for v in y} - {"str", "str_", "bytes", "bytes_"}
        if strange:
            raise _mixed_types({"str"} | strange)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.ndim != 1:
        raise LabelNoiseError(
            f"y should be a 1d array of labels, got shape {values.shape}. For one-hot labels pass "
            "y.argmax(axis=1); several labels a row are not supported."
        )
    return values


def _mixed_types(types: Iterable[str]) -> LabelNoiseError:
    return LabelNoiseError(
        f"y mixes labels of types {', '.join(sorted(types))}, which cannot be ordered. Convert "
        "them to one type, for example [str(label) for label in y]."
    )


def _encode(values: np.ndarray[Any, Any]) -> Labels:
    if values.dtype.kind == "c":
        raise LabelNoiseError("Complex data not supported: labels must be classes.")
    if values.dtype.kind == "f":
        _check_float_labels(values)
    if values.dtype.kind != "O":
        if values.dtype.kind in "mM" and np.isnat(values).any():
            raise _missing_labels(np.isnat(values))
        distinct, codes = np.unique(values, return_inverse=True)
        return Labels(codes.astype(np.int64).ravel(), tuple(distinct.tolist()))
    items = values.tolist()
    different = set(items)
    if any(map(is_missing, different)):
        raise _missing_labels(np.fromiter(map(is_missing, items), dtype=bool))
    found = _sorted_objects(different)
    position = {label: code for code, label in enumerate(found)}
    codes = np.fromiter(map(position.__getitem__, items), dtype=np.int64, count=len(items))
    return Labels(codes, found)


def _sorted_objects(distinct: set[Any]) -> tuple[Any, ...]:
    try:
        return tuple(sorted(distinct))
    except TypeError:
        raise _mixed_types({type(label).__name__ for label in distinct}) from None


def is_missing(label: Any) -> bool:
    """Whether a value stands for none: None, NaN, or what pandas has for it."""
    if label is None or type(label).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(label, float) and math.isnan(label)


def _missing_labels(missing: np.ndarray[Any, Any]) -> LabelNoiseError:
    return LabelNoiseError(
        f"y contains {int(missing.sum())} missing labels (NaN or None), the first at row "
        f"{int(missing.ravel().argmax())}. Drop the rows without a label, or give them a class of "
        "their own."
    )


def _check_float_labels(values: np.ndarray[Any, Any]) -> None:
    if np.isnan(values).any():
        raise _missing_labels(np.isnan(values))
    if np.isinf(values).any():
        raise LabelNoiseError("y contains inf. Labels must be classes: drop or relabel these rows.")
    fractional = values != np.floor(values)
    if fractional.any():
        raise LabelNoiseError(
            "Unknown label type: y holds fractional numbers such as "
            f"{values[fractional][0].item()!r} and looks like a regression target. Pass class "
            "labels; to bin a number into classes use numpy.digitize."
        )


def _declare(found: Labels, classes: Sequence[Label]) -> Labels:
    declared = class_names(classes)
    position = {label: code for code, label in enumerate(declared)}
    unknown = [label for label in found.classes if label not in position]
    if unknown:
        raise LabelNoiseError(
            f"y has labels that classes= does not name: {named(unknown)}. Add them to classes= or "
            "drop those rows."
        )
    recode = np.array([position[label] for label in found.classes], dtype=np.int64)
    return Labels(recode[found.codes], declared)


def estimable(encoded: Labels) -> Labels:
    """Check that there are enough rows, and enough of each class, to estimate anything."""
    n_rows, counts = len(encoded.codes), encoded.counts
    if n_rows < MIN_ROWS:
        raise LabelNoiseError(
            f"n_samples = {n_rows}: at least {MIN_ROWS} labeled rows are required. Pass more data."
        )
    present = int((counts > 0).sum())
    if present < 2:
        raise LabelNoiseError(
            f"y has 1 class ({encoded.named(np.flatnonzero(counts))}): with a single class there "
            "are no confusions to estimate. Pass labels of at least two classes."
        )
    if present > max(2, n_rows // 2):
        raise LabelNoiseError(
            f"y has {present} distinct labels in {n_rows} rows and looks like a regression target "
            "or an identifier. Pass class labels, each occurring several times."
        )
    single = np.flatnonzero(counts == 1)
    if single.size:
        raise LabelNoiseError(
            f"{single.size} class(es) have only one row: {encoded.named(single)}. Nothing can be "
            "learnt about a class from one row: merge it with another class or drop it."
        )
    return encoded


def known_labels(values: Any, classes: Sequence[Label], n_expected: int, name: str) -> IntArray:
    """Codes of labels that must be among `classes`, one for each of the rows expected."""
    given = plain_labels(values, name)
    if len(given) != n_expected:
        raise LabelNoiseError(
            f"there are {n_expected} row(s) but {name} has {len(given)} label(s). Pass one label "
            "for each row."
        )
    position = {label: code for code, label in enumerate(classes)}
    unknown = [label for label in given if label not in position]
    if unknown and {str(label) for label in unknown} <= {str(label) for label in classes}:
        raise LabelNoiseError(
            f"{name} has {named(list(dict.fromkeys(unknown)))}, but the classes are "
            f"{named(classes)}: the same names, of another type. Convert the labels."
        )
    if unknown:
        raise LabelNoiseError(
            f"{name} has {named(list(dict.fromkeys(unknown)))}, which is no class of the estimate: "
            f"its classes are {named(classes)}. If the data have a class that no row is labeled "
            "with, name it in classes= when estimating."
        )
    return np.array([position[label] for label in given], dtype=np.int64)


def plain_labels(values: Any, name: str) -> list[Any]:
    """Labels as plain values, whatever holds them; a table of one column is as good as a list."""
    if hasattr(values, "__array__"):
        values = np.asarray(values)
    if isinstance(values, np.ndarray) and values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if not isinstance(values, Iterable) or isinstance(values, str):
        raise LabelNoiseError(
            f"{name} must be a sequence of labels, got {values!r}. Pass one for each row."
        )
    plain = [value.item() if isinstance(value, np.generic) else value for value in values]
    if not all(isinstance(value, Hashable) for value in plain):
        raise LabelNoiseError(f"{name} must hold one label for each row, got {named(plain, 2)}.")
    if any(map(is_missing, plain)):
        raise LabelNoiseError(
            f"{name} has missing labels (None or NaN). Leave out the rows without a label."
        )
    return plain
