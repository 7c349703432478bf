"""The paper's five tables, with every method there is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from experiments.jobs import PLAIN, TRUTH
from experiments.plan import OURS
from experiments.published import CODE, PAPER, published
from experiments.tables import BEST, Entries, Entry, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.library import Source
    from experiments.plan import Plan, Results
    from experiments.store import Cell

IN_TABLE_4 = ("t-revision", "confident-learning", "hoc", "t-vol", "t-tv", "a-kl", "a-tv", OURS)
DOWNSTREAM = (PLAIN, "hoc", "a-kl", "a-tv", OURS, TRUTH)
CALIBRATED = ("a-kl", "a-tv", OURS)

PROTOCOL_TABLES = (
    "80% of the rows, exactly floor(count x rate) labels of each class flipped: "
    "low 0.2 / 0.1, medium 0.4 / 0.2, high 0.4 / 0.4"
)
OTHERS_TABLES = "the paper (one seed) and its published code (seeds 1 to 3)"
OTHERS_TEXT = "the paper (one seed, BERT embeddings of more rows, Jigsaw nine to one)"
PROTOCOL_TEXT = (
    "a random diagonally dominant T with average rate 1 / (1 + r / sqrt(K - 1)): low r = 8, "
    "medium r = 4, high r = 1.5"
)


@dataclass(frozen=True)
class ErrorTable:
    """Errors of methods, set by set and level by level."""

    name: str
    title: str
    text: bool
    methods: tuple[str, ...] | None = None  # all of the plan's, if left out

    def _sources(self, plan: Plan) -> Sequence[Source]:
        return plan.texts if self.text else plan.tables

    def _methods(self, plan: Plan) -> tuple[str, ...]:
        known = plan.text_methods if self.text else plan.methods
        return tuple(m for m in self.methods or known if m in known)

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        return plan.cells("error", self._sources(plan), self._methods(plan))

    def tables(self, results: Results) -> list[Table]:
        """Ours alone, and beside the paper's and the published code's where there are any."""
        plan = results.plan
        methods = self._methods(plan)
        rows = plan.settings(self._sources(plan))
        ours: Entries = {}
        beside: Entries = {}
        for row, (source, level) in rows.items():
            for method in methods:
                values = results.values("error", source, level, method)
                ours[row, method] = Entry(values)
                if theirs := _published(source.name, level, method):
                    beside[row, method] = Entry(values, theirs)
        heads, shown = ("set", "noise"), tuple(rows)
        protocol = PROTOCOL_TEXT if self.text else PROTOCOL_TABLES
        seeds = f"Seeds {', '.join(map(str, plan.seeds))}"
        how = f"Error x 100, mean ± standard error. {seeds}; {protocol}"
        title = f"{self.title}. {how}{'; the two best are bold' if len(methods) > BEST else ''}"
        ranked = Table(self.name, title, heads, shown, methods, ours, marked=True, averaged=True)
        found = [ranked]
        compared = tuple(m for m in methods if any(column == m for _, column in beside))
        if compared:
            title = f"{self.title}, beside {OTHERS_TEXT if self.text else OTHERS_TABLES}. {how}"
            name = f"{self.name}-published"
            found.append(Table(name, title, heads, shown, compared, beside, averaged=True))
        return found


def _published(name: str, level: str, method: str) -> dict[str, float]:
    found = {PAPER: published("paper_errors"), CODE: published("code_errors")}
    key = (name, level, method)
    return {who: numbers[key] for who, numbers in found.items() if key in numbers}


class DownstreamTable:
    """Table 3: clean test accuracy after training with forward correction."""

    name = "table3"

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        methods = [m for m in DOWNSTREAM if m in (*plan.methods, PLAIN, TRUTH)]
        return plan.cells("downstream", plan.texts, methods, ["high"])

    def tables(self, results: Results) -> list[Table]:
        """Last and best epoch, side by side."""
        plan = results.plan
        rows = tuple((m,) for m in DOWNSTREAM if m in (*plan.methods, PLAIN, TRUTH))
        entries: Entries = {}
        columns: list[str] = []
        for source in plan.texts:
            for epoch in ("last", "best"):
                columns.append(f"{source}, {epoch}")
                theirs = published("paper_downstream", epoch)
                for (method,) in rows:
                    values = results.values("downstream", source, "high", method, epoch)
                    key = (source.name, method)
                    paper = {PAPER: theirs[key]} if key in theirs else {}
                    entries[(method,), columns[-1]] = Entry(values, paper)
        title = (
            "Table 3. Clean test accuracy (%) of one linear layer trained on labels with high "
            "noise, forward correction with the T of each method; last and best of 30 epochs. "
            "Paper: BERT embeddings, the set's own test part; here 20% of the rows"
        )
        return [Table(self.name, title, ("method",), rows, tuple(columns), entries)]


class CalibratedTable:
    """Table 5: errors that allow for the noise a set has of its own."""

    name = "table5"

    def cells(self, plan: Plan) -> list[Cell]:
        """What has to be measured."""
        methods = [m for m in CALIBRATED if m in plan.methods]
        return plan.cells("calibrated", plan.texts, methods)

    def tables(self, results: Results) -> list[Table]:
        """The error with and without calibration."""
        plan = results.plan
        entries: Entries = {}
        theirs = published("paper_calibrated")
        rows = plan.settings(plan.texts)
        methods = [m for m in CALIBRATED if m in plan.methods]
        columns = [f"{m}, {what}" for m in methods for what in ("plain", "calibrated")]
        for row, (source, level) in rows.items():
            for method in methods:
                for what in ("plain", "calibrated"):
                    values = results.values("calibrated", source, level, method, what)
                    key = (source.name, level, method)
                    paper = {PAPER: theirs[key]} if what == "calibrated" and key in theirs else {}
                    entries[row, f"{method}, {what}"] = Entry(values, paper)
        title = (
            "Table 5. Error x 100 against T (plain) and against T_org T (calibrated), T_org being "
            "the same method's estimate on the labels as they came (the paper takes that of A-KL)"
        )
        return [Table(self.name, title, ("set", "noise"), tuple(rows), tuple(columns), entries)]


TABLE_1 = ErrorTable("table1", "Table 1. Tabular sets", text=False)
TABLE_2 = ErrorTable("table2", "Table 2. Text sets", text=True)
TABLE_4 = ErrorTable("table4", "Table 4. T-Vol and T-TV on text", text=True, methods=IN_TABLE_4)
TABLE_3, TABLE_5 = DownstreamTable(), CalibratedTable()
