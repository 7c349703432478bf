"""What the paper does not tabulate: order preservation, coverage, curves, speed."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from experiments.library import Source
from experiments.plan import OURS
from experiments.speed import CLEANLAB, QUICK_SIZES, SIZES, SPEED_DATA
from experiments.tables import Entries, Entry, Table

if TYPE_CHECKING:
    from experiments.plan import Plan, Results
    from experiments.store import Cell

DIVERGENCES = ("tv", "kl")
PURE = ("banana", "splice", "twonorm", "waveform", "ag", "jigsaw")
"""Sets whose classes have regions of their own."""

GENERATED = Source("generated")
CURVES = {
    "n": ("n=250", "n=500", "n=1000", "n=2000", "n=4000", "n=8000"),
    "noise": ("noise=0.05", "noise=0.1", "noise=0.2", "noise=0.3", "noise=0.4"),
    "overlap": ("overlap=0.005", "overlap=0.02", "overlap=0.05", "overlap=0.1", "overlap=0.2"),
}
REPETITIONS = 3
IN_CURVES = ("t-revision", "confident-learning", "hoc", "a-kl", "selective", OURS)


class OrderTable:
    """Whether noisy labels keep the order of the features."""

    name = "order"

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        return plan.cells("order", plan.tables, DIVERGENCES)

    def tables(self, results: Results) -> list[Table]:
        """Kendall's tau and the share of pairs in order, by divergence."""
        plan = results.plan
        entries: Entries = {}
        fields = {"tau": "Kendall's tau", "same": "pairs in order (%)"}
        beyond = {
            "beyond": "pairs further apart than epsilon (%)",
            "same_beyond": "of these in order (%)",
        }
        columns = [f"{d.upper()}: {text}" for d in DIVERGENCES for text in fields.values()]
        columns += [f"KL: {text}" for text in beyond.values()]
        rows = plan.settings(plan.tables)
        for row, (source, level) in rows.items():
            for divergence in DIVERGENCES:
                shown = fields | (beyond if divergence == "kl" else {})
                for field, text in shown.items():
                    values = results.values("order", source, level, divergence, field)
                    entries[row, f"{divergence.upper()}: {text}"] = Entry.known(values)
        title = (
            "Order preservation. Features ordered by their information about clean and about noisy "
            "labels (histograms of the rows at hand, so that even total variation, whose order "
            "noise leaves alone in the limit, is subject to chance)"
        )
        return [Table(self.name, title, ("set", "noise"), tuple(rows), tuple(columns), entries)]


class CoverageTable:
    """Whether 90% intervals hold the truth 90% of the time."""

    name = "coverage"

    def _sources(self, plan: Plan) -> list[Source]:
        texts = [s for s in plan.texts if s.features != "svd"]
        return [s for s in (*plan.tables, *texts) if s.name in PURE]

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        methods = [OURS] if OURS in plan.methods else []
        return plan.cells("coverage", self._sources(plan), methods)

    def tables(self, results: Results) -> list[Table]:
        """Coverage, width and verdict."""
        plan = results.plan
        entries: Entries = {}
        columns = {"covered": "covered (%)", "width": "width", "reliable": "called reliable (%)"}
        rows = plan.settings(self._sources(plan))
        for row, (source, level) in rows.items():
            for field, text in columns.items():
                entries[row, text] = Entry(results.values("coverage", source, level, OURS, field))
        title = (
            "Coverage of the 90% intervals of rank-gated on sets whose classes have regions of "
            "their own; `make bench-coverage` has 20 draws"
        )
        heads = ("set", "noise")
        return [Table(self.name, title, heads, tuple(rows), tuple(columns.values()), entries)]


class CurveTable:
    """Error on generated data against rows, noise and overlap."""

    name = "curves"

    def points(self, plan: Plan) -> dict[str, tuple[str, ...]]:
        """Points of each curve; a quick run takes every other, and no large one."""
        return {
            name: at[: 5 if name == "n" else None][::2] if plan.quick else at
            for name, at in CURVES.items()
        }

    def methods(self, plan: Plan) -> list[str]:
        """Methods in the curves."""
        return [m for m in IN_CURVES if m in plan.methods]

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        levels = [level for at in self.points(plan).values() for level in at]
        return plan.cells("curve", [GENERATED], self.methods(plan), levels)

    def tables(self, results: Results) -> list[Table]:
        """One row a point."""
        plan = results.plan
        levels = [level for at in self.points(plan).values() for level in at]
        entries: Entries = {
            ((level,), method): Entry(results.values("curve", GENERATED, level, method))
            for level in levels
            for method in self.methods(plan)
        }
        title = (
            "Error x 100 on two normal classes in ten dimensions: 2000 rows, noise 0.2 (class 0 "
            "more, class 1 less), overlap 0.05 (errors of the best classifier), one thing changed"
        )
        rows = tuple((level,) for level in levels)
        return [
            Table(
                self.name,
                title,
                ("changed",),
                rows,
                tuple(self.methods(plan)),
                entries,
                marked=True,
            )
        ]


class SpeedTable:
    """One row a method."""

    name = "speed"

    def levels(self, plan: Plan) -> dict[str, str]:
        """Rows x columns x classes of each size."""
        sizes = QUICK_SIZES if plan.quick else SIZES
        return {name: " x ".join(map(str, size)) for name, size in sizes.items()}

    def methods(self, plan: Plan) -> list[str]:
        """Ours, and cleanlab where it is installed."""
        return [*plan.methods, *([CLEANLAB] if find_spec("cleanlab") else [])]

    def seeds(self, plan: Plan) -> tuple[int, ...]:
        """A few repetitions will do."""
        return plan.seeds[:REPETITIONS]

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        return [
            cell
            for name, level in self.levels(plan).items()
            for cell in plan.cells(
                "speed", [SPEED_DATA[name]], self.methods(plan), [level], self.seeds(plan)
            )
        ]

    def tables(self, results: Results) -> list[Table]:
        """Seconds, memory and error, size by size."""
        plan = results.plan
        entries: Entries = {}
        columns: list[str] = []
        for name, level in self.levels(plan).items():
            for field, text in (("seconds", "s"), ("megabytes", "MB"), ("error", "error x 100")):
                columns.append(f"{level}: {text}")
                for method in self.methods(plan):
                    values = results.values("speed", SPEED_DATA[name], level, method, field)
                    entries[(method,), columns[-1]] = Entry.known(values)
        rows = tuple((method,) for method in self.methods(plan))
        title = (
            "Speed. Seconds, extra peak memory and error of every method on the same generated "
            "data, rows x columns x classes; each on one thread, in a process of its own with "
            "nothing beside it"
        )
        return [Table(self.name, title, ("method",), rows, tuple(columns), entries)]


ORDER, COVERAGE, CURVE, SPEED = OrderTable(), CoverageTable(), CurveTable(), SpeedTable()
