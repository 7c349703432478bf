"""Columns without which the labels are much harder to explain.

If several columns were made from the labels, none of them stands out among all others
(`labelnoise.data.leaks`). But without all of them, the rest may show wrong labels that they hide.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.data.leaks import explained_by_trees, leak_candidates, some_rows
from labelnoise.data.settings import LEADING_COLUMNS, LEAK_LEAD, MOST_LEAK_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.encoder import TableEncoder


def sets_of_leading_columns(
    encoder: TableEncoder, X: FloatArray, codes: IntArray
) -> Iterator[tuple[tuple[str, ...], IntArray]]:
    """Sets of columns with ``explained(all) - explained(all others) >= LEAK_LEAD``.

    First single columns, then several: as many as may stand in for one another. What features
    explain is a share of the labels' entropy, for some rows, whose positions (m,) come with each
    set. Columns whose types the user specified are in no set.

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
    leading = _leading(encoder, X, codes)
    if not leading:
        return
    column_of_feature = np.array(encoder.feature_columns_, dtype=object)
    everything = explained_by_trees(X, codes)

    @cache
    def lost(columns: tuple[str, ...]) -> float:
        return everything - explained_by_trees(X[:, ~np.isin(column_of_feature, columns)], codes)

    if lost(leading) < LEAK_LEAD:
        return
    singles = sorted(((name,) for name in leading[:LEADING_COLUMNS]), key=lost, reverse=True)
    several = [leading[:n] for n in range(2, min(len(leading), LEADING_COLUMNS) + 1)]
    for columns in dict.fromkeys([*singles, *several, leading]):
        if lost(columns) >= LEAK_LEAD:
            yield columns, rows


def _leading(encoder: TableEncoder, X: FloatArray, codes: IntArray) -> tuple[str, ...]:
    """Columns by what they explain alone, the most first.

    As many as a model's probabilities have columns, or LEADING_COLUMNS if that is more, but at most
    half of all columns: the others must be able to contradict them.
    """
    types = {kind.name: kind.type for kind in encoder.column_types_}
    confirmed = {kind.name for kind in encoder.column_types_ if kind.given}
    found = leak_candidates(X, codes, encoder.feature_columns_, types)
    candidates = sorted(found, key=lambda one: -one.share)
    n_columns = len({one.column for one in candidates})
    notable = (one.column for one in candidates if one.share >= LEAK_LEAD)
    names = tuple(name for name in dict.fromkeys(notable) if name not in confirmed)
    return names[: min(max(LEADING_COLUMNS, int(codes.max())), n_columns // 2)]
