"""Where scores come from: neighbors, a linear fit, the user's classifiers or probabilities.

Every source answers two questions with a list of posteriors: what it says about each training
row without that row's label, and what it says about new rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelnoise.errors import LabelNoiseError
from labelnoise.evidence.cross_fit import all_classes, cross_fitted_probabilities, trained
from labelnoise.evidence.posteriors import (
    LinearPosterior,
    Posteriors,
    neighbor_posteriors,
    pseudo_counts,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.representation_choice import FeatureMap
    from labelnoise.neighbors.graph import NeighborGraph

FOLDS = 5
BLOCK_NUMBERS = 8_000_000
"""Labels around new rows that are gathered at once."""


@dataclass(frozen=True)
class NewRows:
    """Rows that were not trained on: features, and given probabilities."""

    X: FloatArray | None
    pred_proba: FloatArray | None


class Source(Protocol):
    """Something that scores rows."""

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors (C, K) of the training cells, each without its own label."""

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors (m, K) of new rows, in the same order."""


@dataclass(frozen=True)
class NeighborFrequencies:
    """Label frequencies around a row, at several scales."""

    graph: NeighborGraph
    scales: tuple[int, ...]
    counts: FloatArray  # (G, K) labels at the places
    space: FeatureMap | None = None  # none with a ready-made graph
    places: FloatArray | None = None  # (G, d) features of the places

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors of the training cells."""
        return neighbor_posteriors(self.graph, cells, self.scales)

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors of new rows from the labels of the training rows around them."""
        if self.places is None or self.space is None:
            raise LabelNoiseError(
                "a ready-made graph says nothing about new rows. Fit on features to score them."
            )
        Z = self.space(_features(rows))
        nearest = NearestNeighbors(n_neighbors=min(self.scales[-1], len(self.places)))
        nearest.fit(self.space(self.places))
        start = pseudo_counts(self.counts.sum(axis=0) / self.counts.sum())
        found = [np.empty((len(Z), len(start)), np.float32) for _ in self.scales]
        block = max(1, BLOCK_NUMBERS // (self.scales[-1] * len(start)))
        for low in range(0, len(Z), block):
            part = slice(low, low + block)
            near = nearest.kneighbors(Z[part], return_distance=False)
            size = self.counts.sum(axis=1)[near]
            nearer = np.cumsum(size, axis=1) - size
            for posterior, scale in zip(found, self.scales, strict=True):
                share = np.clip((scale - nearer) / size, 0.0, 1.0)
                around = start + np.einsum("mk,mkc->mc", share, self.counts[near])
                posterior[part] = around / around.sum(axis=1, keepdims=True)
        return found


@dataclass(frozen=True)
class LinearFit:
    """A ridge regression on the coordinates."""

    space: FeatureMap
    fitted: LinearPosterior

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors of the training cells."""
        return self.fitted.leave_one_out(cells)

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors of new rows."""
        return self.fitted.predict(self.space(_features(rows)))


@dataclass(frozen=True)
class GivenProbabilities:
    """Probabilities the user brings, made without the row's own label.

    Label frequencies come along to be mixed in: a model that is far too sure of itself may still
    rank rows well.
    """

    pred_proba: FloatArray  # (n, K)
    frequencies: FloatArray  # (K,)

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Averages over the rows at each place."""
        return self._and_frequencies(_by_cell(self.pred_proba, cells))

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """The probabilities that come with the new rows."""
        if rows.pred_proba is None:
            raise LabelNoiseError(
                "the estimator was fitted with pred_proba. Pass pred_proba= of the new rows too."
            )
        return self._and_frequencies(_hedged(rows.pred_proba))

    def _and_frequencies(self, found: Posteriors) -> list[Posteriors]:
        return [found, np.broadcast_to(self.frequencies.astype(np.float32), found.shape)]


class CrossFittedClassifiers:
    """Classifiers trained on the noisy labels, five times, each time without a fifth of the places.

    Rows at the same place stay together: a twin's label would give a row's own away.
    """

    def __init__(
        self,
        scorers: Sequence[Any],
        X: FloatArray,
        codes: IntArray,
        place_of_row: IntArray,
        rng: np.random.Generator,
    ) -> None:
        self._classes = np.arange(int(codes.max()) + 1)
        fold = rng.permutation(int(place_of_row.max()) + 1)[place_of_row] % FOLDS
        self._out_of_fold = [
            cross_fitted_probabilities(scorer, X, codes, fold, self._classes) for scorer in scorers
        ]
        self._models = [trained(scorer, X, codes) for scorer in scorers]

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """What was predicted out of fold; rows at one place were in one fold."""
        return [_by_cell(found, cells) for found in self._out_of_fold]

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Predictions of the classifiers trained on all rows."""
        X = _features(rows)
        return [_hedged(all_classes(model, X, self._classes)) for model in self._models]


def _features(rows: NewRows) -> FloatArray:
    if rows.X is None:
        raise LabelNoiseError("X is None. Pass the features of the new rows.")
    return rows.X


def _by_cell(values: FloatArray, cells: Cells) -> Posteriors:
    """Average rows (n, K) over places.

    Not over cells: an average over the rows with one label would give that label away.
    """
    place = cells.place[cells.cell_of_row]
    found = np.zeros((cells.n_places, values.shape[1]))
    np.add.at(found, place, values)
    found /= np.bincount(place)[:, None]
    return _hedged(found)[cells.place]


def _hedged(probabilities: FloatArray) -> Posteriors:
    """Keep a little probability for every class: nothing is impossible."""
    return (0.999 * probabilities + 0.001 / probabilities.shape[1]).astype(np.float32)
