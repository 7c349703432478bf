"""Rows with identical features, which may be copies of one another, labels included."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.neighbors.graph import NeighborGraph


@dataclass(frozen=True)
class DuplicateAgreement:
    """How often duplicates have the same label, compared with rows of the nearest other group.

    Attributes
    ----------
    n_rows : int
        Rows that have a duplicate.
    duplicates, nearest : float
        Probability that a row's label is that of a random duplicate of it, or of a random row of
        the nearest group.
    """

    n_rows: int
    duplicates: float
    nearest: float

    @property
    def excess(self) -> float:
        """Standard errors by which duplicates agree more often than nearest rows do."""
        variance = max(self.nearest * (1 - self.nearest), 1e-4)  # agreement of 0 or 1 is not exact
        error = np.sqrt(variance / max(self.n_rows, 1))
        return float((self.duplicates - self.nearest) / error)


def duplicate_agreement(graph: NeighborGraph, group_counts: FloatArray) -> DuplicateAgreement:
    """Compare labels within groups of identical rows, and with the nearest group.

    Independent labels of one class agree as often within a group as with the group next to it.
    Copies repeat their label and always agree: to a method that counts agreement they look like
    rows without noise.

    Parameters
    ----------
    graph : NeighborGraph
    group_counts : (G, K) array
        Labels in each group of the graph.
    """
    size = group_counts.sum(axis=1)
    repeated = (size > 1) & (graph.indices[:, 0] >= 0)
    if not repeated.any():
        return DuplicateAgreement(0, 0.0, 0.0)
    own, near = group_counts[repeated], group_counts[graph.indices[repeated, 0]]
    n_own = size[repeated]
    shares = own / n_own[:, None]
    within = (shares * (own - 1) / (n_own[:, None] - 1)).sum(axis=1)
    across = (shares * near / near.sum(axis=1, keepdims=True)).sum(axis=1)
    return DuplicateAgreement(
        int(n_own.sum()),
        float(np.average(within, weights=n_own)),
        float(np.average(across, weights=n_own)),
    )
