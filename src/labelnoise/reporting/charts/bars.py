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
    from collections.abc import Callable, Sequence

    from markupsafe import Markup

    from labelnoise.reporting.feature_information import FeatureInformation
    from labelnoise.reporting.summary import ClassSummary

    Scale = Callable[[float], float]

WIDTH, LINE_HEIGHT = 640.0, 24.0
MIDDLE, BASELINE = LINE_HEIGHT / 2, LINE_HEIGHT / 2 + 4

# Largest space for names on the left, and space for numbers on the right.
CLASS_SPACE, FEATURE_SPACE = (190.0, 110.0), (280.0, 50.0)


def class_frequencies(classes: Sequence[ClassSummary]) -> Markup:
    """Shares among the labels as bars, shares of the true classes as dots with intervals."""
    names = [one.name for one in classes]
    largest = max(max(one.given, one.clean.upper or one.clean.value) for one in classes)
    left, across = _scale(names, CLASS_SPACE, largest)
    label = "Share of each class among the labels (bar) and of each true class (dot)"
    return _chart(label, names, left, [_class(one, across) for one in classes])


def _class(one: ClassSummary, across: Scale) -> list[Markup]:
    true = with_interval(one.clean)
    hover = tooltip(f"{one.name}: {percent(one.given)} of the labels, truly {true} of the rows")
    parts = [_bar(across, one.given, "given", hover)]
    if one.clean.lower is not None and one.clean.upper is not None:
        low, high = across(one.clean.lower), across(one.clean.upper)
        ends = "".join(f"M{x:.1f} {MIDDLE - 4:g}v8" for x in (low, high))
        parts.append(element("path", d=f"M{low:.1f} {MIDDLE:g}H{high:.1f}{ends}", class_="whisker"))
    numbers = f"{percent(one.given)} → {percent(one.clean.value)}"
    return [
        *parts,
        element("circle", hover, cx=across(one.clean.value), cy=MIDDLE, r=4.5, class_="clean"),
        text(numbers, WIDTH, BASELINE, text_anchor="end", class_="number"),
    ]


def feature_bars(features: Sequence[FeatureInformation]) -> Markup:
    """Mutual information of features with the labels as bars, with independence thresholds."""
    names = [one.name for one in features]
    largest = max(max(one.information, one.threshold) for one in features)
    left, across = _scale(names, FEATURE_SPACE, largest)
    label = "Mutual information of the features with the labels, in nats"
    return _chart(label, names, left, [_feature(one, across) for one in features])


def _feature(one: FeatureInformation, across: Scale) -> list[Markup]:
    hover = tooltip(f"{one.name}: {one.information:.4f} nats")
    coincidence = tooltip(f"up to {one.threshold:.4f} nats may be coincidence")
    line = f"M{across(one.threshold):.1f} 3v{LINE_HEIGHT - 6:g}"
    end = across(max(one.information, one.threshold))
    return [
        _bar(across, one.information, "information", hover),
        element("path", coincidence, d=line, class_="threshold"),
        text(f"{one.information:.3f}", end + 6, BASELINE, class_="number"),
    ]


def _scale(names: Sequence[str], space: tuple[float, float], largest: float) -> tuple[float, Scale]:
    """Where bars begin, right of their names, and a function from numbers to places."""
    left = width_of(names, space[0])
    per_unit = (WIDTH - left - space[1]) / (largest or 1.0)
    return left, lambda number: left + number * per_unit


def _bar(across: Scale, number: float, kind: str, hover: Markup) -> Markup:
    left, height = across(0.0), LINE_HEIGHT - 10
    width = max(across(number) - left, 0.5)
    return element("rect", hover, x=left, y=5, width=width, height=height, class_=kind)


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
