"""Messages about rows to review, decisions about them, and what they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

SUSPECTS: Mapping[str, Message] = {
    "rows_of_data_set_have_names": Message(
        "the estimate was made from a Dataset whose rows have names, or that leaves out rows, so "
        "positions in y would not be those in the file",
        "pass the Dataset in place of y, here and to apply_fixes, or ids=est.row_ids",
    ),
    "too_many_neighbors": Message(
        "n_neighbors must be at most {most}, got {n}", "pass n_neighbors=5"
    ),
    "matrix_without_rows": Message(
        "a TransitionMatrix has no information about single rows",
        "pass features, or the estimate that labelnoise.estimate(X, y) returned",
    ),
    "parameters_beside_estimate": Message(
        "find_label_issues has no parameter {names}, and parameters of estimate() do not apply to "
        "an existing estimate",
        "leave it out, or pass features",
    ),
    "method_without_rows": Message(
        "estimates by method {method!r} have no information about single rows",
        "leave out method=, which is then {default!r}",
        "leave out --method, which is then {default}",
    ),
    "labels_differ_from_estimate": Message(
        "y differs from the labels that the estimate was made from in {n:row|rows}, the first at "
        "position {position}",
        "pass the same labels in the same order, or estimate again",
    ),
    "threshold_of_unknown_class": Message(
        "threshold names {labels}, which is not among the classes {classes}",
        "give one threshold for each class",
    ),
    "threshold_missing": Message(
        "threshold has no value for {labels}", "give one threshold for each class: {classes}"
    ),
    "content_index_differs": Message(
        "content and the data have different indexes, so it is not clear which content belongs to "
        "which row",
        "align them: content.loc[y.index], or content.set_axis(y.index) if rows correspond already",
    ),
    "content_column_taken": Message(
        "columns {columns} of content have names that are reserved for label issues", "rename them"
    ),
    "content_wrong_length": Message(
        "content {column!r} has {n_entries:entry|entries} for {n_rows:row|rows}",
        "pass one entry for each row",
    ),
}

FILES: Mapping[str, Message] = {
    "issues_without_columns": Message(
        "issues lacks the columns {columns}", "pass what find_label_issues returned"
    ),
    "unknown_review_format": Message(
        "{path!r} ends in {ending!r}, which is not a format of label issues",
        "choose one of the endings {endings:10}",
    ),
    "column_does_not_fit_parquet": Message(
        "a column does not fit into a Parquet file: {reason}",
        "give its values one type, or choose a path ending in .csv",
        "choose an --output ending in .csv",
    ),
    "decisions_not_json": Message("{path!r} is not JSON: {reason}", "export it again"),
    "not_label_studio_tasks": Message(
        "this JSON is not a list of Label Studio tasks",
        "export the project as JSON (not JSON-MIN)",
    ),
    "task_without_exported_data": Message(
        "a task lacks data that labelnoise wrote into it: {reason}",
        "import tasks that export_label_issues wrote, and export the project as JSON (not "
        "JSON-MIN)",
        "import tasks that labelnoise find wrote, and export the project as JSON (not JSON-MIN)",
    ),
    "task_with_several_labels": Message(
        "row {row!r} was given several labels ({labels}), by one annotator or several",
        "decide on one label, and export again",
    ),
}

DECISIONS: Mapping[str, Message] = {
    "no_decisions": Message(
        "no row has a reviewed label in column {column!r}, so no label is changed",
        "fill it in, or name another column with column=",
        "fill it in, or name another column with --column",
    ),
    "decisions_without_rows": Message(
        "the decisions have no column 'row', which identifies their rows; their columns are "
        "{columns:20}",
        "add it, and check that cells are separated by commas, semicolons or tabs",
    ),
    "decisions_without_column": Message(
        "the decisions have no column {column!r}; their columns are {columns:20}",
        "add it, or name the column of reviewed labels with column=",
        "add it, or name the column of reviewed labels with --column",
    ),
    "unknown_rows": Message(
        "the decisions name rows that do not exist: {rows}",
        "pass the labels that were reviewed, and the ids= that find_label_issues was given",
        "use the data that were reviewed, and the --id that was used to find these rows",
    ),
    "rows_decided_twice": Message(
        "the decisions name rows {rows} more than once", "keep one label for each row"
    ),
    "unknown_labels": Message(
        "column {column!r} has labels that are not among the classes: {labels}; the classes are "
        "{classes}",
        "correct the label, or name all classes with classes=; if reading a file has changed the "
        "labels, read them as text (pandas.read_csv: dtype=str, keep_default_na=False)",
        "correct the label, or name a new class with --new-class",
    ),
    "labels_changed_since_review": Message(
        "{n:row is|rows are} not labeled as when reviewed: row {row!r} was {then!r} and is {now!r}",
        "pass the labels that were reviewed; these decisions belong to others, or were applied "
        "before",
        "use the data that were reviewed; these decisions belong to others, or were applied before",
    ),
    "review_file_repeated": Message(
        "{paths} is named more than once", "name every round of review once"
    ),
    "review_file_without_rows": Message(
        "{path!r} has no column 'row', which identifies its rows; its columns are {columns:20}",
        "pass a file of decisions, such as one that export_label_issues wrote",
        "give a file of decisions: one that labelnoise find wrote, or that was downloaded from a "
        "report",
    ),
    "review_file_without_column": Message(
        "{path!r} has no column {column!r}; its columns are {columns:20}",
        "name the column of reviewed labels with column=",
        "name the column of reviewed labels with --audit-column",
    ),
    "review_file_without_decisions": Message(
        "{path!r} has no decisions: its column {column!r} is empty",
        "fill it in, or name another column with column=",
        "fill it in, or name another column with --audit-column",
    ),
}

COMPARISON: Mapping[str, Message] = {
    "less_noise_than_before": Message(
        "there is less noise than before (probability {probability:.0%})"
    ),
    "more_noise_than_before": Message(
        "there is more noise than before (probability {probability:.0%})"
    ),
    "change_of_noise_unclear": Message(
        "it is not clear whether there is less noise than before (probability {probability:.0%})"
    ),
    "less_noise_without_intervals": Message(
        "there seems to be less noise; without intervals it is not known how certain that is"
    ),
    "more_noise_without_intervals": Message(
        "there seems to be more noise; without intervals it is not known how certain that is"
    ),
    "same_noise_without_intervals": Message(
        "there seems to be as much noise as before; without intervals it is not known how certain "
        "that is"
    ),
}

MESSAGES: Mapping[str, Message] = {**SUSPECTS, **FILES, **DECISIONS, **COMPARISON}
