"""Messages about single methods: what they assume, and what they found."""

from labelnoise.wording.estimates import OUT_OF_SAMPLE
from labelnoise.wording.message import Message

MORE_ROWS_OR_CHECKS = "collect more rows, or check rows by hand ({suggest_audit()})"
CHECK_A_HUNDRED = (
    "check rows by hand ({suggest_audit()}): about a hundred, with twenty of each class, usually "
    "settle it"
)

MESSAGES = {
    # Assumptions.
    "noise_by_class": Message(
        "each class has some clear-cut examples, and mistakes are as common there as in borderline "
        "cases"
    ),
    "noise_by_instance": Message("every label that disagrees with its surroundings is wrong"),
    "rows_like_audited_rows": Message(
        "the {n:audited label is|audited labels are} right, and similar rows are mislabeled in the "
        "same way"
    ),
    "neighbors_share_class": Message(
        "a row and its nearest neighbors have the same true class, and mistakes depend on the "
        "class alone (where classes overlap, the overlap is counted as noise)"
    ),
    "probabilities_above_average": Message(
        "a model gives a class an above-average probability for exactly the rows that belong to it"
    ),
    "anchor_rows": Message(
        "every class has rows that certainly belong to it, and a linear layer finds them"
    ),
    "linear_and_anchored": Message(
        "one linear layer fits the true classes, and every class has rows that certainly belong to "
        "it"
    ),
    "linear_and_scattered": Message(
        "one linear layer fits the true classes, and their probabilities are sufficiently scattered"
    ),
    "top_rows_pure": Message("the rows a model ranks highest for a class all belong to it"),
    # The rank gate.
    "labels_of_no_training_row": Message(
        "y has labels that no training row has, so nothing is known about them: {labels}",
        "fit on data with all classes",
    ),
    "no_clear_cut_rows": Message(
        "no rows are clear-cut cases of {classes:or}: for {classes:this class|these classes} only "
        "a range can be given",
        "check some rows by hand ({suggest_audit()}), or use features that set the class apart",
    ),
    "data_leave_T_open": Message(
        "the data do not determine T: half of its diagonal entries have {level:.0%} intervals "
        "wider than {width:.0%}",
        MORE_ROWS_OR_CHECKS,
    ),
    "wide_intervals": Message(
        "error rates per class are uncertain",
        MORE_ROWS_OR_CHECKS,
        optional={
            "points": " by about ±{points:.0f} points",
            "classes": " by up to ±{most:.0f} points for {classes}",
        },
    ),
    "few_neighbors": Message(
        "the graph has {n:neighbor|neighbors} per row, too few to rank rows by their labels",
        "build the graph with 50 neighbors or more",
    ),
    "few_distinct_probabilities": Message(
        "the given probabilities have about {n:.0f} distinct rows: they look like predicted "
        "classes, which cannot rank rows",
        "pass probabilities, not predicted classes",
    ),
    "few_distinct_rows": Message(
        "many rows have the same features: together they are equivalent to about {n:.0f} distinct "
        "rows, too few to see how labels change toward the clear-cut rows",
        "use more features, or finer ones",
    ),
    "readings_differ": Message(
        "classes overlap: the best estimate is {low:.1%} wrong labels if mistakes are as common in "
        "clear-cut as in borderline cases, and {high:.1%} if every label that disagrees with its "
        "surroundings is a mistake",
        CHECK_A_HUNDRED,
    ),
    "noise_or_overlap": Message(
        "any share of the labels up to about {high:.1%} may be wrong: with so few clear-cut rows, "
        "wrong labels look the same as overlapping classes",
        f"{CHECK_A_HUNDRED}; or add features that set the classes apart",
    ),
    "classes_alike": Message(
        "labels barely distinguish {classes}: either these classes are often confused, or none of "
        "them has clear-cut examples, and then only a range can be given",
        "merge these classes, or check some of their rows by hand ({suggest_audit()})",
    ),
    "probabilities_better_than_features": Message(
        "the given probabilities agree with {agreed:.1%} of the labels, {source} with "
        "{by_other_sources:.1%}: the model is better, or it was trained on these very rows",
        f"{OUT_OF_SAMPLE}; if you did so already, pass pred_proba without X",
    ),
    "audited_rows_included": Message("includes {n:hand-checked row|hand-checked rows}"),
    "audit_contradicts_fit": Message(
        "the audited rows contradict what features and labels suggest, so the numbers for rows "
        "that are not similar to them are a guess",
        "audit {enough} rows or more, drawn at random or by {suggest_audit()}",
    ),
    "few_audited_of_class": Message(
        "fewer than {least} audited rows truly belong to {classes}",
        "audit more rows that have this label or may belong to this class",
    ),
    "class_known_from_audit_only": Message(
        "no row is labeled {classes}: only its audited rows are counted, so its share is too small "
        "and its row of T is based on few rows",
        "label rows of these classes, and estimate again",
    ),
    # Consensus of neighbors.
    "graph_too_shallow": Message(
        "for most rows, fewer than two of the {k} neighbors in the graph remain in a subsample",
        "build the graph with a larger k, or raise subsample=",
    ),
    "neighbors_separate_few_classes": Message(
        "labels of neighbors separate only {groups} of {n_classes} classes: some rows of T are "
        "mixtures",
        "merge classes that are labeled alike, or collect more rows",
    ),
    "class_nearly_empty": Message(
        "almost no rows seem to belong to {classes}, so the corresponding row of T is based on "
        "very few labels",
        "check these classes by hand, or merge them",
    ),
    "overlap_counted_as_noise": Message(
        "this method counts any disagreement between neighbors as noise, even where classes "
        "overlap",
        "expect noise rates that are too high if classes overlap, and check some rows by hand",
    ),
    # Other methods.
    "assumption_not_tested": Message(
        "this method cannot detect where its assumption fails",
        "compare with method 'rank-gated', or check some rows by hand",
    ),
}
