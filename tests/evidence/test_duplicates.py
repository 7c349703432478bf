import numpy as np
import pytest

import labelnoise as ln
from labelnoise.checks import Labels
from labelnoise.data.distinct_rows import count_labels
from labelnoise.evidence.duplicates import duplicate_agreement


def agreement(X, codes):
    graph = ln.NeighborGraph.build(X, 3)
    labels = Labels(codes, tuple(range(codes.max() + 1)))
    return duplicate_agreement(graph, count_labels(graph.group_of_row, labels, graph.n_groups))


def test_by_hand():
    """A pair of rows that disagree (0 within) beside one that agrees (1 within); 1/2 across."""
    X = np.array([[0.0], [0.0], [1.0], [1.0], [9.0]])
    found = agreement(X, np.array([0, 1, 1, 1, 0]))
    assert (found.n_rows, found.duplicates, found.nearest) == (4, 0.5, 0.5)


def test_copies_always_agree():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 4)), rng.integers(2, size=300)
    found = agreement(np.vstack([X, X]), np.concatenate([y, y]))
    assert found.n_rows == 600
    assert found.duplicates == 1
    assert found.excess > 10


@pytest.mark.parametrize("seed", range(5))
def test_independent_labels_agree_alike_within_and_across(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(2000, 2)).astype(float)
    assert abs(agreement(X, rng.integers(2, size=2000)).excess) < 4


def test_without_duplicates_there_is_no_agreement():
    assert agreement(np.arange(10.0)[:, None], np.arange(10) % 2).n_rows == 0
