"""Flow of rows from their true classes to their labels, as a Sankey diagram."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.reporting.charts.svg import PADDING, drawing, element, text, tooltip, width_of
from labelnoise.reporting.words import percent, short_names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from markupsafe import Markup

    from labelnoise.arrays import FloatArray
    from labelnoise.reporting.summary import Summary

MAX_CLASSES = 10  # that are drawn on their own; if there are more, some are pooled as `OTHERS`
OTHERS = "all others"

WIDTH, HEAD = 640.0, 22.0
HEIGHT_PER_CLASS, MIN_HEIGHT = 46.0, 160.0
BAR_WIDTH, NAME_WIDTH, NAME_LENGTH = 14.0, 170.0, 18
HEADS = ("true class", "label")
GAP = 8.0  # pixels between two bars
MIN_BAR_SPACE = 10.0  # pixels of a bar at least, to keep names apart
MIN_BAND = 0.6  # bands that are thinner than this many pixels are not drawn


def flow(summary: Summary) -> Markup:
    """Bands whose thickness is the share of rows with a true class and a label."""
    names, joint = _pooled(summary)
    height = max(MIN_HEIGHT, HEIGHT_PER_CLASS * len(names))
    sizes = joint * height / max(float(joint.sum()), 1e-9)
    left, right = _starts(sizes.sum(axis=1)), _starts(sizes.sum(axis=0))
    margin = width_of([*(f"{name} 99%" for name in names), HEADS[0]], NAME_WIDTH)
    parts = [
        text(HEADS[0], margin - PADDING, 12, text_anchor="end", class_="axis"),
        text(HEADS[1], WIDTH - margin + PADDING, 12, class_="axis"),
        *_bands(names, joint, sizes, margin),
        *_bars(names, joint.sum(axis=1), sizes.sum(axis=1), left, margin),
        *_bars(names, joint.sum(axis=0), sizes.sum(axis=0), right, WIDTH - margin - BAR_WIDTH),
    ]
    label = "Flow of rows from their true classes, on the left, to their labels, on the right"
    return drawing(WIDTH, max(left[-1], right[-1]) + 4, label, parts)


def _pooled(summary: Summary) -> tuple[list[str], FloatArray]:
    """Names, and shares of rows by true class and label, with few errors pooled as `OTHERS`."""
    prior = np.array([one.clean.value for one in summary.classes])
    joint = prior[:, None] * np.array(summary.transition)
    if len(prior) <= MAX_CLASSES:
        return [one.name for one in summary.classes], joint
    wrong = joint.sum(axis=1) + joint.sum(axis=0) - 2 * np.diag(joint)
    kept = np.sort(np.argsort(-wrong, kind="stable")[: MAX_CLASSES - 1])
    place = np.full(len(prior), len(kept))
    place[kept] = np.arange(len(kept))
    pooled = np.zeros((MAX_CLASSES, MAX_CLASSES))
    np.add.at(pooled, (place[:, None], place[None, :]), joint)
    pooled[-1, -1] = 0.0  # the many rows within the others would dominate the chart
    return [*(summary.classes[i].name for i in kept), OTHERS], pooled


def _starts(sizes: FloatArray) -> FloatArray:
    """Where bars of these sizes (K,) begin, one below the other; the last entry is the end."""
    return HEAD + np.concatenate([[0.0], np.cumsum(np.maximum(sizes, MIN_BAR_SPACE) + GAP)])


def _bands(
    names: list[str], joint: FloatArray, sizes: FloatArray, margin: float
) -> Iterator[Markup]:
    """One band per entry (i, j): from the bar of class i to the bar of label j."""
    x0, x1 = margin + BAR_WIDTH, WIDTH - margin - BAR_WIDTH
    middle = (x0 + x1) / 2
    left = _starts(sizes.sum(axis=1))[:-1, None] + np.cumsum(sizes, axis=1) - sizes
    right = _starts(sizes.sum(axis=0))[:-1] + np.cumsum(sizes, axis=0) - sizes
    for i, j in np.argwhere(sizes >= MIN_BAND).tolist():
        a, b, size = left[i, j], right[i, j], sizes[i, j]
        path = (
            f"M{x0:.0f} {a:.1f}C{middle:.0f} {a:.1f} {middle:.0f} {b:.1f} {x1:.0f} {b:.1f}"
            f"v{size:.1f}C{middle:.0f} {b + size:.1f} {middle:.0f} {a + size:.1f} "
            f"{x0:.0f} {a + size:.1f}Z"
        )
        hover = f"{percent(joint[i, j])} of all rows are {names[i]} and labeled {names[j]}"
        kind = "band correct" if i == j else "band wrong"
        yield element("path", tooltip(hover), d=path, class_=kind)


def _bars(
    names: list[str], shares: FloatArray, sizes: FloatArray, starts: FloatArray, x: float
) -> Iterator[Markup]:
    """Bars at `x` with names and shares beside them, away from the bands."""
    on_left = x < WIDTH / 2
    anchor, name_x = ("end", x - PADDING) if on_left else (None, x + BAR_WIDTH + PADDING)
    for i, short in enumerate(short_names(names, NAME_LENGTH)):
        size = max(float(sizes[i]), 1.0)
        yield element("rect", x=x, y=starts[i], width=BAR_WIDTH, height=size, class_="bar")
        shown = short if names[i] == OTHERS else f"{short} {percent(shares[i])}"
        yield text(shown, name_x, starts[i] + size / 2 + 4, hover=names[i], text_anchor=anchor)
