"""Measure the cells that are not in the store yet, in several processes, with a progress bar."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from typing import TYPE_CHECKING, TextIO

from threadpoolctl import threadpool_limits

from experiments.errors import ExperimentError
from experiments.jobs import ISOLATED_JOBS, JOBS

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from experiments.sources import DataFolder
    from experiments.store import Cell, Record, Store

    Outcomes = Generator[tuple[Cell, Record | str], None, None]

BAR_WIDTH = 30
WAIT_SECONDS = 0.5
"""How long Ctrl-C may go unnoticed while the workers compute."""

SECONDS_BETWEEN_LINES = 60.0
"""Where there is no terminal, progress is a line of text now and then."""


@dataclass
class Failure:
    """A cell that could not be measured, and why."""

    cell: Cell
    reason: str


def summary(failures: Iterable[Failure]) -> list[str]:
    """One line for all cells of a job and data set that failed for the same reason."""
    groups: dict[tuple[str, str, str], list[Cell]] = {}
    for failure in failures:
        cell = failure.cell
        groups.setdefault((cell.job, str(cell.source), failure.reason), []).append(cell)
    lines = []
    for (job, source, reason), cells in groups.items():
        first = f"{cells[0].level}, seed {cells[0].seed}, {cells[0].method}"
        others = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
        lines.append(f"{job}, {source} ({first}{others}): {reason}")
    return lines


@dataclass
class Progress:
    """A bar on a terminal; elsewhere a line every minute, so that logs stay readable."""

    total: int
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0

    def __post_init__(self) -> None:
        self._start = self._last_line = time.monotonic()

    def step(self, label: str) -> None:
        """Count one more cell."""
        self.done += 1
        now = time.monotonic()
        left = (now - self._start) / self.done * (self.total - self.done)
        line = f"{self.done}/{self.total}, {left / 60:.0f} min left, {label}"
        if self.stream.isatty():
            filled = BAR_WIDTH * self.done // self.total
            line = f"\r[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {line}"
            print(f"{line[:110]:<110}", end="", file=self.stream, flush=True)
        elif now - self._last_line >= SECONDS_BETWEEN_LINES:
            self._last_line = now
            print(line, file=self.stream, flush=True)

    def close(self) -> None:
        """End the line of the bar."""
        if self.stream.isatty() and self.done:
            print(file=self.stream)


def run(
    cells: Iterable[Cell], store: Store, data: DataFolder, n_jobs: int, progress: Progress
) -> list[Failure]:
    """Measure what the store does not have; every record is written at once.

    With ``n_jobs=1`` cells are measured in this process, otherwise in as many worker processes.
    Isolated jobs follow, one cell at a time, each in a new process. An error or Ctrl-C ends the
    workers, and only the cells they were measuring are lost.
    """
    missing = store.missing(cells)
    shared = [cell for cell in missing if cell.job not in ISOLATED_JOBS]
    isolated = [cell for cell in missing if cell.job in ISOLATED_JOBS]
    here = n_jobs == 1
    failures: list[Failure] = []
    for outcomes in (
        _from_this_process(shared, data) if here else _from_workers(shared, data, n_jobs),
        _from_workers(isolated, data, 1, isolated=True),
    ):
        with closing(outcomes):
            for cell, outcome in outcomes:
                if isinstance(outcome, str):
                    failures.append(Failure(cell, outcome))
                else:
                    store.put(cell, outcome)
                progress.step(f"{cell.job} {cell.source} {cell.level} {cell.method}")
    return failures


def _from_this_process(cells: list[Cell], data: DataFolder) -> Outcomes:
    for cell in cells:
        yield cell, _measure(cell, data)


def _from_workers(
    cells: list[Cell], data: DataFolder, n_jobs: int, *, isolated: bool = False
) -> Outcomes:
    """Outcomes in the order of completion.

    Cells are submitted in order and only a few ahead of the workers, so that cells of the same
    data set, which follow each other, share the loaded data.
    """
    remaining = iter(cells)
    pool = ProcessPoolExecutor(
        n_jobs,
        mp_context=get_context("spawn"),
        initializer=_exit_with_parent,
        max_tasks_per_child=1 if isolated else None,
    )
    try:
        first = islice(remaining, n_jobs if isolated else 2 * n_jobs)
        running = {pool.submit(_measure, cell, data): cell for cell in first}
        while running:
            finished, _ = wait(running, timeout=WAIT_SECONDS, return_when=FIRST_COMPLETED)
            for future in finished:
                yield running.pop(future), future.result()
                if (following := next(remaining, None)) is not None:
                    running[pool.submit(_measure, following, data)] = following
    except BrokenProcessPool as error:
        raise ExperimentError(
            "a worker process was killed, perhaps because memory ran out. Results so far are "
            "kept: start again with the same --out and fewer --jobs."
        ) from error
    except BaseException:
        for child in active_children():
            child.terminate()  # otherwise the exit would wait for the cells that were begun
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _exit_with_parent() -> None:
    """End this worker when the parent process dies, however it dies."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _measure(cell: Cell, data: DataFolder) -> Record | str:
    """The record, or the reason why there is none: one failure must not stop the other cells."""
    try:
        # Processes share the cores, and speed is compared with one thread for every method.
        with threadpool_limits(1):
            return JOBS[cell.job](cell, data)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
