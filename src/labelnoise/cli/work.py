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
    decisions_name,
    options_checked,
    reading_of,
    wanted_of,
)
from labelnoise.cli.memory import MEGABYTE, memory_limit, refuse_too_large
from labelnoise.cli.reviews import before_reviews, reviewed_labels, rounds_of_review
from labelnoise.errors import OutputError
from labelnoise.findings import Diagnosis, Finding

if TYPE_CHECKING:
    from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions
    from labelnoise.cli.speaking import Speaker
    from labelnoise.data.labeled_table import LabeledTable
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.about import About


@dataclass(frozen=True)
class Estimated:
    """What was asked for, the table, its estimate, and how long that took."""

    data: DataOptions
    method: MethodOptions
    run: RunOptions
    table: LabeledTable
    estimate: NoiseEstimate
    seconds: float

    def also(self) -> tuple[Any, ...]:
        """Options beside those about the data that another command should have, too."""
        return (self.method, replace(self.run, json=False, quiet=False, threads=None))


def begin(run: RunOptions, output: Path | None = None, *inputs: Any) -> Speaker:
    """Set up, and refuse what would fail in the end: an output that is an input, or no place."""
    from labelnoise.atomic_files import check_writable
    from labelnoise.cli.speaking import Speaker

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


def loaded(
    data: DataOptions, run: RunOptions, speaker: Speaker, kept: tuple[str, ...] = ()
) -> LabeledTable:
    """Read the table, and say what was guessed; some labels are kept if one row only has them."""
    from labelnoise.data.labeled_table import read_labeled

    wanted = replace(wanted_of(data), kept_labels=kept)
    reading = reading_of(data, wanted)
    with speaker.working():
        table = read_labeled(data.data, wanted, reading, run.seed or 0)
    speaker.guesses(table.guesses)
    return table


def estimated(
    data: DataOptions, method: MethodOptions, run: RunOptions, speaker: Speaker
) -> Estimated:
    """Read the table and estimate from it."""
    from labelnoise import checks
    from labelnoise.methods import METHODS, estimate
    from labelnoise.rank_gate.estimator import VIEWS

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
    rounds = rounds_of_review(method)
    table = loaded(data, run, speaker, reviewed_labels(rounds))
    refuse_too_large((*table.X.shape, len(table.classes)), limit)
    said["classes"] = table.classes if data.new_class else None
    parameters = {
        name: value for name, value in said.items() if name in known and value is not None
    }
    start = time.perf_counter()
    with speaker.working():
        before, reviewed = before_reviews(table, rounds)
        table = replace(table, y=before)
        est = estimate(table.X, table.y, method=method.method, **parameters)
        if reviewed:
            est = est.with_audit(list(reviewed), list(reviewed.values()))
        est = replace(est, diagnosis=_doubted(est.diagnosis, table))
    return Estimated(data, method, run, table, est, time.perf_counter() - start)


def _doubted(diagnosis: Diagnosis, table: LabeledTable) -> Diagnosis:
    """A diagnosis that does not trust columns that may be made from the labels."""
    if not table.telltales:
        return diagnosis
    found = [Finding("column_predicts_label", {"column": name}) for name in table.telltales]
    return Diagnosis.of([*found, *diagnosis.findings])


def about(
    done: Estimated, *, max_rows: int, features: bool = True, title: str | None = None
) -> About:
    """What a report is told beside the estimate."""
    from labelnoise.cli.rows import shown_columns
    from labelnoise.data.plain_columns import text_of
    from labelnoise.reporting.about import About

    data, table = done.data, done.table
    columns = shown_columns(done) if max_rows else []
    decisions = text_of(decisions_name(data))
    learn = again("estimate", data, others=done.also())
    return About(
        name=text_of(title or ("standard input" if data.data == "-" else Path(data.data).name)),
        X=table.X if features and data.embeddings is None else None,
        feature_names=table.feature_names,
        ids=table.ids,
        named_by=table.named_by,
        content=partial(table.content, columns=columns) if columns else None,
        guesses=table.guesses,
        digests=table.digests,
        seconds=done.seconds,
        command=text_of(shlex.join(["labelnoise", *sys.argv[1:]])),
        next_commands=(
            text_of(apply_next(data, decisions, labels_apart=table.labels_apart)),
            text_of(f"{learn} --audit {shlex.quote(decisions)}"),
        ),
        decisions=decisions,
        max_rows=max_rows,
    )
