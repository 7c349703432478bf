"""What the command line says, and where: results on stdout, all else on stderr."""

from __future__ import annotations

import json
import math
import os
import sys
import warnings
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from labelnoise.progress import heard_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from labelnoise.cli.settings import RunOptions

SCHEMA_VERSION = 1
WIDTH = 100
"""Columns of a page that is not a terminal."""

OPTIONS = {
    "Pass ids= with one id for each row, such as ids=range(len(y)), or reset the index": (
        "Choose another column for --id, or leave it out"
    ),
    "the ids= that find_label_issues was given": "the --id that was used to find them",
    "name another column with column=": "name another column with --column (--audit-column)",
    "name the column of reviewed labels with column=": "name it with --column (--audit-column)",
    "name all classes with classes=": "name a new one with --new-class",
    "name it in classes= when estimating": "name it with --new-class",
    "; a table program may have changed how labels look (pandas.read_csv needs dtype=str, "
    "keep_default_na=False)": "",
}
"""What messages say to those who write Python, and what it is here."""

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
                out.print(shown(thing) if isinstance(thing, str) else thing)

    def tell(self, what: str, document: Mapping[str, Any]) -> None:
        """Show a result to machines; numbers that JSON cannot hold are null."""
        if self.to_machines:
            named = {"schema": f"labelnoise/{what}", "schema_version": SCHEMA_VERSION}
            document = {**named, **document}
            plain = (sys.stdout.encoding or "").lower().replace("-", "") != "utf8"
            text = json.dumps(_finite(document), indent=1, ensure_ascii=plain, allow_nan=False)
            with unless_nobody_reads():
                sys.stdout.write(text + "\n")
                sys.stdout.flush()

    def note(self, text: str) -> None:
        """Say something beside the result."""
        if not self.quiet:
            console(stderr=True).print(Text(shown(text), style="dim"), soft_wrap=True)

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
                self.note(f"warning: {as_said_here(str(warning.message))}")


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


class Page(Console):
    """A console that goes on when nobody reads any more: the exit code is still an answer."""

    def on_broken_pipe(self) -> None:
        """Write to nowhere from now on."""
        hush(self.file)


def console(*, stderr: bool = False) -> Console:
    """A console as wide as the terminal, or as a page; text is no markup."""
    stream = sys.stderr if stderr else sys.stdout
    width = None if stream.isatty() else WIDTH
    return Page(file=stream, width=width, markup=False, emoji=False, highlight=False)


@contextmanager
def unless_nobody_reads() -> Iterator[None]:
    """Go on if whoever read our output has seen enough."""
    try:
        yield
    except BrokenPipeError:
        hush(sys.stdout)


def hush(stream: IO[str]) -> None:
    """Send what is written to a stream nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _finite(value: Any) -> Any:
    """A document without NaN and infinities, as plain values."""
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | bool | int) else str(value)


def shown(text: object) -> str:
    r"""A text without what a terminal would obey.

    >>> shown("a\x1b[31mb")
    'a�[31mb'
    """
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in str(text))


def as_said_here(text: str) -> str:
    """A message of the library in the words of the command line."""
    for python, option in OPTIONS.items():
        text = text.replace(python, option)
    return text


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: int = 1) -> Table:
    """A table; columns from the one numbered `numbers` on are set flush right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(head):
        table.add_column(Text(shown(name)), justify="right" if i >= numbers else "left")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(shown(cell)) for cell in row))
    return table
