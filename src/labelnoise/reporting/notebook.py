"""The view of an estimate in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from labelnoise.findings import verdict_in_words
from labelnoise.reporting.charts.heat_map import heat_map
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.html import environment, template_file
from labelnoise.reporting.summarize import summarize

if TYPE_CHECKING:
    from labelnoise.noise_estimate import NoiseEstimate


def estimate_html(est: NoiseEstimate) -> str:
    """The noise rate, T with intervals on hover, the largest confusions, and the verdict."""
    summary = summarize(est, ReportContext(max_rows=0))
    template = environment().get_template("notebook.html.j2")
    return template.render(
        s=summary,
        css=Markup(template_file("notebook.css")),
        verdict=verdict_in_words(summary.verdict),
        heat_map=heat_map(summary),
    )
