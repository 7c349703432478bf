"""Tables of answers -> `Answers`: long tables, matrices, three arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from labelnoise import checks
from labelnoise.annotators.answers import Answers
from labelnoise.data.containers import pandas_index
from labelnoise.data.frames import UNCONVERTIBLE, as_arrow, is_table
from labelnoise.data.table_options import refuse_unknown_column
from labelnoise.errors import LabelNoiseError, warn_user

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import IntArray
    from labelnoise.checks import Label

USUAL_NAMES = {
    "row": ("row", "task", "item", "example", "id", "row_id", "task_id", "item_id"),
    "annotator": ("annotator", "worker", "rater", "user", "annotator_id", "worker_id", "source"),
    "label": ("label", "answer", "response", "annotation", "rating", "class"),
}
"""Names by which the columns of a long table are found, whatever their case."""


class _Long(NamedTuple):
    """Answers one below the other; `rows` names all rows if there may be some without an answer."""

    row: pa.Array
    annotator: pa.Array
    label: pa.Array
    rows: np.ndarray[Any, Any] | None


def read_answers(
    annotations: Any,
    columns: dict[str, str | None],
    classes: Sequence[Label] | None,
    rows: np.ndarray[Any, Any] | None,
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
    rows : (n,) array, optional
        Names of the rows of the features.
    """
    long = _long(annotations, columns, rows)
    label, found = _codes(long.label, "label")
    given = label >= 0
    if not given.any():
        raise LabelNoiseError("no_labels")
    row, row_names = _codes(long.row, "row")
    annotator, annotators = _codes(long.annotator, "annotator")
    for name, codes in (("row", row), ("annotator", annotator)):
        if (codes[given] < 0).any():
            missing = np.flatnonzero(given & (codes < 0))
            raise LabelNoiseError("answers_unnamed", column=name, n=len(missing), first=missing[0])
    known = rows if long.rows is None else long.rows
    if known is not None:
        row, row_names = _positions(row, row_names, known), known.tolist()
    answers = (row[given], annotator[given], label[given])
    row, annotator, label = _each_once(*answers, row_names, annotators)
    annotator, annotators = _present(annotator, annotators)
    if known is None:
        row, row_names = _present(row, row_names)
    label, names = _in_classes(label, found, classes)
    if len(annotators) < 2:
        raise LabelNoiseError("single_annotator", annotators=annotators)
    rows_named = checks.label_array(row_names)
    return Answers(row, annotator, label, rows_named, tuple(annotators), names)


def _long(
    annotations: Any, columns: dict[str, str | None], rows: np.ndarray[Any, Any] | None
) -> _Long:
    """Answers one below the other."""
    if isinstance(annotations, tuple) and len(annotations) == len(USUAL_NAMES):
        row, annotator, label = (
            _column(one, name) for one, name in zip(annotations, USUAL_NAMES, strict=True)
        )
        for name, one in (("annotator", annotator), ("label", label)):
            if len(one) != len(row):
                raise LabelNoiseError("wrong_length", name=name, n=len(one), n_rows=len(row))
        return _Long(row, annotator, label, None)
    if not is_table(annotations):
        return _from_matrix(_matrix(annotations), None, None, rows)
    table = as_arrow(annotations, "annotations")
    found = _found_columns(table.column_names, columns)
    if {"annotator", "label"} & set(found):
        missing = [name for name in USUAL_NAMES if name not in found]
        if missing:
            raise LabelNoiseError(
                "answer_columns_unknown", missing=missing, columns=table.column_names
            )
        row, annotator, label = (_combined(table[found[name]]) for name in USUAL_NAMES)
        return _Long(row, annotator, label, None)
    index = pandas_index(annotations)
    names = None if index is None else np.asarray(index)
    if "row" in found:
        names = np.asarray(table[found["row"]].to_pylist())
        table = table.drop_columns([found["row"]])
    values = [_column(table[name].to_pylist(), name) for name in table.column_names]
    return _from_matrix(values, list(table.column_names), names, rows)


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
    if isinstance(values, np.ma.MaskedArray):
        gaps = np.ma.getmaskarray(values)
        values = np.array(values.data, dtype=object)
        values[gaps] = None
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise LabelNoiseError("answers_not_a_table") from error
    if array.ndim != 2:
        raise LabelNoiseError("answers_not_a_table", shape=array.shape)
    if array.dtype.kind == "U" and any(one is None for line in values for one in line):
        array = np.array(values, dtype=object)  # NumPy made texts of gaps
    if array.dtype.kind in "iu":
        gaps = array == -1
        array = array.astype(object)
        array[gaps] = None
    return [_column(array[:, i].tolist(), f"column {i}") for i in range(array.shape[1])]


def _from_matrix(
    columns: list[pa.Array],
    annotators: list[str] | None,
    names: np.ndarray[Any, Any] | None,
    rows: np.ndarray[Any, Any] | None,
) -> _Long:
    """A matrix of answers as a long table; its rows are those of the features, by position."""
    n = len(columns[0]) if columns else 0
    if rows is not None and len(rows) != n:
        facts = {"name": "annotations", "n": n, "n_rows": len(rows), "of": "X"}
        raise LabelNoiseError("wrong_length", **facts)
    names = rows if rows is not None else np.arange(n) if names is None else names
    if len(set(names.tolist())) < n:
        raise LabelNoiseError("rows_named_twice")
    who = list(range(len(columns))) if annotators is None else annotators
    kinds = {str(one.type) for one in columns if one.type != pa.null()}
    if len(kinds) > 1:
        columns = [_whole(one) for one in columns]
        kinds = {str(one.type) for one in columns if one.type != pa.null()}
    if len(kinds) > 1:
        raise LabelNoiseError("labels_of_mixed_types", types=", ".join(sorted(kinds)))
    kind = next((one.type for one in columns if one.type != pa.null()), pa.null())
    label = pa.concat_arrays([one.cast(kind) for one in columns]) if columns else pa.array([])
    row = pa.array(np.tile(np.arange(n), len(columns)))
    position = pa.array(np.repeat(np.arange(len(who)), n))
    return _Long(pa.array(names.tolist()).take(row), pa.array(who).take(position), label, names)


def _column(values: Any, name: str) -> pa.Array:
    """Values of one kind as an Arrow array, missing ones as null."""
    try:
        found = pa.array(values, from_pandas=True)
    except UNCONVERTIBLE as error:
        types = sorted({type(one).__name__ for one in values if not checks.is_missing(one)})
        raise LabelNoiseError("labels_of_mixed_types", types=", ".join(types)) from error
    except (TypeError, ValueError) as error:
        raise LabelNoiseError("not_a_sequence", name=name, value=values) from error
    return _combined(found)


def _combined(column: pa.Array | pa.ChunkedArray) -> pa.Array:
    """One array of plain values: no chunks, no dictionary, whole numbers where all are whole."""
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks()
    if isinstance(column, pa.ChunkedArray):  # without any chunk, or still several
        column = pa.concat_arrays(column.chunks)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        column = pc.utf8_trim_whitespace(column)
        column = pc.if_else(pc.equal(column, ""), pa.scalar(None, column.type), column)
    return _whole(column)


def _whole(column: pa.Array) -> pa.Array:
    """Whole numbers that gaps made fractional as whole numbers again, NaN as null."""
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), pa.scalar(None, column.type), column)
        whole = pc.and_(pc.is_finite(column), pc.equal(pc.floor(column), column))
        if pc.all(whole).as_py() is not False:
            column = column.cast(pa.int64())
    return column.cast(pa.int64()) if pa.types.is_integer(column.type) else column


def _codes(column: pa.Array, name: str) -> tuple[IntArray, list[Any]]:
    """Codes (m,) of the values, -1 for a missing one, and the sorted distinct values."""
    if pa.types.is_floating(column.type) and name == "label":
        example = next(one for one in column.to_pylist() if one is not None and one % 1)
        raise LabelNoiseError("fractional_labels", example=example)
    encoded = column.dictionary_encode()
    names = encoded.dictionary.to_pylist()
    order = sorted(range(len(names)), key=names.__getitem__)
    rank = np.empty(len(names) + 1, dtype=np.int64)
    rank[order], rank[-1] = np.arange(len(names)), -1
    codes = encoded.indices.fill_null(len(names)).to_numpy(zero_copy_only=False)
    return rank[codes], [names[i] for i in order]


def _positions(codes: IntArray, names: list[Any], rows: np.ndarray[Any, Any]) -> IntArray:
    """Positions among `rows` (n,) of the rows that codes (m,) name."""
    position = {name: i for i, name in enumerate(rows.tolist())}
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
