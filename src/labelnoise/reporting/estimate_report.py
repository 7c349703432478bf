"""A report from Python: an estimate, and the data that the user passes."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import pyarrow as pa

from labelnoise import checks
from labelnoise.data.containers import pandas_index
from labelnoise.data.dataset import Dataset
from labelnoise.data.encoder import encoded
from labelnoise.data.frames import as_arrow, is_table
from labelnoise.errors import LabelNoiseError
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.render import check_ending, write_summary
from labelnoise.reporting.settings import MAX_COLUMNS, MAX_ROWS
from labelnoise.reporting.summarize import summarize
from labelnoise.review.content import check_same_index, content_columns

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.context import Content


def write_report(
    est: NoiseEstimate,
    path: str | os.PathLike[str] = "report.html",
    *,
    X: Any = None,
    feature_names: Sequence[str] = (),
    content: Any = None,
    ids: Any = None,
    table: Dataset | None = None,
    title: str = ReportContext.title,
    max_rows: int = MAX_ROWS,
) -> None:
    """Write a report about an estimate atomically; for parameters see `NoiseEstimate.report`."""
    check_ending(path)
    checks.positive_int(max_rows, "max_rows", minimum=0)
    if table is None:
        context = _context(est, X, content, ids)
        context = replace(context, feature_names=feature_names or context.feature_names)
    elif X is None and ids is None and not feature_names:
        context = _context_of_dataset(est, table, content)
    else:
        other = "X=, feature_names= or ids="
        raise LabelNoiseError("exclude_each_other", first="table=", other=other)
    write_summary(summarize(est, replace(context, title=title, max_rows=max_rows)), path)


def _context(est: NoiseEstimate, X: Any, content: Any, ids: Any) -> ReportContext:
    owner = "content" if pandas_index(X) is None else "X"
    index = pandas_index(content if owner == "content" else X)
    shown = X if content is None and X is not None and is_table(X) else content
    names, code = (index, f"{owner}.index") if ids is None else (ids, "ids")
    if names is None and est.row_ids is not None:
        names, code = est.row_ids, "est.row_ids"
    context = ReportContext(
        ids=names,
        id_source=None if names is None else "ids",
        content=_content(shown, est.n_rows, index),
        next_commands=[_next_call("y", "" if names is None else code)],
    )
    return context if X is None else _with_features(context, est, X)


def _with_features(context: ReportContext, est: NoiseEstimate, X: Any) -> ReportContext:
    named = is_table(X)
    table = as_arrow(X) if named else checks.feature_matrix(X, min_rows=1)
    checks.same_length(table, est.n_rows, "X")
    encoder, matrix = encoded(table, None if est.rows is None else est.rows.observed())
    names = encoder.get_feature_names_out().tolist() if named else ()
    digest = hashlib.sha256(np.ascontiguousarray(matrix).tobytes()).hexdigest()
    return replace(context, X=matrix, feature_names=names, digests={"features": digest})


def _context_of_dataset(est: NoiseEstimate, table: Any, content: Any) -> ReportContext:
    if not isinstance(table, Dataset):
        facts = {"expected": "what load_table or Dataset.from_table returned", "value": type(table)}
        example = "features as X= and what reviewers see as content="
        raise LabelNoiseError("wrong_value", name="table", example=example, **facts)
    checks.same_length(table.X, est.n_rows, "table")
    return ReportContext(
        X=None if table.encoder is None else table.X,  # directions of embeddings mean nothing alone
        feature_names=table.feature_names,
        ids=table.ids,
        id_source=table.id_source,
        content=table.content if content is None else _content(content, est.n_rows, None),
        notes=table.notes,
        digests=table.digests,
        labels=table.y,
        next_commands=[_next_call("table.y", "table.ids")],
    )


def _next_call(labels: str, ids: str) -> str:
    """The call that corrects labels by the decisions that the page downloads."""
    names = f", ids={ids}" if ids else ""
    return f"labelnoise.apply_fixes({labels}, {ReportContext.decisions_file!r}{names})"


def _content(content: Any, n_rows: int, index: Any) -> Content | None:
    """A function that returns cells of some rows."""
    if content is None or callable(content):
        return cast("Content | None", content)
    if is_table(content):
        check_same_index(content, index)
        cells = as_arrow(content, "content")
        checks.same_length(cells, n_rows, "content")
        first = cells.select(cells.column_names[:MAX_COLUMNS])
        return lambda rows: cast("Any", first.take(pa.array(np.asarray(rows))).to_pydict())
    columns = dict(list(content_columns(content, n_rows, index).items())[:MAX_COLUMNS])
    return lambda rows: {name: [cells[i] for i in rows] for name, cells in columns.items()}
