"""A summary as a terminal shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from labelnoise.cli.speaking import VERDICTS, grid
from labelnoise.reporting.words import per_cent, sentence, short_names, shortened, with_ends

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.reporting.summary import Summary

MOST_CLASSES = 12
"""Classes whose T is shown as a table; of more, only confusions are named."""

MOST_LISTED = 20
LONGEST_NAME = 16


def show_summary(summary: Summary) -> Iterator[Any]:
    """The noise rate, T, class shares and the diagnosis."""
    yield from headline(summary)
    if summary.of_which_labels:
        yield ""
        yield Text(sentence(summary.of_which_labels), style="dim")
    if len(summary.classes) <= MOST_CLASSES:
        yield _transition(summary)
    else:
        yield ""
        yield Text("T is too wide for a terminal: labelnoise report shows it.", style="dim")
    for confusion in summary.confusions:
        yield f"  {confusion.sentence} ({with_ends(confusion.share)})"
    yield _classes(summary)
    yield from diagnosis(summary)


def headline(summary: Summary) -> Iterator[Any]:
    """How many labels are wrong."""
    classes = f"{len(summary.classes)} classes"
    yield Text(f"{summary.n_rows:,} rows, {classes}, method {summary.method}", style="dim")
    yield ""
    first, *others = summary.words
    yield Text(sentence(first), style="bold")
    for line in others:
        yield sentence(line)


def _transition(summary: Summary) -> Any:
    names = short_names([one.name for one in summary.classes], LONGEST_NAME)
    rows = [
        [f"true {name}", *(_entry(value, i == j) for j, value in enumerate(row))]
        for i, (name, row) in enumerate(zip(names, summary.transition, strict=True))
    ]
    return grid(["T", *names], rows)


def _entry(share: float, right: bool) -> Text:
    style = "bold" if right else "red" if share >= 0.1 else "yellow" if share >= 0.03 else "dim"
    return Text(per_cent(share), style=style)


def _classes(summary: Summary) -> Any:
    rows = [
        [
            shortened(one.name, 30),
            f"{one.n_given:,}",
            per_cent(one.given),
            with_ends(one.clean),
            "unknown" if one.placeholder else with_ends(one.right),
        ]
        for one in summary.classes[:MOST_LISTED]
    ]
    more = len(summary.classes) - MOST_LISTED
    if more > 0:
        rows.append([f"({more} more)", "", "", "", ""])
    return grid(["class", "rows", "of the labels", "truly", "labeled right"], rows)


def diagnosis(summary: Summary) -> Iterator[Any]:
    """The verdict, its reasons, and what helps."""
    yield Text.assemble("Verdict: ", (summary.verdict, VERDICTS[summary.verdict]))
    for reason in summary.reasons:
        yield f"  - {sentence(reason)}"
    for remedy in summary.remedies:
        yield f"  > {sentence(remedy)}"


def show_rows(columns: dict[str, Sequence[Any]], content: dict[str, list[Any]], most: int) -> Any:
    """The first of the suspicious rows."""
    names = ["row", "given", "suggested", "p_wrong"]
    rows = []
    for i in range(min(most, len(columns["row"]))):
        cells = "; ".join(str(values[i]) for values in content.values() if values[i] is not None)
        known = [shortened(str(columns[name][i]), 24) for name in names[:3]]
        rows.append([*known, per_cent(float(columns["p_wrong"][i])), shortened(cells, 60)])
    table = grid(["row", "given", "suggested", "chance wrong", "content"], rows)
    table.columns[3].justify = "right"
    for i in (1, 2, 4):
        table.columns[i].justify = "left"
    return table
