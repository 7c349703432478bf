"""Figures, drawn with matplotlib from the tables."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from experiments.plan import OURS
from labelnoise.theory import PRACTICAL, WORST_CASE, kl_gap

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from experiments.plan import Plan
    from experiments.tables import Row, Table

SEVERAL_CLASSES = ("ag", "dbpedia", "yelp")
RANDOM_GUESS = 20.0
"""Error x 100 of T = 1/2 everywhere, for the medium rates 0.4 and 0.2 of the tabular sets."""

COLORS = {
    "t-revision": "#8c6bb1",
    "confident-learning": "#41ab5d",
    "hoc": "#e6842a",
    "a-kl": "#d1495b",
    "selective": "#7f7f7f",
    OURS: "#1f6fb4",
}
CURVE_LABELS = {"n": "rows", "noise": "noise rate", "overlap": "Bayes error"}
STYLE: Any = {
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "labelnoise",  # the same figure gives the same file
    "svg.fonttype": "none",
}


def figure_files(name: str, tables: list[Table], plan: Plan) -> dict[str, bytes]:
    """A figure as SVG and PNG, by file extension; empty if nothing was measured."""
    if any(not table.measured for table in tables):
        return {}
    files: dict[str, bytes] = {}
    with mpl.rc_context(STYLE):
        figure = FIGURES[name](tables, plan)
        for extension in ("svg", "png"):
            stream = io.BytesIO()
            metadata = {"Date": None} if extension == "svg" else None
            figure.savefig(stream, format=extension, dpi=150, metadata=metadata)
            files[extension] = stream.getvalue()
    return files


def failures(tables: list[Table], plan: Plan) -> Figure:
    """Figure 1: errors of existing methods at medium noise, and ours beside them."""
    (table,) = tables
    n_sources, n_methods = len(table.rows), len(table.columns)
    figure = Figure(figsize=(max(6.0, 1.5 + 0.8 * n_sources), 3.8), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / n_methods
    for i, method in enumerate(table.columns):
        means, errors = _means_and_errors(table, table.rows, method)
        at = np.arange(n_sources) + (i - (n_methods - 1) / 2) * width
        axes.bar(at, means, width, yerr=errors, color=COLORS[method], label=method, capsize=1.5)
    sources = [*plan.tables, *plan.texts]
    shaded = [i for i, source in enumerate(sources) if source.name in SEVERAL_CLASSES]
    for i in shaded:
        axes.axvspan(i - 0.5, i + 0.5, color="0.94", zorder=0)
    if plan.tables:
        ends = (-0.5, len(plan.tables) - 0.5)
        axes.hlines(RANDOM_GUESS, *ends, color="red", linestyle="--", linewidth=1)
        axes.text(-0.5, RANDOM_GUESS + 0.3, "random guess", color="red", fontsize="small")
    axes.set_xlim(-0.55, n_sources - 0.45)
    axes.set_xticks(range(n_sources), [name.replace(" (", "\n(") for (name,) in table.rows])
    axes.set_ylabel("error x 100")
    notes = ["Medium noise"]
    notes += ["bars: standard errors"] if len(plan.seeds) > 1 else []
    notes += ["shaded: more than two classes"] if shaded else []
    axes.set_title("; ".join(notes), loc="left", fontsize="medium")
    figure.legend(frameon=False, ncols=n_methods, loc="outside lower center")
    return figure


def bounds(tables: list[Table], plan: Plan) -> Figure:  # noqa: ARG001 (computed, not measured)
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


def curves(tables: list[Table], plan: Plan) -> Figure:  # noqa: ARG001 (the table has it all)
    """Error against rows, noise and overlap."""
    (table,) = tables
    figure = Figure(figsize=(10, 3.4), layout="constrained")
    panels = figure.subplots(1, 3, sharey=True)
    for axes, (name, label) in zip(panels, CURVE_LABELS.items(), strict=True):
        rows = [row for row in table.rows if row[0].startswith(f"{name}=")]
        at = [float(row[0].partition("=")[2]) for row in rows]
        line: Any = {"marker": "o", "markersize": 3, "linewidth": 1.4}
        for method in table.columns:
            means, errors = _means_and_errors(table, rows, method)
            axes.errorbar(at, means, errors, color=COLORS[method], label=method, **line)
        axes.set_xlabel(label)
        axes.set_xscale("log" if name != "noise" else "linear")
        axes.set_xticks(at, [f"{value:g}" for value in at])
        axes.minorticks_off()
    panels[0].set_ylabel("error x 100")
    panels[0].set_ylim(bottom=0)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, frameon=False, ncols=len(labels), loc="outside lower center")
    return figure


def _means_and_errors(
    table: Table, rows: Sequence[Row], column: str
) -> tuple[list[float], list[float]]:
    """Means and standard errors of a column, the latter 0 for a single value."""
    entries = [table.entry(row, column) for row in rows]
    return [e.mean for e in entries], [float(np.nan_to_num(e.standard_error)) for e in entries]


FIGURES: dict[str, Callable[[list[Table], Plan], Figure]] = {
    "figure1": failures,
    "figure3": bounds,
    "curves": curves,
}
