import numpy as np
import pytest

import labelnoise as ln
from labelnoise import checks
from labelnoise.data.distinct_rows import distinct_points
from labelnoise.evidence.representation_choice import (
    Candidate,
    FeatureMap,
    candidate_representations,
    choose_representation,
)
from labelnoise.representation.whitening import standardization


def chosen(X, y):
    points = distinct_points(X, checks.labels(y, len(X)))
    candidates = candidate_representations(X.shape[1])
    rng = np.random.default_rng(0)
    return choose_representation(points.values, points.label_counts, candidates, rng)


def test_columns_are_standardized_where_scales_hide_the_signal():
    rng = np.random.default_rng(0)
    y = rng.integers(2, size=800)
    X = np.column_stack([3 * y + rng.normal(size=800), 1e4 * rng.normal(size=800)])
    assert chosen(X, y).representation.standardize


def test_cosine_is_chosen_where_the_label_depends_on_direction():
    rng = np.random.default_rng(1)
    y = rng.integers(4, size=1200)
    angle = y * np.pi / 2 + rng.normal(scale=0.3, size=1200)
    length = np.exp(rng.normal(scale=2, size=1200))
    X = length[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    assert chosen(X, y).metric == "cosine"


def test_one_column_is_never_compared_by_cosine():
    assert {candidate.metric for candidate in candidate_representations(1)} == {"euclidean"}


def test_many_columns_are_not_decorrelated():
    assert not any(c.representation.decorrelate for c in candidate_representations(5000))


def test_a_given_representation_leaves_the_metric_open():
    given = ln.Representation(standardize=False)
    assert [c.metric for c in candidate_representations(5, given)] == ["cosine", "euclidean"]
    assert all(c.representation == given for c in candidate_representations(5, given))


def test_the_name_of_a_candidate_lists_its_steps():
    named = Candidate(ln.Representation(decorrelate=True, divergence="kl"), "cosine")
    assert str(named) == "standardized, decorrelated, weighted (linear), cosine"


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_new_rows_are_mapped_like_the_old_ones(metric):
    X = np.random.default_rng(0).normal(size=(30, 4))
    X[3] = X.mean(axis=0)
    feature_map = FeatureMap(
        np.array([0, 1, 3]), (standardization(X[:, [0, 1, 3]], np.ones(30)),), metric
    )
    together = feature_map(X)
    np.testing.assert_array_equal(feature_map(X[7:9]), together[7:9])
