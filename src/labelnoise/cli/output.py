"""What a command prints: results on standard output, everything else on standard error."""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from rich import box
from rich.console import Console
from rich.progress import Progress, TaskID, TimeElapsedColumn
from rich.table import Table
from rich.text import Text

from labelnoise.cli.settings import MAX_LISTED, WIDTH
from labelnoise.errors import LabelNoiseWarning, OutputError
from labelnoise.json_values import json_value
from labelnoise.progress import progress_to
from labelnoise.wording import Note

SCHEMA_VERSION = 2
"""Version of the JSON that commands print."""


@dataclass(frozen=True)
class Output:
    """Prints text for people, or JSON, or almost nothing."""

    json: bool = False
    quiet: bool = False

    def show(self, *parts: Any) -> None:
        """Print a result for people."""
        if not self.json:
            out = console(sys.stdout)
            for part in parts:
                out.print(printable(part) if isinstance(part, str) else part)

    def document(self, name: str, document: Mapping[str, Any]) -> None:
        """Print a result as JSON; numbers that JSON does not have are null."""
        if not self.json:
            return
        schema = {"schema": f"labelnoise/{name}", "schema_version": SCHEMA_VERSION}
        text = json.dumps(json_value({**schema, **document}), indent=1, allow_nan=False)
        try:
            sys.stdout.write(text + "\n")
            sys.stdout.flush()
        except BrokenPipeError:
            discard(sys.stdout)

    def hint(self, text: str) -> None:
        """Print something that is not part of the result."""
        if not self.quiet:
            console(sys.stderr).print(Text(printable(text), style="dim"), soft_wrap=True)

    def notes(self, notes: Iterable[Note]) -> None:
        """Print notes on the data."""
        for note in notes:
            self.hint(f"note: {note.text('command line')}")

    @contextmanager
    def working(self) -> Iterator[None]:
        """Show progress if standard error is a terminal, and warnings as hints."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            if self.quiet or not sys.stderr.isatty():
                yield
            else:
                with _progress_bars():
                    yield
        for one in caught:
            if isinstance(one.message, LabelNoiseWarning):
                self.hint(f"warning: {one.message.note.text('command line')}")


@contextmanager
def _progress_bars() -> Iterator[None]:
    """Show progress bars on standard error, one for each task."""
    columns = (*Progress.get_default_columns()[:3], TimeElapsedColumn())
    tasks: dict[str, TaskID] = {}
    with Progress(*columns, console=console(sys.stderr), transient=True) as progress:

        def show(task: str, done: int, total: int) -> None:
            if task not in tasks:
                tasks[task] = progress.add_task(task, total=total)
            progress.update(tasks[task], completed=done, total=total)

        with progress_to(show):
            yield


def check_outputs(outputs: Iterable[Path | str], inputs: Iterable[Path | str | None]) -> None:
    """Refuse outputs that are also inputs, are written twice, or cannot be written."""
    from labelnoise.atomic_files import check_writable

    taken = [Path(path) for path in inputs if path is not None and str(path) != "-"]
    for path in map(Path, outputs):
        if any(_same(path, other) for other in taken):
            raise OutputError("output_is_input", path=str(path))
        check_writable(path)
        taken.append(path)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except OSError:
        return os.path.abspath(one) == os.path.abspath(other)  # noqa: PTH100 - need not exist


class Page(Console):
    """A console that continues when its output is not read: the exit code is still an answer."""

    def on_broken_pipe(self) -> None:
        """Discard what is written from now on."""
        discard(self.file)


def console(stream: IO[str]) -> Console:
    """A console as wide as the terminal, or as a page; text is not markup."""
    width = None if stream.isatty() else WIDTH
    return Page(file=stream, width=width, markup=False, emoji=False, highlight=False)


def discard(stream: IO[str]) -> None:
    """Discard what is written to a stream from now on."""
    with suppress(OSError):  # in memory, or closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def printable(text: object) -> str:
    r"""A text without the control characters that a terminal would obey.

    >>> printable("a\x1b[31mb")
    'a�[31mb'
    """
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in str(text))


def first_of(rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    """The first rows of a table, and how many more there are."""
    more = len(rows) - MAX_LISTED
    note = [[f"({more} more)", *[""] * (len(rows[0]) - 1)]] if more > 0 else []
    return [*rows[:MAX_LISTED], *note]


def grid(head: Sequence[str], rows: Iterable[Sequence[Any]], numbers: int = 1) -> Table:
    """A table; columns from the one numbered `numbers` on are aligned to the right."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for i, name in enumerate(head):
        table.add_column(Text(printable(name)), justify="right" if i >= numbers else "left")
    for row in rows:
        table.add_row(*(cell if isinstance(cell, Text) else Text(printable(cell)) for cell in row))
    return table
