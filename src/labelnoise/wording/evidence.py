"""Messages about representations, neighbors and classifiers."""

from labelnoise.wording.message import Message

FINER_GROUPS = (
    "use finer groups, if rows of different finer groups do not share errors; or collect rows of "
    "more groups"
)

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
        "use other features, or another metric",
    ),
    "engine_not_installed": Message(
        "engine {engine!r} needs a package that is not installed: {error}",
        "install faiss-cpu, or use engine='brute'",
    ),
    "graph_lists_invalid": Message(
        "the graph must list, for each row, at least two different neighbors by their row numbers "
        "(0 to {last}); row {row} is the first that does not",
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
        "pred_proba= must be passed for new rows if and only if the estimator was fitted with it"
    ),
    "groups_are_labels": Message(
        "the groups ({n_groups} in all) are nearly the same as the labels: nearly all rows of "
        "each label are in groups that are left out together, so no row could be compared with "
        "rows of its label",
        "leave {groups=} out, or use finer groups",
    ),
    "groups_without_features": Message(
        "{groups=} needs features: given neighbors and probabilities may already depend on rows of "
        "the same group",
        "leave it out, or use features instead",
    ),
    "groups_of_dataset_not_used": Message(
        "the groups of the Dataset are not used {why}",
        "use method='rank-gated' with features to take them into account",
    ),
    "labels_in_few_groups": Message(
        "{share:.0%} of the rows labeled {classes} are in groups that were left out together: "
        "they were compared with few rows of their own label, so their labels cannot be assessed",
        "use finer groups, or leave {groups=} out",
    ),
    "few_groups": Message(
        "there are only {n_groups:group|groups}, too few to measure to what extent rows of a group "
        "share errors: intervals may be too narrow",
        FINER_GROUPS,
    ),
    "few_independent_rows": Message(
        "labels within a group are more alike than the features explain",
        FINER_GROUPS,
        optional={
            "n": ": the {n_rows:,} rows of {n_groups:group|groups} carry as much information as "
            "about {n:.0f} independent rows, too few to assess their labels",
            "classes": ": the rows labeled {classes} carry less information than {least} "
            "independent rows",
        },
    ),
    "groups_missing": Message(
        "{n:row has|rows have} no group",
        "give each of these rows a group of its own, such as its row number; if 'NA' is the name "
        "of a group, write it in full",
    ),
    "one_group": Message(
        "all rows belong to one group ({group!r}), so none could be compared with another",
        "leave {groups=} out, or choose a finer group",
    ),
}
