"""T as a picture: a table of shaded cells, or a map if there are too many classes for numbers."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from labelnoise.reporting.charts.svg import drawing, element, text, tooltip
from labelnoise.reporting.words import percent, percent_range, short_names, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from labelnoise.reporting.summary import Summary

MAX_IN_TABLE = 20  # classes for which T is a table of numbers
NAME_LENGTH = 20
MIN_LETTERS, MAX_LETTERS = 8, 15  # width of a column of that table in letters
MAX_LETTERS_ACROSS = 110  # if all columns are wider, names are turned and columns are narrow

MAP_WIDTH, MIN_SQUARE, MAX_SQUARE = 700.0, 5.0, 16.0
MARGIN, MARGIN_LETTERS = 150.0, 22  # space for names around a map, and the letters that fit
MARGIN_LINE = 11.0  # distance between two names
MIN_DRAWN = 0.005  # smaller entries are left blank on a map
MAX_DRAWN = 4000  # if there are more entries, only the largest are drawn


def heat_map(summary: Summary) -> Markup:
    """T as a table, or as a map if there are many classes."""
    return _table(summary) if len(summary.classes) <= MAX_IN_TABLE else _map(summary)


def _table(summary: Summary) -> Markup:
    names = [one.name for one in summary.classes]
    heads = [
        element("bdi", short, title=name)
        for name, short in zip(names, short_names(names, NAME_LENGTH), strict=True)
    ]
    corner = element("th", "true \\ observed", scope="col", class_="corner")
    columns = [element("th", head, scope="col") for head in heads]
    rows = []
    for i, head in enumerate(heads):
        cells = (_cell(summary, i, j) for j in range(len(names)))
        rows.append(element("tr", element("th", head, scope="row"), *cells))
    letters = min(MAX_LETTERS, max(MIN_LETTERS, *map(len, names)))
    return element(
        "table",
        element("caption", "Share of each true class (row) with each label (column)"),
        element("thead", element("tr", corner, *columns)),
        element("tbody", *rows),
        class_="heat many" if len(names) * letters > MAX_LETTERS_ACROSS else "heat",
    )


def _cell(summary: Summary, i: int, j: int) -> Markup:
    share, interval = summary.transition[i][j], _interval(summary, i, j)
    return element(
        "td",
        element("span", percent(share)),
        element("small", interval) if interval else "",
        title=_entry_in_words(summary, i, j, 60),
        **_shade(share, on_diagonal=i == j),
    )


def _shade(share: float, *, on_diagonal: bool) -> dict[str, str]:
    """Attributes of the color: the square root of the share makes small confusions visible."""
    kind = "correct" if on_diagonal else "wrong"
    return {"class_": kind, "style": f"--v:{max(share, 0.0) ** 0.5:.3f}"}


def _interval(summary: Summary, i: int, j: int) -> str:
    if summary.transition_lower is None or summary.transition_upper is None:
        return ""
    return percent_range(summary.transition_lower[i][j], summary.transition_upper[i][j])


def _entry_in_words(summary: Summary, i: int, j: int, name_length: int) -> str:
    """An entry of T with its interval."""
    true, label = (shortened(summary.classes[at].name, name_length) for at in (i, j))
    entry = f"true {true}, labeled {label}: {percent(summary.transition[i][j])}"
    interval = _interval(summary, i, j)
    return f"{entry} ({summary.level:.0%} interval {interval})" if interval else entry


def _map(summary: Summary) -> Markup:
    """A square for every entry that is not too small to see; its tooltip states it."""
    k = len(summary.classes)
    size = max(MIN_SQUARE, min(MAX_SQUARE, MAP_WIDTH / k))
    entries = sorted((value for row in summary.transition for value in row), reverse=True)
    smallest = max(MIN_DRAWN, entries[:MAX_DRAWN][-1])
    parts = [
        element("rect", x=MARGIN, y=MARGIN, width=k * size, height=k * size, class_="frame"),
        *(
            _square(summary, i, j, size)
            for i, j in product(range(k), repeat=2)
            if summary.transition[i][j] >= smallest
        ),
        *_names_around(summary, size),
        text("true ↓", MARGIN - 4, MARGIN - 20, text_anchor="end", class_="axis"),
        text("observed →", MARGIN, 12, class_="axis"),
    ]
    end = MARGIN + k * size + 4
    label = f"T of {k} classes as a map; the largest confusions are listed above"
    return element("div", drawing(end, end, label, parts), class_="map")


def _square(summary: Summary, i: int, j: int, size: float) -> Markup:
    hover = tooltip(_entry_in_words(summary, i, j, MARGIN_LETTERS))
    x, y, side = MARGIN + j * size, MARGIN + i * size, size - 0.5
    color = _shade(summary.transition[i][j], on_diagonal=i == j)
    return element("rect", hover, x=x, y=y, width=side, height=side, **color)


def _names_around(summary: Summary, size: float) -> Iterator[Markup]:
    """Names of the classes on the left and on top; only some of them if squares are small."""
    for i in range(0, len(summary.classes), max(1, round(MARGIN_LINE / size))):
        name = shortened(summary.classes[i].name, MARGIN_LETTERS)
        at = MARGIN + (i + 0.75) * size
        yield text(name, MARGIN - 4, at, text_anchor="end")
        turned = f"translate({at:.1f} {MARGIN - 4:g}) rotate(-90)"
        yield element("text", name, transform=turned)
