"""Rounds of review that are named on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.cli.calls import options_checked

if TYPE_CHECKING:
    from labelnoise.cli.settings import MethodOptions
    from labelnoise.data.labeled_table import LabeledTable
    from labelnoise.review.rounds import LabelsBeforeReview, ReviewRound


def rounds_of_review(method: MethodOptions) -> list[ReviewRound]:
    """All rounds, the earliest first."""
    from labelnoise.review.rounds import check_distinct_files, read_rounds

    paths = method.audit or []
    with options_checked():
        check_distinct_files(paths)
    return read_rounds(paths, method.audit_column)


def reviewed_labels(rounds: list[ReviewRound]) -> tuple[str, ...]:
    """Labels that reviewers gave: a class of one row is kept if it is among them."""
    from labelnoise.review.rounds import reviewed_labels

    return reviewed_labels(rounds)


def before_reviews(table: LabeledTable, rounds: list[ReviewRound]) -> LabelsBeforeReview:
    """Labels as they were before any review, and the last decision about each row."""
    from labelnoise.review.rounds import before_review

    return before_review(table.y, rounds, table.ids)
