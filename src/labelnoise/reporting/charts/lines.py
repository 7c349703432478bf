"""Line charts: purity along the ranking of a class, and what a review is expected to find."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from labelnoise.reporting.charts.svg import drawing, element, text, tooltip
from labelnoise.reporting.words import percent, review_sentence, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from markupsafe import Markup

    from labelnoise.reporting.summary import Curve
    from labelnoise.reporting.suspicious_rows import ReviewPoint

SMALL, LARGE = (240.0, 180.0), (640.0, 260.0)
LEFT, RIGHT, TOP, BOTTOM = 44.0, 24.0, 24.0, 40.0
TICK_WIDTH = 36.0


def purity_chart(curve: Curve) -> Markup:
    """Shares along a ranking: observed labels (dots), fitted labels (line), true class (dashes)."""
    width, height = SMALL
    depth = max(-math.log(min(curve.top)), 0.1)

    def across(top: float) -> float:
        return LEFT - math.log(top) / depth * (width - LEFT - RIGHT)

    xs = [across(top) for top in curve.top]
    hovers = [
        f"top {100 * top:.2g}% of the ranking: {percent(share)} of {n:,.0f} rows have the label"
        for top, share, n in zip(curve.top, curve.observed, curve.n_rows, strict=True)
    ]
    label = (
        f"Purity of {curve.name}: at the top of its ranking, {percent(curve.observed[-1])} of the "
        f"rows have the label, and an estimated {percent(curve.clean[-1])} are of the class"
    )
    parts = [
        *_grid(SMALL, (0.0, 0.5, 1.0)),
        text(shortened(curve.name, 26), LEFT, 14, hover=curve.name, class_="axis"),
        *(_tick(f"{100 * top:g}%", across(top), height) for top in _tick_marks(depth)),
        text("top of the ranking", width - RIGHT, height - 4, text_anchor="end", class_="number"),
        _line(xs, curve.clean, height, "clean"),
        _line(xs, curve.fitted, height, "fitted"),
        element("path", d=_error_bars(xs, curve, height), class_="errors"),
        *_dots(xs, curve.observed, height, hovers, "observed"),
    ]
    return drawing(width, height, label, parts)


def _error_bars(xs: Sequence[float], curve: Curve, height: float) -> str:
    """Two standard errors of each observed share."""
    bars = []
    for x, share, n in zip(xs, curve.observed, curve.n_rows, strict=True):
        shrunk = (share * n + 2) / (n + 4)  # not 0 for shares of 0 or 1 (Agresti and Coull)
        error = 2 * math.sqrt(shrunk * (1 - shrunk) / (n + 4))
        low, high = (_y(end, height) for end in (shrunk - error, shrunk + error))
        bars.append(f"M{x:.1f} {low:.1f}V{high:.1f}")
    return "".join(bars)


def _tick_marks(depth: float) -> list[float]:
    """Powers of ten to name on a logarithmic axis from 1 to exp(-depth), as many as fit.

    >>> _tick_marks(5.0), _tick_marks(14.0)
    ([1.0, 0.1, 0.01], [1.0, 0.01, 0.0001, 1e-06])
    """
    decades = depth / math.log(10)
    step = math.ceil(TICK_WIDTH * decades / (SMALL[0] - LEFT - RIGHT))
    return [float(f"1e-{power}") for power in range(0, math.floor(decades + 1e-9) + 1, step)]


def review_chart(points: Sequence[ReviewPoint]) -> Markup:
    """Share of all wrong labels found (line), and of reviewed labels that are wrong (dashes)."""
    width, height = LARGE
    last = points[-1].n_reviewed

    def across(n_reviewed: float) -> float:
        return LEFT + n_reviewed / last * (width - LEFT - RIGHT)

    xs = [across(point.n_reviewed) for point in points]
    found = [point.share_found for point in points]
    ticks = range(0, last + 1, _round_step(last))
    parts = [
        *_grid(LARGE, (0.0, 0.25, 0.5, 0.75, 1.0)),
        *(_tick(f"{n:,}", across(n), height) for n in ticks),
        text("rows reviewed", width - RIGHT, height - 4, text_anchor="end", class_="axis"),
        _line(xs, [point.precision for point in points], height, "clean"),
        _line(xs, found, height, "fitted"),
        *_dots(xs, found, height, [review_sentence(point) for point in points], "found"),
    ]
    return drawing(width, height, f"Expected: {review_sentence(points[len(points) // 2])}", parts)


def _round_step(last: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, ... that makes at most five steps.

    >>> _round_step(4), _round_step(430), _round_step(1200)
    (1, 100, 500)
    """
    power = 10 ** max(0, len(str(last)) - 2)
    return next(power * by for by in (1, 2, 5, 10, 20, 50, 100) if 5 * power * by >= last)


def _dots(
    xs: Sequence[float], shares: Sequence[float], height: float, hovers: Sequence[str], kind: str
) -> Iterator[Markup]:
    for x, share, hover in zip(xs, shares, hovers, strict=True):
        yield element("circle", tooltip(hover), cx=x, cy=_y(share, height), r=3.0, class_=kind)


def _tick(label: str, x: float, height: float) -> Markup:
    return text(label, x, height - BOTTOM + 18, text_anchor="middle")


def _y(share: float, height: float) -> float:
    return height - BOTTOM - min(max(share, 0.0), 1.0) * (height - BOTTOM - TOP)


def _line(xs: Sequence[float], shares: Sequence[float], height: float, kind: str) -> Markup:
    points = (f"{x:.1f} {_y(share, height):.1f}" for x, share in zip(xs, shares, strict=True))
    return element("path", d="M" + "L".join(points), class_=kind)


def _grid(size: tuple[float, float], shares: Sequence[float]) -> Iterator[Markup]:
    width, height = size
    for share in shares:
        y = _y(share, height)
        yield element("path", d=f"M{LEFT:g} {y:.1f}H{width - RIGHT:g}", class_="grid")
        yield text(f"{share:.0%}", LEFT - 4, y + 4, text_anchor="end")
