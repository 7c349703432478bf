"""Messages that several packages share."""

from labelnoise.wording.message import Message

MESSAGES = {
    "wrong_value": Message(
        "{name} must be {expected}, got {value!r}", "pass, for example, {example}"
    ),
    "wrong_shape": Message("{name} has shape {shape!r}, expected {expected}"),
    "wrong_length": Message(
        "{name} has {n:entry|entries} for {n_rows:row|rows}", "pass one entry for each row"
    ),
    "not_distributions": Message(
        "{name} must be probabilities that sum to 1", "check how they were computed"
    ),
    "exclude_each_other": Message(
        "{first} cannot be combined with {other}", "leave out one or the other"
    ),
    "nothing_to_estimate_from": Message("X is None", "pass features, or {instead}"),
    "not_converged": Message(
        "the fit stopped before it converged", "merge small classes, or use fewer features"
    ),
    "unknown_ending": Message(
        "the ending of {path!r} is not one of {endings:10}", "choose one of these endings"
    ),
}
