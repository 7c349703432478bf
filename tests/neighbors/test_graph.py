import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from threadpoolctl import threadpool_limits

import labelnoise as ln
from labelnoise.neighbors.graph import ENGINES

seeds = st.integers(0, 10**9)
every_engine = pytest.mark.parametrize("engine", ENGINES)
every_metric = pytest.mark.parametrize("metric", ["euclidean", "cosine"])


def draw(seed, n=60, d=5):
    return np.random.default_rng(seed).normal(size=(n, d))


@every_engine
@every_metric
def test_neighbors_are_the_true_ones(engine, metric):
    X = draw(0, n=300, d=12)
    graph = ln.NeighborGraph.build(X, 10, metric=metric, engine=engine)
    away = pairwise_distances(X, metric=metric)
    np.fill_diagonal(away, np.inf)
    order = np.argsort(graph.group_of_row)  # row of each group: all rows are distinct
    found = order[graph.indices[graph.group_of_row]]
    # Neighbors whose distances agree to six digits count as equally near, so compare distances.
    reached = np.take_along_axis(away, found, axis=1)
    np.testing.assert_allclose(reached, np.sort(away, axis=1)[:, :10], rtol=1e-5)
    assert (np.diff(graph.distances, axis=1) >= -1e-5).all()


@every_engine
@every_metric
@given(seed=seeds)
def test_order_of_the_rows_does_not_matter(engine, metric, seed):
    """Grid points are full of ties: only the content may break them."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(40, 3)).astype(float)
    order = rng.permutation(40)
    graph = ln.NeighborGraph.build(X, 6, metric=metric, engine=engine)
    mixed = ln.NeighborGraph.build(X[order], 6, metric=metric, engine=engine)
    np.testing.assert_array_equal(graph.indices, mixed.indices)
    np.testing.assert_array_equal(graph.group_of_row[order], mixed.group_of_row)


@every_engine
@given(seed=seeds)
def test_nobody_is_its_own_neighbor_and_nobody_comes_twice(engine, seed):
    X = np.round(draw(seed), 1)
    graph = ln.NeighborGraph.build(X, 8, engine=engine)
    assert (graph.indices != np.arange(graph.n_groups)[:, None]).all()
    assert (np.sort(graph.indices, axis=1)[:, 1:] != np.sort(graph.indices, axis=1)[:, :-1]).all()


@given(seeds)
def test_identical_rows_form_one_group(seed):
    X = draw(seed, n=20)
    doubled = np.vstack([X, X[:7]])
    graph = ln.NeighborGraph.build(doubled, 5)
    assert graph.n_groups == 20
    np.testing.assert_array_equal(graph.group_of_row[:7], graph.group_of_row[20:])


def test_cosine_does_not_see_the_length_of_a_row():
    X = draw(0, n=30)
    scaled = np.vstack([X, 3.7 * X])
    graph = ln.NeighborGraph.build(scaled, 5, metric="cosine")
    assert graph.n_groups == 30
    assert ln.NeighborGraph.build(scaled, 5).n_groups == 60


def test_a_row_of_zeros_is_allowed_with_cosine():
    X = draw(0, n=30)
    X[3] = 0
    graph = ln.NeighborGraph.build(X, 5, metric="cosine")
    assert graph.n_groups == 30
    assert np.isfinite(graph.distances).all()


@every_engine
def test_a_row_of_zeros_is_like_no_other(engine):
    """Its cosine with any row is 0: farther than any acute angle, nearer than any obtuse one."""
    X = np.abs(draw(0, n=60, d=12))
    X[7] = 0
    graph = ln.NeighborGraph.build(X, 20, metric="cosine", engine=engine)
    assert (graph.indices[np.arange(60) != graph.group_of_row[7]] != graph.group_of_row[7]).all()
    np.testing.assert_allclose(graph.distances[graph.group_of_row[7]], np.sqrt(2))


@every_engine
@pytest.mark.parametrize(
    ("shift", "scale"), [(1e6, 1), (0, 1e19), (0, 1e-25), (0, 1e160), (0, 1e-170)]
)
def test_place_and_scale_do_not_change_the_graph(engine, shift, scale):
    X = draw(4, n=300, d=12)
    here, there = (
        ln.NeighborGraph.build(rows, 10, engine=engine) for rows in (X, scale * X + shift)
    )
    rows = [
        np.argsort(graph.group_of_row)[graph.indices[graph.group_of_row]] for graph in (here, there)
    ]
    assert np.mean(rows[0] == rows[1]) > 0.999
    np.testing.assert_allclose(
        np.sort(there.distances, axis=None) / scale, np.sort(here.distances, axis=None), rtol=1e-3
    )


def test_engines_agree():
    X = draw(1, n=200, d=20)
    tree, brute, flat = (
        ln.NeighborGraph.build(X, 15, engine=name) for name in ("tree", "brute", "faiss")
    )
    np.testing.assert_array_equal(tree.indices, brute.indices)
    np.testing.assert_array_equal(tree.indices, flat.indices)
    np.testing.assert_allclose(tree.distances, flat.distances, rtol=1e-5)


@every_engine
def test_memory_limit_does_not_change_the_graph(engine):
    X = draw(2, n=3000, d=12)
    small = ln.NeighborGraph.build(X, 5, engine=engine, memory_mb=1)
    np.testing.assert_array_equal(
        small.indices, ln.NeighborGraph.build(X, 5, engine=engine).indices
    )


@every_engine
def test_number_of_threads_does_not_change_the_graph(engine):
    X = np.random.default_rng(3).integers(0, 2, size=(800, 30)).astype(float)
    with threadpool_limits(1):
        single = ln.NeighborGraph.build(X, 10, engine=engine)
    with threadpool_limits(2):
        double = ln.NeighborGraph.build(X, 10, engine=engine)
    np.testing.assert_array_equal(single.indices, double.indices)


def test_asking_for_more_neighbors_than_there_are():
    assert ln.NeighborGraph.build(draw(0, n=10), 50).k == 9


def test_a_tiny_coordinate_still_tells_points_apart():
    """f-MI weighting can leave a coordinate 1e-8 of another; it must not drown in rounding."""
    position = np.random.default_rng(0).permutation(200)
    X = np.column_stack([np.ones(200), 1e-8 * position])
    graph = ln.NeighborGraph.build(X, 1, metric="cosine")
    rows = np.argsort(graph.group_of_row)
    nearest = rows[graph.indices[graph.group_of_row, 0]]
    assert (np.abs(position[nearest] - position) == 1).all()


def test_ready_made_graphs_are_taken_as_they_are():
    X = draw(0, n=50)
    indices = NearestNeighbors(n_neighbors=6).fit(X).kneighbors(X, return_distance=False)
    given_indices = ln.NeighborGraph.accept(indices)  # the row itself comes first, and is dropped
    assert given_indices.k == 6
    np.testing.assert_array_equal(given_indices.indices[:, :5], indices[:, 1:])
    assert (given_indices.indices[:, 5] == -1).all()
    distances = kneighbors_graph(X, 5, mode="distance")
    np.testing.assert_array_equal(ln.NeighborGraph.accept(distances).indices, indices[:, 1:])
    graph = ln.NeighborGraph.build(X, 4)
    assert ln.NeighborGraph.accept(graph) is graph


def test_sparse_graph_with_uneven_rows_is_padded():
    matrix = sparse.csr_array(np.array([[0, 1, 2, 0.5], [1, 0, 2, 0], [1, 3, 0, 0], [2, 1, 0, 0]]))
    graph = ln.NeighborGraph.from_sparse(matrix)
    np.testing.assert_array_equal(graph.indices, [[3, 1, 2], [0, 2, -1], [0, 1, -1], [1, 0, -1]])


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (np.zeros((5, 2)), "whole-number array"),
        (np.zeros(5, dtype=int), "shape \\(rows, k\\)"),
        (np.full((5, 3), 7), "its rows are 0 to 4"),
        (np.full((5, 3), -2), "its rows are 0 to 4"),
        (np.arange(5)[:, None].repeat(3, axis=1), "fewer than two neighbors.*row 0"),
        (np.array([[1, 1, 2], [0, 2, 3], [0, 1, 3], [0, 1, 2]]), "names a neighbor twice"),
        (sparse.csr_array(np.ones((4, 4)) - np.eye(4)), "mode='connectivity'"),
        (sparse.csr_array(-np.arange(16.0).reshape(4, 4)), "negative"),
        (sparse.eye_array(5, 4).tocsr(), "square"),
        (sparse.diags_array(np.arange(1.0, 6)).tocsr(), "fewer than two neighbors"),
    ],
)
def test_unusable_graphs_are_refused(graph, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.NeighborGraph.accept(graph)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"k": -1}, "k must be a whole number of at least 1, got -1"),
        ({"k": 2.5}, "k must be a whole number"),
        ({"k": 3, "metric": "manhattan"}, "unknown metric 'manhattan'.*cosine, euclidean"),
        ({"k": 3, "engine": "gpu"}, "unknown engine 'gpu'.*auto, faiss, brute, tree"),
        ({"k": 3, "memory_mb": 0}, "memory_mb"),
    ],
)
def test_wrong_settings_are_refused(wrong, message):
    with pytest.raises(ln.LabelNoiseError, match=message):
        ln.NeighborGraph.build(draw(0), **wrong)


def test_rows_all_at_one_place_have_no_neighbors():
    with pytest.raises(ln.NotIdentifiableError, match="same place.*not identifiable"):
        ln.NeighborGraph.build(np.ones((10, 3)), 3)
    with pytest.raises(ln.NotIdentifiableError, match="metric 'cosine'"):
        ln.NeighborGraph.build(np.arange(1.0, 11)[:, None] * [1, 2], 3, metric="cosine")


def test_without_faiss_another_engine_is_named(monkeypatch):
    monkeypatch.setitem(ENGINES, "faiss", ("labelnoise.neighbors.engine_missing", "search"))
    with pytest.raises(ln.LabelNoiseError, match="not installed.*engine='brute'"):
        ln.NeighborGraph.build(draw(0), 3, engine="faiss")


@given(st.lists(st.integers(0, 6), min_size=8, max_size=30), st.integers(1, 4))
def test_nearest_rows_are_found_by_sorting_all_distances(places, k):
    values = np.array(places, dtype=float) ** 1.5  # no two places are equally far from a third
    assume(len(set(places)) >= 3)
    graph = ln.NeighborGraph.build(values[:, None], min(k, len(set(places)) - 1))
    near = graph.nearest_rows(np.arange(len(values)), k)
    for row, found in enumerate(near):
        away = np.abs(values - values[row])
        away[row] = np.inf
        known = found[found >= 0]
        assert row not in known
        assert len(set(known)) == len(known)
        np.testing.assert_allclose(away[known], np.sort(away)[: len(known)])
        assert len(known) == k or len(known) >= graph.k


@every_engine
def test_of_very_many_places_neighbors_are_sought_among_some(engine, monkeypatch):
    """Those depend on the content of the rows alone, and nobody is its own neighbor."""
    monkeypatch.setattr("labelnoise.neighbors.graph.MOST_SEARCHED", 50)
    X = draw(3, n=300, d=10)
    graph = ln.NeighborGraph.build(X, 4, engine=engine)
    searched = np.unique(graph.indices)
    assert len(searched) <= 50
    assert (graph.indices != np.arange(300)[:, None]).all()
    places = X[np.argsort(graph.group_of_row)]
    away = pairwise_distances(places, places[searched])
    away[searched, np.arange(len(searched))] = np.inf
    reached = np.take_along_axis(pairwise_distances(places), graph.indices, axis=1)
    np.testing.assert_allclose(reached, np.sort(away, axis=1)[:, :4], rtol=1e-5)
    order = np.random.default_rng(0).permutation(300)
    mixed = ln.NeighborGraph.build(X[order], 4, engine=engine)
    np.testing.assert_array_equal(graph.indices, mixed.indices)
    few = ln.NeighborGraph.build(X[:, :3], 4, engine=engine)
    assert len(np.unique(few.indices)) > 50  # a tree needs no such help


def test_an_estimate_from_some_of_the_places_is_as_good(monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=3000)
    X = 3 * np.eye(3, 10)[y] + rng.standard_normal((3000, 10))
    noisy = ln.inject_noise(y, ln.symmetric_noise(3, 0.2), random_state=0)
    truth = ln.realised_transition(y, noisy)
    whole = ln.estimate(X, noisy)
    monkeypatch.setattr("labelnoise.neighbors.graph.MOST_SEARCHED", 1000)
    some = ln.estimate(X, noisy)
    for est in (whole, some):
        assert ln.transition_error(truth, est.transition_matrix) < 0.04
