import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelnoise.evidence import posteriors
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.pooling import (
    log_score,
    pooled,
    pooling_weights,
    probability_of_own_label,
)
from labelnoise.evidence.posteriors import (
    LinearPosterior,
    neighbor_posteriors,
    neighborhood_sizes,
    pseudo_counts,
)
from labelnoise.evidence.settings import POOL_WEIGHT_PRECISION, PSEUDO_COUNT, RIDGE_PENALTIES
from labelnoise.neighbors.graph import NeighborGraph

seeds = st.integers(0, 10**6)


def data(seed, n=40, duplicates=False):
    rng = np.random.default_rng(seed)
    X = rng.integers(4, size=(n, 2)) if duplicates else rng.normal(size=(n, 3))
    graph = NeighborGraph.build(X.astype(float), 30)
    return X, rng.integers(3, size=n), graph


@given(seeds, st.booleans())
def test_posteriors_are_probabilities(seed, duplicates):
    _, codes, graph = data(seed, duplicates=duplicates)
    cells = Cells.of(graph.place_of_row, codes, 3)
    for found in neighbor_posteriors(graph, cells, (2, 5, 13)):
        assert found.shape == (len(cells), 3)
        np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)


@given(seeds, st.booleans())
def test_the_size_of_the_blocks_does_not_matter(seed, duplicates):
    _, codes, graph = data(seed, duplicates=duplicates)
    cells = Cells.of(graph.place_of_row, codes, 3)
    whole = neighbor_posteriors(graph, cells, (2, 13))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(posteriors, "NEIGHBORS_PER_BLOCK", 100)
        np.testing.assert_array_equal(neighbor_posteriors(graph, cells, (2, 13)), whole)


@given(seeds, st.booleans())
def test_a_row_does_not_see_its_own_label(seed, duplicates):
    """Its label enters only through the overall frequencies, as every row's does."""
    _, codes, graph = data(seed, duplicates=duplicates)
    place = graph.place_of_row
    other = np.flatnonzero((codes != codes[0]) & (place != place[0]))
    if not len(other):
        return
    far = other[-1]
    changed = codes.copy()
    changed[0] = codes[far]
    before, after = Cells.of(place, codes, 3), Cells.of(place, changed, 3)
    start_before, start_after = (
        pseudo_counts(cells.label_frequencies) for cells in (before, after)
    )
    for size in (3, 11):
        a = neighbor_posteriors(graph, before, (size,))[0][before.cell_of_row[0]]
        b = neighbor_posteriors(graph, after, (size,))[0][after.cell_of_row[0]]
        counted = a * (size + start_before.sum()), b * (size + start_after.sum())
        np.testing.assert_allclose(counted[1] - counted[0], start_after - start_before, atol=1e-5)


def test_frequencies_of_the_nearest_rows():
    graph = NeighborGraph.build(np.arange(6.0)[:, None] ** 1.1, 5)
    codes = np.array([0, 0, 1, 1, 1, 0])
    cells = Cells.of(graph.place_of_row, codes, 2)
    (found,) = neighbor_posteriors(graph, cells, (2,))
    cell = cells.cell_of_row[0]
    # Row 0's two nearest are rows 1 and 2, labeled 0 and 1; labels are half and half overall.
    np.testing.assert_allclose(found[cell], [0.5, 0.5])
    cell = cells.cell_of_row[3]
    np.testing.assert_allclose(found[cell], [1 / 4, 3 / 4])


def test_duplicates_are_averaged_over():
    """Four rows at one place, one elsewhere: two of the other three, in any order."""
    graph = NeighborGraph.build(np.array([[0.0], [0.0], [0.0], [0.0], [1.0]]), 1)
    cells = Cells.of(graph.place_of_row, np.array([0, 0, 1, 1, 1]), 2)
    (found,) = neighbor_posteriors(graph, cells, (2,))
    start = PSEUDO_COUNT * np.array([0.4, 0.6])
    # A row labeled 0 sees labels 0, 1, 1 at its place: two of them are 2/3 of each.
    expected = (start + np.array([2 / 3, 4 / 3])) / (2 + PSEUDO_COUNT)
    np.testing.assert_allclose(found[cells.cell_of_row[0]], expected, rtol=1e-6)


@given(seeds, st.booleans())
def test_linear_posterior_is_a_refit_without_the_row(seed, duplicates):
    X, codes, graph = data(seed, n=25, duplicates=duplicates)
    X = X.astype(float)
    cells = Cells.of(graph.place_of_row, codes, 3)
    first = np.unique(graph.place_of_row, return_index=True)[1]
    fitted = LinearPosterior(X[first], cells)
    found = fitted.leave_one_out(cells)
    mean, frequencies = X.mean(axis=0), np.bincount(codes, minlength=3) / len(codes)
    Y = np.eye(3)[codes]
    Z = np.column_stack([X - mean, np.ones(len(X))])
    unit = ((X - mean) ** 2).sum() / X.shape[1]
    for penalty, posterior in zip(RIDGE_PENALTIES, found, strict=True):
        ridge = np.diag([*[penalty * unit] * X.shape[1], 0.0])
        r = seed % len(X)
        kept = np.arange(len(X)) != r
        A = Z[kept].T @ Z[kept] + ridge
        coefficients = np.linalg.solve(A, Z[kept].T @ (Y[kept] - frequencies))
        expected = np.maximum(Z[r] @ coefficients + frequencies, 0.01)
        np.testing.assert_allclose(
            posterior[cells.cell_of_row[r]], expected / expected.sum(), atol=1e-4
        )


def random_posteriors(rng, n_pooled, cells):
    found = rng.dirichlet(np.ones(cells.n_classes), size=(n_pooled, len(cells)))
    return [np.log(0.9 * p + 0.1 / cells.n_classes).astype(np.float32) for p in found]


@given(seeds)
def test_a_pool_is_about_as_good_as_the_best_of_its_parts(seed):
    rng = np.random.default_rng(seed)
    cells = Cells.of(np.arange(60), rng.integers(3, size=60), 3)
    logs = random_posteriors(rng, 4, cells)
    pool = pooled(pooling_weights(logs, cells), logs)
    np.testing.assert_allclose(pool.sum(axis=1), 1)
    alone = max(log_score(probability_of_own_label(np.exp(log), cells), cells) for log in logs)
    # All weight on one posterior costs so much by the prior, on all rows together.
    penalty = 0.5 * POOL_WEIGHT_PRECISION * (0.75**2 + 3 * 0.25**2)
    assert log_score(probability_of_own_label(pool, cells), cells) >= alone - penalty / 60 - 1e-4


def test_a_pool_discounts_overconfident_posteriors():
    rng = np.random.default_rng(0)
    truth = rng.dirichlet(np.ones(2), size=4000)
    cells = Cells.of(np.arange(4000), (rng.random(4000) > truth[:, 0]).astype(int), 2)
    sharp = np.log(truth**5 / (truth**5).sum(axis=1, keepdims=True))
    (weight,) = pooling_weights([sharp], cells)
    assert weight == pytest.approx(0.2, abs=0.03)


def test_neighborhoods_never_hold_more_than_a_third_of_the_rows():
    for n in (3, 10, 100, 10_000):
        sizes = neighborhood_sizes(n, 2)
        assert sizes[-1] <= max(2, n / 3)
        assert list(sizes) == sorted(set(sizes))
