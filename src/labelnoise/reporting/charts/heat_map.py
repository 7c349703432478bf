"""T as a picture: a table of shaded cells, or a map where there are too many for numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.reporting.charts.svg import drawing, element, title
from labelnoise.reporting.words import per_cent, short_names, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from labelnoise.reporting.summary import Summary

MOST_IN_A_TABLE = 20
"""Classes up to which every entry of T is a number in a table."""

LEAST_LETTERS, MOST_LETTERS, LETTERS_ACROSS = 7, 15, 120
"""Letters that a column of that table is wide, at least and at most, and all of them together; if
they are more, names are turned and columns are narrow."""

MARGIN = 150.0
"""Room for names around a map."""

LEAST_DRAWN = 0.005
"""Entries below this are left blank on a map."""


def heat_map(summary: Summary) -> Markup:
    """T as a table, or as a map if there are many classes."""
    return _table(summary) if len(summary.classes) <= MOST_IN_A_TABLE else _map(summary)


def _table(summary: Summary) -> Markup:
    names = [one.name for one in summary.classes]
    heads = [
        element("bdi", short, title=name)
        for name, short in zip(names, short_names(names, 20), strict=True)
    ]
    head = element(
        "tr",
        element("th", "true \\ observed", scope="col", class_="corner"),
        *(element("th", name, scope="col") for name in heads),
    )
    rows = [
        element(
            "tr",
            element("th", name, scope="row"),
            *(_cell(summary, i, j) for j in range(len(names))),
        )
        for i, name in enumerate(heads)
    ]
    said = "Share of each true class (row) that carries each label (column)"
    caption = element("caption", said, class_="unseen")
    widest = min(MOST_LETTERS, max(LEAST_LETTERS, *map(len, names)))
    kind = "heat many" if len(names) * widest > LETTERS_ACROSS else "heat"
    return element("table", caption, element("thead", head), element("tbody", *rows), class_=kind)


def _cell(summary: Summary, i: int, j: int) -> Markup:
    value = summary.transition[i][j]
    tip = entry_in_words(summary, i, j)
    content = [element("span", per_cent(value))]
    if summary.transition_lower and summary.transition_upper:
        ends = (summary.transition_lower[i][j], summary.transition_upper[i][j])
        content.append(element("small", f"{per_cent(ends[0])} to {per_cent(ends[1])}"))
    kind = "right" if i == j else "wrong"
    return element("td", *content, class_=kind, title=tip, style=f"--v:{strength(value):.3f}")


def strength(share: float) -> float:
    """How strongly a share is shaded: its root, so that small confusions are seen.

    >>> strength(0.25)
    0.5
    """
    return float(max(share, 0.0) ** 0.5)


def entry_in_words(summary: Summary, i: int, j: int) -> str:
    """An entry of T with its interval."""
    true, label = (shortened(summary.classes[at].name, 60) for at in (i, j))
    said = f"true {true}, labeled {label}: {per_cent(summary.transition[i][j])}"
    if summary.transition_lower and summary.transition_upper:
        low, high = summary.transition_lower[i][j], summary.transition_upper[i][j]
        said += f" ({summary.level:.0%} interval {per_cent(low)} to {per_cent(high)})"
    return said


def _map(summary: Summary) -> Markup:
    """Squares for the entries that can be seen; their words come on hover."""
    k = len(summary.classes)
    size = max(5.0, min(16.0, 700 / k))
    squares = [
        element(
            "rect",
            title(entry_in_words(summary, i, j)),
            x=MARGIN + j * size,
            y=MARGIN + i * size,
            width=size - 0.5,
            height=size - 0.5,
            class_="right" if i == j else "wrong",
            style=f"--v:{strength(value):.2f}",
        )
        for i, row in enumerate(summary.transition)
        for j, value in enumerate(row)
        if value >= LEAST_DRAWN
    ]
    frame = element("rect", x=MARGIN, y=MARGIN, width=k * size, height=k * size, class_="frame")
    heads = [
        element("text", "true ↓", x=MARGIN - 4, y=MARGIN - 20, text_anchor="end", class_="axis"),
        element("text", "observed →", x=MARGIN, y=12.0, class_="axis"),
    ]
    side = MARGIN + k * size + 4
    label = f"T of {k} classes as a map; the strongest confusions are listed above"
    picture = drawing(side, side, label, frame, *squares, *_names_around(summary, size), *heads)
    return element("div", picture, class_="map")


def _names_around(summary: Summary, size: float) -> Iterator[Markup]:
    """Names of the classes on the left and on top; every second or third where lines are tight."""
    for i in range(0, len(summary.classes), max(1, round(11 / size))):
        name, at = shortened(summary.classes[i].name, 22), MARGIN + (i + 0.75) * size
        yield element("text", name, x=MARGIN - 4, y=at, text_anchor="end")
        turned = f"translate({at:.1f} {MARGIN - 4:g}) rotate(-90)"
        yield element("text", name, transform=turned)
