"""The table of tables and figures: what each needs, and what it writes."""

from __future__ import annotations

from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, Protocol

from experiments.own_tables import COVERAGE, CURVE, ORDER, SPEED
from experiments.paper_tables import TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5
from experiments.plan import IN_FIGURE_1

if TYPE_CHECKING:
    from collections.abc import Iterable

    from experiments.plan import Plan, Results
    from experiments.store import Cell
    from experiments.tables import Table


class TableOutput(Protocol):
    """Something that becomes tables."""

    @property
    def name(self) -> str:
        """Name of it, and of its files."""

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""

    def tables(self, results: Results) -> list[Table]:
        """What becomes of it."""


TABLE_OUTPUTS: dict[str, TableOutput] = {
    output.name: output
    for output in (TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5, ORDER, COVERAGE, CURVE, SPEED)
}
FIGURES = {
    "figure1": "Figure 1. Failures of existing methods, and rank-gated beside them",
    "figure3": "Figure 3. The bound epsilon of the order preservation of mutual information",
    "curves": "Error against rows, noise and overlap",
}
NAMES = tuple(dict.fromkeys((*TABLE_OUTPUTS, *FIGURES)))


def cells_of(name: str, plan: Plan) -> list[Cell]:
    """What a table or figure needs."""
    if name == "figure1":
        methods = [method for method in IN_FIGURE_1 if method in plan.methods]
        return plan.cells("error", (*plan.tables, *plan.texts), methods, ["medium"])
    return TABLE_OUTPUTS[name].cells(plan) if name in TABLE_OUTPUTS else []


def left_out(names: Iterable[str], plan: Plan) -> list[str]:
    """In words, what these tables and figures would have to show and is not there."""
    gone = [source for source, _ in plan.missing]
    whole = replace(
        plan,
        tables=(*plan.tables, *(s for s in gone if not s.is_text)),
        texts=(*plan.texts, *(s for s in gone if s.is_text)),
    )
    needed = {cell.source for name in names for cell in cells_of(name, whole)}
    return [f"{source}: {reason}" for source, reason in plan.missing if source in needed]


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None
