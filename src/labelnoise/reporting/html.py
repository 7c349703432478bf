"""A summary -> one HTML page that needs nothing else."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from labelnoise.reporting.charts.bars import class_shares, feature_bars
from labelnoise.reporting.charts.flow import MOST_CLASSES, flow
from labelnoise.reporting.charts.heat_map import MOST_IN_A_TABLE, heat_map
from labelnoise.reporting.charts.lines import purity_chart, yield_chart
from labelnoise.reporting.charts.svg import element
from labelnoise.reporting.suspicious_rows import FOLDED, LONGEST_NAME
from labelnoise.reporting.words import (
    counted,
    per_cent,
    sentence,
    shortened,
    with_ends,
    yield_in_words,
)

if TYPE_CHECKING:
    from labelnoise.reporting.summary import Summary

SHORT = 24
"""Characters up to which cells stand side by side, if all are so short."""

DRAWN = 200
"""Characters of a class's name in pictures, and in what they say when pointed at."""


def render_html(summary: Summary) -> str:
    """The page. All text of the user is escaped, and only our own script may run."""
    script = _file("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    drawn = _with_short_names(summary)
    curves = sorted(drawn.curves, key=lambda curve: curve.clean[-1])  # the least pure first
    page = _environment().get_template("report.html.j2")
    return page.render(
        s=summary,
        css=Markup(_file("report.css")),
        js=Markup(script),
        script_hash=f"sha256-{digest}",
        fingerprint=_fingerprint(summary),
        heat_map=heat_map(drawn),
        flow=flow(drawn),
        most_flowing=MOST_CLASSES,
        most_in_a_table=MOST_IN_A_TABLE,
        class_shares=class_shares(drawn.classes),
        curves=[purity_chart(curve) for curve in curves],
        feature_bars=feature_bars(summary.features) if summary.features else None,
        yield_chart=yield_chart(summary.yields) if len(summary.yields) > 1 else None,
        yield_words=[yield_in_words(one) for one in summary.told_yields],
        columns=list(summary.suspicious[0].content) if summary.suspicious else [],
        cells=_cells,
        given=sorted({row.given for row in summary.suspicious}),
        suggested=sorted({row.suggested for row in summary.suspicious}),
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("labelnoise.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "share": per_cent,
        "sentence": sentence,
        "cut": shortened,
        "percent": "{:.1%}".format,
        "with_ends": with_ends,
        "counted": counted,
        "exactly": _exactly,
    }
    return environment


def _with_short_names(summary: Summary) -> Summary:
    """A summary to draw: names in it are many times on the page."""
    return replace(
        summary,
        classes=[replace(one, name=shortened(one.name, DRAWN)) for one in summary.classes],
        curves=[replace(one, name=shortened(one.name, DRAWN)) for one in summary.curves],
    )


def _exactly(text: object) -> Markup:
    """A text as an attribute that scripts read back as it is: browsers turn CR into newlines."""
    return Markup(str(escape(text)).replace("\r", "&#13;"))


def _file(name: str) -> str:
    return files("labelnoise.reporting").joinpath("templates", name).read_text("utf-8")


def _fingerprint(summary: Summary) -> str:
    """What decisions on the page are kept under: the data, or without them the rows it shows."""
    rows = repr([(row.row, row.given) for row in summary.suspicious])
    made, classes = summary.made, [one.name for one in summary.classes]
    told = f"{made.sha256 or rows} {made.rows_named_by} {classes}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _cells(content: dict[str, str]) -> Markup:
    """Cells of a row: the text alone if there is one, else names and texts."""
    if len(content) == 1:
        return element("div", _cell(next(iter(content.values()))), class_="content one")
    if all(len(text) <= SHORT for text in content.values()):
        items = [
            element("li", element("span", shortened(name, 30), title=_told(name)), " ", text)
            for name, text in content.items()
        ]
        return element("ul", *items, class_="pairs")
    pairs = [
        part
        for name, text in content.items()
        for part in (
            element("dt", shortened(name, 30), title=_told(name)),
            element("dd", _cell(text)),
        )
    ]
    return element("dl", *pairs, class_="content")


def _told(name: str) -> str:
    return shortened(name, LONGEST_NAME)


def _cell(text: str) -> Markup:
    kind = "cell lines" if "\n" in text else "cell"
    if len(text) <= FOLDED:
        return element("div", text, class_=kind, dir="auto")
    summary = element("summary", shortened(text, FOLDED // 2), class_="cell", dir="auto")
    return element("details", summary, element("div", text, class_=kind, dir="auto"))
