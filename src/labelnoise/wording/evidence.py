"""Messages about representations, neighbors and other evidence about the labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

CAPABLE = "pass a classifier that can"

MESSAGES: Mapping[str, Message] = {
    # Representations
    "divergence_undefined": Message(
        "p has mass where q has none, and D_f(P || Q) is not defined there",
        "pass q > 0 wherever p > 0",
    ),
    "soft_cosine_shapes_differ": Message(
        "x has {n_features} features, the other vector {n_other}, and W has shape {shape!r}",
        "pass vectors and a matrix with the same number of features",
    ),
    "soft_cosine_matrix_invalid": Message(
        "W must be symmetric and positive semi-definite, so that it has a square root",
        "use (W + W.T) / 2 and clip its negative eigenvalues",
    ),
    # Neighbors
    "all_rows_at_one_place": Message(
        "all {n_rows} rows are at the same point (metric {metric!r}), so no row is nearer than "
        "another and T is not identifiable",
        "pass other features, or another metric",
        "use other features (--features)",
    ),
    "engine_not_installed": Message(
        "engine {engine!r} needs a package that is not installed: {error}",
        "install faiss-cpu, or use engine='brute'",
        "install faiss-cpu",
    ),
    "graph_not_an_index_array": Message(
        "a precomputed graph must be an integer array of shape (rows, k), got shape {shape!r} and "
        "dtype {dtype}",
        "pass the indices that kneighbors returns",
    ),
    "graph_neighbor_out_of_range": Message(
        "the graph lists neighbors from {lowest} to {highest}, but its rows are 0 to {last}",
        "number the neighbors by row, from 0",
    ),
    "graph_distances_shape": Message(
        "distances have shape {shape!r}, the graph has shape {graph_shape!r}",
        "pass both from one call of kneighbors",
    ),
    "graph_repeats_a_neighbor": Message(
        "the graph lists a neighbor twice in one row", "list each neighbor once"
    ),
    "graph_rows_with_few_neighbors": Message(
        "{n:row of the graph has|rows of the graph have} fewer than two neighbors, the first is "
        "row {first}",
        "build the graph with more neighbors",
    ),
    "graph_not_square": Message(
        "a precomputed graph must have one row and one column for each row of data, got shape "
        "{shape!r}",
        "pass a square matrix of distances",
    ),
    "graph_distances_invalid": Message(
        "the graph has negative or non-finite distances", "pass a matrix of distances"
    ),
    "graph_distances_all_equal": Message(
        "all distances in the graph are equal, so no neighbor is nearest: it looks like the "
        "result of kneighbors_graph(mode='connectivity')",
        "use mode='distance'",
    ),
    "graph_of_other_rows": Message(
        "the graph has {n_graph} rows and X has {n_rows}",
        "pass X=None, or the rows from which the graph was built",
    ),
    # Classifiers, and rows to score
    "classifier_training_failed": Message(
        "{model} could not be trained on features of shape {shape!r} and labels such as {labels}: "
        "{error}",
        CAPABLE,
    ),
    "classifier_prediction_failed": Message(
        "{model} could not predict probabilities: {error}", CAPABLE
    ),
    "classifier_without_predict_proba": Message(
        "{model} does not predict probabilities, which are needed to find wrong labels",
        "wrap it in CalibratedClassifierCV",
    ),
    "classifier_probabilities_shape": Message(
        "{model} predicts probabilities of shape {shape!r} for {n_rows} rows and {n_classes} "
        "classes",
        "pass another classifier",
    ),
    "classifier_probabilities_invalid": Message(
        "{model} predicts probabilities that are negative, NaN or do not sum to 1",
        "pass a classifier whose predict_proba returns probabilities",
    ),
    "graph_cannot_score_new_rows": Message(
        "new rows cannot be scored with a precomputed graph", "fit on features to score new rows"
    ),
    "new_rows_without_features": Message("X is None", "pass the features of the new rows"),
    "new_rows_without_pred_proba": Message(
        "the estimator was fitted with pred_proba", "pass pred_proba= of the new rows too"
    ),
}
