"""What reviewers said in one round or several, and the labels as they were before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from labelnoise.cli.calls import CallError
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from pathlib import Path

    from labelnoise.cli.settings import MethodOptions
    from labelnoise.data.labeled_table import LabeledTable


class Round(NamedTuple):
    """A file of decisions, its column of reviewed labels, and what stands there."""

    path: Path
    column: str
    labels: list[Any]


def rounds_of_review(method: MethodOptions) -> list[Round]:
    """All rounds, the earliest first. Files without the column that was named have the usual one.

    A file without any decision is an error: the data may have been corrected by others, and the
    estimate would be far too low.
    """
    from labelnoise import checks
    from labelnoise.data.label_column import refuse_unknown
    from labelnoise.review.decisions import REVIEWED, read_fixes

    paths = method.audit or []
    twice = [path for path in paths if paths.count(path) > 1]
    if twice:
        raise CallError(f"--audit {str(twice[0])!r} is named twice. Name every round once.")
    files = {path: read_fixes(path) for path in paths}
    named = method.audit_column
    somewhere = any(named in columns for columns in files.values())
    rounds = []
    for path, columns in files.items():
        column = REVIEWED if somewhere and named not in columns else named
        refuse_unknown(column, columns, repr(str(path)), "--audit-column", delimited=False)
        labels = columns[column]
        if all(checks.is_missing(label) or not str(label).strip() for label in labels):
            raise LabelNoiseError(
                f"{str(path)!r} holds no decision: its column {column!r} is empty. Fill it in, or "
                "name another column with --audit-column."
            )
        rounds.append(Round(path, column, labels))
    return rounds


def reviewed_labels(rounds: list[Round]) -> tuple[str, ...]:
    """Labels that reviewers gave: one row may be all that has them."""
    return tuple(dict.fromkeys(str(label) for one in rounds for label in one.labels))


def before_reviews(table: LabeledTable, rounds: list[Round]) -> tuple[Any, dict[int, Any]]:
    """Labels as they were before any review, and what reviewers say of rows, the last word each."""
    from labelnoise.review.correction import reviewed_rows

    labels: Any = table.y
    said: dict[int, Any] = {}
    for one in reversed(rounds):  # undone in turn, the latest first
        found = reviewed_rows(labels, one.path, column=one.column, ids=table.ids)
        said = dict(zip(found.rows.tolist(), found.labels, strict=True)) | said
        labels = found.before
    return labels, said
