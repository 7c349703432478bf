"""A report from Python: an estimate, and whatever the user has at hand beside it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import pandas_index, rows_of_frame
from labelnoise.data.frames import encode, names_of_features
from labelnoise.data.labeled_table import MOST_SHOWN
from labelnoise.reporting.about import MOST_ROWS, About
from labelnoise.reporting.render import check_ending, write_summary
from labelnoise.reporting.summary import summarize
from labelnoise.review.content import check_same_index, content_columns

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from labelnoise.data.labeled_table import LabeledTable
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.about import Content


def write_report(
    est: NoiseEstimate,
    path: str | os.PathLike[str] = "report.html",
    *,
    X: Any = None,
    feature_names: Sequence[str] = (),
    content: Any = None,
    ids: Any = None,
    table: LabeledTable | None = None,
    title: str = "Label noise",
    max_rows: int = MOST_ROWS,
) -> None:
    """Write a report about an estimate, in one step.

    Parameters
    ----------
    est : NoiseEstimate
        One that knows its rows says most; a loaded one can still be reported.
    path : path
        Ending in ``.html``, ``.md`` or ``.json``.
    X : array or frame of shape (n, d), optional
        The features, to show which of them matter.
    feature_names : sequence of str
        Their names; those of the columns, if `X` is a frame and this is left out.
    content : frame, series, sequence of n entries, or callable, optional
        What reviewers are to see of a row; a callable is given positions of rows and returns
        columns by name, such as the ``content`` of `load_table`'s result. The columns of `X`, if
        it is a frame and this is left out.
    ids : sequence, optional
        What rows are called; else they are numbered from 0, or by the index of `X` or `content`.
    table : LabeledTable, optional
        What `load_table` returned: features, names, ids, content and what was guessed at once.
    title : str
        Title of the page.
    max_rows : int
        Suspicious rows to show.
    """
    check_ending(path)
    if table is not None:
        X = table.X if X is None else X
        feature_names = feature_names or table.feature_names
        content = table.content if content is None else content
        ids = table.ids if ids is None else ids
    checks.positive_int(max_rows, "max_rows", minimum=0)
    matrix, digests = None, {}
    if X is not None:
        encoding, matrix = encode(X)
        checks.same_length(matrix, est.n_rows, "X")
        feature_names = feature_names or names_of_features(X, encoding)
        digests["features"] = hashlib.sha256(np.ascontiguousarray(matrix).tobytes()).hexdigest()
    if content is None and hasattr(X, "columns"):
        content = X
    index = pandas_index(content if pandas_index(X) is None else X)
    about = About(
        name=title,
        X=matrix,
        feature_names=feature_names,
        ids=index if ids is None else ids,
        content=_content(content, est.n_rows, index),
        named_by=_named_by(ids, index, table),
        digests=digests if table is None else table.digests,
        guesses=() if table is None else table.guesses,
        max_rows=max_rows,
    )
    write_summary(summarize(est, about), path)


def _named_by(ids: Any, index: Any, table: LabeledTable | None) -> str:
    if table is not None and ids is table.ids:
        return table.named_by
    return "place" if ids is None and index is None else "ids"


def _content(content: Any, n_rows: int, index: Any) -> Content | None:
    """Cells of some rows, on demand."""
    if content is None or callable(content):
        return cast("Content | None", content)
    rows_of = rows_of_frame(content, MOST_SHOWN)
    if rows_of is not None:
        check_same_index(content, n_rows, index)
        checks.same_length(content, n_rows, "content")
        return rows_of
    columns = dict(list(content_columns(content, n_rows, index).items())[:MOST_SHOWN])
    return lambda rows: {name: [cells[i] for i in rows] for name, cells in columns.items()}
