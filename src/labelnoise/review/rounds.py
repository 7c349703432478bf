"""Several rounds of review: the last decision about each row, and the labels before any review."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from labelnoise.errors import LabelNoiseError
from labelnoise.review.correction import require_columns, reviewed_rows
from labelnoise.review.decisions import REVIEWED, Columns, read_decisions
from labelnoise.review.matching import is_empty

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from labelnoise.checks import Label


@dataclass(frozen=True)
class ReviewRound:
    """The decisions of one file: its columns, and the name of the one with reviewed labels."""

    columns: Columns
    column: str = REVIEWED

    @property
    def labels(self) -> list[Any]:
        """The reviewed labels, empty where nothing was decided."""
        return self.columns[self.column]


class LabelsBeforeReview(NamedTuple):
    """Labels (n,) as they were before any review, and the last decision about each row."""

    labels: Any
    reviewed: dict[int, Label]


def check_distinct_files(paths: Sequence[Path]) -> None:
    """Refuse a file that is named twice: its fixes would be undone twice."""
    repeated = [str(path) for path in dict.fromkeys(paths) if paths.count(path) > 1]
    if repeated:
        raise LabelNoiseError("review_file_repeated", paths=repeated)


def read_rounds(paths: Sequence[Path], column: str = REVIEWED) -> list[ReviewRound]:
    """Read the decisions of all rounds, the earliest first.

    If only some files have the column, the others are read by the default one. A file without any
    decision is an error: the data may have been corrected by other means, and then the estimate
    would be far too low.
    """
    files = {path: read_decisions(path, column) for path in paths}
    anywhere = any(column in columns for columns in files.values())
    return [
        _round(path, columns, REVIEWED if anywhere and column not in columns else column)
        for path, columns in files.items()
    ]


def _round(path: Path, columns: Columns, column: str) -> ReviewRound:
    require_columns(repr(str(path)), columns, column, "audit_column")
    if all(map(is_empty, columns[column])):
        facts = {"table": repr(str(path)), "column": column, "parameter": "audit_column"}
        raise LabelNoiseError("no_decisions", **facts)
    return ReviewRound(columns, column)


def reviewed_labels(rounds: Iterable[ReviewRound]) -> tuple[str, ...]:
    """Labels that reviewers gave, as text, each once."""
    given = (str(label) for one in rounds for label in one.labels if not is_empty(label))
    return tuple(dict.fromkeys(given))


def before_review(y: Any, rounds: Sequence[ReviewRound], ids: Any = None) -> LabelsBeforeReview:
    """Undo all rounds of review, the latest first.

    Parameters
    ----------
    y : array-like of shape (n,)
        Labels before, between or after the rounds.
    rounds : sequence of ReviewRound
        The earliest first.
    ids : sequence, optional
        Identifiers of the rows.

    Examples
    --------
    Row 0 was 'a', then 'b', then 'c':

    >>> first = ReviewRound({"row": [0], "given": ["a"], "reviewed": ["b"]})
    >>> second = ReviewRound({"row": [0], "given": ["b"], "reviewed": ["c"]})
    >>> labels, reviewed = before_review(["c", "a", "b"], [first, second])
    >>> labels.tolist(), reviewed
    (['a', 'a', 'b'], {0: 'c'})
    """
    reviewed: dict[int, Label] = {}
    for one in reversed(rounds):
        found = reviewed_rows(y, one.columns, column=one.column, ids=ids)
        reviewed = dict(zip(found.rows.tolist(), found.labels, strict=True)) | reviewed
        y = found.before
    return LabelsBeforeReview(y, reviewed)
