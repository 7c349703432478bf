"""A summary as a terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from labelnoise.cli.output import grid
from labelnoise.cli.settings import (
    CONTENT_LENGTH,
    LARGE,
    MAX_CLASSES,
    MAX_LISTED,
    MAX_NAME,
    NOTICEABLE,
)
from labelnoise.findings import verdict_in_words
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

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.reporting.summary import Summary

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
    rows = [class_cells(one, 30) for one in summary.classes[:MAX_LISTED]]
    more = len(summary.classes) - MAX_LISTED
    if more > 0:
        rows.append([f"({more} more)", "", "", "", ""])
    return grid(CLASS_COLUMNS, rows)


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
    columns: dict[str, Sequence[Any]],
    content: dict[str, list[Any]],
    n_shown: int,
    *,
    can_tell: bool = True,
) -> Any:
    """The first suspicious rows; cells are named by their columns if there are several."""
    (header,) = content if len(content) == 1 else ("content",)
    rows = []
    for i in range(min(n_shown, len(columns["row"]))):
        given, suggested = columns["given"][i], columns["suggested"][i]
        p_wrong = float(columns["p_wrong"][i])
        cells = suspicious_cells(given, suggested, p_wrong, 24, can_tell=can_tell)
        name = shortened(str(columns["row"][i]), 24)
        rows.append([name, *cells, shortened(_cells(content, i), CONTENT_LENGTH)])
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
