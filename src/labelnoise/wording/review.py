"""Messages about rows to review, reports, decisions, and what decisions change."""

from labelnoise.wording.message import Message

UNCERTAIN = {
    "probability": " (probability {probability:.0%})",
    "no_intervals": ", but without intervals it is not known how certain that is",
}

MESSAGES = {
    # Label issues.
    "rows_of_data_set_have_names": Message(
        "the estimate was made from a Dataset that names its rows or leaves some out, so "
        "positions in y are not positions in the file",
        "pass the Dataset in place of y, here and to apply_fixes, or ids=est.row_ids",
    ),
    "matrix_without_rows": Message(
        "a TransitionMatrix has no information about individual rows",
        "pass features, or the estimate that labelnoise.estimate(X, y) returned",
    ),
    "method_without_rows": Message(
        "estimates by method {method!r} have no information about individual rows",
        "leave out {method=} to use the default, {default!r}",
    ),
    "thresholds_of_other_classes": Message(
        "threshold must name each of the classes {classes}, and nothing else; it names {labels}",
        "give one threshold for each class",
    ),
    "expectations_unknown": Message(
        "{statement}. Therefore, `expected_precision` and `expected_found` are missing: it is not "
        "known what a review of these rows will find",
        "print {where} for what to do",
    ),
    "content_index_differs": Message(
        "content and the data have different indexes, so it is not clear which content belongs to "
        "which row",
        "align them: content.loc[y.index], or content.set_axis(y.index) if rows correspond already",
    ),
    "content_column_taken": Message(
        "columns {columns} of content have names that are reserved for label issues", "rename them"
    ),
    # Files.
    "column_does_not_fit_parquet": Message(
        "a column cannot be written to a Parquet file: {reason}",
        "give its values one type, or write a .csv file",
    ),
    "not_label_studio_tasks": Message(
        "this is not a Label Studio export of tasks that labelnoise wrote: {reason}",
        "import tasks that {find_label_issues()} wrote, and export the project as JSON (not "
        "JSON-MIN)",
    ),
    "task_with_several_labels": Message(
        "row {row!r} was given several labels ({labels}), by one annotator or several",
        "decide on one label, and export again",
    ),
    # Decisions.
    "no_decisions": Message(
        "no row of {table} has a reviewed label in column {column!r}",
        "fill it in, or name another column with {parameter:flag}",
    ),
    "decisions_without_column": Message(
        "{table} has no column {missing!r}; its columns are {columns:20}",
        "decisions need a column 'row' and one with the reviewed labels, which {parameter:flag} "
        "names",
    ),
    "unknown_rows": Message(
        "the decisions name rows that do not exist: {rows}",
        "use the data that were reviewed, with the same row ids",
    ),
    "unknown_labels": Message(
        "column {column!r} has labels that are not among the classes: {labels}; the classes are "
        "{classes}",
        "correct the label, or name all classes with {classes=}",
    ),
    "labels_changed_since_review": Message(
        "{n:|the label|the labels} of {n:row has|rows have} changed since the review: row {row!r} "
        "was {then!r} and is now {now!r}",
        "use the data that were reviewed: these decisions belong to other data, or were already "
        "applied",
    ),
    "review_file_repeated": Message(
        "{paths} is named more than once", "name every round of review once"
    ),
    # Comparison.
    "estimates_of_other_classes": Message(
        "the estimates have different classes, {before:10} and then {after:10}, so they are not of "
        "the same data",
        "compare estimates of the same data, before and after",
    ),
    "noise_changed": Message("there is {less_or_more} noise than before", optional=UNCERTAIN),
    "change_of_noise_hidden": Message(
        "it is not clear whether there is less noise than before: wrong labels may be hidden"
    ),
    "change_of_noise_unclear": Message(
        "it is not clear whether there is less noise than before", optional=UNCERTAIN
    ),
}
