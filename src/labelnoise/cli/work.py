"""From options to an estimate: what every command that reads data does first."""

from __future__ import annotations

import os
import shlex
import sys
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labelnoise.cli.calls import (
    CallError,
    again,
    apply_next,
    options_checked,
    reading_of,
    wanted_of,
)
from labelnoise.cli.memory import MEGABYTE, memory_limit, refuse_too_large
from labelnoise.errors import OutputError

if TYPE_CHECKING:
    from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions
    from labelnoise.cli.speaking import Speaker
    from labelnoise.data.labelled_table import LabelledTable
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.about import About


@dataclass(frozen=True)
class Estimated:
    """What was asked for, the table, its estimate, and how long that took."""

    data: DataOptions
    method: MethodOptions
    run: RunOptions
    table: LabelledTable
    estimate: NoiseEstimate
    seconds: float

    def also(self) -> tuple[Any, ...]:
        """Options beside those about the data that another command should have, too."""
        return (self.method, replace(self.run, json=False, quiet=False, threads=None))


def begin(run: RunOptions, output: Path | None = None, *inputs: Any) -> Speaker:
    """Set up, and refuse what would fail in the end: an output that is an input, or no place."""
    from labelnoise.cli.speaking import Speaker
    from labelnoise.files import check_writable

    memory_limit(run.max_memory)
    if output is not None:
        refuse_inputs(output, *inputs)
        check_writable(output)
    return Speaker.of(run)


def refuse_inputs(output: Path, *inputs: Path | str | None) -> None:
    """Refuse to write over a file that is read, by whatever name."""
    for given in inputs:
        if given is not None and str(given) != "-" and _same(output, Path(given)):
            raise OutputError(
                f"{str(output)!r} is an input, and inputs are never written over. Choose another "
                "--output."
            )


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return os.path.abspath(one) == os.path.abspath(other)  # noqa: PTH100 - need not exist


def loaded(data: DataOptions, run: RunOptions, speaker: Speaker) -> LabelledTable:
    """Read the table, and say what was guessed."""
    from labelnoise.data.labelled_table import read_labelled

    wanted = wanted_of(data)
    reading = reading_of(data, wanted)
    with speaker.working():
        table = read_labelled(data.data, wanted, reading, run.seed or 0)
    speaker.guesses(told_guesses(table))
    return table


def estimated(
    data: DataOptions, method: MethodOptions, run: RunOptions, speaker: Speaker
) -> Estimated:
    """Read the table and estimate from it."""
    from labelnoise import checks
    from labelnoise.estimators.methods import METHODS, estimate
    from labelnoise.estimators.rank_gated import VIEWS

    limit = memory_limit(run.max_memory)
    with options_checked():
        checks.one_of(method.method, "method", METHODS)
        if method.noise is not None:
            checks.one_of(method.noise, "noise", VIEWS)
    known = METHODS[method.method].estimator._get_param_names()
    said: dict[str, Any] = {"random_state": run.seed, "noise": method.noise}
    if limit is not None:
        said["memory_mb"] = max(1, min(256, limit // MEGABYTE // 8))
    if method.noise is not None and "noise" not in known:
        raise CallError(f"method {method.method!r} has no --noise. Leave it out.")
    table = loaded(data, run, speaker)
    refuse_too_large((*table.X.shape, len(table.classes)), limit)
    said["classes"] = table.classes if data.new_class else None
    parameters = {
        name: value for name, value in said.items() if name in known and value is not None
    }
    start = time.perf_counter()
    with speaker.working():
        before, reviewed = _before_reviews(table, method)
        table = replace(table, y=before)
        est = estimate(table.X, table.y, method=method.method, **parameters)
        if reviewed:
            est = est.with_audit(list(reviewed), list(reviewed.values()))
    return Estimated(data, method, run, table, est, time.perf_counter() - start)


def _before_reviews(table: LabelledTable, method: MethodOptions) -> tuple[Any, dict[int, Any]]:
    """Labels as they were before any review, and what reviewers say of rows, the last word each."""
    from labelnoise.remedies.fixes import reviewed_rows

    labels: Any = table.y
    said: dict[int, Any] = {}
    for path in reversed(method.audit or ()):  # undone in turn, the latest first
        found = reviewed_rows(labels, path, column=method.audit_column, ids=table.ids)
        said = dict(zip(found.rows.tolist(), found.labels, strict=True)) | said
        labels = found.before
    return labels, said


def about(
    done: Estimated, *, max_rows: int, features: bool = True, title: str | None = None
) -> About:
    """What a report is told beside the estimate."""
    from labelnoise.cli.rows import shown_columns
    from labelnoise.data.plain_columns import text_of
    from labelnoise.reporting.about import About

    data, table = done.data, done.table
    columns = shown_columns(done) if max_rows else []
    return About(
        name=text_of(title or ("standard input" if data.data == "-" else Path(data.data).name)),
        X=table.X if features and data.embeddings is None else None,
        feature_names=table.feature_names,
        ids=table.ids,
        content=partial(table.content, columns=columns) if columns else None,
        guesses=told_guesses(table),
        digests=table.digests,
        seconds=done.seconds,
        command=text_of(shlex.join(["labelnoise", *sys.argv[1:]])),
        next_commands=(
            text_of(apply_next(data, "decisions.csv")),
            text_of(f"{again('estimate', data, others=done.also())} --audit decisions.csv"),
        ),
        max_rows=max_rows,
    )


def told_guesses(table: LabelledTable) -> list[str]:
    """What was guessed about the table, columns that were left out among it."""
    left_out = [role for role in table.roles if role.kind == "skip" and not role.said]
    return [
        *table.guesses,
        *(f"column {role.name!r} is left out: {role.reason} (--as)" for role in left_out),
    ]
