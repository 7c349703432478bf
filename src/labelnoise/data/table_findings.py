"""What there is to know about a table before anything is estimated from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import entropy
from sklearn.metrics import mutual_info_score

from labelnoise import checks
from labelnoise.data.column_types import column_types, least_rows_of_category
from labelnoise.data.columns import Column, columns_of
from labelnoise.data.distinct_rows import group_identical
from labelnoise.data.settings import (
    COPIED_SHARE,
    DISTINCT_SHARE,
    PREDICTIVE_SHARE,
    SAMPLED_ROWS,
)
from labelnoise.findings import Finding
from labelnoise.wording import Note, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.column_types import ColumnType

USELESS = ("column_empty", "column_constant", "column_type_unsupported")
"""Reasons for which a column is neither used nor shown."""


def notes_on_types(types: Sequence[ColumnType]) -> Iterator[Note]:
    """What was decided about columns whose type nobody specified."""
    by_type: dict[str, list[str]] = {}
    left_out: dict[Note, list[str]] = {}
    for kind in types:
        if kind.given:
            continue
        if kind.is_feature:
            by_type.setdefault(kind.type, []).append(kind.name)
        else:
            left_out.setdefault(kind.reason, []).append(kind.name)
    if by_type:
        words = "; ".join(f"{kind}: {named(names, 3)}" for kind, names in by_type.items())
        yield Note("columns_by_type", {"types": words})
    for reason, names in left_out.items():
        code = "columns_useless" if reason.code in USELESS else "columns_skipped"
        yield Note(code, {"columns": names, "n": len(names), "why": reason.reason()})


def texts_only_shown(shown: pa.Table) -> Iterator[Note]:
    """Free texts that reviewers see and that are not used as features."""
    for kind in column_types(columns_of(shown)):
        if kind.type == "text":
            yield Note("shown_only", {"column": kind.name})


def predictive_columns(
    table: pa.Table, types: Sequence[ColumnType], codes: IntArray
) -> Iterator[Finding]:
    """Categories that predict the labels so well that they may have been made from them."""
    for kind in types:
        if kind.type == "category" and not kind.given:
            levels = _with_rare_pooled(Column(kind.name, table[kind.name]).level_codes)
            share = _share_explained(levels, codes)
            if share >= PREDICTIVE_SHARE:
                yield Finding("column_predicts_label", {"column": kind.name, "share": share})


def _with_rare_pooled(levels: IntArray) -> IntArray:
    """Codes of levels (n,), those that are too rare for an indicator sharing one."""
    _, codes, counts = np.unique(levels, return_inverse=True, return_counts=True)
    return np.where(counts[codes] < least_rows_of_category(len(levels)), -1, codes)


def _share_explained(levels: IntArray, codes: IntArray) -> float:
    """Mutual information of levels and labels (n,), as a share of the labels' entropy.

    Less what chance alone gives, ``(L - 1) (K - 1) / 2n`` nats for L levels and K labels (Miller,
    1955): many levels with few rows each always seem to predict the labels.
    """
    of_labels = float(entropy(np.bincount(codes)))
    by_chance = (len(np.unique(levels)) - 1) * (len(np.unique(codes)) - 1) / (2 * len(codes))
    information = float(mutual_info_score(levels, codes)) - by_chance
    return information / of_labels if of_labels else 0.0


def copied_rows(X: FloatArray, y: np.ndarray[Any, Any]) -> Iterator[Note]:
    """Rows that are copies of others, labels included, where hardly any should be."""
    finest = max((len(np.unique(column)) for column in X[:SAMPLED_ROWS].T), default=0)
    if finest < DISTINCT_SHARE * min(len(X), SAMPLED_ROWS):
        return  # with few distinct values rows are alike by chance
    codes = checks.labels(y, None).codes
    _, group = group_identical(np.column_stack([X + 0.0, codes]))
    n_copies = len(X) - int(group.max()) - 1
    if n_copies > COPIED_SHARE * len(X):
        yield Note("copied_rows", {"n": n_copies})


def unlabeled_not_found(column: pa.ChunkedArray, unlabeled: Sequence[str]) -> Iterator[Note]:
    """Labels that were to mean that a row has none, and do not occur."""
    present = {str(value).strip() for value in column.unique().to_pylist()}
    absent = [label for label in unlabeled if label.strip() not in present]
    if absent:
        yield Note("unlabeled_not_found", {"labels": absent})
