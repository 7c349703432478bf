"""Cells that are not done yet -> records, in several processes, with a progress bar."""

from __future__ import annotations

import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING, TextIO

from threadpoolctl import threadpool_limits

from labelnoise.errors import LabelNoiseError
from labelnoise.experiments.jobs import JOBS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from labelnoise.experiments.library import Library
    from labelnoise.experiments.store import Cell, Record, Store

BAR = 30
PATIENCE = 0.5


@dataclass
class Failure:
    """A cell that could not be measured, and why."""

    cell: Cell
    reason: str


@dataclass
class Progress:
    """A bar on a terminal; elsewhere nothing, so that logs stay readable."""

    total: int
    stream: TextIO = field(default_factory=lambda: sys.stderr)
    done: int = 0

    def __post_init__(self) -> None:
        self._start = time.monotonic()

    def step(self, what: str) -> None:
        """One more cell is done."""
        self.done += 1
        if not self.stream.isatty():
            return
        filled = BAR * self.done // self.total
        spent = time.monotonic() - self._start
        left = spent / self.done * (self.total - self.done)
        bar = "#" * filled + "." * (BAR - filled)
        line = f"\r[{bar}] {self.done}/{self.total}, {left / 60:.0f} min left, {what}"
        print(f"{line[:110]:<110}", end="", file=self.stream, flush=True)

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

    Cells go out in order, a few ahead of the workers, so that neighbours share loaded data. An
    error or Ctrl-C ends the workers, and the cells they were at are lost. `fresh` gives each cell a
    process of its own.
    """
    todo = iter(store.missing(cells))
    failures: list[Failure] = []
    pool = ProcessPoolExecutor(
        n_jobs, mp_context=get_context("spawn"), max_tasks_per_child=1 if fresh else None
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


def _measure(cell: Cell, library: Library) -> Record | str:
    """The record, or why there is none: one cell that fails must not take the others along."""
    try:
        # Processes share the cores among themselves, and speed is compared thread for thread.
        with threadpool_limits(1):
            return JOBS[cell.job](cell, library)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
