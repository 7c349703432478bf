"""Choice of the representation in which neighbors are searched: the best predictor of labels."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.errors import NotIdentifiableError
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.pooling import (
    log_score,
    pooled,
    pooling_weights,
    probability_of_own_label,
)
from labelnoise.evidence.posteriors import neighbor_posteriors, neighborhood_sizes
from labelnoise.evidence.settings import (
    MAX_DECORRELATED_COLUMNS,
    MAX_TRIAL_NEIGHBORHOOD,
    TRIAL_POINTS,
)
from labelnoise.neighbors.graph import METRICS, NeighborGraph
from labelnoise.neighbors.places import unit_rows
from labelnoise.progress import steps
from labelnoise.representation.weighting import Representation

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.representation.whitening import LinearMap


@dataclass(frozen=True)
class Candidate:
    """A representation, and the metric of the neighbor search in it."""

    representation: Representation
    metric: str

    @property
    def unsupervised(self) -> Representation:
        """The representation without decorrelation and without weights.

        Weights are learned from all labels, including each row's own. That hardly affects
        neighbors, but it does affect a linear fit. And for shrinkage, directions must keep their
        variances.
        """
        return Representation(standardize=self.representation.standardize)

    def __str__(self) -> str:
        representation = self.representation
        words = [
            "standardized" if representation.standardize else "as given",
            "decorrelated" if representation.decorrelate else "",
            f"weighted ({representation.activation})" if representation.divergence else "",
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
"""Features as given; standardized; and the paper's: decorrelated or not, weighted or not."""


@dataclass(frozen=True)
class FeatureMap:
    """Features -> coordinates in which the distance is Euclidean.

    Attributes
    ----------
    columns : int array
        The features that vary.
    maps : tuple of LinearMap
        Applied one after the other.
    metric : {"cosine", "euclidean"}
    """

    columns: IntArray
    maps: tuple[LinearMap, ...]
    metric: str

    def __call__(self, X: FloatArray) -> FloatArray:
        """Coordinates of rows (m, d) with all their features."""
        X = X[:, self.columns]
        for linear in self.maps:
            X = linear(X)
        return unit_rows(X, always_mark=True) if self.metric == "cosine" else X


def candidate_representations(
    n_columns: int, representation: Representation | None = None, metric: str | None = None
) -> list[Candidate]:
    """Candidates for this many columns: all, or those that the user's choices leave.

    For a single column there is only the Euclidean distance: the cosine of two numbers is a sign.
    """
    metrics = ("euclidean",) if n_columns == 1 else METRICS if metric is None else (metric,)
    if representation is not None:
        return [Candidate(representation, metric) for metric in metrics]
    many = n_columns > MAX_DECORRELATED_COLUMNS
    return [
        Candidate(representation, metric)
        for representation, metric in product(REPRESENTATIONS, metrics)
        if not (many and representation.decorrelate)
    ]


def choose_representation(
    values: FloatArray,
    label_counts: FloatArray,
    candidates: list[Candidate],
    rng: np.random.Generator,
) -> Candidate:
    """Choose the candidate whose neighbors predict labels best, on a sample of points.

    Parameters
    ----------
    values : (U, d) array
        Distinct points, no column constant.
    label_counts : (U, K) array
    candidates : list of Candidate
    rng : Generator
    """
    if len(candidates) == 1:
        return candidates[0]
    if len(values) > TRIAL_POINTS:
        sample = np.sort(rng.choice(len(values), TRIAL_POINTS, replace=False))
        values, label_counts = values[sample], label_counts[sample]
    scores = [
        _predictive_score(values, label_counts, candidate)
        for candidate in steps("choosing a representation", candidates)
    ]
    return candidates[int(np.argmax(scores))]


def _predictive_score(values: FloatArray, label_counts: FloatArray, candidate: Candidate) -> float:
    """Leave-one-out log-score of a candidate's neighbors; minus infinity if it has none."""
    present = label_counts.sum(axis=0) > 0
    try:
        Z = candidate.representation(values, label_counts[:, present])
        n_rows = min(int(label_counts.sum()), 3 * MAX_TRIAL_NEIGHBORHOOD)
        sizes = neighborhood_sizes(n_rows, Z.shape[1])
        graph = NeighborGraph.build(Z, sizes[-1], metric=candidate.metric)
    except NotIdentifiableError:
        return -np.inf
    cells = Cells.from_counts(graph.sum_by_place(label_counts))
    logs = [np.log(posterior) for posterior in neighbor_posteriors(graph, cells, sizes)]
    pool = pooled(pooling_weights(logs, cells), logs)
    return log_score(probability_of_own_label(pool, cells), cells)
