"""Twins: rows with identical features, which may be copies of one another, labels and all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.neighbors.graph import NeighborGraph


@dataclass(frozen=True)
class DuplicateAgreement:
    """How often twins carry the same label, beside rows of the nearest other group."""

    n_rows: int  # rows that have a twin
    duplicates: float
    nearest: float

    @property
    def excess(self) -> float:
        """Standard errors by which twins agree more often than nearest rows do."""
        error = np.sqrt(max(self.nearest * (1 - self.nearest), 1e-4) / max(self.n_rows, 1))
        return float((self.duplicates - self.nearest) / error)


def duplicate_agreement(graph: NeighborGraph, group_counts: FloatArray) -> DuplicateAgreement:
    """Compare labels within groups of identical rows, and with the nearest group.

    Independent labels of one class agree as often within a group as with the group next to it.
    Copies carry their label along and agree always: to a method that counts agreement they
    look like rows without noise.

    Parameters
    ----------
    group_counts : (G, K) array
        Labels in each group of the graph.
    """
    size = group_counts.sum(axis=1)
    many = (size > 1) & (graph.indices[:, 0] >= 0)
    if not many.any():
        return DuplicateAgreement(0, 0.0, 0.0)
    own, near = group_counts[many], group_counts[graph.indices[many, 0]]
    shares = own / size[many, None]
    within = (shares * (own - 1) / (size[many, None] - 1)).sum(axis=1)
    across = (shares * near / near.sum(axis=1, keepdims=True)).sum(axis=1)
    return DuplicateAgreement(
        int(size[many].sum()),
        float(np.average(within, weights=size[many])),
        float(np.average(across, weights=size[many])),
    )
