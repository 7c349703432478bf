"""What the command line exits with."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes; they never change their meaning."""

    DONE = 0
    GATE = 1  # done, and the answer is no: too much noise, or the data cannot tell
    CALL = 2  # an unknown option, a missing argument, or options that contradict each other
    INPUT = 3  # the data cannot be read or used
    OUTPUT = 4  # a result could not be written
    BUG = 5  # something that should not happen
    INTERRUPTED = 130  # Ctrl-C


ERRORS_IN_THE_CALL = {
    "copy_of_other_format",
    "delimiter_not_one_character",
    "estimate_saved_as_other",
    "exclude_each_other",
    "features_not_given",
    "group_is_feature",
    "group_is_label",
    "groups_without_features",
    "input_not_used_by_method",
    "invalid_option_value",
    "level_not_below_one",
    "method_without_rows",
    "not_a_fraction",
    "not_a_noise_rate",
    "not_a_positive_number",
    "review_file_repeated",
    "unknown_choice",
    "unknown_encoding",
    "unknown_ending",
}
"""Codes of errors that are in the options, whatever the data."""
