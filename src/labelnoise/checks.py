"""Every test of user input, and the messages that go with them."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise.errors import (
    LabelNoiseError,
    LabelNoiseTypeError,
    NotIdentifiableError,
    warn_user,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

Label = Hashable
RandomSource = np.random.Generator | np.random.RandomState

DENSE_LIMIT_BYTES = 2 * 1024**3
"""The largest dense copy that is made of a sparse matrix without being asked."""

TOLERANCE = 1e-3
"""How far from 1 the sum of given probabilities may be: single precision and rounding."""

MIN_ROWS = 3
"""A row and its two neighbours: the smallest data a consensus can be taken on."""


@dataclass(frozen=True)
class Labels:
    """Labels as codes: row r has class ``classes[codes[r]]``."""

    codes: IntArray  # (n,)
    classes: tuple[Label, ...]

    @property
    def counts(self) -> IntArray:
        """Rows of each class, shape (K,)."""
        return np.bincount(self.codes, minlength=len(self.classes))

    def named(self, positions: Iterable[int]) -> str:
        """Classes at these positions, for a message."""
        return named([self.classes[i] for i in positions])


def named(items: Sequence[Any], limit: int = 5) -> str:
    """List a few items for a message: ``'a', 'b' and 3 more``."""
    shown = ", ".join(repr(item) for item in items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit} more"


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
    """Classes as a 1-d array: of their own type if they share one, else of objects."""
    if len({type(label) for label in classes}) == 1 and not isinstance(classes[0], tuple):
        return np.array(list(classes))
    array = np.empty(len(classes), dtype=object)
    array[:] = classes
    return array


def feature_matrix(X: Any, min_rows: int = MIN_ROWS) -> FloatArray:
    """Check features and return them as a dense float64 array of shape (n, d)."""
    if isinstance(X, np.ma.MaskedArray) and np.ma.is_masked(X):
        raise LabelNoiseError("X has masked values. Impute them or drop those rows.")
    X = _dense(X) if sparse.issparse(X) else np.asarray(X)
    if X.ndim != 2:
        raise LabelNoiseError(
            f"X has {X.ndim} dimension(s), expected 2 (rows by features). Reshape your data: "
            "X.reshape(-1, 1) if it is a single feature, X.reshape(1, -1) if it is a single row."
        )
    if X.shape[1] == 0:
        raise LabelNoiseError(
            f"Found array with 0 feature(s) (shape={X.shape}) while a minimum of 1 is required. "
            "Pass at least one column of features."
        )
    if X.shape[0] < min_rows:
        raise LabelNoiseError(
            f"n_samples = {X.shape[0]}: X has {X.shape[0]} row(s), and a row needs neighbours, so "
            f"at least {min_rows} rows are required. Pass more data."
        )
    X = _as_float(X)
    _check_finite(X)
    return X


def _dense(X: Any) -> np.ndarray[Any, Any]:
    """Densify a sparse matrix: distances after centring have no zeros left to save."""
    dense_size(X.shape, "X, which is sparse,")
    dense: np.ndarray[Any, Any] = X.toarray()
    return dense


def dense_size(shape: tuple[int, int], what: str) -> None:
    """Check that a dense table of this shape stays within the limit."""
    needed = shape[0] * shape[1] * 8
    if needed > DENSE_LIMIT_BYTES:
        raise LabelNoiseError(
            f"{what} takes {needed / 1024**3:.1f} GiB in dense form, more than "
            f"{DENSE_LIMIT_BYTES / 1024**3:.0f} GiB. Reduce it first, for example with "
            "sklearn.decomposition.TruncatedSVD(n_components=128)."
        )


def _as_float(X: np.ndarray[Any, Any]) -> FloatArray:
    if X.dtype.kind == "c":
        raise LabelNoiseError(
            "Complex data not supported: pass real and imaginary parts as columns."
        )
    if X.dtype.kind not in "biuf":
        try:
            return np.ascontiguousarray(X.astype(np.float64))
        except (TypeError, ValueError) as error:
            raise LabelNoiseTypeError(
                f"X has dtype {X.dtype} with values that are not numbers ({error}). Encode text "
                "and categories as numbers, or pass a pandas or polars frame: its text columns are "
                "one-hot encoded."
            ) from error
    return np.ascontiguousarray(X, dtype=np.float64)


def _check_finite(X: FloatArray) -> None:
    # A sum is finite only if all its terms are: the usual case needs no mask of X's size.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(X.sum()):
            return
    bad = ~np.isfinite(X)
    if not bad.any():
        return
    row, column = np.argwhere(bad)[0]
    kind = "NaN" if np.isnan(X[row, column]) else "infinity"
    raise LabelNoiseError(
        f"X contains NaN or infinity: {int(bad.sum())} value(s) in {int(bad.any(axis=1).sum())} "
        f"row(s), the first a {kind} at row {row}, column {column}. Impute or drop them, for "
        "example with sklearn.impute.SimpleImputer()."
    )


def varying_columns(X: FloatArray, weights: FloatArray) -> FloatArray:
    """Drop constant columns with a warning; no column left is an error.

    Parameters
    ----------
    X : (n, d) array
    weights : (n,) array
        How many rows each row of `X` stands for (only the sum is used, in the message).
    """
    constant = X.max(axis=0) == X.min(axis=0)
    if constant.all():
        raise NotIdentifiableError(
            f"every column of X is constant: all {int(weights.sum())} rows are identical, so the "
            "features say nothing about the labels and T is not identifiable. Check how X was "
            "built, or pass other features."
        )
    if constant.any():
        columns = np.flatnonzero(constant).tolist()
        warn_user(
            f"{len(columns)} of {X.shape[1]} columns of X are constant and were left out "
            f"(columns {named(columns)}). Drop them to silence this warning."
        )
        X = X[:, ~constant]
    return X


def labels(y: Any, n_rows: int | None, classes: Sequence[Label] | None = None) -> Labels:
    """Check labels and return them as codes with the classes, sorted or as declared.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels of any one type that can be sorted and compared.
    n_rows : int or None
        Rows of X, to compare lengths with; None when there is no X.
    classes : sequence, optional
        All classes in the order T is to have, also those that do not occur in `y`.
    """
    values = _label_values(y)
    if n_rows is not None and len(values) != n_rows:
        raise LabelNoiseError(
            f"X has {n_rows} rows but y has {len(values)} labels. Pass one label for each row."
        )
    if not len(values):
        raise LabelNoiseError("y is empty: n_samples = 0. Pass labelled rows.")
    encoded = _encode(values)
    return encoded if classes is None else _declare(encoded, classes)


def _label_values(y: Any) -> np.ndarray[Any, Any]:
    if y is None:
        raise LabelNoiseError(
            "labelnoise requires y to be passed, but the target y is None. Pass the noisy labels."
        )
    if isinstance(y, np.ma.MaskedArray) and np.ma.is_masked(y):
        raise _missing_labels()
    if hasattr(y, "to_numpy"):
        y = y.to_numpy()
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
            raise _missing_labels()
        distinct, codes = np.unique(values, return_inverse=True)
        return Labels(codes.astype(np.int64).ravel(), tuple(distinct.tolist()))
    items = values.tolist()
    found = _sorted_objects(set(items))
    position = {label: code for code, label in enumerate(found)}
    codes = np.fromiter(map(position.__getitem__, items), dtype=np.int64, count=len(items))
    return Labels(codes, found)


def _sorted_objects(distinct: set[Any]) -> tuple[Any, ...]:
    if any(_is_missing(label) for label in distinct):
        raise _missing_labels()
    try:
        return tuple(sorted(distinct))
    except TypeError:
        raise _mixed_types({type(label).__name__ for label in distinct}) from None


def _is_missing(label: Any) -> bool:
    if label is None or type(label).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(label, float) and math.isnan(label)


def _missing_labels() -> LabelNoiseError:
    return LabelNoiseError(
        "y contains missing labels (NaN or None). Drop the rows without a label, or give them a "
        "class of their own."
    )


def _check_float_labels(values: np.ndarray[Any, Any]) -> None:
    if np.isnan(values).any():
        raise _missing_labels()
    if np.isinf(values).any():
        raise LabelNoiseError("y contains inf. Labels must be classes: drop or relabel these rows.")
    fractional = values != np.floor(values)
    if fractional.any():
        raise LabelNoiseError(
            f"Unknown label type: y holds fractional numbers such as {values[fractional][0]!r} and "
            "looks like a regression target. Pass class labels; to bin a number into classes use "
            "numpy.digitize."
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
            f"n_samples = {n_rows}: at least {MIN_ROWS} labelled rows are required. Pass more data."
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


def row_positions(rows: Any, n_rows: int) -> IntArray:
    """Check positions of rows: whole numbers from 0, each once."""
    positions = np.asarray(rows)
    if positions.size == 0:
        return np.empty(0, dtype=np.int64)
    if positions.ndim != 1 or positions.dtype.kind not in "iu":
        raise LabelNoiseError(
            f"rows must be a sequence of whole numbers, got shape {positions.shape} and dtype "
            f"{positions.dtype}. Pass positions such as rows=[3, 17]; for a mask pass "
            "numpy.flatnonzero(mask)."
        )
    outside = positions[(positions < 0) | (positions >= n_rows)]
    if outside.size:
        raise LabelNoiseError(
            f"rows names {named(outside.tolist())}, but the rows of the data are 0 to "
            f"{n_rows - 1}. Number rows by their position in X."
        )
    distinct, times = np.unique(positions, return_counts=True)
    if (times > 1).any():
        raise LabelNoiseError(
            f"rows names {named(distinct[times > 1].tolist())} more than once. Pass each audited "
            "row once, with one true label."
        )
    return positions.astype(np.int64)


def known_labels(values: Any, classes: Sequence[Label], n_expected: int) -> IntArray:
    """Codes of labels that must be among `classes`, as many as expected."""
    try:
        given = list(values)
    except TypeError:
        raise LabelNoiseError(
            f"true_labels must be a sequence of labels, got {values!r}. Pass one for each row."
        ) from None
    array = _label_values(values) if given else np.empty(0)
    if len(array) != n_expected:
        raise LabelNoiseError(
            f"rows names {n_expected} row(s) but true_labels has {len(array)}. Pass one true label "
            "for each row."
        )
    position = {label: code for code, label in enumerate(classes)}
    unknown = [label for label in array.tolist() if label not in position]
    if unknown:
        raise LabelNoiseError(
            f"true_labels has {named(list(dict.fromkeys(unknown)))}, which is no class of the "
            f"estimate: its classes are {named(classes)}. If the data have a class that no row is "
            "labelled with, name it in classes= when estimating."
        )
    return np.array([position[label] for label in array.tolist()], dtype=np.int64)


def probabilities(values: Any, n_rows: int | None, classes: Sequence[Label]) -> FloatArray:
    """Check class probabilities: one row each, one column for each class, sums of one."""
    names = [str(name) for name in getattr(values, "columns", ())]
    wanted = [str(label) for label in classes]
    array = np.asarray(values)
    if names != wanted and sorted(names) == sorted(wanted):
        array = array[:, [names.index(name) for name in wanted]]  # columns named by class
    if array.ndim != 2 or array.dtype.kind not in "biuf":
        raise LabelNoiseError(
            f"pred_proba must be a table of numbers, got shape {array.shape} and dtype "
            f"{array.dtype}. Pass the output of predict_proba."
        )
    array = array.astype(np.float64)
    shape = (len(array) if n_rows is None else n_rows, len(classes))
    if array.shape != shape:
        raise LabelNoiseError(
            f"pred_proba has shape {array.shape}, expected {shape}: one row for each label and one "
            f"column for each class, in the order {named(classes)}. Name classes without rows in "
            "classes=."
        )
    sums = array.sum(axis=1)
    # Written so that NaN is wrong too.
    right = (array.min(axis=1) >= -TOLERANCE) & (np.abs(sums - 1) <= TOLERANCE)
    wrong = np.flatnonzero(~right)
    if wrong.size:
        raise LabelNoiseError(
            f"pred_proba must hold probabilities that sum to 1 in each row; {wrong.size} row(s) do "
            f"not, the first is row {wrong[0]} with {array[wrong[0]].round(4).tolist()}. Pass the "
            "output of predict_proba, not of decision_function."
        )
    return np.maximum(array, 0.0) / sums[:, None]


def classifiers(values: Any, name: str) -> None:
    """Check a sequence of scikit-learn classifiers that predict probabilities."""
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise LabelNoiseError(
            f"{name} must be a sequence of classifiers, got {values!r}. Pass a list, such as "
            f"{name}=[LogisticRegression()]."
        )
    for value in values:
        made = not isinstance(value, type)
        if not (made and hasattr(value, "fit") and hasattr(value, "predict_proba")):
            raise LabelNoiseError(
                f"{name} has {value!r}, which has no fit or no predict_proba. Pass classifiers "
                "that predict probabilities, such as LogisticRegression(); wrap others in "
                "CalibratedClassifierCV."
            )


def positive_int(value: Any, name: str, minimum: int = 1) -> int:
    """Check that `value` is a whole number not below `minimum`."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or value < minimum:
        raise LabelNoiseError(
            f"{name} must be a whole number of at least {minimum}, got {value!r}. "
            f"Pass {name}={minimum} or more."
        )
    return int(value)


def positive_number(value: Any, name: str) -> float:
    """Check that `value` is a finite number above zero."""
    real = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not real or not 0 < float(value) < math.inf:
        raise LabelNoiseError(f"{name} must be a number above 0, got {value!r}.")
    return float(value)


def fraction(value: Any, name: str) -> float:
    """Check that `value` is a number in (0, 1]."""
    if positive_number(value, name) > 1:
        raise LabelNoiseError(f"{name} must be a number above 0 and at most 1, got {value!r}.")
    return float(value)


def one_of(value: Any, name: str, allowed: Iterable[str]) -> str:
    """Check that `value` is one of the allowed words; the message lists them."""
    words = list(allowed)
    if value not in words:
        raise LabelNoiseError(f"unknown {name} {value!r}. Choose one of: {', '.join(words)}.")
    return str(value)


def random_generator(random_state: Any) -> RandomSource:
    """Turn a seed, a Generator, a RandomState or None into a source of random numbers."""
    if isinstance(random_state, np.random.Generator | np.random.RandomState):
        return random_state
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError) as error:
        raise LabelNoiseError(
            f"random_state must be None, a non-negative whole number, a numpy Generator or a "
            f"RandomState, got {random_state!r}. Pass random_state=0 for repeatable results."
        ) from error


def generator(random_state: Any) -> np.random.Generator:
    """A Generator for an estimator: None stands for a fixed seed, the same on every call."""
    source = random_generator(0 if random_state is None else random_state)
    if isinstance(source, np.random.RandomState):
        return np.random.default_rng(source.randint(2**31))
    return source
