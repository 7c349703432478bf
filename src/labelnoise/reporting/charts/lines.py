"""Curves: purity along the ranking of a class, and what reviewing more rows yields."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from labelnoise.reporting.charts.svg import drawing, element, title
from labelnoise.reporting.words import per_cent, shortened, yield_in_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from markupsafe import Markup

    from labelnoise.reporting.summary import Curve
    from labelnoise.reporting.suspicious_rows import Yield

SMALL = (240.0, 180.0)
LARGE = (760.0, 290.0)
LEFT, BOTTOM, TOP, RIGHT = 44.0, 40.0, 24.0, 24.0
TICK_ROOM = 36.0


def purity_chart(curve: Curve) -> Markup:
    """Shares along the ranking: labels seen (dots), labels fitted (line), truly so (dashes)."""
    width, height = SMALL
    deepest = max(-math.log(min(curve.top)), 0.1)

    def along(top: float) -> float:
        return LEFT - math.log(top) / deepest * (width - LEFT - RIGHT)

    xs = [along(top) for top in curve.top]
    seen, fitted, clean = (
        [_up(share, height) for share in shares]
        for shares in (curve.observed, curve.fitted, curve.clean)
    )
    ticks = [_tick(f"{100 * top:g}%", along(top), height) for top in _marks(deepest)]
    words = [
        f"top {100 * top:.2g}% of the ranking: {per_cent(share)} of {n:,.0f} rows"
        for top, share, n in zip(curve.top, curve.observed, curve.n_rows, strict=True)
    ]
    return drawing(
        width,
        height,
        f"Purity of {curve.name}: at the top of its ranking {per_cent(curve.observed[-1])} of the "
        f"rows carry the label, and {per_cent(curve.clean[-1])} truly are of the class",
        *_frame(width, height, (0.0, 0.5, 1.0)),
        element(
            "text", shortened(curve.name, 26), title(curve.name), x=LEFT, y=14.0, class_="axis"
        ),
        *ticks,
        element(
            "text",
            "top of its ranking",
            x=width - RIGHT,
            y=height - 4,
            text_anchor="end",
            class_="number",
        ),
        element("path", d=_line(xs, clean), class_="clean"),
        element("path", d=_line(xs, fitted), class_="fitted"),
        element("path", d=_whiskers(xs, curve, height), class_="by-chance"),
        *_dots(xs, seen, words),
    )


def _whiskers(xs: Sequence[float], curve: Curve, height: float) -> str:
    """What chance makes of the share of so many rows that carry the label: two standard errors."""
    parts = []
    for x, share, n in zip(xs, curve.observed, curve.n_rows, strict=True):
        shrunk = (share * n + 2) / (n + 4)  # a share of 0 or 1 has errors, too (Agresti, Coull)
        error = 2 * math.sqrt(shrunk * (1 - shrunk) / (n + 4))
        ends = (_up(shrunk - error, height), _up(shrunk + error, height))
        parts.append(f"M{x:.1f} {ends[0]:.1f}V{ends[1]:.1f}")
    return "".join(parts)


def _marks(deepest: float) -> list[float]:
    """Tops to name on an axis that goes down to exp(-deepest): every tenth, or what has room.

    >>> _marks(5.0), _marks(10.4)
    ([1.0, 0.1, 0.01], [1.0, 0.1, 0.01, 0.001, 0.0001])
    >>> _marks(14.0)
    [1.0, 0.01, 0.0001, 1e-06]
    """
    decades = deepest / math.log(10)
    room = (SMALL[0] - LEFT - RIGHT) / decades
    step = math.ceil(TICK_ROOM / room)
    return [float(f"1e-{power}") for power in range(0, math.floor(decades + 1e-9) + 1, step)]


def yield_chart(points: Sequence[Yield]) -> Markup:
    """Share of all wrong labels that are found, by the number of rows reviewed."""
    width, height = LARGE
    most = points[-1].n_reviewed
    xs = [LEFT + point.n_reviewed / most * (width - LEFT - RIGHT) for point in points]
    found = [_up(point.share_found, height) for point in points]
    precise = [_up(point.precision, height) for point in points]
    ticks = [
        _tick(f"{n:,}", LEFT + n / most * (width - LEFT - RIGHT), height)
        for n in range(0, most + 1, _round_step(most))
    ]
    return drawing(
        width,
        height,
        "Expected yield: " + yield_in_words(points[len(points) // 2]),
        *_frame(width, height, (0.0, 0.25, 0.5, 0.75, 1.0)),
        *ticks,
        element(
            "text", "rows reviewed", x=width - RIGHT, y=height - 4, text_anchor="end", class_="axis"
        ),
        element("path", d=_line(xs, precise), class_="clean"),
        element("path", d=_line(xs, found), class_="fitted"),
        *_dots(xs, found, [yield_in_words(point) for point in points], kind="point"),
    )


def _round_step(most: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, ... that makes at most five steps.

    >>> _round_step(4), _round_step(430), _round_step(1200)
    (1, 100, 500)
    """
    power = 10 ** max(0, len(str(most)) - 2)
    return next(power * by for by in (1, 2, 5, 10, 20, 50, 100) if 5 * power * by >= most)


def _dots(
    xs: Sequence[float], ys: Sequence[float], words: Sequence[str], kind: str = "seen"
) -> list[Markup]:
    return [
        element("circle", title(said), cx=x, cy=y, r=3.0, class_=kind)
        for x, y, said in zip(xs, ys, words, strict=True)
    ]


def _tick(text: str, x: float, height: float) -> Markup:
    return element("text", text, x=x, y=height - BOTTOM + 18, text_anchor="middle")


def _up(share: float, height: float) -> float:
    return height - BOTTOM - min(max(share, 0.0), 1.0) * (height - BOTTOM - TOP)


def _line(xs: Sequence[float], ys: Sequence[float]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(xs, ys, strict=True))


def _frame(width: float, height: float, shares: Sequence[float]) -> list[Markup]:
    lines = [
        element("path", d=f"M{LEFT:g} {_up(share, height):.1f}H{width - RIGHT:g}", class_="grid")
        for share in shares
    ]
    texts = [
        element("text", f"{share:.0%}", x=LEFT - 4, y=_up(share, height) + 4, text_anchor="end")
        for share in shares
    ]
    return [*lines, *texts]
