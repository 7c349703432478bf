"""A summary as a terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.text import Text

from labelnoise.cli.output import first_of, grid
from labelnoise.cli.settings import (
    CONTENT_LENGTH,
    LARGE,
    MAX_CELL,
    MAX_CLASS_NAME,
    MAX_CLASSES,
    MAX_NAME,
    NOTICEABLE,
)
from labelnoise.findings import verdict_in_words
from labelnoise.reporting.summary import Summary
from labelnoise.reporting.words import (
    CLASS_COLUMNS,
    SUSPICIOUS_COLUMNS,
    class_cells,
    percent,
    short_names,
    shortened,
    suspicious_cells,
)
from labelnoise.wording import sentence

VERDICT_STYLES = {"reliable": "bold", "rough": "bold yellow", "cannot tell": "bold red"}
"""Nothing is green: a reliable estimate of many wrong labels is not good news."""


def show_summary(summary: Summary) -> Iterator[Any]:
    """The noise rate, T, class frequencies and the diagnosis."""
    yield from show_headline(summary)
    if summary.reviewed_labels_note:
        yield ""
        yield Text(sentence(summary.reviewed_labels_note), style="dim")
    if len(summary.classes) <= MAX_CLASSES:
        yield _transition(summary)
    else:
        yield ""
        yield Text("T is too wide for a terminal: labelnoise report shows it.", style="dim")
    for confusion in summary.confusions:
        yield f"  {confusion.sentence}"
    yield _classes(summary)
    yield from show_diagnosis(summary)


def show_headline(summary: Summary) -> Iterator[Any]:
    """How many labels are wrong."""
    yield Text(summary.data_line, style="dim")
    yield ""
    first, *others = summary.statements
    yield Text(sentence(first), style="bold")
    for line in others:
        yield sentence(line)


def _transition(summary: Summary) -> Any:
    names = short_names([one.name for one in summary.classes], MAX_NAME)
    rows = [
        [f"true {name}", *(_entry(value, i == j) for j, value in enumerate(row))]
        for i, (name, row) in enumerate(zip(names, summary.transition, strict=True))
    ]
    return grid(["T", *names], rows)


def _entry(share: float, correct: bool) -> Text:
    small = "yellow" if share >= NOTICEABLE else "dim"
    style = "bold" if correct else "red" if share >= LARGE else small
    return Text(percent(share), style=style)


def _classes(summary: Summary) -> Any:
    rows = [class_cells(one, MAX_CLASS_NAME) for one in summary.classes]
    return grid(CLASS_COLUMNS, first_of(rows))


def show_diagnosis(summary: Summary) -> Iterator[Any]:
    """The verdict, its reasons, and what helps."""
    yield show_verdict(summary)
    for reason in summary.reasons:
        yield f"  - {sentence(reason)}"
    for remedy in summary.remedies:
        yield f"  > {sentence(remedy)}"


def show_verdict(summary: Summary) -> Text:
    """Whether the estimate is reliable."""
    return Text(verdict_in_words(summary.verdict), style=VERDICT_STYLES[summary.verdict])


def show_rows(
    columns: dict[str, Any], content: dict[str, list[Any]], n_shown: int, *, can_tell: bool
) -> Any:
    """The first suspicious rows; cells are named by their columns if there are several."""
    (header,) = content if len(content) == 1 else ("content",)
    named = [columns[name][:n_shown] for name in ("row", "given", "suggested", "p_wrong")]
    rows = []
    for i, (row, given, suggested, p_wrong) in enumerate(zip(*named, strict=True)):
        cells = suspicious_cells(given, suggested, p_wrong, MAX_CELL, can_tell=can_tell)
        shown = shortened(_cells(content, i), CONTENT_LENGTH)
        rows.append([shortened(str(row), MAX_CELL), *cells, shown])
    table = grid([*SUSPICIOUS_COLUMNS, header], rows, numbers=5)
    table.columns[3].justify = "right"
    return table


def _cells(content: dict[str, list[Any]], i: int) -> str:
    """The cells of row i: the text alone, or each with the name of its column.

    >>> _cells({"sex": ["M"], "mass": [2.5], "note": [None]}, 0)
    'sex=M; mass=2.5'
    """
    cells = {name: str(values[i]) for name, values in content.items() if values[i] is not None}
    if len(content) == 1:
        return "".join(cells.values())
    return "; ".join(f"{name}={cell}" for name, cell in cells.items())
