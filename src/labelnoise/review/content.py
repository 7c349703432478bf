"""Columns that reviewers need to see, copied beside the label issues."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from labelnoise.data.containers import as_columns, indexes_differ, pandas_index
from labelnoise.errors import LabelNoiseError


def check_same_index(content: Any, index: Any) -> None:
    """Refuse content whose pandas index differs from that of the data."""
    if indexes_differ(pandas_index(content), index):
        raise LabelNoiseError("content_index_differs")


def content_columns(
    content: Any, n_rows: int, index: Any, reserved: Collection[str] = ()
) -> dict[str, list[Any]]:
    """Content (a frame, mapping, series or sequence) as columns of n entries each.

    `index` is the pandas index of the data, if they have one. No column may have a reserved name.
    """
    if content is None:
        return {}
    check_same_index(content, index)
    if not (hasattr(content, "columns") or isinstance(content, Mapping)):
        content = {getattr(content, "name", None) or "content": content}
    columns = as_columns(content, "content")
    taken = [name for name in columns if name in reserved]
    if taken:
        raise LabelNoiseError("content_column_taken", columns=taken)
    for name, values in columns.items():
        if len(values) != n_rows:
            facts = {"n": len(values), "n_rows": n_rows}
            raise LabelNoiseError("wrong_length", name=f"content {name!r}", **facts)
    return columns
