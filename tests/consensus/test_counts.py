"""Laws of the consensus counts; the slow definition beside the fast one."""

from itertools import combinations, permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import labelnoise as ln
from labelnoise.checks import Labels
from labelnoise.consensus.counts import depth_needed, expected_consensus, pair_weights
from labelnoise.data.distinct_rows import count_labels

seeds = st.integers(0, 10**9)


def task(seed, n=40, n_classes=3, grid=False, k=39):
    """A graph and the labels of its groups; on a grid most rows have duplicates."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, size=(n, 3)).astype(float) if grid else rng.normal(size=(n, 4))
    labels = Labels(rng.integers(n_classes, size=n), tuple(range(n_classes)))
    graph = ln.NeighborGraph.build(X, k)
    return X, labels, graph, count_labels(graph.place_of_row, labels, graph.n_places)


def slow_expectation(X, codes, n_kept, n_classes):
    """Average over every subsample and every order of equally near rows, by brute force."""
    n = len(X)
    total, subsets = np.zeros((n_classes,) * 3), 0
    for kept in combinations(range(n), n_kept):
        subsets += 1
        for row in kept:
            others = [other for other in kept if other != row]
            away = {other: round(float(np.linalg.norm(X[row] - X[other])), 9) for other in others}
            # Ties between different places go to the graph's order, which this task avoids.
            orders = [
                p for p in permutations(others) if [away[o] for o in p] == sorted(away.values())
            ]
            for order in orders:
                total[codes[row], codes[order[0]], codes[order[1]]] += 1 / len(orders)
    return total / subsets * n / n_kept


@pytest.mark.parametrize("n_kept", [3, 4, 5])
def test_closed_form_equals_the_average_over_all_subsamples(n_kept):
    """Five places, two of them with two rows each: subsampling and ties at once."""
    X = np.array([[0.0], [0.0], [1.0], [3.1], [3.1], [7.3], [15.7]])
    codes = np.array([0, 1, 1, 0, 0, 1, 0])
    labels = Labels(codes, (0, 1))
    graph = ln.NeighborGraph.build(X, 6)
    counts = count_labels(graph.place_of_row, labels, graph.n_places)
    fast = expected_consensus(graph, counts, n_kept).third
    np.testing.assert_allclose(fast, slow_expectation(X, codes, n_kept, 2), atol=1e-12)


@given(seeds, st.booleans(), st.integers(20, 40), st.sampled_from([4, 39]))
def test_margins_and_totals(seed, grid, n_kept, k):
    _, labels, graph, counts = task(seed, grid=grid, k=k)
    consensus = expected_consensus(graph, counts, n_kept)
    assert consensus.total == pytest.approx(40)
    np.testing.assert_allclose(consensus.second.sum(axis=1), consensus.first)
    np.testing.assert_allclose(consensus.first, labels.counts, atol=1e-9)
    assert consensus.third.min() >= -1e-9


@given(seeds, st.booleans())
def test_renaming_classes_renames_the_counts(seed, grid):
    _, _, graph, counts = task(seed, grid=grid)
    order = np.random.default_rng(seed).permutation(3)
    plain, renamed = (expected_consensus(graph, c, 20).third for c in (counts, counts[:, order]))
    np.testing.assert_allclose(renamed, plain[np.ix_(order, order, order)], atol=1e-9)


@given(seeds)
def test_keeping_all_rows_takes_the_two_nearest(seed):
    X, labels, graph, counts = task(seed)
    codes, expected = labels.codes, np.zeros((3, 3, 3))
    away = np.linalg.norm(X[:, None] - X[None], axis=2)
    np.fill_diagonal(away, np.inf)
    first, second = np.argsort(away, axis=1)[:, :2].T
    np.add.at(expected, (codes, codes[first], codes[second]), 1)
    np.testing.assert_allclose(expected_consensus(graph, counts, 40).third, expected, atol=1e-9)


@given(st.integers(3, 60), st.data())
def test_pair_weights_are_probabilities(n, data):
    kept = data.draw(st.integers(3, n))
    weights = pair_weights(n, kept, n - 1)
    ranks = np.arange(len(weights))
    assert (weights >= 0).all()
    assert (np.maximum(ranks - 1, 0) * weights).sum() == pytest.approx(1)


def test_pair_weights_by_hand():
    """Keep 2 of the 3 other rows: they are (1, 2), (1, 3) or (2, 3), each with chance 1/3."""
    np.testing.assert_allclose(pair_weights(4, 3, 3), [0, 0, 1 / 3, 1 / 3])
    many = pair_weights(10**6, 5 * 10**5, 30)  # large n: q^2 (1 - q)^(j - 2)
    np.testing.assert_allclose(many[2:], 0.25 * 0.5 ** np.arange(29), rtol=1e-3)


@given(st.integers(3, 5000), st.data())
def test_depth_leaves_out_next_to_nothing(n, data):
    kept = data.draw(st.integers(max(3, n // 3), n))
    depth = depth_needed(n, kept)
    assert 2 <= depth <= n - 1
    # P(fewer than two of `depth` neighbors kept), hypergeometric.
    missed = sum(comb(depth, j) * comb(n - 1 - depth, kept - 1 - j) for j in (0, 1)) / comb(
        n - 1, kept - 1
    )
    assert missed <= 1.1e-4


@pytest.mark.parametrize("n_kept", [400, 200])
def test_independent_pairs_describe_the_noise_of_the_agreement(n_kept):
    """Labels unrelated to the features: the variance of the agreement is at most 2 / pairs."""
    rng = np.random.default_rng(0)
    graph = ln.NeighborGraph.build(rng.normal(size=(400, 4)), 20)
    agreements = []
    for _ in range(300):
        labels = Labels(rng.permutation(np.arange(400) % 2), (0, 1))
        counts = expected_consensus(graph, count_labels(graph.place_of_row, labels, 400), n_kept)
        agreements.append(2 * np.trace(counts.second) / 400 - 1)
    bound = 2 / counts.independent_pairs
    assert 0.3 * bound < np.var(agreements) < 1.2 * bound


@given(seeds)
def test_margins_hold_on_a_graph_with_gaps(seed):
    rng = np.random.default_rng(seed)
    indices = np.stack([rng.permutation(np.delete(np.arange(30), row))[:8] for row in range(30)])
    indices[rng.random(30) < 0.5, 3:] = -1
    labels = Labels(np.arange(30) % 2, (0, 1))
    counts = np.eye(2)[labels.codes]
    consensus = expected_consensus(ln.NeighborGraph.from_indices(indices), counts, 15)
    np.testing.assert_allclose(consensus.first, labels.counts)


def test_a_graph_that_is_too_shallow_is_refused():
    _, _, graph, counts = task(0, k=1)
    with pytest.raises(ln.LabelNoiseError) as caught:
        expected_consensus(graph, counts, 20)
    assert caught.value.note.code == "graph_too_shallow"
    assert caught.value.note.facts == {"k": 1}
