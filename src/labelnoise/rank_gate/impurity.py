"""Rows that look clear-cut and are not: what a few of them in each class's purest rows change.

T is read where the ranking of a class is purest, as if all rows there were of the class. No curve
shows whether a few are not. The more a class overlaps with others elsewhere, the more of its purest
rows may be of theirs: the share is drawn from a shifted exponential distribution, its mean a share
of the overlap.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.settings import IMPURITY, MAX_IMPURITY, REACHED_TOO_FAR

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells


def confusion(eta: FloatArray, share: FloatArray) -> FloatArray:
    """Average clean posterior (K, K) of the rows that look most like class i, row by row."""
    likeliest = eta.argmax(axis=1)
    k = eta.shape[1]
    found = np.zeros((k, k))
    np.add.at(found, likeliest, share[:, None] * eta)
    nowhere = np.setdiff1d(np.arange(k), likeliest)
    for i in nowhere:  # a class that is nowhere the likeliest: where it is at all likely
        found[i] = (share * eta[:, i]) @ eta
    return (found + 1e-12) / (found + 1e-12).sum(axis=1, keepdims=True)


def overlap(confused: FloatArray, prior: FloatArray) -> FloatArray:
    """How far each class overlaps with others, (K,): half its own share, half the average."""
    own = 1 - np.diag(confused)
    return (own + prior @ own) / 2


def impurities(
    confused: FloatArray, prior: FloatArray, n_draws: int, rng: np.random.Generator
) -> FloatArray:
    """Draws of the share of other classes among each class's purest rows, (S, K).

    Features that hardly separate one class hardly separate the others: all classes share a draw.
    """
    drawn = rng.exponential(size=(n_draws, 1)) - REACHED_TOO_FAR
    return drawn * IMPURITY * overlap(confused, prior)


def mixing(impurity: FloatArray, confused: FloatArray) -> FloatArray:
    """True classes (K, K) of rows that seem to be of class i, row by row.

    ``D[i] = (1 - impurity_i) e_i + impurity_i (others, as often as i is confused with them)``.
    A negative impurity says that the curve was continued too far.
    """
    others = confused - np.diag(np.diag(confused))
    others /= others.sum(axis=1, keepdims=True)
    share = np.minimum(impurity, MAX_IMPURITY)[:, None]
    return share * others + (1 - share) * np.eye(len(confused))


def typical_mixing(eta: FloatArray, cells: Cells) -> FloatArray:
    """The typical mixing (K, K): ``eta @ typical_mixing`` is less certain than eta.

    The gate follows its curve to certainty; single rows at its ends are less certain than that.
    """
    share = cells.weight / cells.weight.sum()
    confused = confusion(eta, share)
    return mixing(0.5 * IMPURITY * overlap(confused, share @ eta), confused)


def purified(
    T: FloatArray, prior: FloatArray, impurity: FloatArray, confused: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """T and prior if the purest rows of class i hold a share impurity_i of other classes.

    Then the labels of those rows are distributed as ``M = D T``, with D from `mixing`, and it is M
    that was read off them: ``T = D^{-1} M``. Labels stay as frequent as they were:
    ``(p D) T = p M``.
    """
    D = mixing(impurity, confused)
    pure, prior = np.maximum(np.linalg.solve(D, T), 0.0), np.maximum(prior @ D, 0.0)
    return pure / pure.sum(axis=1, keepdims=True), prior / prior.sum()
