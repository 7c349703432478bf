"""Sources of posteriors: neighbors, a linear fit, the user's classifiers or probabilities.

Every source returns lists of posteriors: of the training rows, each without its own label, and of
new rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from sklearn.neighbors import NearestNeighbors

from labelnoise.errors import LabelNoiseError
from labelnoise.evidence.cross_fit import (
    cross_fitted_probabilities,
    fit_clone,
    predict_all_classes,
)
from labelnoise.evidence.posteriors import (
    LinearPosterior,
    Posteriors,
    neighbor_posteriors,
    pseudo_counts,
)
from labelnoise.evidence.settings import N_FOLDS, NEW_LABELS_PER_BLOCK, UNIFORM_SHARE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.representation_choice import FeatureMap
    from labelnoise.neighbors.graph import NeighborGraph


@dataclass(frozen=True)
class NewRows:
    """Rows that were not trained on: features (m, d), and given probabilities (m, K)."""

    X: FloatArray | None
    pred_proba: FloatArray | None


PROBABILITIES = "the given probabilities"


class Source(Protocol):
    """A model or method that scores rows."""

    @property
    def name(self) -> str:
        """Name of the source, as messages use it."""

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors (C, K) of the training cells, each without its own label."""

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors (m, K) of new rows, in the same order."""


@dataclass(frozen=True)
class NeighborFrequencies:
    """Label frequencies among the nearest rows, in neighborhoods of several sizes.

    Attributes
    ----------
    graph : NeighborGraph or None
        None for sources that score new rows only.
    sizes : tuple of int
        Sizes of the neighborhoods, in rows.
    counts : (G, K) array
        Labels at the places.
    feature_map : FeatureMap or None
        None with a precomputed graph.
    places : (G, d) array or None
        Features of the places; None with a precomputed graph.
    """

    graph: NeighborGraph | None
    sizes: tuple[int, ...]
    counts: FloatArray
    feature_map: FeatureMap | None = None
    places: FloatArray | None = None

    @property
    def name(self) -> str:
        """Name of the source, as messages use it."""
        return "neighbors" if self.places is not None else "the given neighbors"

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors of the training cells."""
        assert self.graph is not None
        return neighbor_posteriors(self.graph, cells, self.sizes)

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors of new rows from the labels of the training rows around them."""
        if self.places is None or self.feature_map is None:
            raise LabelNoiseError("graph_cannot_score_new_rows")
        Z = self.feature_map(_features(rows))
        nearest = NearestNeighbors(n_neighbors=min(self.sizes[-1], len(self.places)))
        nearest.fit(self.feature_map(self.places))
        start = pseudo_counts(self.counts.sum(axis=0) / self.counts.sum())
        posteriors = [np.empty((len(Z), len(start)), np.float32) for _ in self.sizes]
        block = max(1, NEW_LABELS_PER_BLOCK // (self.sizes[-1] * len(start)))
        for low in range(0, len(Z), block):
            part = slice(low, low + block)
            near = nearest.kneighbors(Z[part], return_distance=False)
            n_near = self.counts.sum(axis=1)[near]
            n_nearer = np.cumsum(n_near, axis=1) - n_near
            for posterior, size in zip(posteriors, self.sizes, strict=True):
                share = np.clip((size - n_nearer) / n_near, 0.0, 1.0)
                around = start + np.einsum("mk,mkc->mc", share, self.counts[near])
                posterior[part] = around / around.sum(axis=1, keepdims=True)
        return posteriors


@dataclass(frozen=True)
class LinearFit:
    """A ridge regression on the coordinates."""

    feature_map: FeatureMap
    fitted: LinearPosterior

    name: ClassVar[str] = "a linear model of the features"

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors of the training cells."""
        return self.fitted.leave_one_out(cells)

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors of new rows."""
        return self.fitted.predict(self.feature_map(_features(rows)))


@dataclass(frozen=True)
class GivenProbabilities:
    """Probabilities (n, K) from the user, predicted without the row's own label.

    They are pooled with the label frequencies (K,): an overconfident model may still rank rows
    well.
    """

    pred_proba: FloatArray
    frequencies: FloatArray

    name: ClassVar[str] = PROBABILITIES

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Averages over the rows at each place."""
        return self._with_frequencies(_mean_by_place(self.pred_proba, cells))

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """The probabilities given for the new rows."""
        if rows.pred_proba is None:
            raise LabelNoiseError("pred_proba_unlike_fit")
        return self._with_frequencies(_never_zero(rows.pred_proba))

    def _with_frequencies(self, posteriors: Posteriors) -> list[Posteriors]:
        return [posteriors, np.broadcast_to(self.frequencies.astype(np.float32), posteriors.shape)]


class CrossFittedClassifiers:
    """Classifiers trained on the noisy labels, in five folds.

    Rows at the same place, or of the same group, stay in one fold: a duplicate's label would reveal
    a row's own.
    """

    name: ClassVar[str] = "the given classifiers"

    def __init__(
        self,
        scorers: Sequence[Any],
        X: FloatArray,
        codes: IntArray,
        together: IntArray,
        rng: np.random.Generator,
    ) -> None:
        self._classes = np.arange(int(codes.max()) + 1)
        fold = rng.permutation(int(together.max()) + 1)[together] % N_FOLDS
        self._out_of_fold = [
            cross_fitted_probabilities(scorer, X, codes, fold, self._classes) for scorer in scorers
        ]
        self._models = [fit_clone(scorer, X, codes) for scorer in scorers]

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Out-of-fold predictions."""
        return [_mean_by_place(probabilities, cells) for probabilities in self._out_of_fold]

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Predictions of the classifiers trained on all rows."""
        X = _features(rows)
        return [_never_zero(predict_all_classes(model, X, self._classes)) for model in self._models]


def _features(rows: NewRows) -> FloatArray:
    if rows.X is None:
        raise LabelNoiseError("features_missing")
    return rows.X


def _mean_by_place(values: FloatArray, cells: Cells) -> Posteriors:
    """Probabilities of rows (n, K), averaged over the rows at each cell's place, (C, K).

    Not over the rows of the cell: an average over rows with the same label would reveal it.
    """
    place = cells.place[cells.cell_of_row]
    means = np.zeros((cells.n_places, values.shape[1]))
    np.add.at(means, place, values)
    means /= np.bincount(place)[:, None]
    return _never_zero(means)[cells.place]


def _never_zero(probabilities: FloatArray) -> Posteriors:
    """Probabilities (m, K) mixed with a small share of a uniform distribution."""
    kept = (1 - UNIFORM_SHARE) * probabilities
    return (kept + UNIFORM_SHARE / probabilities.shape[1]).astype(np.float32)
