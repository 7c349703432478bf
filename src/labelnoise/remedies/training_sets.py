"""Noisy labels -> rows, labels and weights that a classifier is trained on instead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

LEAST = 1e-3
"""Chances of a class below this are left out: they would only make more rows."""


@dataclass(frozen=True)
class NoisyRows:
    """Labels, how they go wrong, and what the rows probably are.

    Attributes
    ----------
    codes : (n,) int array
        The noisy labels.
    transition : (K, K) array
    posteriors : (n, K) array
        P(true class | x, label).
    """

    codes: IntArray
    transition: FloatArray
    posteriors: FloatArray


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
    kept = np.where(chances >= LEAST, chances, 0.0)
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

    The corrected labels themselves have negative entries, which few classifiers take. What
    the label added to the posteriors is taken out again: ``P(true = i | x)`` is in proportion
    to ``P(true = i | x, y) / T[i, y]``.
    """
    by_label = noisy.transition.T[noisy.codes]
    nothing = np.zeros_like(noisy.posteriors)
    chances = np.divide(noisy.posteriors, by_label, out=nothing, where=by_label > 0)
    return soft_labels(chances / chances.sum(axis=1, keepdims=True))


def reweighted_set(noisy: NoisyRows) -> TrainingSet:
    """Noisy labels with importance weights ``f_y / (f T)_y`` (Liu and Tao 2016).

    That is ``P(true = y | x, y) / T[y, y]``: with it, the noisy risk is the clean risk.
    """
    rows, codes = np.arange(len(noisy.codes)), noisy.codes
    right = np.maximum(np.diag(noisy.transition)[codes], LEAST)
    return TrainingSet(rows, codes, noisy.posteriors[rows, codes] / right)


def relabelled_set(noisy: NoisyRows) -> TrainingSet:
    """The likeliest true class in the place of every label."""
    likeliest = noisy.posteriors.argmax(axis=1).astype(np.int64)
    n_rows = len(likeliest)
    return TrainingSet(np.arange(n_rows), likeliest, np.ones(n_rows))
