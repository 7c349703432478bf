"""Evidence: the training rows as cells, and the sources that score them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.points import distinct_points, group_identical
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.posteriors import (
    LinearPosterior,
    pooled,
    pooling_weights,
    scales_for,
)
from labelnoise.evidence.probability_agreement import ProbabilityAgreement
from labelnoise.evidence.representation_choice import Candidate, FeatureMap, candidates, choose
from labelnoise.evidence.sources import (
    CrossFittedClassifiers,
    GivenProbabilities,
    LinearFit,
    NeighborFrequencies,
)
from labelnoise.neighbors.graph import NeighborGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.evidence.posteriors import Posteriors
    from labelnoise.evidence.sources import Source
    from labelnoise.representation.weighting import Representation

MOST_LINEAR = 1024
"""Columns beyond which the linear posterior is left out: its cost grows with their cube."""


@dataclass(frozen=True)
class SearchOptions:
    """What the user fixed about the search for neighbors; None leaves it open."""

    representation: Representation | None
    metric: str | None
    engine: str
    memory_mb: int

    def candidates(self, n_columns: int) -> list[Candidate]:
        """Spaces to choose among."""
        return [
            candidate
            for candidate in candidates(n_columns, self.representation)
            if self.metric in (None, candidate.metric) or n_columns == 1
        ]


@dataclass(frozen=True)
class Evidence:
    """Training rows, and everything that scores them and new ones.

    Attributes
    ----------
    cells : Cells
        Of the classes that occur, numbered without gaps.
    sources : tuple of Source
    graph : NeighborGraph or None
    representation : str
        In words, where neighbors were sought.
    precomputed : bool
        Whether the graph was found elsewhere.
    """

    cells: Cells
    sources: tuple[Source, ...]
    graph: NeighborGraph | None
    representation: str
    precomputed: bool = False

    @classmethod
    def from_features(
        cls, matrix: FloatArray, labels: Labels, search: SearchOptions, rng: np.random.Generator
    ) -> Evidence:
        """From features (n, d): points -> representation -> graph -> sources."""
        points = distinct_points(matrix, labels)
        values = checks.varying_columns(points.values, points.multiplicity)
        columns = np.flatnonzero(points.values.max(axis=0) > points.values.min(axis=0))
        counts = points.label_counts[:, labels.present]
        chosen = choose(values, counts, search.candidates(values.shape[1]), rng)
        maps, Z = chosen.representation.fit(values, counts)
        scales = scales_for(len(matrix), Z.shape[1])
        graph = NeighborGraph.build(
            Z, scales[-1], metric=chosen.metric, engine=search.engine, memory_mb=search.memory_mb
        )
        cells = _cells(graph.group_of_row[points.point_of_row], labels)
        _, first = np.unique(graph.group_of_row, return_index=True)
        places = points.values[first]
        space = FeatureMap(columns, maps, chosen.metric)
        sources: list[Source] = [
            NeighborFrequencies(graph, scales, cells.counts_by_place(), space, places)
        ]
        if len(columns) <= MOST_LINEAR:
            # Never by the cosine: far out, where classes are purest, length is what tells.
            flat = FeatureMap(columns, chosen.unsupervised.fit(values, counts)[0], "euclidean")
            with threadpool_limits(1, user_api="blas"):  # sums in one order on any machine
                sources.append(LinearFit(flat, LinearPosterior(flat(places), cells)))
        return cls(cells, tuple(sources), graph, str(chosen))

    @classmethod
    def from_graph(cls, graph: NeighborGraph, labels: Labels) -> Evidence:
        """From neighbors found elsewhere."""
        cells = _cells(graph.group_of_row, labels)
        scales = scales_for(min(graph.n_rows, 3 * graph.k), 1)
        source = NeighborFrequencies(graph, scales, cells.counts_by_place())
        return cls(cells, (source,), graph, "a ready-made graph", precomputed=True)

    @classmethod
    def from_probabilities(cls, pred_proba: FloatArray, labels: Labels) -> Evidence:
        """From probabilities (n, K) of the classes that occur."""
        _, place_of_row = group_identical(pred_proba + 0.0)
        cells = _cells(place_of_row, labels)
        source = GivenProbabilities(pred_proba, cells.label_frequencies)
        return cls(cells, (source,), None, "given probabilities")

    def with_probabilities(self, pred_proba: FloatArray) -> Evidence:
        """Mix in probabilities (n, K) of the classes that occur."""
        added = GivenProbabilities(pred_proba, self.cells.label_frequencies)
        return replace(self, sources=(*self.sources, added))

    def with_classifiers(
        self, scorers: Sequence[Any], matrix: FloatArray, rng: np.random.Generator
    ) -> Evidence:
        """Mix in classifiers, cross-fitted on features (n, d)."""
        cells = self.cells
        codes, place = cells.label[cells.cell_of_row], cells.place[cells.cell_of_row]
        added = CrossFittedClassifiers(scorers, matrix, codes, place, rng)
        return replace(self, sources=(*self.sources, added))

    def agreement(self, logs: list[list[Posteriors]]) -> ProbabilityAgreement | None:
        """How given probabilities, if there are any, fare with the labels.

        `logs` are the logarithms of what each source says about the training cells.
        """
        cells = self.cells
        given = [source for source in self.sources if isinstance(source, GivenProbabilities)]
        if not given:
            return None
        others = [
            log
            for source, own in zip(self.sources, logs, strict=True)
            for log in own
            if not isinstance(source, GivenProbabilities)
        ]
        by_other_sources = None
        if others:
            likeliest = pooled(pooling_weights(others, cells), others).argmax(axis=1)
            by_other_sources = float(cells.weight @ (likeliest == cells.label) / cells.weight.sum())
        return ProbabilityAgreement.of(
            given[0].pred_proba, cells.label[cells.cell_of_row], by_other_sources
        )


def _cells(place_of_row: IntArray, labels: Labels) -> Cells:
    return Cells.of(place_of_row, labels.numbered, len(labels.present))
