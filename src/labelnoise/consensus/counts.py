"""Consensus counts: how often a row and its two nearest neighbors carry which labels.

HOC (Zhu, Song and Liu, 2021) counts label triplets (row, first neighbor, second neighbor).
Its code repeats that on random subsamples and averages. The average has a closed form: in a
subsample of m of n rows, given that a row is kept, its first two kept neighbors are its i-th
and j-th (i < j) with a probability that depends on j alone. So one pass over one graph gives the
limit of infinitely many rounds, exactly and without randomness.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.consensus.settings import (
    BLOCK_BYTES,
    MAX_DEPTH,
    MAX_MISSED_PROBABILITY,
    MIN_SHARE_COUNTED,
)
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from labelnoise.arrays import FloatArray
    from labelnoise.neighbors.graph import NeighborGraph


@dataclass(frozen=True)
class ConsensusCounts:
    """Label triplets, ``third[a, b, c]`` = rows labeled a with neighbors labeled b and c.

    The first- and second-order counts of the paper are its margins. `independent_pairs` is the
    number of unrelated (row, first neighbor) pairs whose label frequencies would be as noisy as
    `second`: averaging a row's first neighbor over several makes it more than the rows.
    """

    third: FloatArray  # (K, K, K)
    independent_pairs: float

    @property
    def second(self) -> FloatArray:
        """Label pairs (row, first neighbor), shape (K, K)."""
        return self.third.sum(axis=2)

    @property
    def first(self) -> FloatArray:
        """Labels, shape (K,)."""
        return self.third.sum(axis=(1, 2))

    @property
    def total(self) -> float:
        """Number of rows counted."""
        return float(self.third.sum())


def pair_weights(n_rows: int, n_kept: int, depth: int) -> FloatArray:
    """Probability that a row's i-th and j-th neighbors are the first two kept, by j.

    Of the other ``N = n_rows - 1`` rows, ``M = n_kept - 1`` are kept. The first two kept are
    the i-th and the j-th, for any i < j, with probability

        w_j = [prod_{t < j - 2} (N - M - t) / (N - t)]  M (M - 1) / ((N - j + 2) (N - j + 1))

    which is q^2 (1 - q)^(j - 2) for large n with q = M / N. Entry j of the result, of length
    `depth` + 1 <= `n_rows`, is w_j; entries 0 and 1 are zero. ``sum_j (j - 1) w_j`` is the
    probability that two of the nearest `depth` neighbors are kept.

    If all rows are kept, these are always the two nearest neighbors:

    >>> pair_weights(10, 10, depth=4)
    array([0., 0., 1., 0., 0.])
    """
    others, kept = n_rows - 1, n_kept - 1
    skipped = np.arange(depth - 1.0)  # j - 2, for j = 2, ..., depth
    left = others - skipped
    none_kept = np.cumprod(np.maximum(others - kept - skipped, 0) / left)
    then_two = kept * (kept - 1) / (left * (left - 1))
    return np.concatenate([[0.0, 0.0], np.append(1.0, none_kept[:-1]) * then_two])


def depth_needed(n_rows: int, n_kept: int) -> int:
    """Number of neighbors of which a subsample almost always keeps two or more."""
    weights = pair_weights(n_rows, n_kept, min(MAX_DEPTH, n_rows - 1))
    reached = np.cumsum(np.maximum(np.arange(len(weights)) - 1, 0) * weights)
    return int(min((reached < 1 - MAX_MISSED_PROBABILITY).sum(), len(weights) - 1))


def expected_consensus(
    graph: NeighborGraph, place_counts: FloatArray, n_kept: int
) -> ConsensusCounts:
    """Count triplets, averaged over all subsamples of `n_kept` rows and all orders of tied rows.

    `place_counts` (G, K) are the labels at each place of the graph. There are as many triplets as
    rows. If all rows are kept, neighbors are the two nearest.
    """
    n_rows, n_classes = int(place_counts.sum()), place_counts.shape[1]
    weights = _RankWeights(pair_weights(n_rows, n_kept, min(MAX_DEPTH, n_rows - 1)))
    # Index -1, for no neighbor, finds the zeros.
    padded = np.vstack([place_counts, np.zeros(n_classes)])
    sizes = padded.sum(axis=1)
    block = max(1, BLOCK_BYTES // (4 * 8 * n_classes))
    third = np.zeros((n_classes, n_classes, n_classes))
    for label in range(n_classes):
        places = np.flatnonzero(place_counts[:, label])
        for start in range(0, len(places), block):
            part = places[start : start + block]
            own = place_counts[part] - np.eye(n_classes)[label]  # the row itself is no neighbor
            shells = chain([own], (padded[near] for near in graph.indices[part].T))
            # A row with a short list counts fully, by the pairs that its list does contain.
            reached = weights.reached(sizes[part] - 1 + sizes[graph.indices[part]].sum(axis=1))
            n_like = place_counts[part, label] * (reached > 0) / np.where(reached > 0, reached, 1)
            third[label] += _neighbor_pairs(shells, n_like, n_classes, weights)
    if third.sum() <= MIN_SHARE_COUNTED * n_rows:
        raise LabelNoiseError("graph_too_shallow", k=graph.k)
    return ConsensusCounts(third, weights.independent_pairs(float(third.sum())))


class _RankWeights:
    """Pair weights by rank, with their sums over runs of ranks from prefix sums."""

    def __init__(self, weights: FloatArray) -> None:
        self.depth = int(np.flatnonzero(weights)[-1])  # nothing counts beyond this rank
        self._mass = np.cumsum(weights)
        self._moment = np.cumsum(weights * np.arange(len(weights)))
        # Rank i is the first one kept if any later one is the second.
        self._first = np.cumsum(weights[::-1])[::-1][2:]

    def over(self, taken: FloatArray, size: FloatArray) -> tuple[FloatArray, FloatArray]:
        """For ranks ``taken + 1, ..., taken + size``: the sums of w_j and of w_j (j - taken - 1).

        The first is the weight of pairs whose nearer row comes before these ranks, the second
        that of pairs with both rows among them.
        """
        low = np.minimum(taken, self.depth).astype(np.intp)
        high = np.minimum(taken + size, self.depth).astype(np.intp)
        mass = self._mass[high] - self._mass[low]
        return mass, self._moment[high] - self._moment[low] - (taken + 1) * mass

    def reached(self, n_neighbors: FloatArray) -> FloatArray:
        """Probability that two of the nearest `n_neighbors` are kept: the sum of (j - 1) w_j."""
        last = np.minimum(n_neighbors, self.depth).astype(np.intp)
        return self._moment[last] - self._mass[last]

    def independent_pairs(self, n_rows: float) -> float:
        """Rows divided by the probability that two subsamples give a row one first neighbor."""
        return n_rows / float(self._first @ self._first)


def _neighbor_pairs(
    shells: Iterable[FloatArray], n_like: FloatArray, n_classes: int, weights: _RankWeights
) -> FloatArray:
    """Labels (b, c) of the first two kept neighbors, summed over rows with one label.

    Around a row lie shells of equally near rows: the others at its own place, then those at place
    after place. Within a shell every order is equally likely. So a pair of labels (b, c) from two
    shells is as frequent as the product of their label shares, and one from a single shell as
    frequent as in two draws without replacement.

    `shells` are the labels (m, K) in the first, second, ... shell around each of m places, and
    `n_like` (m,) is the weight of the rows at each place that have these shells.
    """
    taken, nearer = np.zeros(len(n_like)), np.zeros((len(n_like), n_classes))
    pairs = np.zeros((n_classes, n_classes))  # `nearer`: labels of possible first neighbors
    for shell in shells:
        size = shell.sum(axis=1)
        across, within = weights.over(taken, size)
        pairs += nearer.T @ (shell * (n_like * across / np.maximum(size, 1))[:, None])
        if (size > 1).any():
            share = n_like * within / np.maximum(size * (size - 1), 1)
            pairs += shell.T @ (shell * share[:, None]) - np.diag(share @ shell)
        nearer += shell
        taken += size
        if taken.min() >= weights.depth:
            break
    return pairs
