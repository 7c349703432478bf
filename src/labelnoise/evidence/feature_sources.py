"""Sources that are fitted to features: neighbors, and a linear model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from threadpoolctl import threadpool_limits

from labelnoise.evidence.cells import Cells
from labelnoise.evidence.groups import GroupsLeftOut
from labelnoise.evidence.posteriors import LinearPosterior
from labelnoise.evidence.sources import LinearFit, NeighborFrequencies

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.evidence.groups import RowGroups
    from labelnoise.evidence.representation_choice import FeatureMap
    from labelnoise.evidence.sources import Source
    from labelnoise.neighbors.graph import NeighborGraph


@dataclass(frozen=True)
class FeatureSources:
    """Makes sources from features (G, d) of places, and from the cells of the rows there.

    Attributes
    ----------
    near : FeatureMap
        Coordinates in which neighbors are searched.
    linear : FeatureMap or None
        Those of the linear fit; None if there are too many columns for one.
    sizes : tuple of int
        Sizes of the neighborhoods.
    """

    near: FeatureMap
    linear: FeatureMap | None
    sizes: tuple[int, ...]

    def fitted(
        self, values: FloatArray, cells: Cells, graph: NeighborGraph | None
    ) -> tuple[Source, ...]:
        """Neighbors in the graph and, unless there are too many columns, a linear fit."""
        counts = cells.counts_by_place()
        near = NeighborFrequencies(graph, self.sizes, counts, self.near, values)
        return (near, *(fit(values, cells) for fit in self._other_fits))

    def without_groups(
        self, values: FloatArray, place_of_row: IntArray, labels: Labels, groups: RowGroups
    ) -> tuple[Cells, tuple[Source, ...]]:
        """Cells, each within one fold of groups, and sources that score them without that fold."""
        n_classes = len(labels.present_codes)
        together = Cells.of(place_of_row, labels.compact_codes, n_classes)
        places, place_and_fold = np.unique(
            place_of_row * groups.n_folds + groups.fold, return_inverse=True
        )
        at, fold = np.divmod(places, groups.n_folds)
        sources = [
            GroupsLeftOut(fit(values, together), fit, values, at, fold)
            for fit in (self._neighbors, *self._other_fits)
        ]
        return Cells.of(place_and_fold, labels.compact_codes, n_classes), tuple(sources)

    @property
    def _other_fits(self) -> list[Callable[[FloatArray, Cells], Source]]:
        """The functions that fit the other sources."""
        return [] if self.linear is None else [self._linear_fit]

    def _neighbors(self, values: FloatArray, cells: Cells) -> Source:
        """Neighbors without a graph, which score new rows only."""
        return NeighborFrequencies(None, self.sizes, cells.counts_by_place(), self.near, values)

    def _linear_fit(self, values: FloatArray, cells: Cells) -> Source:
        assert self.linear is not None
        with threadpool_limits(1, user_api="blas"):  # the same sums on every machine
            fitted = LinearPosterior(self.linear(values), cells)
        return LinearFit(self.linear, fitted)
