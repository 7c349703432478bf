"""What reviewers said in one round or several, and the labels as they were before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labelnoise.cli.calls import CallError

if TYPE_CHECKING:
    from labelnoise.cli.settings import MethodOptions
    from labelnoise.data.labelled_table import LabelledTable


def reviewed_labels(method: MethodOptions) -> tuple[str, ...]:
    """Labels that reviewers gave: one row may be all that has them."""
    from labelnoise.remedies.issue_files import read_fixes

    twice = [path for path in method.audit or () if (method.audit or []).count(path) > 1]
    if twice:
        raise CallError(f"--audit {str(twice[0])!r} is named twice. Name every round once.")
    columns = [read_fixes(path) for path in method.audit or ()]
    told = [found.get(method.audit_column, found.get("reviewed", [])) for found in columns]
    return tuple(dict.fromkeys(str(label) for labels in told for label in labels))


def before_reviews(table: LabelledTable, method: MethodOptions) -> tuple[Any, dict[int, Any]]:
    """Labels as they were before any review, and what reviewers say of rows, the last word each."""
    from labelnoise.remedies.fixes import reviewed_rows
    from labelnoise.remedies.issue_files import REVIEWED, read_fixes

    labels: Any = table.y
    said: dict[int, Any] = {}
    for path in reversed(method.audit or ()):  # undone in turn, the latest first
        column = method.audit_column if method.audit_column in read_fixes(path) else REVIEWED
        found = reviewed_rows(labels, path, column=column, ids=table.ids)
        said = dict(zip(found.rows.tolist(), found.labels, strict=True)) | said
        labels = found.before
    return labels, said
