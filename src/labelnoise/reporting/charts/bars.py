"""Bar charts with one line per class or feature."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.reporting.charts.svg import (
    LETTER_WIDTH,
    PADDING,
    drawing,
    element,
    text,
    tooltip,
    width_of,
)
from labelnoise.reporting.words import percent, short_names, with_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from labelnoise.reporting.feature_information import FeatureInformation
    from labelnoise.reporting.summary import ClassSummary

WIDTH, LINE_HEIGHT = 640.0, 24.0
MIDDLE, BASELINE = LINE_HEIGHT / 2, LINE_HEIGHT / 2 + 4

CLASS_NAMES, CLASS_NUMBERS = 190.0, 110.0
"""Largest space for names of classes on the left, and space for numbers on the right."""

FEATURE_NAMES, FEATURE_NUMBERS = 280.0, 50.0
"""The same for features, whose names are longer."""


def class_frequencies(classes: Sequence[ClassSummary]) -> Markup:
    """Shares among the labels as bars, shares of the true classes as dots with intervals."""
    largest = max(max(one.given, one.clean.upper or one.clean.value) for one in classes) or 1.0
    names = [one.name for one in classes]
    left = width_of(names, CLASS_NAMES)
    scale = (WIDTH - left - CLASS_NUMBERS) / largest
    return _chart(
        "Share of each class among the labels (bar) and of each true class (dot)",
        names,
        left,
        [_class(one, left, scale) for one in classes],
    )


def _class(one: ClassSummary, left: float, scale: float) -> list[Markup]:
    true = with_interval(one.clean)
    hover = tooltip(f"{one.name}: {percent(one.given)} of the labels, truly {true} of the rows")
    parts = [_bar(left, one.given * scale, "given", hover)]
    if one.clean.lower is not None and one.clean.upper is not None:
        low, high = (left + end * scale for end in (one.clean.lower, one.clean.upper))
        ends = "".join(f"M{x:.1f} {MIDDLE - 4:g}v8" for x in (low, high))
        parts.append(element("path", d=f"M{low:.1f} {MIDDLE:g}H{high:.1f}{ends}", class_="whisker"))
    x = left + one.clean.value * scale
    numbers = f"{percent(one.given)} → {percent(one.clean.value)}"
    return [
        *parts,
        element("circle", hover, cx=x, cy=MIDDLE, r=4.5, class_="clean"),
        text(numbers, WIDTH, BASELINE, text_anchor="end", class_="number"),
    ]


def feature_bars(features: Sequence[FeatureInformation]) -> Markup:
    """Mutual information of features with the labels as bars, with independence thresholds."""
    largest = max(max(one.information, one.threshold) for one in features) or 1.0
    names = [one.name for one in features]
    left = width_of(names, FEATURE_NAMES)
    scale = (WIDTH - left - FEATURE_NUMBERS) / largest
    return _chart(
        "Mutual information of the features with the labels, in nats",
        names,
        left,
        [_feature(one, left, scale) for one in features],
    )


def _feature(one: FeatureInformation, left: float, scale: float) -> list[Markup]:
    threshold = left + one.threshold * scale
    end = left + max(one.information, one.threshold) * scale
    return [
        _bar(
            left,
            one.information * scale,
            "information",
            tooltip(f"{one.name}: {one.information:.4f} nats"),
        ),
        element(
            "path",
            tooltip(f"up to {one.threshold:.4f} nats may be coincidence"),
            d=f"M{threshold:.1f} 3v{LINE_HEIGHT - 6:g}",
            class_="threshold",
        ),
        text(f"{one.information:.3f}", end + 6, BASELINE, class_="number"),
    ]


def _bar(x: float, width: float, kind: str, hover: Markup) -> Markup:
    return element(
        "rect", hover, x=x, y=5, width=max(width, 0.5), height=LINE_HEIGHT - 10, class_=kind
    )


def _chart(
    label: str, names: Sequence[str], left: float, lines: Sequence[Sequence[Markup]]
) -> Markup:
    """Lines with their names, which end at `left`."""
    short = short_names(names, int((left - PADDING) / LETTER_WIDTH))
    groups = []
    for i, line in enumerate(lines):
        name = text(short[i], left - PADDING, BASELINE, hover=names[i], text_anchor="end")
        at = f"translate(0 {i * LINE_HEIGHT:g})"
        groups.append(element("g", name, *line, transform=at))
    return drawing(WIDTH, LINE_HEIGHT * len(lines) + 4, label, groups)
