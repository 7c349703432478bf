"""Draw how the rank-gated estimator reads T: labels along the ranking, the fitted curve, its ends.

    python examples/ranking.py [FILE.svg]

Two overlapping classes with 20% and 10% of the labels flipped. Dots are label frequencies among
rows of equal rank, the line is what the fit says, dashed lines are its two ends (T) and dotted
lines what HOC finds, which counts the overlap as noise.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import labelnoise as ln
from labelnoise.rank_gate.rows import GatedRows

WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 760, 430, 70, 40, 560, 370
N_BINS = 25


def x(rank: float) -> float:
    return LEFT + rank * (RIGHT - LEFT)


def y(share: float) -> float:
    return BOTTOM - share * (BOTTOM - TOP)


def line(share: float, color: str, dash: str, text: str, where: float) -> str:
    return (
        f'<path d="M{LEFT} {y(share):.1f} H{RIGHT}" stroke="{color}" stroke-dasharray="{dash}"/>'
        f'<text x="{RIGHT + 10}" y="{where:.1f}" fill="{color}">{text}</text>'
    )


def picture() -> str:
    rng = np.random.default_rng(0)
    clean = rng.integers(2, size=6000)
    X = rng.normal(size=(6000, 3)) + 1.6 * clean[:, None] * [1, 0.5, 0]
    noisy = ln.inject_noise(clean, [[0.8, 0.2], [0.1, 0.9]], random_state=1)
    model = ln.RankGatedEstimator().fit(X, noisy)
    T, hoc = model.transition_matrix_, ln.estimate(X, noisy, method="hoc").transition_matrix
    rows = model.estimate_.rows
    assert isinstance(rows, GatedRows)
    score = rows.tails[rows.cells.cell_of_row, 1] - rows.tails[rows.cells.cell_of_row, 0]
    order = np.argsort(score, kind="stable")
    fitted = rows.fit.point.clean_posterior(rows.tails)[rows.cells.cell_of_row] @ T
    bins = np.array_split(order, N_BINS)
    dots = "".join(
        f'<circle cx="{x((i + 0.5) / N_BINS):.1f}" cy="{y(noisy[b].mean()):.1f}" r="4"/>'
        for i, b in enumerate(bins)
    )
    curve = " L".join(
        f"{x((i + 0.5) / len(order)):.1f} {y(fitted[order[i], 1]):.1f}"
        for i in range(0, len(order), 40)
    )
    ends = [
        (T[0, 1], "#b3541e", "7 5", f"T[0, 1] = {T[0, 1]:.2f} (truth 0.20)"),
        (T[1, 1], "#b3541e", "7 5", f"T[1, 1] = {T[1, 1]:.2f} (truth 0.90)"),
        (hoc[0, 1], "#777777", "2 4", f"HOC: {hoc[0, 1]:.2f}"),
        (hoc[1, 1], "#777777", "2 4", f"HOC: {hoc[1, 1]:.2f}"),
    ]
    lines = "".join(line(*end, where=y(end[0]) + 5) for end in ends)
    ticks = "".join(
        f'<text x="{LEFT - 12}" y="{y(t) + 5:.1f}" text-anchor="end">{t:.0%}</text>'
        for t in (0, 0.25, 0.5, 0.75, 1)
    )
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}"
  font-family="system-ui, sans-serif" font-size="14" fill="#333333">
<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>
<rect x="{LEFT}" y="{TOP}" width="{RIGHT - LEFT}" height="{BOTTOM - TOP}" fill="#f4f7fb"/>
{ticks}
<g stroke-width="1.8" fill="none">{lines.replace("<text", '<text stroke="none"')}</g>
<g fill="#2b5a8c">{dots}</g>
<path d="M{curve}" fill="none" stroke="#2b5a8c" stroke-width="2.5"/>
<text x="{LEFT}" y="{TOP - 14}">share of rows labeled 1, among rows of equal rank</text>
<text x="{LEFT}" y="{BOTTOM + 24}">surely class 0</text>
<text x="{RIGHT}" y="{BOTTOM + 24}" text-anchor="end">surely class 1</text>
<text x="{(LEFT + RIGHT) / 2}" y="{BOTTOM + 24}"
  text-anchor="middle">rank by the labels around a row</text>
</svg>
"""


def main() -> None:
    path = Path(sys.argv[1] if len(sys.argv) > 1 else "ranking.svg")
    path.write_text(picture(), encoding="utf-8")
    print(f"wrote {path}")


if __name__ == "__main__":
    main()
