"""From options to an estimate: a new one, or a saved one of the same data."""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from labelnoise import methods
from labelnoise.cli.arguments import read_options, refuse_columns, table_options
from labelnoise.cli.calls import Call
from labelnoise.cli.memory import MEGABYTE, memory_limit, refuse_too_large
from labelnoise.cli.options import MethodOptions
from labelnoise.cli.output import Output
from labelnoise.cli.rows import first_spreadsheet_row, shown_columns
from labelnoise.data.dataset import Dataset
from labelnoise.errors import LabelNoiseError
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.summarize import summarize
from labelnoise.reporting.summary import Summary
from labelnoise.review.correction import (
    before_review,
    read_rounds,
    reviewed_labels,
)


@dataclass(frozen=True, eq=False)
class EstimateResult:
    """A call, the data it is about, their estimate, and the seconds it took, if it is new."""

    call: Call
    dataset: Dataset
    estimate: NoiseEstimate
    seconds: float | None = None


def estimated(call: Call, out: Output) -> EstimateResult:
    """Read the data, and estimate the noise or load the estimate."""
    if call.saved is None:
        return _new_estimate(call, out)
    if call.method != MethodOptions():
        other = "--method, --noise, --audit or --pred-proba"
        raise LabelNoiseError("exclude_each_other", first="--estimate", other=other)
    est = NoiseEstimate.load(call.saved)
    dataset = load_dataset(call, out, kept_labels=tuple(map(str, est.classes)))
    check_same_data(est, dataset.y, call.saved)
    return EstimateResult(call, dataset, est)


def as_classes(labels: Any, classes: Sequence[Any]) -> list[Any]:
    """The classes that labels (n,) name; other labels stay as they are.

    Files hold text, while an estimate made in Python may have classes such as True or 1.0.
    """
    known = {str(label): label for label in classes}
    return [known.get(str(label), label) for label in labels.tolist()]


def check_same_data(est: NoiseEstimate, y: Any, path: str) -> None:
    """Refuse a saved estimate that was not made from these labels (n,)."""
    try:
        est.check_labels(as_classes(y, est.classes))
    except LabelNoiseError as error:
        facts = {"path": path, "n_rows": len(y), "n_estimated": est.n_rows}
        raise LabelNoiseError("estimate_of_other_labels", **facts) from error


def load_dataset(call: Call, out: Output, kept_labels: tuple[str, ...] = ()) -> Dataset:
    """Read the data, and print what was decided about them.

    `kept_labels` are kept even if only one row has them.
    """
    data, probabilities = call.data, call.method.pred_proba
    options = replace(table_options(data), kept_labels=kept_labels)
    if probabilities is not None:
        refuse_columns(data, "--pred-proba")
        options = replace(options, embeddings=str(probabilities))
    reading = read_options(data, call.run)
    with out.working():
        dataset = Dataset.from_file(data.data, options, reading, call.run.seed or 0)
    if probabilities is not None:
        dataset = _of_probabilities(dataset)
    out.notes(dataset.notes)
    return dataset


def _of_probabilities(dataset: Dataset) -> Dataset:
    """A data set whose features are class probabilities."""
    digests = dict(dataset.digests)
    digests["probabilities"] = digests.pop("embeddings")
    return replace(dataset, digests=digests)


def _new_estimate(call: Call, out: Output) -> EstimateResult:
    parameters, paths = _parameters(call), call.method.audit or []
    rounds = read_rounds(paths, call.method.audit_column)
    dataset = load_dataset(call, out, reviewed_labels(rounds))
    n_rows, n_features = dataset.X.shape
    limit = memory_limit(call.run.max_memory)
    refuse_too_large(n_rows, n_features, len(dataset.classes), limit)
    if call.data.new_class:
        parameters["classes"] = dataset.classes
    start = time.perf_counter()
    with out.working():
        before = before_review(dataset.y, rounds, dataset.ids)
        dataset = replace(dataset, y=before.labels)
        if call.method.pred_proba is None:
            est = methods.estimate(dataset, **parameters)
        else:
            named = pa.table(list(dataset.X.T), names=list(dataset.feature_names))
            parameters |= {"pred_proba": named, "groups": dataset.groups}
            est = methods.estimate(None, dataset.y, **parameters)
            est = replace(est, row_ids=dataset.row_ids)
        if before.reviewed:
            est = est.with_audit(list(before.reviewed), list(before.reviewed.values()))
    return EstimateResult(call, dataset, est, time.perf_counter() - start)


def _parameters(call: Call) -> dict[str, Any]:
    """The method and its parameters; an error for a specified one that the method does not have."""
    method, limit = call.method, memory_limit(call.run.max_memory)
    options = {"noise": method.noise, "pred_proba": method.pred_proba, "groups": call.data.group}
    specified = [name for name, value in options.items() if value is not None]
    known = methods.method_taking(method.method, specified).arguments
    given = {
        "random_state": call.run.seed,
        "noise": method.noise,
        "memory_mb": limit and max(1, min(256, limit // MEGABYTE // 8)),
    }
    used = {name: value for name, value in given.items() if name in known and value is not None}
    return {"method": method.method, **used}


def summary_of(done: EstimateResult, *, max_rows: int = 0, features: bool = False) -> Summary:
    """Everything that a report shows."""
    call, dataset = done.call, done.dataset
    path = call.data.data
    columns = shown_columns(call, dataset) if max_rows else []
    decisions = call.decisions_file
    first = first_spreadsheet_row(call, dataset)
    context = ReportContext(
        title="standard input" if path == "-" else Path(path).name,
        X=dataset.X if features and dataset.encoder is not None else None,
        feature_names=dataset.feature_names,
        ids=dataset.ids,
        id_source=dataset.id_source,
        labels=as_classes(dataset.y, done.estimate.classes),
        lines=None if first is None else (dataset.positions + first).tolist(),
        content=partial(dataset.content, columns=columns) if columns else None,
        notes=dataset.notes,
        digests=dataset.digests,
        seconds=done.seconds,
        audience="command line",
        command=shlex.join(["labelnoise", *sys.argv[1:]]),
        next_commands=(
            call.apply_command(decisions, labels_in_own_file=dataset.labels_in_own_file),
            replace(call, saved=None).next_command("estimate", "--audit", decisions),
        ),
        decisions_file=decisions,
        max_rows=max_rows,
    )
    return summarize(done.estimate, context)
