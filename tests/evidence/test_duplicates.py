import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import NearestNeighbors

import labelnoise as ln
from labelnoise.checks import Labels
from labelnoise.data.distinct_rows import count_labels
from labelnoise.evidence.duplicates import (
    DuplicateAgreement,
    cluster_agreement,
    duplicate_agreement,
)
from labelnoise.evidence.settings import COPY_STANDARD_ERRORS
from seeds import SEEDS


def agreement(X, codes, compare=duplicate_agreement, k=3):
    graph = ln.NeighborGraph.build(X, k)
    labels = Labels(codes, tuple(range(codes.max() + 1)))
    return compare(graph, count_labels(graph.place_of_row, labels, graph.n_places))


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


@pytest.mark.parametrize("spread", [0.05, 0.3])
@pytest.mark.parametrize("seed", SEEDS)
def test_sessions_that_were_labeled_at_once_are_clusters_that_agree(seed, spread):
    rng = np.random.default_rng(seed)
    session = np.repeat(np.arange(150), 12)
    X = 1.5 * rng.normal(size=(150, 6))[session] + spread * rng.normal(size=(1800, 6))
    found = agreement(X, rng.integers(3, size=150)[session], cluster_agreement, 80)
    assert 8 <= found.size <= 17
    assert found.within > 0.9
    assert found.around == pytest.approx(1 / 3, abs=0.1)
    assert found.within - found.around > 10 * found.error


@pytest.mark.parametrize("d", [1, 2, 6])
@pytest.mark.parametrize("seed", SEEDS)
def test_independent_rows_of_well_separated_classes_are_no_clusters(seed, d):
    rng = np.random.default_rng(seed)
    codes = rng.integers(3, size=1500)
    X = 8 * np.eye(3, d)[codes] + rng.normal(size=(1500, d))
    assert agreement(X, codes, cluster_agreement, 80) is None


def test_clusters_with_independent_labels_agree_as_often_within_as_around():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(300, 4)), 5, axis=0) + 0.01 * rng.normal(size=(1500, 4))
    found = agreement(X, rng.integers(2, size=1500), cluster_agreement, 40)
    assert found.size == 5
    assert abs(found.within - found.around) < 4 * found.error


@pytest.mark.parametrize("seed", SEEDS)
def test_copies_that_differ_by_rounding_are_clusters(seed):
    rng = np.random.default_rng(seed)
    original = np.repeat(np.arange(300), 4)
    y, centers = rng.integers(2, size=300), rng.normal(size=(300, 30))
    centers[:, :4] += y[:, None]
    X = centers[original] + 1e-9 * rng.normal(size=(1200, 30))
    found = ln.estimate(X, y[original]).diagnosis.findings
    assert "clusters_agree" in {finding.code for finding in found}


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_the_same_categories_are_no_copies(seed, noise):
    """81 combinations of two categories decide the class."""
    rng = np.random.default_rng(seed)
    a, b = rng.integers(9, size=(2, 2000))
    y = rng.integers(2, size=(9, 9))[a, b] ^ (rng.random(2000) < noise)
    numbers = rng.normal(size=(2000, 2))
    table = pd.DataFrame(numbers, columns=["u", "v"]).assign(
        a=[f"a{i}" for i in a], b=[f"b{i}" for i in b]
    )
    found = ln.estimate(table, y).diagnosis.findings
    assert "clusters_agree" not in {finding.code for finding in found}


@pytest.mark.parametrize("seed", SEEDS)
def test_clusters_whose_labels_disagree_hide_no_noise(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.integers(9, size=(2, 2000))
    y = rng.integers(2, size=(9, 9))[a, b] ^ (rng.random(2000) < 0.2)
    X = np.column_stack([a, b]) + 0.05 * rng.normal(size=(2000, 2))
    found = ln.estimate(X, y).diagnosis.findings
    assert "clusters_agree" not in {finding.code for finding in found}


def test_lists_that_name_each_row_itself_are_read_without_a_warning():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 3)), rng.integers(2, size=600)
    far, near = NearestNeighbors(n_neighbors=30).fit(X).kneighbors(X)
    graph = ln.NeighborGraph.from_indices(near, far)
    counts = np.eye(2)[y]
    assert cluster_agreement(graph, counts) is None


@pytest.mark.parametrize("change", [1e-6, 1e-2])
@pytest.mark.parametrize("seed", SEEDS)
def test_copies_of_some_rows_are_found_however_many_there_are_of_each(seed, change):
    rng = np.random.default_rng(seed)
    y = rng.integers(2, size=500)
    X = rng.normal(size=(500, 6)) + y[:, None]
    noisy = np.where(rng.random(500) < 0.2, 1 - y, y)
    rows = rng.integers(500, size=500)
    copied = X[rows] + change * rng.normal(size=X.shape)
    found = {finding.code for finding in ln.estimate(copied, noisy[rows]).diagnosis.findings}
    assert "clusters_agree" in found
    found = {finding.code for finding in ln.estimate(X, noisy).diagnosis.findings}
    assert "clusters_agree" not in found


def test_a_few_duplicates_that_agree_by_chance_prove_nothing():
    assert DuplicateAgreement(n_rows=4, duplicates=0.5, nearest=0.0).excess < COPY_STANDARD_ERRORS
    assert DuplicateAgreement(n_rows=400, duplicates=0.5, nearest=0.0).excess > 50
