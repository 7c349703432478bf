"""Evidence: the training rows as cells, and the sources that score them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.distinct_rows import distinct_points, group_identical
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.feature_sources import FeatureSources
from labelnoise.evidence.groups import GroupsLeftOut
from labelnoise.evidence.pooling import pooled, pooling_weights
from labelnoise.evidence.posteriors import neighborhood_sizes
from labelnoise.evidence.probability_agreement import ProbabilityAgreement
from labelnoise.evidence.representation_choice import (
    FeatureMap,
    candidate_representations,
    choose_representation,
)
from labelnoise.evidence.settings import MAX_LINEAR_COLUMNS
from labelnoise.evidence.sources import (
    CrossFittedClassifiers,
    GivenProbabilities,
    NeighborFrequencies,
)
from labelnoise.neighbors.graph import NeighborGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.evidence.groups import RowGroups
    from labelnoise.evidence.posteriors import Posteriors
    from labelnoise.evidence.sources import Source
    from labelnoise.representation.weighting import Representation


@dataclass(frozen=True)
class SearchOptions:
    """What the user specified about the neighbor search; None leaves it to the data."""

    representation: Representation | None
    metric: str | None
    engine: str
    memory_mb: int


@dataclass(frozen=True)
class Evidence:
    """Training rows, and everything that scores them and new rows.

    Attributes
    ----------
    cells : Cells
        Labels are codes of the classes that occur, without gaps.
    sources : tuple of Source
    graph : NeighborGraph or None
        None if neighbors are not used. With groups, neighbors may belong to a row's own group.
    representation : str
        The space in which neighbors were searched, in words.
    precomputed : bool
        Whether the user passed the graph.
    groups : RowGroups or None
        Rows that belong together, none of which is scored by the others.
    """

    cells: Cells
    sources: tuple[Source, ...]
    graph: NeighborGraph | None
    representation: str
    precomputed: bool = False
    groups: RowGroups | None = None

    @classmethod
    def from_features(
        cls,
        matrix: FloatArray,
        labels: Labels,
        search: SearchOptions,
        rng: np.random.Generator,
        groups: RowGroups | None = None,
    ) -> Evidence:
        """From features (n, d): points -> representation -> graph -> sources."""
        points = distinct_points(matrix, labels)
        values = checks.varying_columns(points.values)
        columns = np.flatnonzero(points.values.max(axis=0) > points.values.min(axis=0))
        counts = points.label_counts[:, labels.present_codes]
        candidates = candidate_representations(
            values.shape[1], search.representation, search.metric
        )
        chosen = choose_representation(values, counts, candidates, rng)
        maps, Z = chosen.representation.fit(values, counts)
        sizes = neighborhood_sizes(len(matrix), Z.shape[1])
        graph = NeighborGraph.build(
            Z, sizes[-1], metric=chosen.metric, engine=search.engine, memory_mb=search.memory_mb
        )
        place_of_row = graph.place_of_row[points.point_of_row]
        _, first = np.unique(graph.place_of_row, return_index=True)
        linear = None
        if len(columns) <= MAX_LINEAR_COLUMNS:
            # Euclidean even for the cosine: length is informative far out, where classes are pure.
            linear_maps, _ = chosen.unsupervised.fit(values, counts)
            linear = FeatureMap(columns, linear_maps, "euclidean")
        places = points.values[first]
        made = FeatureSources(FeatureMap(columns, maps, chosen.metric), linear, sizes)
        if groups is not None:
            cells, sources = made.without_groups(places, place_of_row, labels, groups)
            return cls(cells, sources, graph, str(chosen), groups=groups)
        cells = _cells(place_of_row, labels)
        return cls(cells, made.fitted(places, cells, graph), graph, str(chosen))

    @classmethod
    def from_graph(cls, graph: NeighborGraph, labels: Labels) -> Evidence:
        """From precomputed neighbors."""
        cells = _cells(graph.place_of_row, labels)
        sizes = neighborhood_sizes(min(graph.n_rows, 3 * graph.k), 1)
        source = NeighborFrequencies(graph, sizes, cells.counts_by_place())
        return cls(cells, (source,), graph, "precomputed graph", precomputed=True)

    @classmethod
    def from_probabilities(cls, pred_proba: FloatArray, labels: Labels) -> Evidence:
        """From probabilities (n, K) of the classes that occur."""
        _, place_of_row = group_identical(pred_proba + 0.0)
        cells = _cells(place_of_row, labels)
        source = GivenProbabilities(pred_proba, cells.label_frequencies)
        return cls(cells, (source,), None, "given probabilities")

    def with_probabilities(self, pred_proba: FloatArray) -> Evidence:
        """With one more source: probabilities (n, K) of the classes that occur."""
        added = GivenProbabilities(pred_proba, self.cells.label_frequencies)
        return replace(self, sources=(*self.sources, added))

    def with_classifiers(
        self, scorers: Sequence[Any], matrix: FloatArray, rng: np.random.Generator
    ) -> Evidence:
        """With one more source: classifiers, cross-fitted on features (n, d)."""
        cells = self.cells
        codes, together = cells.label[cells.cell_of_row], cells.place[cells.cell_of_row]
        if self.groups is not None:
            together = self.groups.fold
        added = CrossFittedClassifiers(scorers, matrix, codes, together, rng)
        return replace(self, sources=(*self.sources, added))

    def counts_of_copies(self) -> FloatArray:
        """Labels (P, K) at each place of the graph, with rows of a group counted as one."""
        if self.groups is None:
            return self.cells.counts_by_place()
        cells = self.cells
        at = next(source.at for source in self.sources if isinstance(source, GroupsLeftOut))
        rows = cells.cell_of_row
        return self.groups.counts_by_place(at[cells.place[rows]], cells.label[rows])

    @property
    def place_values(self) -> FloatArray | None:
        """Features (G, d) of the places in the graph; None if they are not known."""
        near = (source for source in self.sources if isinstance(source, NeighborFrequencies))
        return next((source.places for source in near), None)

    def log_posteriors(self) -> list[list[Posteriors]]:
        """Logarithms of each source's leave-one-out posteriors (C, K)."""
        return [
            [np.log(posterior) for posterior in source.leave_one_out(self.cells)]
            for source in self.sources
        ]

    def agreement(self, log_posteriors: list[list[Posteriors]]) -> ProbabilityAgreement | None:
        """How often given probabilities, if there are any, agree with the labels.

        Also includes the agreement of a pool of all other sources, from their `log_posteriors`.
        """
        cells = self.cells
        given = [source for source in self.sources if isinstance(source, GivenProbabilities)]
        if not given:
            return None
        others = list(
            chain.from_iterable(
                logs
                for source, logs in zip(self.sources, log_posteriors, strict=True)
                if not isinstance(source, GivenProbabilities)
            )
        )
        by_others = None
        if others:
            likeliest = pooled(pooling_weights(others, cells), others).argmax(axis=1)
            by_others = float(cells.weight @ (likeliest == cells.label) / cells.weight.sum())
        codes = cells.label[cells.cell_of_row]
        return ProbabilityAgreement.of(given[0].pred_proba, codes, by_others)


def _cells(place_of_row: IntArray, labels: Labels) -> Cells:
    return Cells.of(place_of_row, labels.compact_codes, len(labels.present_codes))
