"""A summary -> one HTML page that needs no other file and no network; the view in a notebook."""

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
from labelnoise.reporting import settings, words
from labelnoise.reporting.charts import flow
from labelnoise.reporting.charts.bars import class_frequencies, feature_bars
from labelnoise.reporting.charts.heat_map import MAX_IN_TABLE, heat_map
from labelnoise.reporting.charts.lines import purity_chart, review_chart
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.summarize import summarize
from labelnoise.wording import counted, sentence

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.reporting.summary import Summary

# Columns that the page adds when its table is downloaded.
DOWNLOADED = ("row", "line", "given", "suggested", "reviewed", "p_wrong")


def render_html(summary: Summary) -> str:
    """The page. Text of the user is escaped, and only the page's own script may run."""
    script = _file("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    template = _environment().get_template("report.html.j2")
    return template.render(
        s=summary,
        w=words,
        limits=settings,
        css=Markup(_file("report.css")),
        js=Markup(script),
        script_hash=f"sha256-{digest}",
        fingerprint=_fingerprint(summary),
        verdict=verdict_in_words(summary.verdict),
        show_intervals=summary.transition_lower and len(summary.classes) <= MAX_IN_TABLE,
        max_flow_classes=flow.MAX_CLASSES,
        columns=_columns(summary),
        **_charts(summary),
    )


def notebook_html(est: NoiseEstimate) -> str:
    """The view of an estimate in a notebook."""
    summary = summarize(est, ReportContext(max_rows=0))
    template = _environment().get_template("notebook.html.j2")
    return template.render(
        s=summary,
        css=Markup(_file("notebook.css")),
        verdict=verdict_in_words(summary.verdict),
        heat_map=heat_map(summary),
    )


def _file(name: str) -> str:
    """The text of a file in the folder of the template."""
    return files("labelnoise.reporting").joinpath("templates", name).read_text("utf-8")


def _charts(summary: Summary) -> dict[str, Any]:
    """All charts. Names of classes are shortened, as they occur many times."""
    short = replace(summary, classes=[_with_short_name(one) for one in summary.classes])
    curves = sorted(summary.curves, key=lambda curve: curve.clean[-1])  # the least pure first
    points = summary.review_curve
    return {
        "heat_map": heat_map(short),
        "flow": flow.flow(short),
        "class_frequencies": class_frequencies(short.classes),
        "curves": [purity_chart(_with_short_name(curve)) for curve in curves],
        "feature_bars": feature_bars(summary.features) if summary.features else None,
        "review_chart": review_chart(points) if len(points) > 1 else None,
    }


def _with_short_name(one: Any) -> Any:
    return replace(one, name=words.shortened(one.name, settings.CHART_NAME_LENGTH))


def _environment() -> Environment:
    templates = Environment(
        loader=PackageLoader("labelnoise.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters |= {
        "percent": words.percent,
        "with_interval": words.with_interval,
        "short": words.shortened,
        "sentence": sentence,
        "counted": counted,
        "exact": _exact,
        "json_text": json.dumps,
    }
    return templates


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
