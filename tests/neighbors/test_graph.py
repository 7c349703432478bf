import sys

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from threadpoolctl import threadpool_limits

import labelnoise as ln
from labelnoise.neighbors.engines import ENGINES

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
    order = np.argsort(graph.place_of_row)  # row of each group: all rows are distinct
    found = order[graph.indices[graph.place_of_row]]
    # Neighbors whose distances agree to six digits count as equally near, so compare distances.
    reached = np.take_along_axis(away, found, axis=1)
    np.testing.assert_allclose(reached, np.sort(away, axis=1)[:, :10], rtol=1e-5)
    assert (np.diff(graph.distances, axis=1) >= -1e-5).all()


@every_engine
@every_metric
@given(seed=seeds)
def test_order_of_the_rows_does_not_matter(engine, metric, seed):
    """Grid points are full of ties, which only their content may break."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(40, 3)).astype(float)
    order = rng.permutation(40)
    graph = ln.NeighborGraph.build(X, 6, metric=metric, engine=engine)
    mixed = ln.NeighborGraph.build(X[order], 6, metric=metric, engine=engine)
    np.testing.assert_array_equal(graph.indices, mixed.indices)
    np.testing.assert_array_equal(graph.place_of_row[order], mixed.place_of_row)


@every_engine
@given(seed=seeds)
def test_no_row_is_its_own_neighbor_or_listed_twice(engine, seed):
    X = np.round(draw(seed), 1)
    graph = ln.NeighborGraph.build(X, 8, engine=engine)
    assert (graph.indices != np.arange(graph.n_places)[:, None]).all()
    assert (np.sort(graph.indices, axis=1)[:, 1:] != np.sort(graph.indices, axis=1)[:, :-1]).all()


@given(seeds)
def test_identical_rows_form_one_group(seed):
    X = draw(seed, n=20)
    doubled = np.vstack([X, X[:7]])
    graph = ln.NeighborGraph.build(doubled, 5)
    assert graph.n_places == 20
    np.testing.assert_array_equal(graph.place_of_row[:7], graph.place_of_row[20:])


def test_cosine_does_not_see_the_length_of_a_row():
    X = draw(0, n=30)
    scaled = np.vstack([X, 3.7 * X])
    graph = ln.NeighborGraph.build(scaled, 5, metric="cosine")
    assert graph.n_places == 30
    assert ln.NeighborGraph.build(scaled, 5).n_places == 60


def test_a_row_of_zeros_is_allowed_with_cosine():
    X = draw(0, n=30)
    X[3] = 0
    graph = ln.NeighborGraph.build(X, 5, metric="cosine")
    assert graph.n_places == 30
    assert np.isfinite(graph.distances).all()


@every_engine
def test_a_row_of_zeros_is_at_a_right_angle_to_all_others(engine):
    """Its cosine with any row is 0: farther than any acute angle, nearer than any obtuse one."""
    X = np.abs(draw(0, n=60, d=12))
    X[7] = 0
    graph = ln.NeighborGraph.build(X, 20, metric="cosine", engine=engine)
    assert (graph.indices[np.arange(60) != graph.place_of_row[7]] != graph.place_of_row[7]).all()
    np.testing.assert_allclose(graph.distances[graph.place_of_row[7]], np.sqrt(2))


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
        np.argsort(graph.place_of_row)[graph.indices[graph.place_of_row]] for graph in (here, there)
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


def test_k_is_limited_by_the_number_of_rows():
    assert ln.NeighborGraph.build(draw(0, n=10), 50).k == 9


def test_a_tiny_coordinate_still_tells_points_apart():
    """f-MI weighting can leave a coordinate 1e-8 of another; it must not be lost to rounding."""
    position = np.random.default_rng(0).permutation(200)
    X = np.column_stack([np.ones(200), 1e-8 * position])
    graph = ln.NeighborGraph.build(X, 1, metric="cosine")
    rows = np.argsort(graph.place_of_row)
    nearest = rows[graph.indices[graph.place_of_row, 0]]
    assert (np.abs(position[nearest] - position) == 1).all()


def test_precomputed_graphs_are_used_as_they_are():
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


def note_of(function, *args, **kwargs):
    """The note of the error that is raised."""
    with pytest.raises(ln.LabelNoiseError) as caught:
        function(*args, **kwargs)
    return caught.value.note


@pytest.mark.parametrize(
    ("graph", "code"),
    [
        (np.zeros((5, 2)), "wrong_shape"),
        (np.zeros(5, dtype=int), "wrong_shape"),
        (np.full((5, 3), 7), "graph_lists_invalid"),
        (np.full((5, 3), -2), "graph_lists_invalid"),
        (np.arange(5)[:, None].repeat(3, axis=1), "graph_lists_invalid"),
        (np.array([[1, 1, 2], [0, 2, 3], [0, 1, 3], [0, 1, 2]]), "graph_lists_invalid"),
        (sparse.csr_array(np.ones((4, 4)) - np.eye(4)), "graph_distances_invalid"),
        (sparse.csr_array(-np.arange(16.0).reshape(4, 4)), "graph_distances_invalid"),
        (sparse.eye_array(5, 4).tocsr(), "wrong_shape"),
        (sparse.diags_array(np.arange(1.0, 6)).tocsr(), "graph_lists_invalid"),
    ],
)
def test_unusable_graphs_are_refused(graph, code):
    assert note_of(ln.NeighborGraph.accept, graph).code == code


def test_a_graph_of_other_rows_is_refused():
    note = note_of(ln.NeighborGraph.accept, ln.NeighborGraph.build(draw(0), 3), 50)
    assert (note.code, note.facts) == ("wrong_length", {"name": "the graph", "n": 60, "n_rows": 50})


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ({"k": -1}, "not_a_whole_number"),
        ({"k": 2.5}, "not_a_whole_number"),
        ({"k": 3, "metric": "manhattan"}, "unknown_choice"),
        ({"k": 3, "engine": "gpu"}, "unknown_choice"),
        ({"k": 3, "memory_mb": 0}, "not_a_whole_number"),
    ],
)
def test_wrong_arguments_are_refused(wrong, code):
    note = note_of(ln.NeighborGraph.build, draw(0), **wrong)
    assert (note.code, note.facts["name"]) == (code, list(wrong)[-1])


def test_rows_all_at_one_place_have_no_neighbors():
    direction = np.arange(1.0, 11)[:, None] * [1, 2]
    for rows, metric in ((np.ones((10, 3)), "euclidean"), (direction, "cosine")):
        with pytest.raises(ln.NotIdentifiableError) as caught:
            ln.NeighborGraph.build(rows, 3, metric=metric)
        assert caught.value.note.code == "all_rows_at_one_place"
        assert caught.value.note.facts == {"n_rows": 10, "metric": metric}


def test_an_engine_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "labelnoise.neighbors.engine_faiss", None)
    note = note_of(ln.NeighborGraph.build, draw(0), 3, engine="faiss")
    assert (note.code, note.facts["engine"]) == ("engine_not_installed", "faiss")


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
def test_with_very_many_places_only_some_are_searched(engine, monkeypatch):
    """Which ones depends on the content of the rows alone, and no row is its own neighbor."""
    monkeypatch.setattr("labelnoise.neighbors.places.MAX_SEARCHED_PLACES", 50)
    X = draw(3, n=300, d=10)
    graph = ln.NeighborGraph.build(X, 4, engine=engine)
    searched = np.unique(graph.indices)
    assert len(searched) <= 50
    assert (graph.indices != np.arange(300)[:, None]).all()
    places = X[np.argsort(graph.place_of_row)]
    away = pairwise_distances(places, places[searched])
    away[searched, np.arange(len(searched))] = np.inf
    reached = np.take_along_axis(pairwise_distances(places), graph.indices, axis=1)
    np.testing.assert_allclose(reached, np.sort(away, axis=1)[:, :4], rtol=1e-5)
    order = np.random.default_rng(0).permutation(300)
    mixed = ln.NeighborGraph.build(X[order], 4, engine=engine)
    np.testing.assert_array_equal(graph.indices, mixed.indices)
    few = ln.NeighborGraph.build(X[:, :3], 4, engine=engine)
    assert len(np.unique(few.indices)) > 50  # a tree searches them all


def test_searching_some_of_the_places_is_as_good_for_an_estimate(monkeypatch):
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=1500)
    X = 3 * np.eye(3, 10)[y] + rng.standard_normal((1500, 10))
    noisy = ln.inject_noise(y, ln.symmetric_noise(3, 0.2), random_state=0)
    truth = ln.realized_transition(y, noisy)
    whole = ln.estimate(X, noisy, method="hoc")
    monkeypatch.setattr("labelnoise.neighbors.places.MAX_SEARCHED_PLACES", 500)
    some = ln.estimate(X, noisy, method="hoc")
    for est in (whole, some):
        assert ln.transition_error(truth, est.transition_matrix) < 0.06
