"""Messages about estimates of any method: their parts and files, and findings about them."""

from labelnoise.wording.message import Message

OUT_OF_SAMPLE = (
    "predict every row with a model that was not trained on it, for example with "
    "sklearn.model_selection.cross_val_predict(..., method='predict_proba')"
)
BETTER_PREDICTION = (
    "use features that separate the classes, such as an embedding, or class probabilities of a "
    "model that predicts better ({pred_proba=}); or collect more rows"
)
SAVE_AGAIN = "save the estimate again"
AFTER_REVIEW = " once the {n:reviewed row is|reviewed rows are} corrected"
INTERVAL = " ({level:.0%} interval {lower:.1%} to {upper:.1%})"
ASSUMING = ", assuming {assumption}"

MESSAGES = {
    # Statements.
    "noise_rate": Message(
        "about {rate:.1%} of the labels are wrong",
        optional={"n": AFTER_REVIEW, "level": INTERVAL, "assumption": ASSUMING},
    ),
    "no_clear_sign": Message(
        "no clear sign of wrong labels",
        optional={
            "n": AFTER_REVIEW,
            "level": " ({level:.0%} interval 0 to {upper:.1%})",
            "assumption": ASSUMING,
        },
    ),
    "lower_limit": Message(
        "at least {rate:.1%} of the labels seem wrong",
        optional={"n": AFTER_REVIEW, "cause": "; more may be hidden: {cause}"},
    ),
    "wrong_labels_hidden": Message("wrong labels may be hidden: {cause}"),
    "hidden_by_columns": Message(
        "{columns:column|columns} {columns} may have been made from the labels"
    ),
    "hidden_by_clusters_agree": Message("near-copies of rows may share a wrong label"),
    "hidden_by_duplicates_agree": Message("rows may have been copied with a wrong label"),
    "noise_rate_unknown": Message(
        "the noise rate cannot be determined from these data (best fit {rate:.1%}, possibly far "
        "off)"
    ),
    "other_reading_alike": Message("nearly the same share, {rate:.1%}, assuming {assumption}"),
    "other_reading": Message("or {rate:.1%} wrong labels, assuming {assumption}"),
    "both_readings": Message(
        "from features and labels alone: between {lower:.1%}, assuming {if_lower}, and "
        "{upper:.1%}, assuming {if_upper}"
    ),
    "interval_after_review": Message(
        "this interval is based on the reviewed rows, so it can be wider than before the review"
    ),
    "noise_rate_before_review": Message(
        "before the review, about {rate:.1%} of the labels were wrong",
        optional={"level": INTERVAL, "assumption": ASSUMING},
    ),
    # Parts of an estimate.
    "corrected_invalid": Message(
        "corrected must be {n} shares of all labels, one for each true class, got {values:20}",
        "leave it out unless rows were audited",
    ),
    "not_probabilities": Message(
        "{name} has values that are not probabilities between 0 and 1", "check how it was computed"
    ),
    "no_draws": Message(
        "this estimate by method {method!r} has no draws, and therefore no intervals",
        "use method='rank-gated' with n_draws=100",
    ),
    "no_row_model": Message(
        "{name} needs information about individual rows, which this estimate by method "
        "{method!r} does not have",
        "estimate with {method=:'rank-gated'} and, to save it, use a folder: {est.save():'noise/'}",
    ),
    "saved_without_rows": Message(
        "{name} needs information about individual rows, which a .json file does not hold",
        "save the estimate as a folder, {est.save():'noise/'}, and use that",
    ),
    "plots_need_matplotlib": Message(
        "plots need matplotlib, which is not installed",
        "install it: pip install 'labelnoise[plot]'",
    ),
    "audit_of_loaded_estimate": Message(
        "hand-checked rows cannot be included in a loaded estimate: its fit was not saved",
        "estimate again from features and labels, and call with_audit on that",
    ),
    "estimate_of_other_labels": Message(
        "the labels differ from those of the estimate",
        "use the data from which it was made, in the same order and before any correction, or "
        "estimate again",
        optional={
            "n": " in {n:row|rows}, the first at position {position}",
            "path": " {path!r} ({n_estimated:labeled row|labeled rows} there, {n_rows:,} here)",
        },
    ),
    # Saved estimates.
    "class_not_for_json": Message(
        "class {label!r} is a {type}, which JSON cannot hold",
        "convert the labels to text or numbers before estimating",
    ),
    "estimate_saved_as_other": Message(
        "an estimate is saved as a .json file or as a folder, and {path!r} is neither",
        "choose a name that ends in .json, or in / for a folder; for a page use {est.report()}, "
        "for a list of rows {find_label_issues()}",
    ),
    "not_an_estimate": Message(
        "{path!r} does not hold a noise estimate",
        "pass what {est.save()} wrote",
        optional={"reason": ": {reason}"},
    ),
    "estimate_of_other_version": Message(
        "{path!r} has schema version {version}, but this version of labelnoise reads {expected}",
        "estimate again, or read it with the version of labelnoise that wrote it",
    ),
    "damaged_estimate": Message("{path!r} is damaged: {reason}", SAVE_AGAIN),
    "rows_of_other_estimate": Message(
        "{path!r} does not belong to the estimate in the same folder, or is damaged", SAVE_AGAIN
    ),
    # Input.
    "columns_left_out": Message(
        "{n:column is not used as a feature|columns are not used as features}: {reasons}",
        "to use one anyway, pass "
        "load_table(table, label, column_types={{{columns[0]!r}: 'use'}}) to estimate",
    ),
    "column_name_without_table": Message(
        "{name} is the column name {column!r}, but X has no named columns",
        "pass a table as X (labelnoise.load_table reads one from a file), or one value for each "
        "row",
    ),
    # Findings.
    "estimate_not_reliable": Message(
        "the noise cannot be estimated reliably, because {reasons}",
        "see its diagnosis for what to do: {where}",
    ),
    "labels_not_predicted": Message(
        "{source} predict the labels no better than their frequencies do", BETTER_PREDICTION
    ),
    "labels_barely_predicted": Message(
        "{source} predict the labels only a little better than their frequencies do",
        BETTER_PREDICTION,
    ),
    "probabilities_of_training_rows": Message(
        "the given probabilities agree with {agreed:.1%} of the labels, at an average confidence "
        "of {confidence:.1%}: the model may have been trained on these very rows; if so, it has "
        "also learned their errors",
        OUT_OF_SAMPLE,
    ),
    "probabilities_in_another_order": Message(
        "the columns of the given probabilities may belong to other classes: they agree with "
        "{agreed:.1%} of the labels",
        "pass the columns in the order {classes:20}",
        optional={
            "at_random": ", fewer than at random ({at_random:.1%})",
            "reordered": ", and would agree with {reordered:.1%} in another order",
        },
    ),
    "class_without_rows": Message(
        "no row is labeled {classes}: the corresponding row of T is a placeholder (no noise)",
        "leave these classes out, or collect rows of them",
    ),
    "duplicates_agree": Message(
        "rows with identical features have the same label in {duplicates:.0%} of cases, but "
        "neighboring rows only in {nearest:.0%}: some rows may have been copied with their labels, "
        "which hides noise",
        "drop duplicate rows and estimate again",
    ),
    "clusters_agree": Message(
        "rows come in clusters of about {size}, such as copies with small changes or rows of one "
        "session; labels agree in {within:.0%} of cases within clusters and in {around:.0%} just "
        "outside them. If whole clusters were labeled at once, wrong labels look right",
        "use {groups=} to specify which rows belong together, or keep one row of each cluster",
    ),
    "nearly_singular": Message(
        "T is nearly singular (condition number {condition:.3g}): some classes are labeled almost "
        "alike, so small errors in T have large effects",
        "merge classes that cannot be told apart",
    ),
    "few_labeled_rows": Message(
        "fewer than {least} rows are labeled {classes}",
        "collect more rows of the rare classes, or merge them",
    ),
    "mislabeled_as_often_as_not": Message(
        "rows of {classes} seem to have another label nearly as often as their own",
        "check some rows with these labels by hand: the estimate may have taken one class for "
        "another",
    ),
}
