"""Reviewed labels: applied, all or none, and undone, round by round."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import as_columns, labels_like, row_ids
from labelnoise.data.dataset import labels_and_ids
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.review.decisions import REVIEWED, Columns, read_decisions
from labelnoise.review.matching import comparable, is_empty, match

if TYPE_CHECKING:
    from pathlib import Path

    from labelnoise.arrays import IntArray
    from labelnoise.checks import Label


def apply_fixes(
    y: Any,
    fixes: Any,
    *,
    column: str = REVIEWED,
    ids: Any = None,
    classes: Sequence[Label] | None = None,
) -> Any:
    """Replace noisy labels with reviewed ones.

    Either all fixes are applied or none is: a row that does not exist or is named twice, a label
    that is not a class, and a row whose label is not the one that was reviewed are errors.

    Parameters
    ----------
    y : array-like of shape (n,), or Dataset
        The labels that were reviewed.
    fixes : frame, mapping, list of mappings or path
        What was decided about which rows, as one of these:

        - what `find_label_issues` returned, with a column `reviewed` added; or any frame, or list
          of its lines, with the columns `row`, `reviewed` and perhaps `given`, which must then
          be the label in `y`;
        - a mapping from row to label;
        - the path of a file that `export_label_issues` wrote, with its column `reviewed` filled
          in. A spreadsheet may have saved it again;
        - the path of the JSON export of a Label Studio project with its tasks.

        `row` is the id of a row, or its position, counted from 0, if there are no ids. Rows whose
        reviewed label is empty are left alone; a warning says so if all are. Rows and labels are
        compared as numbers if all ids, or all classes, are numbers, and as text otherwise.
    column : str
        Column of the reviewed labels. ``column="suggested"`` accepts suggestions without review:
        pass only rows whose `p_suggested` is above one half, or more errors are made than fixed.
    ids : sequence, optional
        Identifiers of the rows, as in `find_label_issues`.
    classes : sequence, optional
        All classes, if reviewers may use some that do not occur in `y`.

    Returns
    -------
    labels
        A new series for a series, else an array.

    Examples
    --------
    >>> apply_fixes(["cat", "dog", "dog"], {1: "cat"}).tolist()
    ['cat', 'cat', 'dog']
    """
    y, ids = labels_and_ids(y, ids)
    labels = checks.labels(y, None, classes)
    decided = _decided_rows(fixes, column)
    rows = _positions(decided["row"], row_ids(ids, len(labels.codes), y))
    if "given" in decided:
        _check_unchanged(decided, labels.codes[rows], labels.classes)
    codes = labels.codes.copy()
    codes[rows] = _codes(decided[column], labels.classes, column)
    return labels_like(y, codes, labels.classes)


class ReviewedRows(NamedTuple):
    """Positions of the reviewed rows (m,), their true labels, and all labels (n,) before review."""

    rows: IntArray
    labels: list[Label]
    before: Any


def reviewed_rows(y: Any, fixes: Any, *, column: str = REVIEWED, ids: Any = None) -> ReviewedRows:
    """Reviewed rows and their true labels, as `NoiseEstimate.with_audit` takes them.

    Parameters are those of `apply_fixes`; rows that were confirmed count, too. Labels `y` to which
    the fixes were already applied are restored to what they were: an estimate from labels that
    were corrected where they looked wrong would be too low.

    >>> reviewed_rows(["cat", "dog", "dog"], {1: "cat", 2: "dog"}).rows.tolist()
    [1, 2]
    >>> fixes = [{"row": 1, "given": "dog", "reviewed": "cat"}]
    >>> reviewed_rows(["cat", "cat", "dog"], fixes).before.tolist()
    ['cat', 'dog', 'dog']
    """
    y, ids = labels_and_ids(y, ids)
    decided = _decided_rows(fixes, column)
    mentioned = [label for name in ("given", column) for label in decided.get(name, ())]
    classes = _classes_with(checks.labels(y, None).classes, mentioned)
    codes = checks.labels(y, None, classes).codes
    rows = _positions(decided["row"], row_ids(ids, len(codes), y))
    new = _codes(decided[column], classes, column)
    if "given" in decided:
        old = _codes(decided["given"], classes, "given")
        if (codes[rows] == new).all() and (old != new).any():
            codes = codes.copy()
            codes[rows] = old
        else:
            _check_unchanged(decided, codes[rows], classes)
    return ReviewedRows(rows, [classes[code] for code in new], labels_like(y, codes, classes))


class LabelsBeforeReview(NamedTuple):
    """Labels (n,) as they were before any review, and the last decision about each row."""

    labels: Any
    reviewed: dict[int, Label]


def read_rounds(paths: Sequence[Path], column: str = REVIEWED) -> list[Columns]:
    """Read the decisions of all rounds, the earliest first: columns `row`, `given`, `reviewed`.

    A file that is named twice is an error, as its fixes would be undone twice. So is a file without
    decisions: data that were corrected by other means would give far too low an estimate.
    """
    repeated = [str(path) for path in dict.fromkeys(paths) if paths.count(path) > 1]
    if repeated:
        raise LabelNoiseError("review_file_repeated", paths=repeated)
    return [_round(path, column) for path in paths]


def _round(path: Path, column: str) -> Columns:
    columns, parameter = read_decisions(path, column), "audit_column"
    _require_columns(repr(str(path)), columns, column, parameter)
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


def _classes_with(classes: tuple[Label, ...], labels: Sequence[Any]) -> tuple[Label, ...]:
    """Classes, and labels that are none of them because all their rows were corrected."""
    known = checks.label_array(classes)
    kind = known.dtype.kind
    unknown = (label for label, i in zip(labels, match(labels, known), strict=True) if i < 0)
    new = {comparable(label, kind) if kind in "iuf" else str(label) for label in unknown}
    return (*classes, *sorted(new - {None}))


def _decided_rows(fixes: Any, column: str) -> dict[str, list[Any]]:
    """Columns of the fixes, without rows that have no reviewed label."""
    columns = _fix_columns(fixes, column)
    _require_columns("the table of decisions", columns, column, "column")
    decided = [i for i, label in enumerate(columns[column]) if not is_empty(label)]
    if not decided:
        warn_user("no_decisions", table="the table of decisions", column=column, parameter="column")
    return {name: [values[i] for i in decided] for name, values in columns.items()}


def _require_columns(table: str, columns: Mapping[str, Any], reviewed: str, parameter: str) -> None:
    """Refuse decisions without rows or reviewed labels; `parameter` names the column of these."""
    for missing in ("row", reviewed):
        if missing not in columns:
            facts = {"table": table, "missing": missing, "columns": list(columns)}
            raise LabelNoiseError("decisions_without_column", **facts, parameter=parameter)


def _fix_columns(fixes: Any, column: str) -> dict[str, list[Any]]:
    if isinstance(fixes, str | os.PathLike):
        return read_decisions(fixes, column)
    if isinstance(fixes, list) and not fixes:
        return {"row": [], column: []}
    if isinstance(fixes, Mapping) and "row" not in fixes:
        return {"row": list(fixes), column: list(fixes.values())}
    return as_columns(fixes, "fixes")


def _positions(rows: Sequence[Any], ids: np.ndarray[Any, Any]) -> IntArray:
    """Positions (m,) of rows by their ids; each may be named once."""
    found = match(rows, ids)
    if -1 in found:
        raise LabelNoiseError("unknown_rows", rows=_not_found(rows, found))
    distinct, times = np.unique(found, return_counts=True)
    if len(distinct) < len(found):
        raise LabelNoiseError("rows_repeated", rows=ids[distinct[times > 1]].tolist())
    return found


def _codes(labels: Sequence[Any], classes: tuple[Label, ...], column: str) -> IntArray:
    found = match(labels, checks.label_array(classes))
    if -1 in found:
        facts = {"labels": _not_found(labels, found), "classes": list(classes)}
        raise LabelNoiseError("unknown_labels", column=column, **facts)
    return found


def _not_found(values: Sequence[Any], found: IntArray) -> list[Any]:
    """Values without a position, each once."""
    missing = (value for value, i in zip(values, found, strict=True) if i < 0)
    return list({repr(value): value for value in missing}.values())


def _check_unchanged(
    decided: Mapping[str, Sequence[Any]], now: IntArray, classes: tuple[Label, ...]
) -> None:
    """Refuse fixes whose `given` labels are not the present ones."""
    then = _codes(decided["given"], classes, "given")
    differ = np.flatnonzero(then != now)
    if differ.size:
        first = differ[0]
        raise LabelNoiseError(
            "labels_changed_since_review",
            n=int(differ.size),
            row=decided["row"][first],
            then=classes[then[first]],
            now=classes[now[first]],
        )
