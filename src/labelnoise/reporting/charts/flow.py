"""Where rows come from and where their labels go: bands from true classes to labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.reporting.charts.svg import drawing, element, title
from labelnoise.reporting.words import per_cent, short_names

if TYPE_CHECKING:
    from markupsafe import Markup

    from labelnoise.arrays import FloatArray
    from labelnoise.reporting.summary import Summary

MOST_CLASSES = 10
"""Classes that have a place of their own; all others share one."""

WIDTH, BAR, NAMES, GAP = 760.0, 14.0, 170.0, 8.0
LEAST_BAND = 0.6
"""Bands thinner than this many pixels are not drawn."""

LEAST_ROOM = 10.0
"""Pixels that a class takes at least, so that names stand apart."""

OTHERS = "all others"


def flow(summary: Summary) -> Markup:
    """Bands as thick as the share of the rows that goes that way."""
    names, joint = _pooled(summary)
    height = max(160.0, 46.0 * len(names))
    scale = height / max(float(joint.sum()), 1e-9)
    left = _starts(joint.sum(axis=1) * scale)
    right = _starts(joint.sum(axis=0) * scale)
    total = max(ends[-1] + LEAST_ROOM for ends in (left, right))
    total = max(total, height + GAP * (len(names) - 1))
    bands = _bands(names, joint, scale, left.copy(), right.copy())
    bars = [
        part
        for i, name in enumerate(zip(names, short_names(names, 18), strict=True))
        for part in (
            *_bar(name, left[i], joint[i].sum() * scale, joint[i].sum(), on_the_left=True),
            *_bar(name, right[i], joint[:, i].sum() * scale, joint[:, i].sum(), on_the_left=False),
        )
    ]
    heads = [
        element("text", "truly", x=NAMES, y=12.0, text_anchor="end", class_="axis"),
        element("text", "labeled", x=WIDTH - NAMES, y=12.0, class_="axis"),
    ]
    shown = element("g", *bands, *bars, transform="translate(0 22)")
    label = "Flow of rows from their true class, on the left, to their label, on the right"
    return drawing(WIDTH, total + 26, label, *heads, shown)


def _pooled(summary: Summary) -> tuple[list[str], FloatArray]:
    """Names, and shares of all rows by true class and label; small classes together."""
    prior = np.array([one.clean.value for one in summary.classes])
    joint = prior[:, None] * np.array(summary.transition)
    if len(prior) <= MOST_CLASSES:
        return [one.name for one in summary.classes], joint
    wrong = joint.sum(axis=1) - np.diag(joint) + joint.sum(axis=0) - np.diag(joint)
    kept = np.sort(np.argsort(-wrong, kind="stable")[: MOST_CLASSES - 1])
    place = np.full(len(prior), len(kept))
    place[kept] = np.arange(len(kept))
    pooled = np.zeros((MOST_CLASSES, MOST_CLASSES))
    np.add.at(pooled, (place[:, None], place[None, :]), joint)
    pooled[-1, -1] = 0.0  # what stays among all others would hide the rest
    return [*(summary.classes[i].name for i in kept), OTHERS], pooled


def _starts(sizes: FloatArray) -> FloatArray:
    """Where bars of these sizes (K,) begin, one below the other with room for their names."""
    return np.concatenate([[0.0], np.cumsum(np.maximum(sizes, LEAST_ROOM) + GAP)[:-1]])


def _bands(
    names: list[str], joint: FloatArray, scale: float, left: FloatArray, right: FloatArray
) -> list[Markup]:
    x0, x1 = NAMES + BAR, WIDTH - NAMES - BAR
    middle = (x0 + x1) / 2
    found = []
    for i, true in enumerate(names):
        for j, label in enumerate(names):
            size = float(joint[i, j]) * scale
            a, b = float(left[i]), float(right[j])
            left[i] += size
            right[j] += size
            if size < LEAST_BAND:
                continue
            path = (
                f"M{x0:.0f} {a:.1f}C{middle:.0f} {a:.1f} {middle:.0f} {b:.1f} {x1:.0f} {b:.1f}"
                f"V{b + size:.1f}C{middle:.0f} {b + size:.1f} {middle:.0f} {a + size:.1f} "
                f"{x0:.0f} {a + size:.1f}Z"
            )
            said = f"{per_cent(joint[i, j])} of all rows are truly {true} and labeled {label}"
            found.append(
                element("path", title(said), d=path, class_="stays" if i == j else "strays")
            )
    return found


def _bar(
    names: tuple[str, str], top: float, size: float, share: float, *, on_the_left: bool
) -> tuple[Markup, Markup]:
    """A bar, with the short one of two names beside it."""
    name, short = names
    x = NAMES if on_the_left else WIDTH - NAMES - BAR
    bar = element("rect", x=x, y=float(top), width=BAR, height=max(float(size), 1.0), class_="bar")
    text = element(
        "text",
        element("tspan", short),
        element("tspan", f" {per_cent(share)}", class_="number") if name != OTHERS else "",
        title(name),
        x=x - 6 if on_the_left else x + BAR + 6,
        y=float(top) + max(float(size), 1.0) / 2 + 4,
        text_anchor="end" if on_the_left else None,
    )
    return bar, text
