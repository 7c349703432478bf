"""Draw how the rank-gated estimator reads T: labels along the ranking, the fitted curve, its ends.

    python examples/ranking.py [FILE.svg]

Two overlapping classes with 20% and 10% of the labels flipped. Dots are label frequencies among
rows of similar rank, the line is the fitted curve, and dashed lines are its two ends (T). Dotted
lines are the estimate of HOC, which counts the overlap as noise.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

import labelnoise as ln

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 430, 70, 40, 560, 370
N_ROWS, N_BINS, STEP = 6000, 25, 40
BLUE, ORANGE, GRAY = "#2b5a8c", "#b3541e", "#777777"


def x(rank: float) -> float:
    return LEFT + rank * (RIGHT - LEFT)


def y(share: float) -> float:
    return BOTTOM - share * (BOTTOM - TOP)


def overlapping_classes() -> tuple[FloatArray, IntArray]:
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=N_ROWS)
    X = rng.normal(size=(N_ROWS, 3)) + 1.6 * clean[:, None] * [1, 0.5, 0]
    return X, ln.inject_noise(clean, [[0.8, 0.2], [0.1, 0.9]], random_state=1)


def clean_log_odds(est: ln.NoiseEstimate, labels: IntArray) -> FloatArray:
    """Log-odds of class 1 by the features alone, (n,)."""
    assert est.rows is not None
    margin = est.rows.log_odds_margin()  # of the other class over the label
    return np.where(labels == 0, margin, -margin)


def dots(labels: IntArray) -> str:
    """Label frequencies of labels (n,) in the order of the ranking."""
    return "".join(
        f'<circle cx="{x((i + 0.5) / N_BINS):.1f}" cy="{y(part.mean()):.1f}" r="4"/>'
        for i, part in enumerate(np.array_split(labels, N_BINS))
    )


def curve(fitted: FloatArray) -> str:
    return " L".join(
        f"{x((i + 0.5) / N_ROWS):.1f} {y(fitted[i]):.1f}" for i in range(0, N_ROWS, STEP)
    )


def level(share: float, color: str, dash: str, text: str) -> str:
    return (
        f'<path d="M{LEFT} {y(share):.1f} H{RIGHT}" stroke="{color}" stroke-dasharray="{dash}"/>'
        f'<text stroke="none" x="{RIGHT + 10}" y="{y(share) + 5:.1f}" fill="{color}">{text}</text>'
    )


def levels(T: FloatArray, hoc: FloatArray) -> str:
    return "".join(
        [
            level(T[0, 1], ORANGE, "7 5", f"T[0, 1] = {T[0, 1]:.2f} (truth 0.20)"),
            level(T[1, 1], ORANGE, "7 5", f"T[1, 1] = {T[1, 1]:.2f} (truth 0.90)"),
            level(hoc[0, 1], GRAY, "2 4", f"HOC: {hoc[0, 1]:.2f}"),
            level(hoc[1, 1], GRAY, "2 4", f"HOC: {hoc[1, 1]:.2f}"),
        ]
    )


def picture() -> str:
    X, labels = overlapping_classes()
    est, hoc = ln.estimate(X, labels), ln.estimate(X, labels, method="hoc")
    T = est.transition_matrix.values
    log_odds = clean_log_odds(est, labels)
    order = np.argsort(log_odds, kind="stable")
    fitted = T[0, 1] + expit(log_odds[order]) * (T[1, 1] - T[0, 1])
    ticks = "".join(
        f'<text x="{LEFT - 12}" y="{y(t) + 5:.1f}" text-anchor="end">{t:.0%}</text>'
        for t in (0, 0.25, 0.5, 0.75, 1)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"
  font-family="system-ui, sans-serif" font-size="14" fill="#333333">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<rect x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}" fill="#f4f7fb"/>
{ticks}
<g stroke-width="1.8" fill="none">{levels(T, hoc.transition_matrix.values)}</g>
<g fill="{BLUE}">{dots(labels[order])}</g>
<path d="M{curve(fitted)}" fill="none" stroke="{BLUE}" stroke-width="2.5"/>
<text x="{LEFT}" y="{TOP - 14}">share of rows labeled 1, among rows of similar rank</text>
<text x="{LEFT}" y="{BOTTOM + 24}">certainly class 0</text>
<text x="{RIGHT}" y="{BOTTOM + 24}" text-anchor="end">certainly class 1</text>
<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 24}"
  text-anchor="middle">rank by the labels of similar rows</text>
</svg>
"""


def main() -> None:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "ranking.svg")
    path.write_text(picture(), encoding="utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
