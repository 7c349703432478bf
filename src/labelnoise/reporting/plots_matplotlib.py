"""Plots of an estimate by matplotlib."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import matplotlib.pyplot as plt
import numpy as np

from labelnoise import checks
from labelnoise.noise_estimate import SHOWN_LEVEL, noise_statement, states_noise_rate
from labelnoise.reporting.words import CANNOT_TELL, percent
from labelnoise.wording import sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from labelnoise.noise_estimate import NoiseEstimate

MAX_NUMBERED = 20  # classes for which entries of T are written as numbers
MAX_NAMES, MAX_PANELS = 25, 12  # class names on an axis, and purity curves in a figure
TITLE_WIDTH = 50  # characters of a line of a title

CORRECT, WRONG, SOFT = "#2a6fb8", "#d9622b", "#5b6570"


def plot_estimate(est: NoiseEstimate, kind: str = "transition", ax: Any = None) -> Any:
    """Draw T, intervals or purity curves, and return the axes."""
    return KINDS[checks.one_of(kind, "kind", KINDS)](est, ax)


def _transition(est: NoiseEstimate, ax: Any) -> Any:
    """T as a heat map."""
    T, k = est.transition_matrix.values, len(est.classes)
    side = max(3.5, min(10.0, 0.6 * k + 1.5))
    ax = _axes(ax, (side, side))
    diagonal = np.eye(k, dtype=bool)
    for hidden, colors in ((~diagonal, "Blues"), (diagonal, "Oranges")):
        ax.imshow(np.ma.masked_where(hidden, np.sqrt(T)), cmap=colors, vmin=0, vmax=1.3)
    names = [_without_formulas(label) for label in est.classes]
    shown = np.arange(0, k, max(1, k // MAX_NAMES))
    ax.set_xticks(shown, [names[i] for i in shown], rotation=90 if k > 6 else 0)
    ax.set_yticks(shown, [names[i] for i in shown])
    if k <= MAX_NUMBERED:
        for (i, j), share in np.ndenumerate(T):
            ax.text(j, i, percent(float(share)), ha="center", va="center", fontsize=8)
    title = f"{est.noise_rate:.1%} of the labels are wrong"
    if not est.diagnosis.can_tell:
        title = f"Best fit; {CANNOT_TELL}"
    elif not states_noise_rate(est):
        statement = sentence(noise_statement(est).reason()).rstrip(".")
        title = _without_formulas(textwrap.fill(statement, TITLE_WIDTH))
    ax.set(xlabel="observed", ylabel="true", title=title)
    return ax


def _intervals(est: NoiseEstimate, ax: Any) -> Any:
    """The diagonal of T and the frequencies of the true classes, with intervals."""
    interval = est.interval(SHOWN_LEVEL)
    lower, upper = interval.lower, interval.upper
    ax = _axes(ax, (6.0, 1.2 + 0.35 * len(est.classes)))
    matrices = (est.transition_matrix.values, lower.transition_matrix, upper.transition_matrix)
    priors = (est.class_prior, lower.class_prior, upper.class_prior)
    for shift, (value, low, high), color, name in (
        (-0.12, [np.diag(T) for T in matrices], CORRECT, "correct labels"),
        (0.12, priors, WRONG, "true share"),
    ):
        y = np.arange(len(value)) + shift
        errors = np.maximum([value - low, high - value], 0)
        ax.errorbar(value, y, xerr=errors, fmt="o", ms=4, capsize=3, color=color, label=name)
    ax.set_yticks(range(len(est.classes)), [_without_formulas(label) for label in est.classes])
    ax.invert_yaxis()
    ax.set(xlim=(0, 1), xlabel="share", title=f"{SHOWN_LEVEL:.0%} intervals")
    ax.legend(loc="best", fontsize=8)
    return ax


def _purity(est: NoiseEstimate, ax: Any) -> Any:
    """Purity along the ranking of each class, the least pure classes first."""
    curves = sorted(est.row_model("plot").purity(), key=lambda curve: float(curve.clean[-1]))
    curves = curves[:MAX_PANELS]
    n_columns = min(4, len(curves))
    if ax is None:
        rows = -(-len(curves) // n_columns)
        size = (2.8 * n_columns, 2.4 * rows)
        _, ax = plt.subplots(rows, n_columns, figsize=size, squeeze=False, sharey=True)
    axes = np.atleast_1d(ax).ravel()
    for one, curve in zip(axes, curves, strict=False):
        one.semilogx(curve.top, curve.observed, "o", ms=3, color=WRONG, label="rows with the label")
        one.semilogx(curve.top, curve.fitted, color=CORRECT, label="the same, fitted")
        one.semilogx(curve.top, curve.clean, "--", color=SOFT, label="rows of the class, fitted")
        title = _without_formulas(curve.label)
        one.set(ylim=(0, 1.03), title=title, xlabel="top share of the ranking")
        one.invert_xaxis()
    for one in axes[len(curves) :]:
        one.set_visible(False)
    axes[0].legend(fontsize=7)
    axes[0].figure.tight_layout()
    return ax


def _without_formulas(label: Any) -> str:
    """A name in which matplotlib sees no formula."""
    return str(label).replace("$", r"\$")


def _axes(ax: Any, size: tuple[float, float]) -> Any:
    return plt.subplots(figsize=size, layout="constrained")[1] if ax is None else ax


KINDS: Mapping[str, Callable[[NoiseEstimate, Any], Any]] = {
    "transition": _transition,
    "intervals": _intervals,
    "purity": _purity,
}
