"""Tables of answers -> `Answers`: long tables, matrices, three arrays."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelnoise import checks
from labelnoise.annotators.answers import Answers
from labelnoise.annotators.settings import MIN_SHARED_LABELS
from labelnoise.data.columns import MISSING_TEXTS
from labelnoise.data.containers import pandas_index, refuse_another_order, row_ids
from labelnoise.data.frames import UNCONVERTIBLE, as_arrow, is_table
from labelnoise.data.label_column import whole_numbers
from labelnoise.data.settings import LARGEST_LABEL
from labelnoise.data.table_options import refuse_unknown_column
from labelnoise.errors import LabelNoiseError, warn_user

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import BoolArray, IntArray
    from labelnoise.checks import Label

USUAL_NAMES = {
    "row": ("row", "task", "item", "example", "id", "row_id", "task_id", "item_id"),
    "annotator": ("annotator", "worker", "rater", "user", "annotator_id", "worker_id", "source"),
    "label": ("label", "answer", "response", "annotation", "rating", "class"),
}
"""Names by which the columns of a long table are found, whatever their case."""


class FeatureRows(NamedTuple):
    """The n rows of the features X, and `ids` if their names were given."""

    X: Any
    n: int
    ids: Any

    @property
    def are_named(self) -> bool:
        """Whether rows have names other than their positions."""
        index = _index_names(self.X)
        return self.ids is not None or (index is not None and _distinct(index))

    def names(self) -> list[Any]:
        """The names of all rows, without blanks around them, as in answers."""
        given = pandas_index(self.X) if self.ids is None else self.ids
        found = _trimmed(row_ids(given, self.n, None).tolist())
        return row_ids(found, self.n, None).tolist()

    def names_or_positions(self) -> list[Any]:
        """The same where names are not needed: positions if an index does not tell rows apart."""
        try:
            return self.names()
        except LabelNoiseError:
            if self.ids is not None:
                raise
            return list(range(self.n))


class _Long(NamedTuple):
    """Answers one below the other."""

    row: IntArray  # (m,) codes in `rows`, -1 where the row has no name
    rows: list[Any]
    annotator: pa.Array
    label: pa.Array
    by_name: bool  # whether `rows` are to be looked up in the features; otherwise all are known


def read_answers(
    annotations: Any,
    columns: dict[str, str | None],
    classes: Sequence[Label] | None,
    features: FeatureRows | None,
) -> Answers:
    """Answers as codes, from any kind of table.

    Rows are sorted by name, unless their names are known from elsewhere; annotators and classes are
    sorted. So the order of the answers does not matter.

    Parameters
    ----------
    annotations : table, matrix, or tuple of three arrays
    columns : mapping
        Names of the columns "row", "annotator" and "label", None if not specified.
    classes : sequence, optional
        All classes, in order.
    features : FeatureRows, optional
    """
    long = _long(annotations, columns, features)
    label, found = _codes(long.label, "label")
    given = label >= 0
    if not given.any():
        raise LabelNoiseError("no_labels")
    row, row_names = long.row, long.rows
    annotator, annotators = _codes(long.annotator, "annotator")
    for name, codes in (("row", row), ("annotator", annotator)):
        _refuse_unnamed(given & (codes < 0), name)
    if long.by_name and features is not None:
        known = features.names()
        row, row_names = _positions(row, row_names, known), known
    answers = (row[given], annotator[given], label[given])
    row, annotator, label = _each_once(*answers, row_names, annotators)
    annotator, annotators = _present(annotator, annotators)
    if long.by_name and features is None:
        row, row_names = _present(row, row_names)
    label, names = _in_classes(label, found, classes)
    if len(annotators) < 2:
        raise LabelNoiseError("single_annotator", annotators=annotators)
    rows_named = checks.label_array(row_names)
    return Answers(row, annotator, label, rows_named, tuple(annotators), names)


def with_whole_numbers(
    table: pa.Table, columns: dict[str, str | None], *, rows_as_text: bool
) -> pa.Table:
    """Answers of a file, which are texts, with whole numbers where a column has no other texts.

    The labels of a matrix are one column in this respect. Texts that mean "missing" are so among
    numbers only, and rows stay texts if their names are those in another file.
    """
    found = _found_columns(table.column_names, columns)
    together = [[name] for name in found.values()]
    if not {"annotator", "label"} & set(found):
        together.append([name for name in table.column_names if name not in found.values()])
    for names in together:
        if rows_as_text and names == [found.get("row")]:
            table = with_texts(table, names[0])
        elif all(pa.types.is_string(table[name].type) for name in names):
            table = _as_numbers(table, names)
    return table


def with_texts(table: pa.Table, column: str) -> pa.Table:
    """A table with texts in place of whole numbers in a column."""
    values = table[column]
    if pa.types.is_integer(values.type):
        values = values.cast(pa.string())
    return table.set_column(table.column_names.index(column), column, values)


def _as_numbers(table: pa.Table, names: list[str]) -> pa.Table:
    """A table with columns of texts as whole numbers, if all texts in them are such."""
    missing = pa.array(["", *MISSING_TEXTS])
    columns = {}
    for name in names:
        trimmed = pc.utf8_trim_whitespace(table[name])
        none = pa.scalar(None, pa.string())
        columns[name] = pc.if_else(pc.is_in(trimmed, missing), none, trimmed)
    texts = {text for one in columns.values() for text in one.unique().to_pylist()} - {None}
    if all(isinstance(level, int) for level in whole_numbers(list(texts))):
        for name, values in columns.items():
            at = table.column_names.index(name)
            table = table.set_column(at, name, values.cast(pa.int64()))
    return table


def _long(annotations: Any, columns: dict[str, str | None], features: FeatureRows | None) -> _Long:
    """Answers one below the other."""
    if isinstance(annotations, tuple) and len(annotations) == len(USUAL_NAMES):
        row, annotator, label = (
            _column(one, name) for one, name in zip(annotations, USUAL_NAMES, strict=True)
        )
        for name, one in (("annotator", annotator), ("label", label)):
            if len(one) != len(row):
                raise LabelNoiseError("wrong_length", name=name, n=len(one), n_rows=len(row))
        return _Long(*_codes(row, "row"), annotator, label, by_name=True)
    if not is_table(annotations):
        values = _matrix(annotations)
        n = len(values[0]) if values else 0
        names, by_name = _rows_of_matrix(annotations, None, n, features)
        return _from_matrix(values, list(range(len(values))), names, by_name=by_name)
    table = as_arrow(annotations, "annotations")
    found = _found_columns(table.column_names, columns)
    if {"annotator", "label"} & set(found):
        if len(found) < len(USUAL_NAMES):
            raise _columns_unknown(found, table)
        row, annotator, label = (_combined(table[found[name]], name) for name in USUAL_NAMES)
        return _Long(*_codes(row, "row"), annotator, label, by_name=True)
    own = None
    if "row" in found:
        own = _combined(table[found["row"]], "row").to_pylist()
    who = [name for name in table.column_names if name != found.get("row")]
    values = [_combined(table[name], name) for name in who]
    if not _share_labels(values):
        raise _columns_unknown(found, table)
    names, by_name = _rows_of_matrix(annotations, own, table.num_rows, features)
    return _from_matrix(values, who, names, by_name=by_name)


def _columns_unknown(found: dict[str, str], table: pa.Table) -> LabelNoiseError:
    missing = [name for name in USUAL_NAMES if name not in found]
    return LabelNoiseError("answer_columns_unknown", missing=missing, columns=table.column_names)


def _share_labels(columns: list[pa.Array]) -> bool:
    """Whether columns are answers by several annotators, who share a set of labels."""
    labels = [set(map(str, one.drop_null().unique().to_pylist())) for one in columns]
    times = Counter(label for own in labels for label in own)
    if sum(map(bool, labels)) < 2:
        return True  # nothing to compare: refused elsewhere
    shared = sum(n > 1 for n in times.values())
    return shared >= MIN_SHARED_LABELS * len(times)


def _rows_of_matrix(
    annotations: Any, own: list[Any] | None, n: int, features: FeatureRows | None
) -> tuple[list[Any], bool]:
    """Names (n,) of the rows of a matrix, and whether to look them up in the features.

    `own` names are those in a column. An index is used if rows of X are named, too; otherwise rows
    correspond by position.
    """
    names = _index_names(annotations) if own is None else own
    if features is None:
        return _told_apart(list(range(n)) if names is None else names), False
    if names is not None and (own is not None or (features.are_named and _distinct(names))):
        return _told_apart(names), True
    refuse_another_order(X=features.X, annotations=annotations)
    if n != features.n:
        facts = {"name": "annotations", "n": n, "n_rows": features.n, "of": "X"}
        raise LabelNoiseError("wrong_length", **facts)
    return features.names_or_positions(), False


def _index_names(given: Any) -> list[Any] | None:
    """The index of a pandas frame; None if there is none, or if it numbers rows by position."""
    index = pandas_index(given)
    names = None if index is None else _trimmed(index.tolist())
    return None if names == list(range(len(names or ()))) else names


def _trimmed(names: list[Any]) -> list[Any]:
    return [name.strip() if isinstance(name, str) else name for name in names]


def _told_apart(names: list[Any]) -> list[Any]:
    """Names of the rows of a matrix, each of which needs one of its own."""
    _refuse_unnamed(np.array([checks.is_missing(name) for name in names], dtype=bool), "row")
    if not _distinct(names):
        raise LabelNoiseError("rows_named_twice")
    return names


def _distinct(names: list[Any]) -> bool:
    try:
        return len(set(names)) == len(names)
    except TypeError as error:
        raise LabelNoiseError("not_single_values", name="row", example=names[0]) from error


def _refuse_unnamed(missing: BoolArray, column: str) -> None:
    """Refuse answers without a row or an annotator."""
    if missing.any():
        facts = {"n": int(missing.sum()), "first": int(missing.argmax())}
        raise LabelNoiseError("answers_unnamed", column=column, **facts)


def _found_columns(names: list[str], columns: dict[str, str | None]) -> dict[str, str]:
    """Which column is which, as specified or by its usual name."""
    found, lower = {}, {name.lower(): name for name in reversed(names)}
    for part, specified in columns.items():
        if specified is not None:
            refuse_unknown_column(specified, names, "annotations", part)
            found[part] = specified
            continue
        usual = [lower[name] for name in USUAL_NAMES[part] if name in lower]
        if usual:
            found[part] = usual[0]
    return found


def _matrix(values: Any) -> list[pa.Array]:
    """The columns of a matrix (rows x annotators); -1 is a gap among whole numbers."""
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise LabelNoiseError("answers_not_a_table") from error
    if array.ndim != 2:
        raise LabelNoiseError("answers_not_a_table", shape=array.shape)
    gaps = np.ma.getmaskarray(np.ma.asarray(values))
    if array.dtype.kind in "iu":
        gaps = gaps | (array == -1)
    if array.dtype.kind in "US" and not isinstance(values, np.ndarray):
        array = np.array(values, dtype=object)  # NumPy makes texts of gaps
        gaps = np.vectorize(checks.is_missing, otypes=[bool])(array)
    array = array.astype(object)
    array[gaps] = None
    return [_column(array[:, i].tolist(), f"column {i}") for i in range(array.shape[1])]


def _from_matrix(
    columns: list[pa.Array], annotators: list[Any], rows: list[Any], *, by_name: bool
) -> _Long:
    """A matrix of answers as a long table."""
    kinds = {str(one.type): one.type for one in columns if one.type != pa.null()}
    if len(kinds) > 1:
        types = ", ".join(sorted(kinds))
        raise LabelNoiseError("labels_of_mixed_types", name="annotations", types=types)
    kind = next(iter(kinds.values()), pa.null())
    n = len(columns[0]) if columns else 0
    label = pa.concat_arrays([one.cast(kind) for one in columns]) if columns else pa.array([])
    who = pa.array(annotators).take(pa.array(np.repeat(np.arange(len(columns)), n)))
    row = np.tile(np.arange(n), len(columns))
    return _Long(row, rows, who, label, by_name=by_name)


def _column(values: Any, name: str) -> pa.Array:
    """Values of one kind as an Arrow array, missing ones as null."""
    try:
        found = pa.array(values, from_pandas=True)
    except OverflowError as error:
        raise LabelNoiseError("numbers_too_large", name=name) from error
    except UNCONVERTIBLE as error:
        types = sorted({type(one).__name__ for one in values if not checks.is_missing(one)})
        facts = {"name": name, "types": ", ".join(types)}
        raise LabelNoiseError("labels_of_mixed_types", **facts) from error
    except (TypeError, ValueError) as error:
        raise LabelNoiseError("not_a_sequence", name=name, value=values) from error
    return _combined(found, name)


def _combined(column: pa.Array | pa.ChunkedArray, name: str) -> pa.Array:
    """One array of plain values: no chunks, no dictionary, whole numbers where all are whole."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # without any chunk, or still several
        column = pa.concat_arrays(column.chunks)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_nested(column.type):
        example = next((one for one in column.to_pylist() if one is not None), None)
        raise LabelNoiseError("not_single_values", name=name, example=example)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.utf8_trim_whitespace(column)
        column = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    return _whole(column)


def _whole(column: pa.Array) -> pa.Array:
    """Whole numbers that gaps made fractional as whole numbers again, NaN as null."""
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        whole = pc.and_(
            pc.less(pc.abs(column), float(LARGEST_LABEL)), pc.equal(pc.floor(column), column)
        )
        return column if pc.all(whole).as_py() is False else column.cast(pa.int64())
    if not pa.types.is_integer(column.type):
        return column
    fits = (pc.max(column).as_py() or 0) <= np.iinfo(np.int64).max
    return column.cast(pa.int64()) if fits else column


def _codes(column: pa.Array, name: str) -> tuple[IntArray, list[Any]]:
    """Codes (m,) of the values, -1 for a missing one, and the sorted distinct values."""
    if pa.types.is_floating(column.type) and name == "label":
        given = column.drop_null().to_pylist()
        example = next((one for one in given if one % 1), None)
        if example is None:
            raise LabelNoiseError("numbers_too_large", name=name)
        raise LabelNoiseError("fractional_labels", example=example)
    encoded = column.dictionary_encode()
    names = encoded.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names) + 1, dtype=np.int64)
    rank[order], rank[-1] = np.arange(len(names)), -1
    codes = encoded.indices.fill_null(len(names)).to_numpy(zero_copy_only=False)
    return rank[codes], [names[i] for i in order]


def _positions(codes: IntArray, names: list[Any], rows: list[Any]) -> IntArray:
    """Positions among `rows` (n,) of the rows that codes (m,) name."""
    position = {name: i for i, name in enumerate(rows)}
    unknown = [name for name in names if name not in position]
    if unknown:
        raise LabelNoiseError("answers_to_unknown_rows", rows=unknown, n=len(unknown))
    return np.array([position[name] for name in names] + [-1], dtype=np.int64)[codes]


def _each_once(
    row: IntArray, annotator: IntArray, label: IntArray, rows: list[Any], annotators: list[Any]
) -> tuple[IntArray, IntArray, IntArray]:
    """Answers without repetitions, sorted; an annotator may not give two labels to a row."""
    order = np.lexsort((label, annotator, row))
    row, annotator, label = row[order], annotator[order], label[order]
    same = (np.diff(row) == 0) & (np.diff(annotator) == 0)
    contradictory = np.flatnonzero(same & (np.diff(label) != 0))
    if contradictory.size:
        first = contradictory[0]
        raise LabelNoiseError(
            "answers_contradictory",
            n=len(contradictory),
            row=rows[row[first]],
            annotator=annotators[annotator[first]],
        )
    if same.any():
        warn_user("answers_repeated", n=int(same.sum()))
    keep = np.concatenate([[True], ~same])
    return row[keep], annotator[keep], label[keep]


def _present(codes: IntArray, names: list[Any]) -> tuple[IntArray, list[Any]]:
    """Codes without gaps, and the names that occur."""
    present, found = np.unique(codes, return_inverse=True)
    return found.astype(np.int64), [names[i] for i in present]


def _in_classes(
    codes: IntArray, names: list[Any], classes: Sequence[Label] | None
) -> tuple[IntArray, tuple[Label, ...]]:
    """Labels as codes of the classes, sorted or as declared."""
    if classes is not None:
        declared = checks.class_names(classes)
        unknown = [name for name in names if name not in declared]
        if unknown:
            raise LabelNoiseError("labels_not_in_classes", labels=unknown)
        return np.array([declared.index(name) for name in names], dtype=np.int64)[codes], declared
    codes, names = _present(codes, names)
    if len(names) < 2:
        raise LabelNoiseError("single_class", classes=names)
    if checks.look_like_ids(np.bincount(codes)):
        raise LabelNoiseError("labels_look_like_ids", n_labels=len(names), n_rows=len(codes))
    return codes, tuple(names)
