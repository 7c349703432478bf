"""What comes out is of the kind that went in: arrays, series and frames of any library."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import narwhals.stable.v1 as nw
import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import IntArray
    from labelnoise.checks import Label

KINDS = ("pandas", "polars", "pyarrow", "table")
SHOWN_ROWS, SHOWN_WIDTH = 10, 24

UNFIT = (ArithmeticError, NotImplementedError, TypeError, ValueError)
"""What polars and pyarrow raise for values that make no column."""


class Table:
    """Columns by name, for those who brought plain arrays.

    ``table["row"]`` is a column, ``table[["row", "given"]]`` some, ``table[:10]`` the first ten
    rows, ``table[table["p_wrong"] > 0.9]`` those of a mask, ``len(table)`` the number of rows,
    ``table["reviewed"] = labels`` a new column.
    ``pandas.DataFrame(dict(table))`` and ``polars.DataFrame(dict(table))`` make frames of it.

    >>> Table({"row": [3, 1], "given": ["cat", "dog"]})
    row  given
    3    cat
    1    dog
    """

    def __init__(self, columns: Mapping[str, Sequence[Any]]) -> None:
        self._columns = dict(columns)

    def keys(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._columns)

    def __setitem__(self, name: str, values: Sequence[Any]) -> None:
        plain = _plain_list(values) if _is_listed(values) else None
        if not isinstance(name, str) or plain is None or len(plain) != len(self):
            raise LabelNoiseError(
                f"a column needs a name and one value for each of {len(self)} rows, got {name!r} "
                f"and {values!r}. Pass table['name'] = [...]."
            )
        self._columns[name] = plain

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
            return Table({name: self[name] for name in key})
        if not isinstance(key, str):
            rows = np.atleast_1d(np.arange(len(self))[key]).tolist()
            return Table({name: _some(values, rows) for name, values in self._columns.items()})
        if key not in self._columns:
            raise KeyError(f"{key!r}; the columns are {checks.named(self.keys(), 20)}")
        return self._columns[key]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Rows, each a dict."""
        for values in zip(*self._columns.values(), strict=True):
            yield dict(zip(self._columns, values, strict=True))

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __repr__(self) -> str:
        cells = self._shown()
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]
        return "\n".join([*lines, *self._rest()])

    def _repr_html_(self) -> str:
        head, *rows = (
            [f"<{tag}>{html.escape(cell)}</{tag}>" for cell in row]
            for tag, row in zip(["th", *["td"] * SHOWN_ROWS], self._shown(), strict=False)
        )
        body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
        rest = "".join(f"<p>{line}</p>" for line in self._rest())
        return f"<table><thead><tr>{''.join(head)}</tr></thead><tbody>{body}</tbody></table>{rest}"

    def _shown(self) -> list[list[str]]:
        """Names and the first rows, as short texts."""
        n = min(len(self), SHOWN_ROWS)
        rows = [[_short(values[i]) for values in self._columns.values()] for i in range(n)]
        return [self.keys(), *rows]

    def _rest(self) -> list[str]:
        return [f"({len(self)} rows)"] if len(self) > SHOWN_ROWS else []


def _some(values: Any, rows: list[int]) -> Any:
    return values[rows] if isinstance(values, np.ndarray) else [values[i] for i in rows]


def _short(value: Any) -> str:
    if isinstance(value, float | np.floating):
        return f"{value:.3g}"
    if isinstance(value, list | tuple | np.ndarray):
        value = ", ".join(map(_short, value))
    text = " ".join(str(value).split())
    return text if len(text) <= SHOWN_WIDTH else text[: SHOWN_WIDTH - 1] + "…"


def kind_of(*given: Any) -> str:
    """The kind of the first frame or series; "table" if there is none."""
    for value in given:
        if pandas_index(value) is not None:
            return "pandas"
        known = nw.from_native(value, allow_series=True, pass_through=True)
        if isinstance(known, nw.DataFrame | nw.Series):
            name = str(nw.get_native_namespace(known).__name__)
            if name in KINDS:
                return name
    return "table"


def pandas_index(given: Any) -> Any:
    """The index of a pandas frame or series, None for all else."""
    known = nw.dependencies.is_pandas_dataframe(given) or nw.dependencies.is_pandas_series(given)
    return given.index if known else None


def refuse_another_order(**given: Any) -> None:
    """Refuse two pandas objects whose rows are the same, but in another order, by their index.

    They would be joined by position, as everywhere in scikit-learn, and each row get another's.
    """
    (one, first), (other, second) = given.items()
    a, b = pandas_index(first), pandas_index(second)
    if a is None or b is None or len(a) != len(b) or a.equals(b):
        return
    if set(a.tolist()) == set(b.tolist()):
        raise LabelNoiseError(
            f"{one} and {other} name the same rows in different orders by their indexes, and rows "
            f"go by position. Align them: {other} = {other}.loc[{one}.index]. If they correspond "
            f"already, pass {other}.to_numpy()."
        )


def row_ids(ids: Any, n_rows: int, y: Any, X: Any = None) -> np.ndarray[Any, Any]:
    """What rows are called, (n,): by `ids`, else by the index of labels `y`, else by position.

    The index of features alone does not count: who has the labels only would not know it.
    """
    if ids is None and pandas_index(y) is not None:
        ids, other = pandas_index(y), pandas_index(X)
        if other is not None and len(other) == len(ids) and not other.equals(ids):
            raise LabelNoiseError(
                "X and y have different indexes, so it is not clear which label belongs to which "
                "row. Align them, or pass y.to_numpy() if rows correspond already."
            )
    refuse_another_order(y=y, ids=ids)
    given = range(n_rows) if ids is None else ids
    if not _is_listed(given):
        raise LabelNoiseError(f"ids must name every row, got {given!r}. Pass a sequence.")
    names = _plain_list(given)
    if any(map(checks.is_missing, names)):
        raise LabelNoiseError("ids has missing values (None or NaN). Give every row an id.")
    if any(isinstance(name, list | dict | set) for name in names):
        raise LabelNoiseError(
            f"ids must be single values, got {names[0]!r}. Pass one for each row."
        )
    found = checks.label_array(names)
    if len(found) != n_rows:
        raise LabelNoiseError(
            f"ids has {len(found)} entries, but there are {n_rows} rows. Pass one id for each row."
        )
    if ids is not None and len(set(map(str, names))) < n_rows:
        times = Counter(map(str, names))
        twice = [name for name in dict.fromkeys(names) if times[str(name)] > 1]
        raise LabelNoiseError(
            f"row ids are not distinct: {checks.named(twice)} occur more than once. Pass ids= with "
            "one id for each row, such as ids=range(len(y)), or reset the index."
        )
    return found


def as_frame(columns: Mapping[str, Any], kind: str) -> Any:
    """Columns as a frame of some kind."""
    library: Any = checks.one_of(kind, "output", KINDS)
    if kind == "table":
        return Table(columns)
    try:
        plain = columns if kind == "pandas" else without_tuples(columns)
        return nw.from_dict(dict(plain), backend=library).to_native()
    except UNFIT as error:
        raise LabelNoiseError(
            f"a column does not fit into a {kind} frame: {error}. Give its values one type, or "
            "pass output='table'."
        ) from error
    except ModuleNotFoundError as error:
        raise LabelNoiseError(
            f"output={kind!r} needs {kind}, which is not installed. Install it, or leave out "
            "output=."
        ) from error


def without_tuples(value: Any) -> Any:
    """Ids and labels that are tuples as text: as lists they would not be themselves any more."""
    if isinstance(value, tuple):
        return str(value)
    if isinstance(value, Mapping):
        return {name: without_tuples(item) for name, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype.kind == "O":
        value = value.tolist()
    return [without_tuples(item) for item in value] if isinstance(value, list) else value


def rows_of_frame(frame: Any, n_columns: int) -> Callable[[Any], dict[str, list[Any]]] | None:
    """What gives some rows of a frame's first columns, as `as_columns` would; None for no frame."""
    checks.distinct_columns(frame, "content")
    known = nw.from_native(frame, pass_through=True)
    if not isinstance(known, nw.DataFrame):
        return None
    if not known.columns:
        return lambda _: {}
    first = known[:, :n_columns]
    return lambda rows: as_columns(first[np.asarray(rows).tolist()].to_native(), "content")


def as_columns(frame: Any, name: str) -> dict[str, list[Any]]:
    """Columns of a frame of any kind, as lists of plain values, all of one length."""
    columns = _columns_of(frame, name)
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        sizes = {key: len(values) for key, values in columns.items()}
        raise LabelNoiseError(f"columns of {name} differ in length: {sizes}. Pass one value a row.")
    return columns


def _columns_of(frame: Any, name: str) -> dict[str, list[Any]]:
    if isinstance(frame, list) and all(isinstance(line, Mapping) for line in frame):
        keys = dict.fromkeys(key for line in frame for key in line)
        return {str(key): [line.get(key) for line in frame] for key in keys}
    if isinstance(frame, Table | Mapping):
        for key in frame.keys():  # noqa: SIM118
            if not _is_listed(frame[key]):
                raise LabelNoiseError(
                    f"column {key!r} of {name} must be a sequence, got {frame[key]!r}. Pass one "
                    "value for each row."
                )
        return {str(key): _plain_list(frame[key]) for key in frame.keys()}  # noqa: SIM118
    checks.distinct_columns(frame, name)
    known = nw.from_native(frame, pass_through=True)
    if not isinstance(known, nw.DataFrame):
        raise LabelNoiseError(
            f"{name} must be a frame with named columns, got {type(frame).__name__}. Pass what "
            "find_label_issues returned."
        )
    columns = known.to_dict(as_series=False)
    return {str(key): _plain_list(values) for key, values in columns.items()}


def _is_listed(values: Any) -> bool:
    """Whether there are several values; a text is one."""
    return isinstance(values, Iterable) and not isinstance(values, str)


def _plain_list(values: Any) -> list[Any]:
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
    if kind_of(y) not in ("pandas", "polars") or made.dtype == y.dtype:
        return made
    try:
        cast = made.astype(y.dtype) if kind_of(y) == "pandas" else made.cast(y.dtype)
    except Exception:  # libraries differ in what they raise for a value that a type cannot hold
        return made
    return cast if cast.to_list() == made.to_list() else made
