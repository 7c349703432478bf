"""Rows, labels and weights that a classifier is trained on instead of noisy labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

from labelnoise.remedies.settings import MIN_POSTERIOR, MIN_TRAINING_WEIGHT
from labelnoise.transition import MIN_RELATIVE_SINGULAR_VALUE

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class NoisyRows:
    """Noisy labels, T, and the posteriors of the true classes."""

    codes: IntArray  # (n,), the noisy labels
    transition: FloatArray  # (K, K)
    by_features: FloatArray  # (n, K), P(true class | x)
    posteriors: FloatArray  # (n, K), P(true class | x, label)

    @classmethod
    def of_predictions(cls, codes: IntArray, transition: FloatArray, noisy: FloatArray) -> Self:
        """From noisy posteriors P(label | x), (n, K).

        ``P(label | x) = P(true | x) T`` is solved for P(true | x), which is clipped to
        probabilities; Bayes' rule then takes the row's own label into account. A label that is
        impossible by T carries no information.

        A fifth of the labels is wrong. Near a row 0.74 of them are 0, so 0.9 truly are.

        >>> T = np.array([[0.8, 0.2], [0.2, 0.8]])
        >>> rows = NoisyRows.of_predictions(np.array([1]), T, np.array([[0.74, 0.26]]))
        >>> rows.by_features.round(3), rows.posteriors.round(3)  # .9 x .2 to .1 x .8
        (array([[0.9, 0.1]]), array([[0.692, 0.308]]))
        """
        inverse = np.linalg.pinv(transition, rcond=MIN_RELATIVE_SINGULAR_VALUE)
        clean = np.maximum(noisy @ inverse, MIN_POSTERIOR)
        clean /= clean.sum(axis=1, keepdims=True)
        joint = clean * transition.T[codes]
        total = joint.sum(axis=1, keepdims=True)
        posteriors = np.divide(joint, total, out=clean.copy(), where=total > 0)
        return cls(codes, transition, clean, posteriors)


@dataclass(frozen=True)
class TrainingSet:
    """Rows to train on, with their classes and weights; a row may occur several times."""

    rows: IntArray  # (m,)
    codes: IntArray  # (m,)
    weights: FloatArray  # (m,)

    def resampled(self, rng: np.random.Generator) -> TrainingSet:
        """Rows drawn in proportion to the weights, for classifiers that take no weights.

        Stratified resampling, with one draw in each of equal parts of the sum of all weights: a row
        whose weights sum to 1 is drawn about once, with one of its classes.
        """
        total = np.cumsum(self.weights)
        n_drawn = max(1, round(float(total[-1])))
        positions = (np.arange(n_drawn) + rng.random(n_drawn)) * (total[-1] / n_drawn)
        chosen = np.minimum(np.searchsorted(total, positions, side="right"), len(total) - 1)
        return TrainingSet(self.rows[chosen], self.codes[chosen], np.ones(len(chosen)))


def soft_labels(probabilities: FloatArray) -> TrainingSet:
    """Every row once for each class that it may belong to, weighted by its probability (n, K).

    >>> soft_labels(np.array([[0.7, 0.3], [0.0, 1.0]]))
    TrainingSet(rows=array([0, 0, 1]), codes=array([0, 1, 1]), weights=array([0.7, 0.3, 1. ]))
    """
    largest = probabilities.max(axis=1, keepdims=True)
    kept = np.where(probabilities >= np.minimum(largest, MIN_TRAINING_WEIGHT), probabilities, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    rows, codes = np.nonzero(kept)
    return TrainingSet(rows, codes, kept[rows, codes])


def forward_set(noisy: NoisyRows) -> TrainingSet:
    """Soft labels P(true | x, label): a step of maximum likelihood for the noisy labels.

    If the posteriors come from a model f, they are ``f_i T[i, y] / (f T)_y``, and training f
    on them is one step of the EM algorithm for the forward loss.
    """
    return soft_labels(noisy.posteriors)


def backward_set(noisy: NoisyRows) -> TrainingSet:
    """Soft labels P(true | x), the mean of the backward-corrected label ``T^-1[y]``.

    The corrected labels themselves have negative entries, which few classifiers accept as weights.
    """
    return soft_labels(noisy.by_features)


def reweighted_set(noisy: NoisyRows) -> TrainingSet:
    """Noisy labels with importance weights ``f_y / (f T)_y`` (Liu and Tao 2016).

    That is ``P(true = y | x, y) / T[y, y]``: with it, the noisy risk is the clean risk. T[y, y] is
    raised to `MIN_TRAINING_WEIGHT`: otherwise, a few rows whose label is rarely correct would
    outweigh all others.
    """
    rows, codes = np.arange(len(noisy.codes)), noisy.codes
    right = np.maximum(np.diag(noisy.transition)[codes], MIN_TRAINING_WEIGHT)
    return TrainingSet(rows, codes, noisy.posteriors[rows, codes] / right)


def relabeled_set(noisy: NoisyRows) -> TrainingSet:
    """The most likely true class instead of every label."""
    most_likely = noisy.posteriors.argmax(axis=1).astype(np.int64)
    n_rows = len(most_likely)
    return TrainingSet(np.arange(n_rows), most_likely, np.ones(n_rows))
