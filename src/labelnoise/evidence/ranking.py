"""Rows -> tails: every source scores the rows, their pool is ranked, class by class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.points import distinct_points, group_identical
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.given_probabilities import ProbabilityAgreement
from labelnoise.evidence.posteriors import (
    LinearPosterior,
    own_label,
    pooled,
    pooling_weights,
    scales_for,
)
from labelnoise.evidence.ranks import RankReference, tails
from labelnoise.evidence.representation_choice import Candidate, Space, candidates, choose
from labelnoise.evidence.sources import Classifiers, Given, Linear, Neighbors
from labelnoise.neighbors.graph import NeighborGraph

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.evidence.posteriors import Posteriors
    from labelnoise.evidence.sources import NewRows, Source
    from labelnoise.representation.weighting import Representation

LEAST_SINGULAR = 0.02
"""Singular values of T below this share of the largest are not inverted: they would add noise."""

MOST_LINEAR = 1024
"""Columns beyond which the linear posterior is left out: its cost grows with their cube."""


@dataclass(frozen=True)
class Search:
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
class Scoring:
    """Training rows, and everything that scores them and new ones.

    Attributes
    ----------
    cells : Cells
        Of the classes that occur, numbered without gaps.
    sources : tuple of Source
    graph : NeighborGraph or None
    space : str
        In words, where neighbors were sought.
    ready_made : bool
        Whether the graph was found elsewhere.
    """

    cells: Cells
    sources: tuple[Source, ...]
    graph: NeighborGraph | None
    space: str
    ready_made: bool = False

    @classmethod
    def of_features(
        cls, matrix: FloatArray, labels: Labels, search: Search, rng: np.random.Generator
    ) -> Scoring:
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
        space = Space(columns, maps, chosen.metric)
        sources: list[Source] = [Neighbors(graph, scales, cells.counts_by_place(), space, places)]
        if len(columns) <= MOST_LINEAR:
            # Never by the cosine: far out, where classes are purest, length is what tells.
            flat = Space(columns, chosen.unsupervised.fit(values, counts)[0], "euclidean")
            with threadpool_limits(1, user_api="blas"):  # sums in one order on any machine
                sources.append(Linear(flat, LinearPosterior(flat(places), cells)))
        return cls(cells, tuple(sources), graph, str(chosen))

    @classmethod
    def of_graph(cls, graph: NeighborGraph, labels: Labels) -> Scoring:
        """From neighbors found elsewhere."""
        cells = _cells(graph.group_of_row, labels)
        scales = scales_for(min(graph.n_rows, 3 * graph.k), 1)
        source = Neighbors(graph, scales, cells.counts_by_place())
        return cls(cells, (source,), graph, "a ready-made graph", ready_made=True)

    @classmethod
    def of_probabilities(cls, pred_proba: FloatArray, labels: Labels) -> Scoring:
        """From probabilities (n, K) of the classes that occur."""
        _, place_of_row = group_identical(pred_proba + 0.0)
        cells = _cells(place_of_row, labels)
        source = Given(pred_proba, cells.label_frequencies)
        return cls(cells, (source,), None, "given probabilities")

    def and_probabilities(self, pred_proba: FloatArray) -> Scoring:
        """Mix in probabilities (n, K) of the classes that occur."""
        added = Given(pred_proba, self.cells.label_frequencies)
        return replace(self, sources=(*self.sources, added))

    def and_classifiers(
        self, scorers: Sequence[Any], matrix: FloatArray, rng: np.random.Generator
    ) -> Scoring:
        """Mix in classifiers, cross-fitted on features (n, d)."""
        cells = self.cells
        codes, place = cells.label[cells.cell_of_row], cells.place[cells.cell_of_row]
        added = Classifiers(scorers, matrix, codes, place, rng)
        return replace(self, sources=(*self.sources, added))

    def agreement(self, logs: list[list[Posteriors]]) -> ProbabilityAgreement | None:
        """How given probabilities, if there are any, fare with the labels.

        `logs` are the logarithms of what each source says about the training cells.
        """
        cells = self.cells
        given = [source for source in self.sources if isinstance(source, Given)]
        if not given:
            return None
        others = [
            log
            for source, own in zip(self.sources, logs, strict=True)
            for log in own
            if not isinstance(source, Given)
        ]
        by_others = None
        if others:
            likeliest = pooled(pooling_weights(others, cells), others).argmax(axis=1)
            by_others = float(cells.weight @ (likeliest == cells.label) / cells.weight.sum())
        return ProbabilityAgreement.of(
            given[0].pred_proba, cells.label[cells.cell_of_row], by_others
        )


@dataclass(frozen=True)
class Ranking:
    """The pool of the sources, and the law of each class's score.

    Attributes
    ----------
    scoring : Scoring
    weights : (M,) array
        Weights of the posteriors in the pool.
    scores : (C, K) array
        The pool, each cell without its own label.
    unmixing : (K, K) array
        ``scores @ unmixing`` is what is ranked: the identity, or the inverse of some T.
    references : tuple of RankReference, one a class
    tails : (C, K) array
        Depth of each training cell in each class's tail, its own label left out.
    own : (C,) array
        What the pool gives to each cell's own label.
    agreement : ProbabilityAgreement or None
        How given probabilities fare.
    """

    scoring: Scoring
    weights: FloatArray
    scores: FloatArray
    unmixing: FloatArray
    references: tuple[RankReference, ...]
    tails: FloatArray
    own: FloatArray
    agreement: ProbabilityAgreement | None

    @classmethod
    def of(cls, scoring: Scoring) -> Ranking:
        """Pool what the sources say about the training rows, and rank it."""
        cells = scoring.cells
        said = [[np.log(p) for p in source.left_out(cells)] for source in scoring.sources]
        logs = list(chain.from_iterable(said))
        weights = pooling_weights(logs, cells)
        scores = pooled(weights, logs)
        unmixing, own = np.eye(cells.n_classes), own_label(scores, cells)
        laws, depths = _ranked(scores, cells)
        return cls(scoring, weights, scores, unmixing, laws, depths, own, scoring.agreement(said))

    def unmixed(self, transition: FloatArray) -> Ranking:
        """Rank by ``scores T^{-1}``: by true classes, if T is right, instead of by labels.

        Where another class is labeled i almost as often as class i is, the label alone does not
        rank rows of class i first; all labels together do. For two classes nothing changes.
        """
        unmixing = np.linalg.pinv(transition, rcond=LEAST_SINGULAR).astype(np.float64)
        references, depths = _ranked(self.scores @ unmixing, self.scoring.cells)
        return replace(self, unmixing=unmixing, references=references, tails=depths)

    def __call__(self, rows: NewRows) -> FloatArray:
        """Tails (m, K) of new rows."""
        logs = [np.log(found) for source in self.scoring.sources for found in source.predict(rows)]
        scores = pooled(self.weights, logs) @ self.unmixing
        ranks = [law(column) for law, column in zip(self.references, scores.T, strict=True)]
        return tails(np.column_stack(ranks), self.scoring.cells.n_rows)


def _ranked(scores: FloatArray, cells: Cells) -> tuple[tuple[RankReference, ...], FloatArray]:
    """The law of each class's score (C,), and the cells' tails in it, (C, K)."""
    laws = tuple(RankReference.of(column, cells) for column in scores.T)
    ranks = [law.left_out(column, cells) for law, column in zip(laws, scores.T, strict=True)]
    return laws, tails(np.column_stack(ranks), cells.n_rows)


def _cells(place_of_row: IntArray, labels: Labels) -> Cells:
    return Cells.of(place_of_row, labels.numbered, len(labels.present))
