import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from labelnoise.checks import Labels
from labelnoise.data.distinct_rows import distinct_points

tables = arrays(
    float, st.tuples(st.integers(1, 30), st.integers(1, 3)), elements=st.integers(-2, 2)
)


def label_rows(n):
    return Labels(np.arange(n) % 3, ("a", "b", "c"))


@given(tables)
def test_points_give_back_the_rows(X):
    points = distinct_points(X, label_rows(len(X)))
    np.testing.assert_array_equal(points.values[points.point_of_row], X)
    assert len(np.unique(points.values, axis=0)) == len(points.values)


@given(tables)
def test_every_label_is_counted_once(X):
    labels = label_rows(len(X))
    points = distinct_points(X, labels)
    np.testing.assert_array_equal(points.label_counts.sum(axis=0), labels.counts)
    assert points.label_counts.sum() == len(X)


@given(tables, st.integers(0, 10**6))
def test_order_of_the_rows_does_not_matter(X, seed):
    labels = label_rows(len(X))
    order = np.random.default_rng(seed).permutation(len(X))
    points = distinct_points(X, labels)
    mixed = distinct_points(X[order], Labels(labels.codes[order], labels.classes))
    np.testing.assert_array_equal(points.values, mixed.values)
    np.testing.assert_array_equal(points.label_counts, mixed.label_counts)


def test_negative_zero_is_zero():
    assert len(distinct_points(np.array([[0.0], [-0.0]]), label_rows(2)).values) == 1
