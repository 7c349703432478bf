"""Rows of bars and whiskers: class shares, and what features say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.reporting.charts.svg import drawing, element, title
from labelnoise.reporting.words import per_cent, short_names, with_ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from labelnoise.reporting.feature_information import Feature
    from labelnoise.reporting.summary import ClassSummary

WIDTH, NAMES, NUMBERS, LINE = 760.0, 190.0, 150.0, 24.0
FEATURE_NAMES, LETTER = 280.0, 7.8
"""Room for the names of features, which are longer; and what a letter takes of it."""


def class_shares(classes: Sequence[ClassSummary]) -> Markup:
    """Given shares as bars, clean shares as dots with whiskers."""
    most = max(max(one.given, one.clean.upper or one.clean.value) for one in classes) or 1.0
    scale = (WIDTH - NAMES - NUMBERS) / most
    names = short_names([one.name for one in classes], int(NAMES / LETTER))
    parts = [
        part
        for i, (one, name) in enumerate(zip(classes, names, strict=True))
        for part in (_name(name, one.name, NAMES, i * LINE), *_class(one, i * LINE, scale))
    ]
    label = "Share of each class among the labels (bar) and among the true classes (dot)"
    return drawing(WIDTH, LINE * len(classes) + 4, label, *parts)


def _class(one: ClassSummary, top: float, scale: float) -> list[Markup]:
    middle = top + LINE / 2
    said = f"{one.name}: {per_cent(one.given)} of the labels, truly {with_ends(one.clean)}"
    parts = [
        element(
            "rect",
            title(said),
            x=NAMES,
            y=top + 5,
            width=max(one.given * scale, 0.5),
            height=LINE - 10,
            class_="given",
        ),
    ]
    if one.clean.lower is not None and one.clean.upper is not None:
        low, high = (NAMES + end * scale for end in (one.clean.lower, one.clean.upper))
        parts.append(element("path", d=f"M{low:.1f} {middle:.1f}H{high:.1f}", class_="whisker"))
        parts += [
            element("path", d=f"M{end:.1f} {middle - 4:.1f}v8", class_="whisker")
            for end in (low, high)
        ]
    parts.append(
        element(
            "circle",
            title(said),
            cx=NAMES + one.clean.value * scale,
            cy=middle,
            r=4.5,
            class_="clean",
        )
    )
    numbers = f"{per_cent(one.given)} → {per_cent(one.clean.value)}"
    parts.append(
        element("text", numbers, x=WIDTH, y=middle + 4, text_anchor="end", class_="number")
    )
    return parts


def feature_bars(features: Sequence[Feature]) -> Markup:
    """How much each feature says about the labels."""
    most = max(max(one.information, one.by_chance) for one in features) or 1.0
    scale = (WIDTH - FEATURE_NAMES - NUMBERS / 2) / most
    names = short_names([one.name for one in features], int(FEATURE_NAMES / LETTER))
    parts = []
    for i, feature in enumerate(features):
        top = i * LINE
        parts += [
            _name(names[i], feature.name, FEATURE_NAMES, top),
            element(
                "rect",
                title(f"{feature.name}: {feature.information:.4f} nats"),
                x=FEATURE_NAMES,
                y=top + 5,
                width=max(feature.information * scale, 0.5),
                height=LINE - 10,
                class_="information",
            ),
            element(
                "path",
                title(f"chance alone: up to {feature.by_chance:.4f} nats"),
                d=f"M{FEATURE_NAMES + feature.by_chance * scale:.1f} {top + 3:.1f}v{LINE - 6:.1f}",
                class_="chance",
            ),
            element(
                "text",
                f"{feature.information:.3f}",
                x=FEATURE_NAMES + max(feature.information, feature.by_chance) * scale + 6,
                y=top + LINE / 2 + 4,
                class_="number",
            ),
        ]
    label = "Mutual information of the features with the labels, in nats"
    return drawing(WIDTH, LINE * len(features) + 4, label, *parts)


def _name(short: str, name: str, room: float, top: float) -> Markup:
    y = top + LINE / 2 + 4
    return element("text", short, title(name), x=room - 8, y=y, text_anchor="end")
