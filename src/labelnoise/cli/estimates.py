"""From options to an estimate: a new one, or a saved one of the same data."""

from __future__ import annotations

import shlex
import sys
import time
from dataclasses import dataclass, fields, replace
from functools import partial
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labelnoise.cli.arguments import read_options, table_options
from labelnoise.cli.errors import CallError, options_checked
from labelnoise.cli.memory import MEGABYTE, memory_limit, refuse_too_large
from labelnoise.cli.saved_estimates import as_classes, check_same_data, load_estimate
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.cli.calls import Call
    from labelnoise.cli.options import MethodOptions
    from labelnoise.cli.output import Output
    from labelnoise.data.dataset import Dataset
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.context import ReportContext


@dataclass(frozen=True, eq=False)
class Estimated:
    """A call, the data it is about, their estimate, and the seconds it took, if it is new."""

    call: Call
    dataset: Dataset
    estimate: NoiseEstimate
    seconds: float | None = None


def estimated(call: Call, out: Output) -> Estimated:
    """Read the data, and estimate the noise or load the estimate."""
    if call.saved is None:
        return _new_estimate(call, out)
    if any(getattr(call.method, one.name) != one.default for one in fields(call.method)):
        raise CallError("method_beside_saved_estimate")
    est = load_estimate(call.saved)
    dataset = load_dataset(call, out, kept_labels=tuple(map(str, est.classes)))
    check_same_data(est, dataset.y, call.saved)
    return Estimated(call, dataset, est)


def load_dataset(call: Call, out: Output, kept_labels: tuple[str, ...] = ()) -> Dataset:
    """Read the data, and print what was decided about them.

    `kept_labels` are kept even if only one row has them.
    """
    from labelnoise.data.dataset import Dataset

    data = call.data
    options = replace(table_options(data), kept_labels=kept_labels)
    if call.method.pred_proba is not None:
        if options.embeddings is not None or options.features or options.column_types:
            raise CallError("columns_beside_embeddings", option="--pred-proba")
        options = replace(options, embeddings=str(call.method.pred_proba))
    reading = read_options(data, call.run)
    with out.working():
        dataset = Dataset.from_file(data.data, options, reading, call.run.seed or 0)
    if call.method.pred_proba is not None:
        dataset = _of_probabilities(dataset)
    out.notes(dataset.notes)
    return dataset


def _of_probabilities(dataset: Dataset) -> Dataset:
    """A data set whose features are class probabilities: rows that share them are no copies."""
    digests = dict(dataset.digests)
    digests["probabilities"] = digests.pop("embeddings")
    notes = tuple(note for note in dataset.notes if note.code != "copied_rows")
    return replace(dataset, digests=digests, notes=notes)


def _new_estimate(call: Call, out: Output) -> Estimated:
    from labelnoise.methods import estimate
    from labelnoise.review.rounds import before_review, reviewed_labels

    parameters = _parameters(call)
    rounds = _rounds_of_review(call.method)
    dataset = load_dataset(call, out, reviewed_labels(rounds))
    shape = (*dataset.X.shape, len(dataset.classes))
    refuse_too_large(shape, memory_limit(call.run.max_memory))
    if call.data.new_class:
        parameters["classes"] = dataset.classes
    start = time.perf_counter()
    with out.working():
        before = before_review(dataset.y, rounds, dataset.ids)
        dataset = replace(dataset, y=before.labels)
        X: Any = dataset.X
        if call.method.pred_proba is not None:
            X, parameters["pred_proba"] = None, _probabilities(dataset)
        est = estimate(X, dataset.y, method=call.method.method, **parameters)
        if before.reviewed:
            est = est.with_audit(list(before.reviewed), list(before.reviewed.values()))
    est = replace(est.with_findings(dataset.findings), row_ids=dataset.row_ids)
    return Estimated(call, dataset, est, time.perf_counter() - start)


def _parameters(call: Call) -> dict[str, Any]:
    """Parameters of the estimator, as far as the method has them."""
    from labelnoise import checks
    from labelnoise.methods import METHODS
    from labelnoise.rank_gate.readings import READINGS

    method, limit = call.method, memory_limit(call.run.max_memory)
    with options_checked():
        estimator = METHODS[checks.one_of(method.method, "method", METHODS)].estimator
        if method.noise is not None:
            checks.one_of(method.noise, "noise", READINGS)
    known = [*estimator._get_param_names(), *signature(estimator.fit).parameters]
    for name in ("noise", "pred_proba"):
        if getattr(method, name) is not None and name not in known:
            option = f"--{name.replace('_', '-')}"
            raise CallError("input_not_used_by_method", method=method.method, name=option)
    given = {
        "random_state": call.run.seed,
        "noise": method.noise,
        "memory_mb": limit and max(1, min(256, limit // MEGABYTE // 8)),
    }
    return {name: value for name, value in given.items() if name in known and value is not None}


def _rounds_of_review(method: MethodOptions) -> list[Any]:
    """Decisions of all rounds of review, the earliest first."""
    from labelnoise.review.rounds import check_distinct_files, read_rounds

    paths = method.audit or []
    with options_checked():
        check_distinct_files(paths)
    return read_rounds(paths, method.audit_column)


def _probabilities(dataset: Dataset) -> FloatArray:
    """Class probabilities (n, K) that stand in the place of features, in the order of classes."""
    classes = [str(label) for label in dataset.classes]
    names = list(dataset.feature_names)
    if not set(names) & set(classes):
        return dataset.X
    if sorted(names) != sorted(classes):
        raise LabelNoiseError("probabilities_partly_named", columns=names, classes=classes)
    return dataset.X[:, [names.index(name) for name in classes]]


def report_context(
    done: Estimated, *, max_rows: int = 0, features: bool = False, title: str | None = None
) -> ReportContext:
    """What a report knows beside the estimate."""
    from labelnoise.cli.rows import first_spreadsheet_row, shown_columns
    from labelnoise.reporting.context import ReportContext

    call, dataset = done.call, done.dataset
    path = call.data.data
    columns = shown_columns(done) if max_rows else []
    decisions = call.decisions_file
    first = first_spreadsheet_row(done)
    return ReportContext(
        title=title or ("standard input" if path == "-" else Path(path).name),
        X=dataset.X if features and dataset.encoder is not None else None,
        feature_names=dataset.feature_names,
        ids=dataset.ids,
        row_names=dataset.row_names,
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
