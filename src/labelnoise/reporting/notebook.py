"""The view of an estimate in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup

from labelnoise.findings import verdict_in_words
from labelnoise.reporting.charts.heat_map import heat_map
from labelnoise.reporting.charts.svg import element
from labelnoise.reporting.context import ReportContext
from labelnoise.reporting.html import template_file
from labelnoise.reporting.summarize import summarize
from labelnoise.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Iterable

    from labelnoise.noise_estimate import NoiseEstimate

MAX_LISTED_CONFUSIONS = 5


def estimate_html(est: NoiseEstimate) -> str:
    """The noise rate, T with intervals on hover, the largest confusions, and the verdict."""
    summary = summarize(est, ReportContext(max_rows=0))
    kind = f"verdict {summary.verdict.replace(' ', '-')}"
    statement, *others = map(sentence, summary.statements)
    diagnosis = _list([*summary.reasons, *summary.remedies])
    parts = [
        element("style", Markup(template_file("notebook.css"))),
        element(
            "p",
            element("b", statement),
            element("span", verdict_in_words(summary.verdict), class_=kind),
        ),
        *(element("p", other) for other in others),
        heat_map(summary),
        _list(confusion.sentence for confusion in summary.confusions[:MAX_LISTED_CONFUSIONS]),
        element("p", "Diagnosis:") + diagnosis if diagnosis else "",
    ]
    return str(element("div", *parts, class_="labelnoise"))


def _list(phrases: Iterable[str]) -> Markup:
    items = [element("li", sentence(phrase)) for phrase in phrases]
    return element("ul", *items) if items else Markup()
