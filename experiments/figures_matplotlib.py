"""Figures, by matplotlib (extra ``plot``)."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from experiments.draws import LEVELS
from experiments.own_tables import CURVE, GENERATED
from experiments.plan import IN_FIGURE_1, OURS
from experiments.tables import Entry
from labelnoise.theory import PRACTICAL, WORST_CASE, kl_gap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from experiments.plan import Results

SEVERAL_CLASSES = ("ag", "dbpedia", "yelp")
RANDOM_GUESS = 20.0
"""Error x 100 of T = 1/2 everywhere, for the rates 0.4 and 0.2 of the tables."""

COLOURS = {
    "t-revision": "#8c6bb1",
    "confident-learning": "#41ab5d",
    "hoc": "#e6842a",
    "a-kl": "#d1495b",
    "selective": "#7f7f7f",
    OURS: "#1f6fb4",
}
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "labelnoise",  # the same figure, the same file
    "svg.fonttype": "none",
}


def _mean_and_error(values: Sequence[tuple[float, ...]]) -> tuple[list[float], list[float]]:
    """Means and standard errors, 0 for a single value."""
    entries = [Entry(v) for v in values]
    return [e.mean for e in entries], [float(np.nan_to_num(e.standard_error)) for e in entries]


def failures(results: Results) -> Figure | None:
    """Figure 1: errors of existing methods at medium noise, and ours beside them."""
    plan = results.plan
    sources = [*plan.tables, *plan.texts]
    methods = [m for m in IN_FIGURE_1 if m in plan.methods]
    values = {m: [results.values("error", s, LEVELS[1], m) for s in sources] for m in methods}
    if not any(any(of_method) for of_method in values.values()):
        return None
    figure = Figure(figsize=(max(6.0, 1.5 + 0.8 * len(sources)), 3.8), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(methods)
    for i, method in enumerate(methods):
        means, errors = _mean_and_error(values[method])
        at = np.arange(len(sources)) + (i - (len(methods) - 1) / 2) * width
        axes.bar(at, means, width, yerr=errors, color=COLOURS[method], label=method, capsize=1.5)
    shaded = [i for i, source in enumerate(sources) if source.name in SEVERAL_CLASSES]
    for i in shaded:
        axes.axvspan(i - 0.5, i + 0.5, color="0.94", zorder=0)
    if plan.tables:
        ends = (-0.5, len(plan.tables) - 0.5)
        axes.hlines(RANDOM_GUESS, *ends, color="red", linestyle="--", linewidth=1)
        axes.text(-0.5, RANDOM_GUESS + 0.3, "random guess", color="red", fontsize="small")
    axes.set_xlim(-0.55, len(sources) - 0.45)
    axes.set_xticks(range(len(sources)), [str(s).replace(" (", "\n(") for s in sources])
    axes.set_ylabel("error x 100")
    notes = ["Medium noise"]
    notes += ["bars: standard errors"] if len(plan.seeds) > 1 else []
    notes += ["shaded: more than two classes"] if shaded else []
    axes.set_title("; ".join(notes), loc="left", fontsize="medium")
    figure.legend(frameon=False, ncols=len(methods), loc="outside lower center")
    return figure


def bounds() -> Figure:
    """Figure 3: epsilon of Theorem 4.5, worst case and practical, by e1 and delta = e2 / e1."""
    e1, delta = np.meshgrid(np.linspace(0.0025, 0.4975, 199), np.linspace(0.0025, 0.9975, 200))
    figure = Figure(figsize=(8, 3.4), layout="constrained")
    panels = figure.subplots(1, 2, sharey=True)
    cases = (("Worst case", WORST_CASE), ("Practical", PRACTICAL))
    for axes, (name, span) in zip(panels, cases, strict=True):
        epsilon = kl_gap(e1, delta * e1, span, base=2)
        middle, high = np.quantile(epsilon, [0.5, 0.9])
        image = axes.pcolormesh(e1, delta, epsilon, vmin=0, vmax=1, rasterized=True)
        axes.set_title(f"{name}: 50% {middle:.2f}, 90% {high:.2f}")
        axes.set_xlabel("$e_1$")
    panels[0].set_ylabel(r"$\delta = e_2 / e_1$")
    figure.colorbar(image, ax=panels, label=r"$\epsilon$ (bits)")
    return figure


def curves(results: Results) -> Figure | None:
    """Error against rows, noise and overlap."""
    plan = results.plan
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    names = {
        "n": "rows",
        "noise": "share of wrong labels",
        "overlap": "error of the best classifier",
    }
    drawn = False
    for axes, (name, levels) in zip(panels, CURVE.points(plan).items(), strict=True):
        at = [float(level.partition("=")[2]) for level in levels]
        for method in CURVE.methods(plan):
            values = [results.values("curve", GENERATED, level, method) for level in levels]
            drawn = drawn or any(values)
            mean, spread = _mean_and_error(values)
            axes.errorbar(
                at,
                mean,
                spread,
                color=COLOURS[method],
                label=method,
                marker="o",
                markersize=3,
                linewidth=1.4,
            )
        axes.set_xlabel(names[name])
        axes.set_xscale("log" if name != "noise" else "linear")
        axes.set_xticks(at, [f"{value:g}" for value in at])
        axes.minorticks_off()
    panels[0].set_ylabel("error x 100")
    panels[0].set_ylim(bottom=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, ncols=len(labels), loc="outside lower center")
    return figure if drawn else None


DRAWN: dict[str, Callable[[Results], Figure | None]] = {
    "figure1": failures,
    "figure3": lambda _: bounds(),
    "curves": curves,
}


def files(name: str, results: Results) -> dict[str, bytes]:
    """A figure as SVG and PNG, by the end of the file's name; none if nothing was measured."""
    found: dict[str, bytes] = {}
    with mpl.rc_context(STYLE):
        figure = DRAWN[name](results)
        if figure is None:
            return found
        for end in ("svg", "png"):
            stream = io.BytesIO()
            metadata = {"Date": None} if end == "svg" else None
            figure.savefig(stream, format=end, dpi=150, metadata=metadata)
            found[end] = stream.getvalue()
    return found
