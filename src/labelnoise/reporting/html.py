"""A summary -> one HTML page that needs no other file and no network."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import replace
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from labelnoise.findings import verdict_in_words
from labelnoise.reporting import words
from labelnoise.reporting.charts import flow
from labelnoise.reporting.charts.bars import class_frequencies, feature_bars
from labelnoise.reporting.charts.heat_map import MAX_IN_TABLE, heat_map
from labelnoise.reporting.charts.lines import purity_chart, review_chart
from labelnoise.reporting.charts.svg import element
from labelnoise.reporting.settings import (
    CHART_NAME_LENGTH,
    FOLDED_LENGTH,
    INLINE_CELL_LENGTH,
    MAX_COLUMNS_OF_READINGS,
    MAX_CURVES,
    SHOWN_COLUMN_NAME_LENGTH,
)
from labelnoise.reporting.suspicious_rows import COLUMN_NAME_LENGTH
from labelnoise.wording import counted, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.reporting.summary import Summary

DOWNLOADED = ("row", "line", "given", "suggested", "reviewed", "p_wrong")
"""Columns that the page adds when its table is downloaded."""


def render_html(summary: Summary) -> str:
    """The page. Text of the user is escaped, and only the page's own script may run."""
    script = template_file("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            s=summary,
            w=words,
            css=Markup(template_file("report.css")),
            js=Markup(script),
            script_hash=f"sha256-{digest}",
            fingerprint=_fingerprint(summary),
            verdict=verdict_in_words(summary.verdict),
            verdict_class=summary.verdict.replace(" ", "-"),
            show_intervals=summary.transition_lower and len(summary.classes) <= MAX_IN_TABLE,
            show_readings=summary.readings and len(summary.classes) <= MAX_COLUMNS_OF_READINGS,
            max_curves=MAX_CURVES,
            max_flow_classes=flow.MAX_CLASSES,
            columns=_columns(summary),
            cells=_cells,
            **_charts(summary),
        )
    )


def template_file(name: str) -> str:
    """The text of a file in the folder of the template."""
    return files("labelnoise.reporting").joinpath("templates", name).read_text("utf-8")


def _charts(summary: Summary) -> dict[str, Any]:
    """All charts. Names of classes are shortened, as they occur many times."""
    short = replace(
        summary,
        classes=[
            replace(one, name=words.shortened(one.name, CHART_NAME_LENGTH))
            for one in summary.classes
        ],
    )
    curves = sorted(summary.curves, key=lambda curve: curve.clean[-1])  # the least pure first
    return {
        "heat_map": heat_map(short),
        "flow": flow.flow(short),
        "class_frequencies": class_frequencies(short.classes),
        "curves": [
            purity_chart(replace(curve, name=words.shortened(curve.name, CHART_NAME_LENGTH)))
            for curve in curves
        ],
        "feature_bars": feature_bars(summary.features) if summary.features else None,
        "review_chart": (
            review_chart(summary.review_curve) if len(summary.review_curve) > 1 else None
        ),
    }


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("labelnoise.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "percent": words.percent,
        "with_interval": words.with_interval,
        "short": words.shortened,
        "sentence": sentence,
        "counted": counted,
        "exact": _exact,
        "json_text": json.dumps,
    }
    return environment


def _exact(text: object) -> Markup:
    """A text as an attribute that scripts read back unchanged: browsers turn CR into newlines."""
    return Markup(str(escape(text)).replace("\r", "&#13;"))


def _fingerprint(summary: Summary) -> str:
    """The key that decisions are stored under: the same data, or without digests the same rows."""
    about = summary.provenance
    data = about.sha256 or [(row.row, row.given) for row in summary.suspicious]
    key = repr((data, about.id_source, [one.name for one in summary.classes]))
    return hashlib.sha256(key.encode()).hexdigest()[:16]


def _columns(summary: Summary) -> list[str]:
    """Columns of the content, with names that differ from those that the page adds."""
    names = summary.suspicious[0].content if summary.suspicious else ()
    return [f"{name} (content)" if name in DOWNLOADED else name for name in names]


def _cells(content: dict[str, str]) -> Markup:
    """Cells of a row: the text alone if there is only one, otherwise names and texts."""
    if len(content) == 1:
        return element("div", *map(_cell, content.values()), class_="content one")
    if all(len(text) <= INLINE_CELL_LENGTH for text in content.values()):
        items = [
            element("li", _column(name, "span"), " ", element("span", text, class_="value"))
            for name, text in content.items()
        ]
        return element("ul", *items, class_="pairs")
    return element("dl", *_pairs(content), class_="content")


def _pairs(content: dict[str, str]) -> Iterator[Markup]:
    for name, text in content.items():
        yield _column(name, "dt")
        yield element("dd", _cell(text))


def _column(name: str, kind: str) -> Markup:
    hover = words.shortened(name, COLUMN_NAME_LENGTH)
    return element(kind, words.shortened(name, SHOWN_COLUMN_NAME_LENGTH), title=hover)


def _cell(text: str) -> Markup:
    """A text; a long one is folded, with its beginning visible."""
    kind = "value lines" if "\n" in text else "value"
    whole = element("div", text, class_=kind, dir="auto")
    if len(text) <= FOLDED_LENGTH:
        return whole
    beginning = words.shortened(text, FOLDED_LENGTH // 2)
    return element("details", element("summary", beginning, dir="auto"), whole)
