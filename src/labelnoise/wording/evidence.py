"""Messages about representations, neighbors and classifiers."""

from labelnoise.wording.message import Message

MESSAGES = {
    "divergence_undefined": Message(
        "p has mass where q has none, and D_f(P || Q) is not defined there",
        "pass q > 0 wherever p > 0",
    ),
    "soft_cosine_matrix_invalid": Message(
        "W must be symmetric and positive semi-definite, so that it has a square root",
        "use (W + W.T) / 2 and clip its negative eigenvalues",
    ),
    "all_rows_at_one_place": Message(
        "all {n_rows} rows are at the same point (metric {metric!r}), so no row is nearer than "
        "another and T is not identifiable",
        "pass other features, or another metric",
        "use other features (--features)",
    ),
    "engine_not_installed": Message(
        "engine {engine!r} needs a package that is not installed: {error}",
        "install faiss-cpu, or use engine='brute'",
    ),
    "graph_lists_invalid": Message(
        "the graph must list, for each row, at least two different neighbors by their row numbers "
        "(0 to {last}); row {row} is the first to differ",
        "pass the indices that kneighbors returns, with a larger k if rows are too short",
    ),
    "graph_distances_invalid": Message(
        "distances in the graph must be finite, not negative, and not all the same",
        "build it with kneighbors_graph(mode='distance')",
    ),
    "classifier_failed": Message(
        "{model} failed on features of shape {shape!r}: {error}",
        "pass a classifier that can be trained on these features",
    ),
    "classifier_without_predict_proba": Message(
        "{model} does not predict probabilities, which are needed to find wrong labels",
        "wrap it in CalibratedClassifierCV",
    ),
    "graph_cannot_score_new_rows": Message(
        "new rows cannot be scored with a precomputed graph", "fit on features to score new rows"
    ),
    "pred_proba_unlike_fit": Message(
        "pred_proba= must be passed for new rows if the estimator was fitted with it, and only then"
    ),
    "groups_not_one_per_row": Message(
        "there are {n_groups:group|groups} for {n_rows:row|rows}",
        "pass one group for each row, in the order of the rows",
    ),
    "groups_missing": Message(
        "{n:row has|rows have} no group",
        "give each of these rows a group of its own, such as its row number",
    ),
    "one_group": Message(
        "all rows belong to one group ({group!r}), so none could be compared with another",
        "leave {groups=} out, or choose a finer group",
    ),
}
