"""Remarks on a table before anything is estimated from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from labelnoise import checks
from labelnoise.data.column_types import column_types
from labelnoise.data.columns import columns_of
from labelnoise.data.distinct_rows import group_identical
from labelnoise.data.settings import (
    COPIED_SHARE,
    DISTINCT_SHARE,
    SAMPLED_ROWS,
    SPELLED_ALIKE,
)
from labelnoise.data.table_options import nearest
from labelnoise.errors import LabelNoiseError
from labelnoise.wording import Note, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.column_types import ColumnType

USELESS = ("column_empty", "column_constant", "column_type_unsupported")
"""Reasons for which a column is neither used nor shown."""

POSSIBLE_GROUP = "column_looks_like_group"


def notes_on_types(types: Sequence[ColumnType]) -> Iterator[Note]:
    """How columns are used whose type was not specified."""
    by_type: dict[str, list[str]] = {}
    left_out: dict[Note, list[str]] = {}
    for kind in types:
        if kind.given or kind.reason.code == POSSIBLE_GROUP:
            continue
        if kind.is_feature:
            by_type.setdefault(kind.type, []).append(kind.name)
        else:
            left_out.setdefault(kind.reason, []).append(kind.name)
    if by_type:
        words = "; ".join(f"{kind}: {named(names, 3)}" for kind, names in by_type.items())
        yield Note("columns_by_type", {"types": words})
    yield from possible_groups(types)
    for reason, names in left_out.items():
        code = "columns_useless" if reason.code in USELESS else "columns_skipped"
        yield Note(code, {"columns": names, "n": len(names), "why": reason.reason()})


def possible_groups(types: Sequence[ColumnType]) -> Iterator[Note]:
    """Columns that are not used as features because they may say which rows belong together."""
    names = [kind.name for kind in types if kind.reason.code == POSSIBLE_GROUP]
    if names:
        yield Note("columns_may_be_groups", {"columns": names, "n": len(names)})


def texts_only_shown(shown: pa.Table) -> Iterator[Note]:
    """Free texts that reviewers see and that are not used as features."""
    for kind in column_types(columns_of(shown)):
        if kind.type == "text":
            yield Note("shown_only", {"column": kind.name})


def copied_rows(
    X: FloatArray, y: np.ndarray[Any, Any], texts: Sequence[pa.ChunkedArray]
) -> Iterator[Note]:
    """Rows that are copies of others, including labels and texts, where hardly any should be.

    Different texts may have the same features (n, d), so the texts (n,) themselves count.
    """
    finest = max((len(np.unique(column)) for column in X[:SAMPLED_ROWS].T), default=0)
    if finest < DISTINCT_SHARE * min(len(X), SAMPLED_ROWS):
        return  # with few distinct values rows are alike by chance
    codes = checks.labels(y, None).codes
    _, group = group_identical(np.column_stack([X + 0.0, codes, *map(_text_codes, texts)]))
    n_copies = len(X) - int(group.max()) - 1
    if n_copies > COPIED_SHARE * len(X):
        yield Note("copied_rows", {"n": n_copies})


def _text_codes(texts: pa.ChunkedArray) -> IntArray:
    """Numbers (n,) that are equal where the texts are."""
    coded = texts if pa.types.is_dictionary(texts.type) else texts.dictionary_encode()
    indices = coded.unify_dictionaries().combine_chunks().indices
    found: IntArray = indices.cast(pa.int64()).fill_null(-1).to_numpy()
    return found


def unlabeled_not_found(column: pa.ChunkedArray, unlabeled: Sequence[str]) -> Iterator[Note]:
    """Values for unlabeled rows that do not occur.

    One that looks like another label is an error: those rows would count as a class.
    """
    present = {str(value).strip(): None for value in column.unique().to_pylist()}
    absent = [label for label in unlabeled if label.strip() not in present]
    for label in absent:
        meant = nearest(label.strip(), list(present), SPELLED_ALIKE)
        if meant is not None:
            raise LabelNoiseError("unlabeled_misspelled", label=label, suggestion=meant)
    if absent:
        yield Note("unlabeled_not_found", {"labels": absent})
