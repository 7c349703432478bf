"""Messages of the command line about calls, files it writes and saved estimates."""

from labelnoise.wording.message import Message

MESSAGES = {
    "invalid_option_value": Message(
        "{option} cannot be {value!r}", "give, for example, {option} {example}"
    ),
    "output_is_input": Message(
        "{path!r} is an input or another output of the same command",
        "choose another name: inputs are never overwritten",
    ),
    "copy_of_other_format": Message(
        "the copy has the format of the data ({format}), but {path!r} has another ending",
        "choose a name with the same ending as the data",
    ),
    "too_large_for_memory": Message(
        "{n_rows:,} rows with {n_features} features and {n_classes} classes need about "
        "{needed:.2g} GB of memory, more than the {limit:.2g} GB allowed",
        "raise --max-memory, use fewer --features, or take a sample of the rows",
    ),
    "not_enough_memory": Message(
        "there is not enough memory", "use fewer --features, or take a sample of the rows"
    ),
    "result_lost": Message("cannot print the result: {reason}"),
    "interrupted": Message("interrupted; no file was left half-written"),
    "unexpected_error": Message(
        "this is a bug in labelnoise", "please report it with the lines above"
    ),
}
