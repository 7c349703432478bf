"""Impurity: the share of other classes among the purest rows of a class, and its effect on T.

T is read where the ranking of a class is purest, as if all rows there belonged to the class. No
curve shows whether a few do not. The more a class overlaps with others elsewhere, the more of its
purest rows may belong to them: the impurity is drawn from a shifted exponential distribution whose
mean is proportional to the overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.settings import (
    EXTRAPOLATION_ERROR,
    HIDDEN_OVERLAP,
    IMPURITY,
    MAX_IMPURITY,
    TYPICAL_IMPURITY,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells


def confusion(eta: FloatArray, share: FloatArray) -> FloatArray:
    """Average clean posterior (K, K) of the rows for which class i is the likeliest, for each i."""
    likeliest = eta.argmax(axis=1)
    k = eta.shape[1]
    found = np.zeros((k, k))
    np.add.at(found, likeliest, share[:, None] * eta)
    nowhere = np.setdiff1d(np.arange(k), likeliest)
    for i in nowhere:  # for a class that is never the likeliest: weighted by its probability
        found[i] = (share * eta[:, i]) @ eta
    return (found + 1e-12) / (found + 1e-12).sum(axis=1, keepdims=True)


def overlap(confused: FloatArray, prior: FloatArray) -> FloatArray:
    """Overlap of each class with others, (K,): the mean of its own and of the average overlap."""
    own = 1 - np.diag(confused)
    return (own + prior @ own) / 2


def impurities(
    confused: FloatArray,
    T: FloatArray,
    prior: FloatArray,
    n_draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Draws of the share of other classes among each class's purest rows, (S, K).

    It is proportional to the overlap, and to a part of the noise: overlap that the curve does not
    show counts as noise. All classes share a draw: features that hardly separate one class hardly
    separate the others.
    """
    drawn = rng.exponential(size=(n_draws, 1)) - EXTRAPOLATION_ERROR
    hidden = HIDDEN_OVERLAP * float(prior @ (1 - np.diag(T)))
    return drawn * IMPURITY * (overlap(confused, prior) + hidden)


def mixing(impurity: FloatArray, confused: FloatArray) -> FloatArray:
    """Distribution of the true classes (K, K) of rows that seem to belong to class i, for each i.

    ``D[i] = (1 - impurity_i) e_i + impurity_i (others, as often as i is confused with them)``. A
    negative impurity corrects a curve that was extrapolated too far.
    """
    others = confused - np.diag(np.diag(confused))
    others /= others.sum(axis=1, keepdims=True)
    share = np.minimum(impurity, MAX_IMPURITY)[:, None]
    return share * others + (1 - share) * np.eye(len(confused))


def typical_mixing(eta: FloatArray, cells: Cells) -> FloatArray:
    """The typical mixing (K, K): ``eta @ typical_mixing`` is less certain than eta.

    The curve of the gate tends to certainty; single rows at its ends are less certain.
    """
    share = cells.weight / cells.weight.sum()
    confused = confusion(eta, share)
    return mixing(TYPICAL_IMPURITY * IMPURITY * overlap(confused, share @ eta), confused)


def purified(
    T: FloatArray, prior: FloatArray, impurity: FloatArray, confused: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """T and prior if a share impurity_i of the purest rows of class i belongs to other classes.

    Then the labels of those rows are distributed as ``M = D T``, with D from `mixing`. What was
    estimated is M, so ``T = D^{-1} M``. The label frequencies do not change: ``(p D) T = p M``.
    """
    D = mixing(impurity, confused)
    pure, prior = np.maximum(np.linalg.solve(D, T), 0.0), np.maximum(prior @ D, 0.0)
    return pure / pure.sum(axis=1, keepdims=True), prior / prior.sum()
