"""An estimate as a notebook shows it."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup

from labelnoise.reporting.about import About
from labelnoise.reporting.charts.heat_map import heat_map
from labelnoise.reporting.charts.svg import element
from labelnoise.reporting.summary import summarize
from labelnoise.reporting.words import sentence

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate


def estimate_html(est: NoiseEstimate) -> str:
    """The noise rate, T with intervals on hover, the strongest confusions, and the verdict."""
    summary = summarize(est, About(max_rows=0))
    css = files("labelnoise.reporting").joinpath("templates", "notebook.css").read_text("utf-8")
    verdict = element(
        "span", summary.verdict, class_=f"verdict {summary.verdict.replace(' ', '-')}"
    )
    head = element("p", element("b", sentence(summary.headline)), verdict, class_="head")
    words = [element("p", sentence(line)) for line in summary.words]
    confusions = [element("li", sentence(one.sentence)) for one in summary.confusions[:5]]
    trouble = [element("li", sentence(line)) for line in (*summary.reasons, *summary.remedies)]
    parts = [
        element("style", Markup(css)),
        head,
        *words,
        heat_map(summary),
        element("ul", *confusions) if confusions else "",
        element("p", "Diagnosis:") if trouble else "",
        element("ul", *trouble) if trouble else "",
    ]
    return str(element("div", *parts, class_="labelnoise"))
