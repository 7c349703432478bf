"""Cells that are not done yet -> records, in several processes, with a progress bar."""

from __future__ import annotations

import os
import sys
import threading
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from typing import TYPE_CHECKING, TextIO

from threadpoolctl import threadpool_limits

from labelnoise.errors import LabelNoiseError
from experiments.jobs import JOBS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from experiments.library import Library
    from experiments.store import Cell, Record, Store

BAR = 30
PATIENCE = 0.5
LINE_EVERY = 60.0
"""Seconds between two lines where there is no terminal for a bar."""


@dataclass
class Failure:
    """A cell that could not be measured, and why."""

    cell: Cell
    reason: str


def summary(failures: Iterable[Failure]) -> list[str]:
    """One line for all cells of a job and set that failed alike."""
    alike: dict[tuple[str, str, str], list[Cell]] = {}
    for failure in failures:
        cell = failure.cell
        alike.setdefault((cell.job, str(cell.source), failure.reason), []).append(cell)
    lines = []
    for (job, source, reason), cells in alike.items():
        first = f"{cells[0].level}, seed {cells[0].seed}, {cells[0].method}"
        others = f" and {len(cells) - 1} more" if len(cells) > 1 else ""
        lines.append(f"{job}, {source} ({first}{others}): {reason}")
    return lines


@dataclass
class Progress:
    """A bar on a terminal; elsewhere a line a minute, so that logs stay readable."""

    total: int
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0

    def __post_init__(self) -> None:
        self._start = self._last_line = time.monotonic()

    def step(self, what: str) -> None:
        """One more cell is done."""
        self.done += 1
        now = time.monotonic()
        left = (now - self._start) / self.done * (self.total - self.done)
        line = f"{self.done}/{self.total}, {left / 60:.0f} min left, {what}"
        if self.stream.isatty():
            filled = BAR * self.done // self.total
            line = f"\r[{'#' * filled}{'.' * (BAR - filled)}] {line}"
            print(f"{line[:110]:<110}", end="", file=self.stream, flush=True)
        elif now - self._last_line >= LINE_EVERY:
            self._last_line = now
            print(line, file=self.stream, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self.stream.isatty() and self.done:
            print(file=self.stream)


def run(
    cells: Iterable[Cell],
    store: Store,
    library: Library,
    n_jobs: int,
    progress: Progress,
    *,
    fresh: bool = False,
) -> list[Failure]:
    """Measure what the store does not have; every record is written down at once.

    Cells go out in order, a few ahead of the workers, so that neighbors share loaded data. An
    error or Ctrl-C ends the workers, and the cells they were at are lost. `fresh` gives each cell a
    process of its own.
    """
    todo = iter(store.missing(cells))
    failures: list[Failure] = []
    pool = ProcessPoolExecutor(
        n_jobs,
        mp_context=get_context("spawn"),
        initializer=_end_with_parent,
        max_tasks_per_child=1 if fresh else None,
    )
    try:
        first = islice(todo, n_jobs if fresh else 2 * n_jobs)
        running = {pool.submit(_measure, cell, library): cell for cell in first}
        while running:
            finished, _ = wait(running, timeout=PATIENCE, return_when=FIRST_COMPLETED)
            for future in finished:
                cell = running.pop(future)
                outcome = future.result()
                if isinstance(outcome, str):
                    failures.append(Failure(cell, outcome))
                else:
                    store.put(cell, outcome)
                progress.step(f"{cell.job} {cell.source} {cell.level} {cell.method}")
                if (following := next(todo, None)) is not None:
                    running[pool.submit(_measure, following, library)] = following
    except BrokenProcessPool as error:
        raise LabelNoiseError(
            "a process was killed, perhaps for want of memory. What was measured is kept: start "
            "again with the same --out, and with fewer --jobs."
        ) from error
    except BaseException:
        for child in active_children():
            child.terminate()  # else the exit would wait for the cells that were begun
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
    return failures


def _end_with_parent() -> None:
    """A run that was killed must not go on in its workers."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _measure(cell: Cell, library: Library) -> Record | str:
    """The record, or why there is none: one cell that fails must not take the others along."""
    try:
        # Processes share the cores among themselves, and speed is compared thread for thread.
        with threadpool_limits(1):
            return JOBS[cell.job](cell, library)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
