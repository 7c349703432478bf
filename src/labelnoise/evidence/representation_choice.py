"""Which representation to look for neighbors in: the one that foretells the labels best."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.errors import NotIdentifiableError
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.posteriors import (
    log_score,
    neighbor_posteriors,
    pooled,
    pooling_weights,
    probability_of_own_label,
    scales_for,
)
from labelnoise.neighbors.graph import METRICS, NeighborGraph, unit_rows
from labelnoise.progress import steps
from labelnoise.representation.weighting import Representation

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.representation.whitening import LinearMap

TRIAL_POINTS = 1500
"""Points the candidates are tried on; what they differ in shows on fewer than all."""

TRIAL_SCALE = 40
"""Largest neighborhood of a trial, in rows."""

MOST_CORRELATED = 1024
"""Columns beyond which decorrelation costs more than the neighbors themselves."""


@dataclass(frozen=True)
class Candidate:
    """A representation, and the metric neighbors are sought with in it."""

    representation: Representation
    metric: str

    @property
    def unsupervised(self) -> Representation:
        """The representation without what depends on labels, or makes all directions alike.

        Weights learnt from all labels have seen each row's own. Neighbors hardly notice, a
        linear fit does; and to shrink it, directions must keep their variances.
        """
        return Representation(standardize=self.representation.standardize)

    def __str__(self) -> str:
        made = self.representation
        words = [
            "standardized" if made.standardize else "as given",
            "decorrelated" if made.decorrelate else "",
            f"weighted ({made.activation})" if made.divergence else "",
            self.metric,
        ]
        return ", ".join(word for word in words if word)


REPRESENTATIONS = (
    Representation(standardize=False),
    Representation(),
    *(
        Representation(decorrelate=decorrelate, divergence=divergence, activation=activation)
        for decorrelate, (divergence, activation) in product(
            (False, True), ((None, "linear"), ("kl", "linear"), ("kl", "log"))
        )
        if decorrelate or divergence
    ),
)
"""Features as they are; standardized; and the paper's: decorrelated or not, weighted or not."""


@dataclass(frozen=True)
class FeatureMap:
    """Features -> coordinates in which distance is Euclidean."""

    columns: IntArray  # those features that vary
    maps: tuple[LinearMap, ...]
    metric: str

    def __call__(self, X: FloatArray) -> FloatArray:
        """Represent rows (m, d) with all their features."""
        X = X[:, self.columns]
        for linear in self.maps:
            X = linear(X)
        return unit_rows(X, always_mark=True) if self.metric == "cosine" else X


def candidates(n_columns: int, given: Representation | None = None) -> list[Candidate]:
    """Candidates for so many columns, all or those with the given representation."""
    return [
        Candidate(representation, metric)
        for representation, metric in product(
            REPRESENTATIONS if given is None else (given,), METRICS
        )
        if (n_columns > 1 or metric == "euclidean")  # the cosine of two numbers is their sign
        and (n_columns <= MOST_CORRELATED or not representation.decorrelate or given is not None)
    ]


def choose(
    values: FloatArray, label_counts: FloatArray, among: list[Candidate], rng: np.random.Generator
) -> Candidate:
    """Pick the candidate whose neighbors foretell labels best, on a sample of points.

    Parameters
    ----------
    values : (U, d) array
        Distinct points, no column constant.
    label_counts : (U, K) array
    """
    if len(among) == 1:
        return among[0]
    if len(values) > TRIAL_POINTS:
        part = np.sort(rng.choice(len(values), TRIAL_POINTS, replace=False))
        values, label_counts = values[part], label_counts[part]
    tried = [
        _trial(values, label_counts, candidate)
        for candidate in steps("choosing a representation", among)
    ]
    return among[int(np.argmax(tried))]


def _trial(values: FloatArray, label_counts: FloatArray, candidate: Candidate) -> float:
    """Leave-one-out log-score of a candidate's neighbors; the worst if it has none."""
    present = label_counts.sum(axis=0) > 0
    try:
        Z = candidate.representation(values, label_counts[:, present])
        scales = scales_for(min(int(label_counts.sum()), 3 * TRIAL_SCALE), Z.shape[1])
        graph = NeighborGraph.build(Z, scales[-1], metric=candidate.metric)
    except NotIdentifiableError:
        return -np.inf
    cells = cells_of_counts(graph.pool(label_counts))
    logs = [np.log(found) for found in neighbor_posteriors(graph, cells, scales)]
    pool = pooled(pooling_weights(logs, cells), logs)
    return log_score(probability_of_own_label(pool, cells), cells)


def cells_of_counts(counts: FloatArray) -> Cells:
    """Cells of rows counted by place and label, (G, K); rows are numbered cell by cell."""
    place, label = np.nonzero(counts)
    weight = counts[place, label]
    cell_of_row = np.repeat(np.arange(len(place)), weight.astype(np.int64))
    return Cells(place, label, weight, cell_of_row, counts.shape[1])
