"""Pictures of an estimate, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from labelnoise import checks
from labelnoise.noise_estimate import SHOWN_LEVEL
from labelnoise.reporting.words import per_cent

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from labelnoise.noise_estimate import NoiseEstimate

MOST_NUMBERS = 20
"""Classes up to which entries of T are written into the picture."""

MOST_CURVES = 12
RIGHT, WRONG, SOFT = "#2a6fb8", "#d9622b", "#5b6570"


def plot_estimate(est: NoiseEstimate, kind: str = "transition", ax: Any = None) -> Any:
    """Draw T, its intervals or the purity curves; the axes are returned."""
    draw = KINDS[checks.one_of(kind, "kind", KINDS)]
    return draw(est, ax)


def _transition(est: NoiseEstimate, ax: Any) -> Any:
    """T as a heat map."""
    T, k = est.transition_matrix.values, len(est.classes)
    side = max(3.5, min(10.0, 0.6 * k + 1.5))
    ax = _axes(ax, (side, side))
    right = np.eye(k, dtype=bool)
    for others, colors in ((~right, "Blues"), (right, "Oranges")):
        ax.imshow(np.ma.masked_where(others, np.sqrt(T)), cmap=colors, vmin=0, vmax=1.3)
    names = [_plain(label) for label in est.classes]
    shown = np.arange(0, k, max(1, k // 25))
    ax.set_xticks(shown, [names[i] for i in shown], rotation=90 if k > 6 else 0)
    ax.set_yticks(shown, [names[i] for i in shown])
    if k <= MOST_NUMBERS:
        for (i, j), share in np.ndenumerate(T):
            ax.text(j, i, per_cent(float(share)), ha="center", va="center", fontsize=8)
    wrong = f"{est.noise_rate:.1%} of the labels are wrong"
    title = wrong if est.diagnosis.can_tell else "these data cannot tell: what fits best"
    ax.set(xlabel="observed", ylabel="true", title=title)
    return ax


def _intervals(est: NoiseEstimate, ax: Any) -> Any:
    """How often each class is labeled right, and how frequent it truly is, with intervals."""
    ends = est.interval(SHOWN_LEVEL)
    ax = _axes(ax, (6.0, 1.2 + 0.35 * len(est.classes)))
    parts = (
        (np.diag(est.transition_matrix.values), _diagonals(ends), RIGHT, "labeled right"),
        (est.class_prior, (ends.lower.class_prior, ends.upper.class_prior), WRONG, "true share"),
    )
    for shift, (value, (low, high), color, name) in zip((-0.12, 0.12), parts, strict=True):
        at = np.arange(len(value)) + shift
        spread = np.maximum([value - low, high - value], 0)
        ax.errorbar(value, at, xerr=spread, fmt="o", ms=4, capsize=3, color=color, label=name)
    ax.set_yticks(range(len(est.classes)), [_plain(label) for label in est.classes])
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="share", title=f"{SHOWN_LEVEL:.0%} intervals")
    ax.legend(loc="best", fontsize=8)
    return ax


def _diagonals(ends: Any) -> tuple[Any, Any]:
    return np.diag(ends.lower.transition_matrix), np.diag(ends.upper.transition_matrix)


def _purity(est: NoiseEstimate, ax: Any) -> Any:
    """How labels change along the ranking of each class, the least pure classes first."""
    curves = sorted(est.row_model("plot").purity(), key=lambda curve: float(curve.clean[-1]))
    curves = curves[:MOST_CURVES]
    n_columns = min(4, len(curves))
    if ax is None:
        rows = -(-len(curves) // n_columns)
        _, ax = plt.subplots(
            rows, n_columns, figsize=(2.8 * n_columns, 2.4 * rows), squeeze=False, sharey=True
        )
    axes = np.atleast_1d(ax).ravel()
    for one, curve in zip(axes, curves, strict=False):
        one.semilogx(curve.top, curve.observed, "o", ms=3, color=WRONG, label="carry the label")
        one.semilogx(curve.top, curve.fitted, color=RIGHT, label="by the fit")
        one.semilogx(curve.top, curve.clean, "--", color=SOFT, label="truly of the class")
        one.set(ylim=(0, 1.03), title=_plain(curve.label), xlabel="top share of its ranking")
        one.invert_xaxis()
    for one in axes[len(curves) :]:
        one.set_visible(False)
    axes[0].legend(fontsize=7)
    axes[0].figure.tight_layout()
    return ax


def _plain(label: Any) -> str:
    """A name that matplotlib does not take for a formula."""
    return str(label).replace("$", r"\$")


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    return plt.subplots(figsize=size, layout="constrained")[1] if ax is None else ax


KINDS: Mapping[str, Callable[[NoiseEstimate, Any], Any]] = {
    "transition": _transition,
    "intervals": _intervals,
    "purity": _purity,
}
