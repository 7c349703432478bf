"""Noisy labels -> rows, labels and weights that a classifier is trained on instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Self

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

LEAST = 1e-3
"""Chances of a class below this are left out: they would only make more rows."""

LEAST_SINGULAR = 0.02
"""Singular values of T below this share of the largest are not inverted: they would add noise."""

TINY = 1e-9
"""Chances by features below this count as this: what a label says can then always be weighed."""


@dataclass(frozen=True)
class NoisyRows:
    """Labels, how they go wrong, and what the rows probably are.

    Attributes
    ----------
    codes : (n,) int array
        The noisy labels.
    transition : (K, K) array
    by_features : (n, K) array
        P(true class | x).
    posteriors : (n, K) array
        P(true class | x, label).
    """

    codes: IntArray
    transition: FloatArray
    by_features: FloatArray
    posteriors: FloatArray

    @classmethod
    def of_predictions(cls, codes: IntArray, transition: FloatArray, noisy: FloatArray) -> Self:
        """From noisy posteriors P(label | x), (n, K).

        ``P(label | x) = P(true | x) T`` is solved for P(true | x), cut to what is possible, and
        the row's own label is taken into account by Bayes' rule. A label that T says is never
        given tells nothing.

        Examples
        --------
        Labels err by 0.2. Around a row 0.74 of the labels are 0, so 0.9 of the rows truly are.

        >>> T = np.array([[0.8, 0.2], [0.2, 0.8]])
        >>> rows = NoisyRows.of_predictions(np.array([1]), T, np.array([[0.74, 0.26]]))
        >>> rows.by_features.round(3), rows.posteriors.round(3)  # .9 x .2 to .1 x .8
        (array([[0.9, 0.1]]), array([[0.692, 0.308]]))
        """
        inverse = np.linalg.pinv(transition, rcond=LEAST_SINGULAR)
        clean = np.maximum(noisy @ inverse, TINY)
        clean /= clean.sum(axis=1, keepdims=True)
        joint = clean * transition.T[codes]
        seen = joint.sum(axis=1, keepdims=True)
        posteriors = np.where(seen > 0, joint / np.where(seen > 0, seen, 1.0), clean)
        return cls(codes, transition, clean, posteriors)


@dataclass(frozen=True)
class TrainingSet:
    """Which rows to train on, with which class and which weight; a row may come several times."""

    rows: IntArray  # (m,)
    codes: IntArray  # (m,)
    weights: FloatArray  # (m,)

    def drawn(self, rng: np.random.Generator) -> TrainingSet:
        """A set of weights 1 for classifiers that take none, drawn in proportion to the weights.

        One draw in each of equal parts of the sum of all weights: a row of weight 1 comes once,
        with one of the classes that its weight is shared among.
        """
        reached = np.cumsum(self.weights)
        n_drawn = max(1, round(float(reached[-1])))
        marks = (np.arange(n_drawn) + rng.random(n_drawn)) * (reached[-1] / n_drawn)
        chosen = np.minimum(np.searchsorted(reached, marks, side="right"), len(reached) - 1)
        return TrainingSet(self.rows[chosen], self.codes[chosen], np.ones(len(chosen)))


def soft_labels(chances: FloatArray) -> TrainingSet:
    """Every row once for each class that it may be of, weighted by the chance of it (n, K).

    >>> soft_labels(np.array([[0.7, 0.3], [0.0, 1.0]]))
    TrainingSet(rows=array([0, 0, 1]), codes=array([0, 1, 1]), weights=array([0.7, 0.3, 1. ]))
    """
    enough = np.minimum(chances.max(axis=1, keepdims=True), LEAST)  # the likeliest always stays
    kept = np.where(chances >= enough, chances, 0.0)
    kept /= kept.sum(axis=1, keepdims=True)
    rows, codes = np.nonzero(kept)
    return TrainingSet(rows, codes, kept[rows, codes])


def forward_set(noisy: NoisyRows) -> TrainingSet:
    """Soft labels P(true | x, label): a step towards the greatest likelihood of the noisy labels.

    If the posteriors come from a model f, they are ``f_i T[i, y] / (f T)_y``, and training f
    on them is one step of the EM algorithm for the forward loss.
    """
    return soft_labels(noisy.posteriors)


def backward_set(noisy: NoisyRows) -> TrainingSet:
    """Soft labels P(true | x), which the backward-corrected label ``T^-1[y]`` is on average.

    The corrected labels themselves have negative entries, which few classifiers take.
    """
    return soft_labels(noisy.by_features)


def reweighted_set(noisy: NoisyRows) -> TrainingSet:
    """Noisy labels with importance weights ``f_y / (f T)_y`` (Liu and Tao 2016).

    That is ``P(true = y | x, y) / T[y, y]``: with it, the noisy risk is the clean risk. A label
    that is hardly ever right has its T[y, y] held at `LEAST`, or its few rows would outweigh all.
    """
    rows, codes = np.arange(len(noisy.codes)), noisy.codes
    right = np.maximum(np.diag(noisy.transition)[codes], LEAST)
    return TrainingSet(rows, codes, noisy.posteriors[rows, codes] / right)


def relabeled_set(noisy: NoisyRows) -> TrainingSet:
    """The likeliest true class in the place of every label."""
    likeliest = noisy.posteriors.argmax(axis=1).astype(np.int64)
    n_rows = len(likeliest)
    return TrainingSet(np.arange(n_rows), likeliest, np.ones(n_rows))
