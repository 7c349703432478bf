"""Arrays, series and frames -> plain values, and results in the user's kind of container."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np

from labelnoise import checks
from labelnoise.data.columns import MISSING_TEXTS
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray
    from labelnoise.checks import Label

LIBRARIES = ("pandas", "polars", "pyarrow")

NOT_A_COLUMN = (ArithmeticError, NotImplementedError, TypeError, ValueError)
"""What polars and pyarrow raise for values that do not form a column."""


def frame_library(*values: Any) -> str | None:
    """The library of the first frame or series; None if there is none."""
    modules = (type(value).__module__.partition(".")[0] for value in values)
    return next((name for name in modules if name in LIBRARIES), None)


def default_library() -> str:
    """The library of frames for users who pass plain arrays."""
    return "pandas" if find_spec("pandas") is not None else "pyarrow"


def pandas_index(given: Any) -> Any:
    """The index of a pandas frame or series, None for all else."""
    known = nw.dependencies.is_pandas_dataframe(given) or nw.dependencies.is_pandas_series(given)
    return given.index if known else None


def indexes_differ(one: Any, other: Any) -> bool:
    """Whether two indexes have the same length and differ; None means no index."""
    if one is None or other is None or len(one) != len(other):
        return False
    return not one.equals(other)


def refuse_another_order(**given: Any) -> None:
    """Refuse two pandas objects whose indexes list the same rows in another order.

    Rows are matched by position, as everywhere in scikit-learn.
    """
    (one, first), (other, second) = given.items()
    a, b = pandas_index(first), pandas_index(second)
    if indexes_differ(a, b) and set(a.tolist()) == set(b.tolist()):
        raise LabelNoiseError("rows_in_another_order", first=one, second=other)


def row_ids(ids: Any, n_rows: int, y: Any, X: Any = None) -> np.ndarray[Any, Any]:
    """Identifiers of the rows, (n,): `ids`, else the index of the labels `y`, else positions.

    The index of the features alone is not used: it is not known where only labels are passed.
    """
    if ids is None and pandas_index(y) is not None:
        ids = pandas_index(y)
        if indexes_differ(ids, pandas_index(X)):
            raise LabelNoiseError("index_of_features_differs")
    if ids is None:
        return np.arange(n_rows)
    refuse_another_order(y=y, ids=ids)
    names = _single_values(ids, "ids", n_rows, (list, dict, set))
    if any(map(checks.is_missing, names)):
        raise LabelNoiseError("ids_missing")
    times = Counter(map(str, names))
    if len(times) < n_rows:
        repeated = [name for name in dict.fromkeys(names) if times[str(name)] > 1]
        raise LabelNoiseError("ids_not_distinct", ids=repeated)
    return checks.label_array(names)


def group_codes(groups: Any, n_rows: int) -> IntArray:
    """Codes (n,) of groups of rows, numbered in the order of the rows.

    >>> group_codes(["b", "a", "b"], 3)
    array([0, 1, 0])
    """
    names = _single_values(groups, "groups", n_rows, (list, tuple, dict, set))
    n_missing = sum(checks.is_missing(name) or str(name).strip() in MISSING_TEXTS for name in names)
    if n_missing:
        raise LabelNoiseError("groups_missing", n=n_missing)
    number: dict[Any, int] = {}
    codes = np.fromiter((number.setdefault(name, len(number)) for name in names), np.int64, n_rows)
    if len(number) == 1:
        raise LabelNoiseError("one_group", group=names[0])
    return codes


def _single_values(values: Any, name: str, n_rows: int, several: tuple[type, ...]) -> list[Any]:
    """One value for each row; types in `several` hold more than one."""
    n_axes = len(getattr(values, "shape", "n"))
    if not is_listed(values) or not n_axes:
        raise LabelNoiseError("not_a_sequence", name=name, value=values)
    plain = plain_list(values)
    example = next((value for value in plain if isinstance(value, several)), None)
    if n_axes > 1 or example is not None:
        raise LabelNoiseError("not_single_values", name=name, example=example)
    if len(plain) != n_rows:
        raise LabelNoiseError("wrong_length", name=name, n=len(plain), n_rows=n_rows)
    return plain


def as_frame(columns: Mapping[str, Any], library: str) -> Any:
    """Columns as a frame of a library, one of `LIBRARIES`."""
    backend: Any = checks.one_of(library, "output", LIBRARIES)
    try:
        values = dict(columns) if library == "pandas" else without_tuples(columns)
        return nw.from_dict(values, backend=backend).to_native()
    except NOT_A_COLUMN as error:
        raise LabelNoiseError(
            "column_does_not_fit_frame", library=library, reason=str(error)
        ) from error
    except ModuleNotFoundError as error:
        raise LabelNoiseError("frame_library_not_installed", library=library) from error


def without_tuples(value: Any) -> Any:
    """Ids and labels that are tuples as text: as lists they could not be matched again."""
    if isinstance(value, tuple):
        return str(value)
    if isinstance(value, Mapping):
        return {name: without_tuples(item) for name, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        value = value.tolist()
    return [without_tuples(item) for item in value] if isinstance(value, list) else value


def as_columns(frame: Any, name: str) -> dict[str, list[Any]]:
    """Columns of a frame, a mapping or a list of mappings, as lists of plain values of one length.

    >>> as_columns([{"row": 3, "given": "cat"}, {"row": 1}], "name in messages")
    {'row': [3, 1], 'given': ['cat', None]}
    """
    if isinstance(frame, list) and all(isinstance(line, Mapping) for line in frame):
        keys = dict.fromkeys(key for line in frame for key in line)
        return {str(key): [line.get(key) for line in frame] for key in keys}
    columns = frame
    if not isinstance(frame, Mapping):
        checks.distinct_columns(frame, name)
        known = nw.from_native(frame, pass_through=True)
        if not isinstance(known, nw.DataFrame):
            raise LabelNoiseError("not_a_frame", frame=name, kind=type(frame).__name__)
        columns = known.to_dict(as_series=False)
    for key, values in columns.items():
        if not is_listed(values):
            column = f"column {key!r} of {name}"
            raise LabelNoiseError("not_a_sequence", name=column, value=values)
    plain = {str(key): plain_list(values) for key, values in columns.items()}
    lengths = {key: len(values) for key, values in plain.items()}
    if len(set(lengths.values())) > 1:
        raise LabelNoiseError("columns_differ_in_length", frame=name, lengths=str(lengths))
    return plain


def is_listed(values: Any) -> bool:
    """Whether there are several values; a text is one."""
    return isinstance(values, Iterable) and not isinstance(values, str)


def plain_list(values: Any) -> list[Any]:
    """Values of any container as a list of plain Python values."""
    if hasattr(values, "to_pylist"):  # pyarrow
        return list(values.to_pylist())
    values = values.tolist() if hasattr(values, "tolist") else list(values)
    return [v.tolist() if isinstance(v, np.ndarray | np.generic) else v for v in values]


def labels_like(y: Any, codes: IntArray, classes: tuple[Label, ...]) -> Any:
    """Labels for these codes, in the kind of container that `y` is."""
    native = np.asarray(y)
    names = checks.label_array(classes)
    if native.dtype.kind != "O" and names.astype(native.dtype).tolist() == list(classes):
        names = names.astype(native.dtype)  # the same kind of array, if it can hold every class
    values = names[codes]
    series = nw.from_native(y, series_only=True, pass_through=True)
    if not isinstance(series, nw.Series):
        objects = isinstance(y, np.ndarray) and y.dtype.kind == "O"
        return values.astype(object) if objects else values
    made = nw.new_series(series.name, values, native_namespace=nw.get_native_namespace(series))
    index = nw.maybe_get_index(series)
    made = made if index is None else nw.maybe_set_index(made, index=index)
    return _of_type(made.to_native(), y)


def _of_type(made: Any, y: Any) -> Any:
    """A series of the type that `y` has (categories, say), if it can hold what is in it."""
    errors: Any = (*NOT_A_COLUMN, Warning)  # newer versions of pandas raise where it warns now
    if nw.dependencies.is_pandas_series(y):
        cast = made.astype
    elif nw.dependencies.is_polars_series(y):
        cast, errors = made.cast, nw.dependencies.get_polars().exceptions.PolarsError
    else:
        return made
    try:
        with warnings.catch_warnings(action="error"):
            found = cast(y.dtype)
    except errors:
        return made
    return found if found.to_list() == made.to_list() else made
