"""Messages that several packages share, and those of the command line."""

from labelnoise.wording.message import Message

MESSAGES = {
    "wrong_value": Message(
        "{name} must be {expected}, got {value!r}", "pass, for example, {example}"
    ),
    "wrong_shape": Message("{name} has shape {shape!r}, expected {expected}"),
    "wrong_length": Message(
        "{name} has {n:entry|entries} for {n_rows:row|rows}",
        "pass one entry for each row, in the order of the rows",
        optional={"of": " of {of}"},
    ),
    "not_a_sequence": Message(
        "{name} must be a sequence with one value for each row, got {value!r}",
        "pass a list, an array or a series",
    ),
    "not_single_values": Message(
        "{name} must have a single value for each row, not several",
        "pass one value for each row; join several into one text first",
        optional={"example": ", such as {example!r}"},
    ),
    "rows_repeated": Message(
        "{rows:row|rows} {rows} {rows:is|are} given more than once",
        "give each row once, with one label",
    ),
    "not_distributions": Message(
        "{name} must be probabilities that sum to 1", "check how they were computed"
    ),
    "exclude_each_other": Message(
        "{first} cannot be combined with {other}", "leave out one or the other"
    ),
    "not_converged": Message(
        "the fit stopped before it converged", "merge small classes, or use fewer features"
    ),
    "unknown_ending": Message(
        "the ending of {path!r} is not one of {endings:10}", "choose one of these endings"
    ),
    # The command line.
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
