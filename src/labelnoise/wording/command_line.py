"""Messages of the command line about calls, files it writes and saved estimates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

CALLS: Mapping[str, Message] = {
    "type_without_column": Message(
        "--as {given!r} does not have the form NAME=TYPE", "give, for example, --as zip=category"
    ),
    "columns_beside_embeddings": Message(
        "{option} replaces the columns of the table, so --features, --as and other files "
        "of features have no effect",
        "leave them out, or leave out {option}",
    ),
    "new_class_without_name": Message(
        "--new-class needs a name", "give, for example, --new-class bird"
    ),
    "not_a_size": Message("--max-memory must be a size, got {size!r}", "give a size such as 4GB"),
    "for_audit_with_other_selection": Message(
        "--for-audit can only be combined with --budget",
        "leave out --threshold and --by-probability",
    ),
    "method_beside_saved_estimate": Message(
        "--estimate uses a saved estimate, so options about how to estimate have no effect",
        "leave out --method, --noise, --audit and --pred-proba, or leave out --estimate",
    ),
}

OUTPUTS: Mapping[str, Message] = {
    "output_is_input": Message(
        "{path!r} is an input, and inputs are never overwritten", "choose another --output"
    ),
    "two_outputs_of_one_name": Message(
        "--data and --output are both {path!r}", "choose different names"
    ),
    "copy_of_other_format": Message(
        "the copy has the format of the data ({format}), but {path!r} has another ending",
        "choose a name with the same ending as the data",
    ),
    "result_lost": Message("cannot print the result: {reason}"),
}

SAVED_ESTIMATES: Mapping[str, Message] = {
    "saved_estimate_of_other_rows": Message(
        "{path!r} was made from {n_estimated:labeled row|labeled rows}, but these data have "
        "{n_rows:,}",
        "give the data from which it was made, with the same options, or leave out --estimate",
    ),
    "saved_estimate_of_other_labels": Message(
        "{path!r} was made from labels other than these",
        "give the data from which it was made, with the same --label and before any correction, or "
        "leave out --estimate",
    ),
    "report_without_rows": Message(
        "the report lists no rows to review, because the estimate has no information about single "
        "rows",
        "estimate with --method rank-gated, and save the estimate as a folder (-o FOLDER/)",
    ),
    "saved_estimate_without_rows": Message(
        "{path!r} has no information about single rows",
        "save the estimate as a folder (labelnoise estimate -o FOLDER/), or leave out --estimate",
    ),
}

RUNS: Mapping[str, Message] = {
    "too_large_for_memory": Message(
        "{n_rows:,} rows with {n_features} features and {n_classes} classes need about "
        "{needed:.2g} GB of memory, more than the {limit:.2g} GB allowed",
        "raise --max-memory, use fewer --features, or take a sample of the rows",
    ),
    "not_enough_memory": Message(
        "there is not enough memory", "use fewer --features, or take a sample of the rows"
    ),
    "interrupted": Message("interrupted; no file was left half-written"),
    "unexpected_error": Message("this should not happen", "please report it with the lines above"),
}

MESSAGES: Mapping[str, Message] = {**CALLS, **OUTPUTS, **SAVED_ESTIMATES, **RUNS}
