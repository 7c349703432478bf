"""Several rounds of review: the last decision about each row, and the labels before any review."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from labelnoise.errors import LabelNoiseError
from labelnoise.review.correction import require_columns, reviewed_rows
from labelnoise.review.decisions import REVIEWED, Columns, read_decisions
from labelnoise.review.matching import is_empty

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from labelnoise.checks import Label


class LabelsBeforeReview(NamedTuple):
    """Labels (n,) as they were before any review, and the last decision about each row."""

    labels: Any
    reviewed: dict[int, Label]


def read_rounds(paths: Sequence[Path], column: str = REVIEWED) -> list[Columns]:
    """Read the decisions of all rounds, the earliest first: columns `row`, `given`, `reviewed`.

    `column` is the column of reviewed labels in the files. A file that is named twice is an error,
    as its fixes would be undone twice. So is a file without any decision: the data may have been
    corrected by other means, and then the estimate would be far too low.
    """
    repeated = [str(path) for path in dict.fromkeys(paths) if paths.count(path) > 1]
    if repeated:
        raise LabelNoiseError("review_file_repeated", paths=repeated)
    return [_round(path, column) for path in paths]


def _round(path: Path, column: str) -> Columns:
    columns, parameter = read_decisions(path, column), "audit_column"
    require_columns(repr(str(path)), columns, column, parameter)
    if all(map(is_empty, columns[column])):
        facts = {"table": repr(str(path)), "column": column, "parameter": parameter}
        raise LabelNoiseError("no_decisions", **facts)
    given = {"given": columns["given"]} if "given" in columns else {}
    return {"row": columns["row"], **given, REVIEWED: columns[column]}


def reviewed_labels(rounds: Iterable[Columns]) -> tuple[str, ...]:
    """Labels that reviewers gave, as text, each once."""
    given = (str(label) for one in rounds for label in one[REVIEWED] if not is_empty(label))
    return tuple(dict.fromkeys(given))


def before_review(y: Any, rounds: Sequence[Columns], ids: Any = None) -> LabelsBeforeReview:
    """Undo all rounds of review of labels y (n,), the latest first.

    The labels may be those before, between or after the rounds. Row 0 was 'a', then 'b', then 'c':

    >>> first = {"row": [0], "given": ["a"], "reviewed": ["b"]}
    >>> second = {"row": [0], "given": ["b"], "reviewed": ["c"]}
    >>> labels, reviewed = before_review(["c", "a", "b"], [first, second])
    >>> labels.tolist(), reviewed
    (['a', 'a', 'b'], {0: 'c'})
    """
    reviewed: dict[int, Label] = {}
    for one in reversed(rounds):
        found = reviewed_rows(y, one, ids=ids)
        reviewed = dict(zip(found.rows.tolist(), found.labels, strict=True)) | reviewed
        y = found.before
    return LabelsBeforeReview(y, reviewed)
