"""Reviewed labels -> labels: fixes are applied all together, or not at all."""

from __future__ import annotations

import numbers
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import as_columns, labels_like, row_ids
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.review.decisions import REVIEWED, read_fixes

if TYPE_CHECKING:
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
    """Put reviewed labels in the place of noisy ones.

    Either every fix fits and all are applied, or nothing is: a row that does not exist or is
    named twice, a label that is no class, and a row whose label is not the one that was reviewed
    are errors.

    Parameters
    ----------
    y : array-like of shape (n,)
        The labels that were reviewed.
    fixes : frame, mapping, list of mappings or path
        A frame, or lines of one, with the columns `row`, the reviewed label, and `given` (if it
        is there, it is compared with `y`): what `find_label_issues` returned with a column
        added. Or a mapping from row to label. Or the path of a file that `export_label_issues`
        wrote, with its column `reviewed` filled in, or the JSON export of a Label Studio project
        with its tasks. Rows whose reviewed label is empty are left alone (a warning says so if all
        are). Rows and labels are compared as numbers where all ids, or all classes, are numbers,
        and as text else: files hold text.
    column : str
        Column of the reviewed labels. ``column="suggested"`` takes suggestions unseen: pass
        only rows whose `p_suggested` is above one half, or more errors are made than mended.
    ids : sequence, optional
        What rows are called, as in `find_label_issues`.
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
    labels = checks.labels(y, None, classes)
    names = row_ids(ids, len(labels.codes), y)
    kept = _told(fixes, column)
    rows = _positions(kept["row"], names)
    if "given" in kept:
        _refuse_changed(kept, labels.codes[rows], labels.classes)
    codes = labels.codes.copy()
    codes[rows] = _codes_of(kept[column], labels.classes, f"column {column!r}")
    return labels_like(y, codes, labels.classes)


class Reviews(NamedTuple):
    """Rows that were reviewed (m,), their true labels, and all labels (n,) as they were before."""

    rows: IntArray
    labels: list[Label]
    before: Any


def reviewed_rows(y: Any, fixes: Any, *, column: str = REVIEWED, ids: Any = None) -> Reviews:
    """What `with_audit` takes, from labels before or after the fixes were applied.

    Parameters are those of `apply_fixes`. A row that was found right counts as reviewed, too. If
    labels are as the reviewers left them, those they had before are put back: an estimate must
    not see labels that were corrected where they looked wrong.

    >>> reviewed_rows(["cat", "dog", "dog"], {1: "cat", 2: "dog"}).rows.tolist()
    [1, 2]
    >>> fixes = [{"row": 1, "given": "dog", "reviewed": "cat"}]
    >>> reviewed_rows(["cat", "cat", "dog"], fixes).before.tolist()
    ['cat', 'dog', 'dog']
    """
    labels = checks.labels(y, None)
    kept = _told(fixes, column)
    also = sorted({str(label) for name in ("given", column) for label in kept.get(name, ())})
    classes = _classes_with(labels.classes, also)
    codes = checks.labels(y, None, classes).codes
    rows = _positions(kept["row"], row_ids(ids, len(codes), y))
    new = _codes_of(kept[column], classes, f"column {column!r}")
    if "given" in kept:
        then = _codes_of(kept["given"], classes, "column 'given'")
        if (codes[rows] == new).all() and (then != new).any():
            codes = codes.copy()
            codes[rows] = then
        else:
            _refuse_changed(kept, codes[rows], classes)
    return Reviews(rows, [classes[code] for code in new], labels_like(y, codes, classes))


def _classes_with(classes: tuple[Label, ...], also: Sequence[str]) -> tuple[Label, ...]:
    """Classes, and those of labels that are texts of no class: they were all corrected away."""
    kind = checks.label_array(classes).dtype.kind
    known = {_key(label, kind) for label in classes}
    more = [text for text in also if _key(text, kind) not in known]
    typed = [_key(text, kind) if kind in "iuf" else text for text in more]
    return (*classes, *(label for label in typed if label is not None))


def _told(fixes: Any, column: str) -> dict[str, list[Any]]:
    """Columns of the fixes, of rows that were reviewed."""
    columns = _columns_of(fixes, column)
    told = [i for i, label in enumerate(columns[column]) if not _is_empty(label)]
    if not told:
        warn_user(
            f"no row has a reviewed label in column {column!r}, so no label is changed. Fill it "
            "in, or name another column with column=."
        )
    return {name: [values[i] for i in told] for name, values in columns.items()}


def _columns_of(fixes: Any, column: str) -> dict[str, list[Any]]:
    if isinstance(fixes, str | os.PathLike):
        columns = read_fixes(fixes)
    elif isinstance(fixes, list) and not fixes:
        columns = {"row": [], column: []}
    elif isinstance(fixes, Mapping) and "row" not in fixes:
        columns = {"row": list(fixes), column: list(fixes.values())}
    else:
        columns = as_columns(fixes, "fixes")
    for wanted in ("row", column):
        if wanted not in columns:
            raise LabelNoiseError(
                f"the fixes have no column {wanted!r}, their columns are "
                f"{checks.named(list(columns), 20)}. Add it, or name the column of reviewed labels "
                "with column=; cells of a .csv file are separated by commas."
            )
    return columns


def _is_empty(label: Any) -> bool:
    return checks.is_missing(label) or (isinstance(label, str) and not label.strip())


def _key(value: Any, kind: str) -> Any:
    """What a value is compared by among values of a NumPy kind; None if it cannot be one of them.

    Files turn everything into text, and frames turn whole numbers with gaps into floats. Whole
    numbers stay whole: large ids are not exact as floats.
    """
    if kind == "b":
        return str(value).strip().lower()  # spreadsheets write TRUE
    if kind not in "iuf":
        return str(value)
    if isinstance(value, bool):
        return None  # "yes, it is wrong" is no label
    try:
        number = value if isinstance(value, numbers.Integral) else float(value)
        if kind in "iu" and isinstance(value, str) and value.strip().lstrip("+-").isdigit():
            return int(value)
        return int(number) if number == int(number) else number
    except (OverflowError, TypeError, ValueError):
        return None


def _found(values: Sequence[Any], known: np.ndarray[Any, Any], what: str, remedy: str) -> IntArray:
    """Where values stand among the known ones, (m,)."""
    kind = known.dtype.kind
    place = {_key(value, kind): i for i, value in enumerate(known.tolist())}
    place.pop(None, None)  # what cannot be compared is nowhere
    keys = [_key(value, kind) for value in values]
    strange = [value for value, key in zip(values, keys, strict=True) if key not in place]
    if strange:
        different = {repr(value): value for value in strange}
        raise LabelNoiseError(f"{what}: {checks.named(list(different.values()))}. {remedy}")
    return np.array([place[key] for key in keys], dtype=np.int64)


def _positions(rows: Sequence[Any], names: np.ndarray[Any, Any]) -> IntArray:
    """Where the named rows stand, (m,)."""
    found = _found(
        rows,
        names,
        "the fixes name rows that do not exist",
        "Pass the labels that were reviewed, and the ids= that find_label_issues was given.",
    )
    distinct, times = np.unique(found, return_counts=True)
    if len(distinct) < len(found):
        raise LabelNoiseError(
            f"the fixes name rows {checks.named(names[distinct[times > 1]].tolist())} more than "
            "once. Keep one label for each row."
        )
    return found


def _codes_of(labels: Sequence[Any], classes: tuple[Label, ...], where: str) -> IntArray:
    return _found(
        labels,
        checks.label_array(classes),
        f"{where} has labels that are no class",
        f"The classes are {checks.named(classes)}. Correct the label, or name all classes with "
        "classes=; a table program may have changed how labels look (pandas.read_csv needs "
        "dtype=str, keep_default_na=False).",
    )


def _refuse_changed(
    kept: Mapping[str, Sequence[Any]], now: IntArray, classes: tuple[Label, ...]
) -> None:
    """Refuse fixes of labels that are not the ones that were reviewed."""
    then = _codes_of(kept["given"], classes, "column 'given'")
    differ = np.flatnonzero(then != now)
    if differ.size:
        first = differ[0]
        raise LabelNoiseError(
            f"{differ.size} row(s) are not labeled as they were when they were reviewed: row "
            f"{kept['row'][first]!r} was {classes[then[first]]!r} and is {classes[now[first]]!r}. "
            "Pass the labels that were reviewed; these fixes belong to others, or were applied "
            "before."
        )
