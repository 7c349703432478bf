"""From options to an estimate: what every command that reads data does first."""

from __future__ import annotations

import os
import re
import shlex
import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from labelnoise.errors import LabelNoiseError, OutputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.cli.settings import DataOptions, MethodOptions, RunOptions
    from labelnoise.cli.speaking import Speaker
    from labelnoise.data.labelled_table import LabelledTable
    from labelnoise.data.reading import Reading, Wanted
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.about import About

UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
DEFAULT_SHARE = 0.75
MEGABYTE = 1024**2
NEIGHBORS = 5


class CallError(LabelNoiseError):
    """The options cannot be used together, or as they stand."""


@contextmanager
def options_checked() -> Iterator[None]:
    """Whatever is wrong inside is wrong with the call, not with the data."""
    try:
        yield
    except LabelNoiseError as error:
        raise CallError(str(error)) from error


@dataclass(frozen=True)
class Estimated:
    """A table, the estimate made from it, and how long that took."""

    table: LabelledTable
    estimate: NoiseEstimate
    seconds: float


def begin(run: RunOptions, output: Path | None = None, *inputs: Any) -> Speaker:
    """Set up, and refuse what would fail in the end: an output that is an input, or no place."""
    from labelnoise.cli.speaking import Speaker
    from labelnoise.files import check_writable

    memory_limit(run.max_memory)
    if output is not None:
        refuse_inputs(output, *inputs)
        check_writable(output)
    return Speaker.of(run)


def about(
    done: Estimated,
    data: DataOptions,
    *,
    max_rows: int,
    features: bool = True,
    title: str | None = None,
) -> About:
    """What a report is told beside the estimate."""
    from labelnoise.reporting.about import About

    table = done.table
    return About(
        name=title or ("standard input" if data.data == "-" else Path(data.data).name),
        X=table.X if features else None,
        feature_names=table.feature_names,
        ids=table.ids,
        content=table.content if table.shown else None,
        guesses=told_guesses(table),
        digest=table.source.digest,
        seconds=done.seconds,
        command=shlex.join(["labelnoise", *sys.argv[1:]]),
        next_commands=(
            f"{again('apply', data, 'decisions.csv')} -o fixed.csv",
            f"{again('estimate', data)} --audit decisions.csv",
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


def found_rows(done: Estimated, **asked: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Rows to review as columns, by their names in the table; and their cells."""
    from labelnoise.remedies.label_issues import find_label_issues

    issues = find_label_issues(done.estimate, done.table.y, output="table", **asked)
    return _named(done.table, dict(issues))


def rows_as_columns(done: Estimated, rows: Any) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """The same for rows that were chosen otherwise."""
    import numpy as np

    from labelnoise.remedies.label_issues import Suspects

    names = np.arange(done.estimate.n_rows)
    return _named(done.table, Suspects(done.estimate).columns(rows, names, NEIGHBORS))


def _named(
    table: LabelledTable, columns: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Columns with the names of rows in the place of positions, and cells of these rows."""
    from labelnoise.remedies.issue_files import REVIEWED

    rows = columns["row"]
    columns["row"] = table.ids[rows]
    columns["neighbors"] = [
        table.ids[near].tolist() if near else [] for near in columns["neighbors"]
    ]
    taken, named = {*columns, REVIEWED}, {}
    for name, cells in table.content(rows).items():
        free = name
        while free in taken:
            free = f"{free} (data)"
        taken.add(free)
        named[free] = cells
    return columns, named


def again(command: str, data: DataOptions, *more: str) -> str:
    """Another command on the same data, to be copied from the terminal."""
    path = data.data
    options = {"--label": data.label, "--id": data.id, "--delimiter": data.delimiter}
    options |= {"--encoding": data.encoding, "--format": data.format}
    if command == "apply" and data.label is not None and Path(data.label).is_file():
        path, options = data.label, {}  # labels in a file of their own
    elif command == "report":
        options["--embeddings"] = data.embeddings
    told = [part for name, value in options.items() if value for part in (name, value)]
    header = ["--no-header"] if data.no_header else []
    return shlex.join(["labelnoise", command, path, *more, *told, *header])


def wanted_of(data: DataOptions) -> Wanted:
    """What was said about columns."""
    from labelnoise import checks
    from labelnoise.data.column_roles import KINDS
    from labelnoise.data.reading import Wanted

    kinds = {}
    for said in data.kinds or ():
        name, sign, kind = said.rpartition("=")
        if not sign:
            raise CallError(f"--as {said!r} must be NAME=KIND, for example --as zip=category.")
        with options_checked():
            kinds[name] = checks.one_of(kind, f"kind of column {name!r}", KINDS)
    return Wanted(
        label=data.label,
        features=tuple(data.features or ()),
        drop=tuple(data.drop or ()),
        id=data.id,
        shown=tuple(data.text_column or ()),
        kinds=kinds,
        embeddings=data.embeddings,
        unlabelled=tuple(data.unlabelled or ()),
    )


def reading_of(data: DataOptions, wanted: Wanted) -> Reading:
    """What was said about the file; labels, names and what is shown stay as they are written."""
    from labelnoise import checks
    from labelnoise.data.reading import Reading
    from labelnoise.data.table_files import FORMATS

    delimiter = {"\\t": "\t", "tab": "\t"}.get(str(data.delimiter), data.delimiter)
    if data.format is not None:
        with options_checked():
            checks.one_of(data.format, "format", FORMATS)
    if delimiter is not None and len(delimiter) != 1:
        raise CallError(
            f"--delimiter must be one character, got {delimiter!r}. Pass for example ';'."
        )
    return Reading(
        name="standard input" if data.data == "-" else repr(data.data),
        format=data.format,
        delimiter=delimiter,
        encoding=data.encoding,
        header=not data.no_header,
        as_text=wanted.as_text,
    )


def listed(given: list[str] | None) -> tuple[str, ...]:
    """Names that were repeated, or separated by commas.

    >>> listed(["a,b", "c"])
    ('a', 'b', 'c')
    """
    return tuple(name.strip() for part in given or () for name in part.split(",") if name.strip())


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
    from labelnoise.remedies.fixes import reviewed_rows

    limit = memory_limit(run.max_memory)
    with options_checked():
        checks.one_of(method.method, "method", METHODS)
        if method.noise is not None:
            checks.one_of(method.noise, "noise", VIEWS)
    known = METHODS[method.method].estimator._get_param_names()
    said = {"random_state": run.seed, "noise": method.noise}
    if limit is not None:
        said["memory_mb"] = max(1, min(256, limit // MEGABYTE // 8))
    parameters = {
        name: value for name, value in said.items() if name in known and value is not None
    }
    if method.noise is not None and "noise" not in known:
        raise CallError(f"method {method.method!r} has no --noise. Leave it out.")
    table = loaded(data, run, speaker)
    _refuse_too_large(table, limit)
    start = time.perf_counter()
    with speaker.working():
        if method.audit is None:
            est = estimate(table.X, table.y, method=method.method, **parameters)
        else:
            column = method.audit_column
            reviews = reviewed_rows(table.y, method.audit, column=column, ids=table.ids)
            table = replace(table, y=reviews.before)
            est = estimate(table.X, table.y, method=method.method, **parameters)
            est = est.with_audit(reviews.rows, reviews.labels)
    return Estimated(table, est, time.perf_counter() - start)


def memory_limit(said: str | None) -> int | None:
    """Bytes that may be used: those that were said, or most of the machine's.

    >>> memory_limit("1.5GB"), memory_limit("512m")
    (1610612736, 536870912)
    """
    if said is None:
        try:
            whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        except (AttributeError, ValueError, OSError):  # not on every system
            return None
        return int(DEFAULT_SHARE * whole)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)(?:i?B)?\s*", said, re.IGNORECASE)
    if not found or not float(found[1]):
        raise CallError(f"--max-memory must be a size, got {said!r}. Pass for example 4GB.")
    return int(float(found[1]) * UNITS[found[2].upper()])


def needed_memory(n_rows: int, n_features: int, n_classes: int) -> int:
    """Bytes that an estimate takes at most, as measured (benchmarks/memory_needed.py).

    The process itself; copies of the features; up to 80 neighbours of each row, in few
    dimensions 320; and the posteriors of every class at several scales.
    """
    neighbours = min(n_rows, 320 if n_features <= 8 else 80)
    each = 64 * n_features + 18 * neighbours + 200 * n_classes
    return 320 * MEGABYTE + n_rows * each


def _refuse_too_large(table: LabelledTable, limit: int | None) -> None:
    n_rows, n_features = table.X.shape
    n_classes = len(set(table.y.tolist()))
    needed = needed_memory(n_rows, n_features, n_classes)
    if limit is not None and needed > limit:
        raise LabelNoiseError(
            f"{n_rows:,} rows of {n_features} features and {n_classes} classes need about "
            f"{needed / 1024**3:.1f} GB, more than the {limit / 1024**3:.1f} GB allowed. Raise "
            "--max-memory, use fewer --features, or a sample of the rows."
        )


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
        return one.resolve() == other.resolve()
