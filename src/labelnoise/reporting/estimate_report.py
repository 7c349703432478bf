"""A report from Python: an estimate, and whatever the user has at hand beside it."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import pandas_index
from labelnoise.data.frames import encode, names_of_features
from labelnoise.remedies.label_issues import contents
from labelnoise.reporting.about import MOST_ROWS, About
from labelnoise.reporting.render import check_ending, write_summary
from labelnoise.reporting.summary import summarise

if TYPE_CHECKING:
    import os

    from labelnoise.noise_estimate import NoiseEstimate

MOST_COLUMNS = 12
"""Columns of content that are shown beside a row."""


def write_report(
    est: NoiseEstimate,
    path: str | os.PathLike[str] = "report.html",
    *,
    X: Any = None,
    content: Any = None,
    ids: Any = None,
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
    content : frame, series or sequence of n entries, optional
        What reviewers are to see of a row. The columns of `X`, if it is a frame and this is left
        out.
    ids : sequence, optional
        What rows are called; else they are numbered from 0, or by the index of `X` or `content`.
    title : str
        Title of the page.
    max_rows : int
        Suspicious rows to show.
    """
    check_ending(path)
    checks.positive_int(max_rows, "max_rows", minimum=0)
    matrix, digest = None, None
    names: tuple[str, ...] = ()
    if X is not None:
        encoding, matrix = encode(X)
        checks.same_length(matrix, est.n_rows, "X")
        names = names_of_features(X, encoding)
        digest = hashlib.sha256(np.ascontiguousarray(matrix).tobytes()).hexdigest()
    if content is None and hasattr(X, "columns"):
        content = X
    index = pandas_index(content if pandas_index(X) is None else X)
    columns = contents(content, est.n_rows, index)
    columns = dict(list(columns.items())[:MOST_COLUMNS])
    about = About(
        name=title,
        X=matrix,
        feature_names=names,
        ids=index if ids is None else ids,
        content=(lambda rows: {n: [v[i] for i in rows] for n, v in columns.items()})
        if columns
        else None,
        digest=digest,
        max_rows=max_rows,
    )
    write_summary(summarise(est, about), path)
