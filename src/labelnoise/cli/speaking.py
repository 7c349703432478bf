"""What the command line says, and where: results on stdout, all else on stderr."""

from __future__ import annotations

import json
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from labelnoise.progress import heard_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from labelnoise.cli.settings import RunOptions

WIDTH = 100
"""Columns of a page that is not a terminal."""

VERDICTS = {"reliable": "bold green", "weak": "bold yellow", "not identifiable": "bold red"}


@dataclass(frozen=True)
class Speaker:
    """Speaks to people, or to machines, or hardly."""

    to_machines: bool = False
    quiet: bool = False

    @classmethod
    def of(cls, run: RunOptions) -> Speaker:
        """As the options have it."""
        return cls(run.json, run.quiet)

    def say(self, *things: Any) -> None:
        """Show a result to people."""
        if not self.to_machines:
            out = console()
            for thing in things:
                out.print(
                    shown(thing) if isinstance(thing, str) else thing, markup=False, highlight=False
                )

    def tell(self, document: Any) -> None:
        """Show a result to machines."""
        if self.to_machines:
            text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False, default=str)
            sys.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        """Say something beside the result."""
        if not self.quiet:
            console(stderr=True).print(
                Text(shown(text), style="dim"), highlight=False, soft_wrap=True
            )

    def guesses(self, lines: Iterable[str]) -> None:
        """Say what was guessed."""
        for line in lines:
            self.note(f"guessed: {line}")

    @contextmanager
    def working(self) -> Iterator[None]:
        """Show progress on a terminal, and warnings as notes."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if self.quiet or not sys.stderr.isatty():
                yield
            else:
                with Bars() as bars, heard_by(bars):
                    yield
        for warning in caught:
            if warning.category.__name__ == "LabelNoiseWarning":
                self.note(f"warning: {warning.message}")


class Bars:
    """Progress bars on stderr, one for each task."""

    def __init__(self) -> None:
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            console=console(stderr=True),
            transient=True,
        )
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Bars:
        self._progress.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._progress.stop()

    def __call__(self, task: str, done: int, total: int) -> None:
        """Hear how far a task has come."""
        if task not in self._tasks:
            self._tasks[task] = self._progress.add_task(task, total=total)
        self._progress.update(self._tasks[task], completed=done, total=total)


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal, or as a page."""
    stream = sys.stderr if stderr else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else WIDTH, soft_wrap=False)


def shown(text: object) -> str:
    r"""A text without what a terminal would obey.

    >>> shown("a\x1b[31mb")
    'a�[31mb'
    """
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in str(text))


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: int = 1) -> Table:
    """A table; columns from the one numbered `numbers` on are set flush right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(head):
        table.add_column(Text(shown(name)), justify="right" if i >= numbers else "left")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(shown(cell)) for cell in row))
    return table
