"""Features as numbers, with what they were made from, and parts of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.checks import Labels
from labelnoise.evidence.groups import RowGroups

if TYPE_CHECKING:
    from collections.abc import Collection

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.encoder import TableEncoder


@dataclass(frozen=True, eq=False)
class EncodedFeatures:
    """Features that an estimate is made from, as numbers, with their labels.

    Attributes
    ----------
    encoder : TableEncoder or None
        Knows the column of each feature; None for embeddings, which have no columns.
    matrix : (n, d) array
    labels : Labels
    groups : RowGroups or None
    """

    encoder: TableEncoder | None
    matrix: FloatArray
    labels: Labels
    groups: RowGroups | None = None

    @property
    def codes(self) -> IntArray:
        """Labels (n,) as codes without gaps."""
        return self.labels.compact_codes

    def types_of(self, columns: Collection[str]) -> dict[str, str]:
        """Types of some columns of a table; empty for an array."""
        kinds = () if self.encoder is None else self.encoder.column_types_
        return {kind.name: kind.type for kind in kinds if kind.name in columns}

    def without(self, columns: Collection[str], rows: IntArray) -> EncodedFeatures:
        """Some rows of all features but those of some columns, and but for constant ones."""
        assert self.encoder is not None
        kept = ~np.isin(np.array(self.encoder.feature_columns_, dtype=object), list(columns))
        X = self.matrix[np.ix_(rows, kept)]
        X = X[:, X.max(axis=0) > X.min(axis=0)]
        labels = Labels(self.labels.codes[rows], self.labels.classes)
        if self.groups is None:
            return EncodedFeatures(self.encoder, X, labels)
        group = np.unique(self.groups.group[rows], return_inverse=True)[1]
        groups = RowGroups.of(group, labels.compact_codes, X) if X.shape[1] else None
        return EncodedFeatures(self.encoder, X, labels, groups)

    @property
    def can_be_judged(self) -> bool:
        """Whether there are features, several classes, and several groups if there are any."""
        several_groups = self.groups is None or self.groups.n_groups > 1
        return bool(self.matrix.shape[1] and len(self.labels.present_codes) > 1 and several_groups)
