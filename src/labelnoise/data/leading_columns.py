"""Columns without which the labels are much harder to explain.

If several columns were made from the labels, none of them stands out among all others
(`labelnoise.data.leaks`). But without all of them, the rest may show wrong labels that they hide.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.data.leaks import explained_by_trees, leak_candidates, some_rows
from labelnoise.data.settings import LEADING_COLUMNS, LEAK_LEAD, MOST_LEAK_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.encoder import TableEncoder


@dataclass(frozen=True, eq=False)
class RemainingFeatures:
    """What is left of the features without some columns.

    Attributes
    ----------
    left_out : tuple of str
        The columns that are left out.
    types : tuple of str
        Their types.
    rows, features : int arrays
        Positions of the rows that are examined, and of the features that are left.
    """

    left_out: tuple[str, ...]
    types: tuple[str, ...]
    rows: IntArray
    features: IntArray


def without_leading_columns(
    encoder: TableEncoder, X: FloatArray, codes: IntArray
) -> Iterator[RemainingFeatures]:
    """Leave out columns that explain the labels best, where the others explain much less.

    First one of them, then several: as many as may stand in for one another. Columns whose types
    the user specified are kept.

    Parameters
    ----------
    encoder : TableEncoder
        Knows which column each feature was made from.
    X : (n, d) array
        Features.
    codes : (n,) int array
        Labels.
    """
    if not 1 < X.shape[1] <= MOST_LEAK_FEATURES:
        return
    rows = some_rows(X, codes)
    X, codes = X[rows], np.unique(codes[rows], return_inverse=True)[1]
    if not len(codes) or codes.max() < 1:
        return
    types = {kind.name: kind.type for kind in encoder.column_types_}
    confirmed = {kind.name for kind in encoder.column_types_ if kind.given}
    leading = _leading(X, codes, encoder.feature_columns_, types, confirmed)
    if not leading:
        return
    column_of_feature = np.array(encoder.feature_columns_, dtype=object)
    everything = explained_by_trees(X, codes)

    @cache
    def lost(columns: tuple[str, ...]) -> float:
        kept = ~np.isin(column_of_feature, columns)
        return everything - explained_by_trees(X[:, kept], codes) if kept.any() else 0.0

    if lost(leading) < LEAK_LEAD:
        return
    singles = sorted(((name,) for name in leading[:LEADING_COLUMNS]), key=lost, reverse=True)
    several = [leading[:n] for n in range(2, min(len(leading), LEADING_COLUMNS) + 1)]
    for names in dict.fromkeys([*singles, *several, leading]):
        if lost(names) >= LEAK_LEAD:
            features = np.flatnonzero(~np.isin(column_of_feature, names))
            kinds = tuple(types.get(name, "number") for name in names)
            yield RemainingFeatures(names, kinds, rows, features)


def _leading(
    X: FloatArray,
    codes: IntArray,
    columns: tuple[str, ...],
    types: dict[str, str],
    confirmed: set[str],
) -> tuple[str, ...]:
    """Columns by what they explain alone, the most first: at most half of all columns."""
    candidates = sorted(leak_candidates(X, codes, columns, types), key=lambda one: -one.share)
    n_columns = len({one.column for one in candidates})
    notable = (one.column for one in candidates if one.share >= LEAK_LEAD)
    names = tuple(name for name in dict.fromkeys(notable) if name not in confirmed)
    return names[: min(max(LEADING_COLUMNS, int(codes.max())), n_columns // 2)]
