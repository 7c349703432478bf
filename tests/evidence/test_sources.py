import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier

import labelnoise as ln
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.sources import (
    CrossFittedClassifiers,
    GivenProbabilities,
    NeighborFrequencies,
    NewRows,
)
from labelnoise.neighbors.graph import NeighborGraph


def test_a_classifier_never_sees_the_rows_it_scores():
    """One nearest neighbor would repeat the label of the row itself, or of its duplicate."""
    rng = np.random.default_rng(0)
    place = np.repeat(np.arange(200), 2)
    X = rng.normal(size=(200, 2))[place]
    codes = np.repeat(rng.integers(2, size=200), 2)  # copies, with the same label
    source = CrossFittedClassifiers([KNeighborsClassifier(1)], X, codes, place, rng)
    (found,) = source.leave_one_out(Cells.of(np.arange(400), codes, 2))
    agreement = (found.argmax(axis=1) == codes).mean()
    assert 0.35 < agreement < 0.65  # labels have nothing to do with the features


def test_a_class_that_a_fold_lacks_gets_a_little_probability():
    X = np.arange(40.0)[:, None]
    codes = np.r_[np.zeros(38, dtype=int), 1, 1]
    source = CrossFittedClassifiers(
        [DummyClassifier()], X, codes, np.r_[np.arange(38), 38, 38], np.random.default_rng(0)
    )
    cells = Cells.of(np.arange(40), codes, 2)
    (found,) = source.leave_one_out(cells)
    assert found.min() > 0
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-5)
    assert source.predict(NewRows(X[:3], None))[0].shape == (3, 2)


def test_given_probabilities_do_not_reveal_labels():
    """The posterior of a place does not change when the labels there are permuted."""
    place, codes = np.array([0, 0, 0, 1]), np.array([1, 1, 0, 0])
    source = GivenProbabilities(
        np.array([[0.2, 0.8], [0.4, 0.6], [0.9, 0.1], [1.0, 0.0]]), np.ones(2) / 2
    )
    for labels in (codes, codes[[2, 0, 1, 3]], codes[[1, 2, 0, 3]]):
        cells = Cells.of(place, labels, 2)
        found, frequencies = source.leave_one_out(cells)
        np.testing.assert_array_equal(frequencies, 0.5)
        np.testing.assert_allclose(found[cells.place == 0], [[0.5, 0.5]] * 2, atol=1e-3)


def test_new_rows_at_old_places_see_all_labels_there():
    X = np.array([[0.0], [0.0], [10.0], [11.0]])
    graph = NeighborGraph.build(X, 2)
    cells = Cells.of(graph.place_of_row, np.array([0, 0, 1, 1]), 2)
    places = X[np.unique(graph.place_of_row, return_index=True)[1]]
    source = NeighborFrequencies(graph, (2,), cells.counts_by_place(), lambda Z: Z, places)
    (found,) = source.predict(NewRows(np.array([[0.1], [10.6]]), None))
    np.testing.assert_allclose(found, [[0.75, 0.25], [0.25, 0.75]])  # two rows, two pseudo-rows


def test_sources_need_of_new_rows_what_they_were_made_from():
    given = GivenProbabilities(np.full((3, 2), 0.5), np.ones(2) / 2)
    assert refused(given, NewRows(np.ones((1, 1)), None)) == "pred_proba_unlike_fit"
    classifier = CrossFittedClassifiers(
        [LogisticRegression()],
        np.array([[0.0], [1.0], [2.0], [0.1], [1.1], [2.1]]),
        np.array([0, 1, 1, 0, 1, 1]),
        np.arange(6),
        np.random.default_rng(1),
    )
    assert refused(classifier, NewRows(None, None)) == "features_missing"
    graph = NeighborGraph.build(np.arange(5.0)[:, None], 2)
    neighbors = NeighborFrequencies(graph, (2,), np.eye(2)[[0, 1, 0, 1, 0]])
    assert refused(neighbors, NewRows(np.ones((1, 1)), None)) == "graph_cannot_score_new_rows"


def refused(source, rows):
    """The code of the error."""
    with pytest.raises(ln.LabelNoiseError) as caught:
        source.predict(rows)
    return caught.value.note.code
