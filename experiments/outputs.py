"""The tables and figures: one function each, from results to tables.

What a function looks up in the results is what has to be measured for it (`needed_cells`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

from experiments.jobs import CLEANLAB, TRUE_T, UNCORRECTED
from experiments.plan import OURS, Plan, Results
from experiments.published import CODE, PAPER, published
from experiments.sources import Source
from experiments.tables import N_BEST, Entries, Entry, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from experiments.store import Cell

IN_TABLE_4 = ("t-revision", "confident-learning", "hoc", "t-vol", "t-tv", "a-kl", "a-tv", OURS)
IN_FIGURE_1 = ("t-revision", "confident-learning", "hoc", OURS)
IN_CURVES = ("t-revision", "confident-learning", "hoc", "a-kl", "selective", OURS)
DOWNSTREAM = (UNCORRECTED, "hoc", "a-kl", "a-tv", OURS, TRUE_T)
CALIBRATED = ("a-kl", "a-tv", OURS)
DIVERGENCES = ("tv", "kl")
WITH_PURE_REGIONS = ("banana", "splice", "twonorm", "waveform", "ag", "jigsaw")
"""Data sets in which every class has clear-cut examples."""

GENERATED = Source("generated")
CURVES = {
    "n": ("n=250", "n=500", "n=1000", "n=2000", "n=4000", "n=8000"),
    "noise": ("noise=0.05", "noise=0.1", "noise=0.2", "noise=0.3", "noise=0.4"),
    "overlap": ("overlap=0.005", "overlap=0.02", "overlap=0.05", "overlap=0.1", "overlap=0.2"),
}
SPEED_SIZES = {"narrow": (6000, 20, 2), "wide": (20_000, 128, 4)}
QUICK_SPEED_SIZES = {"wide": (3000, 64, 4)}
"""Rows, columns, classes."""

SPEED_REPETITIONS = 3

TABULAR_PROTOCOL = (
    "80% of the rows, exactly floor(count x rate) labels of each class flipped: "
    "low 0.2 / 0.1, medium 0.4 / 0.2, high 0.4 / 0.4"
)
TEXT_PROTOCOL = (
    "a random diagonally dominant T with average rate 1 / (1 + r / sqrt(K - 1)): low r = 8, "
    "medium r = 4, high r = 1.5"
)
BESIDE_TABULAR = "the paper (one seed) and its published code (seeds 1 to 3)"
BESIDE_TEXT = "the paper (one seed, BERT embeddings of more rows, Jigsaw nine to one)"


def table_1(results: Results) -> list[Table]:
    """Errors of all methods on the tabular sets."""
    plan = results.plan
    errors = _errors(results, plan.tables, plan.methods)
    return _error_tables("table1", "Table 1. Tabular sets", plan, errors)


def table_2(results: Results) -> list[Table]:
    """Errors of all methods on the text sets."""
    plan = results.plan
    errors = _errors(results, plan.texts, plan.text_methods)
    return _error_tables("table2", "Table 2. Text sets", plan, errors)


def table_4(results: Results) -> list[Table]:
    """Errors of T-Vol and T-TV on the text sets, beside the paper's other methods."""
    plan = results.plan
    methods = tuple(m for m in IN_TABLE_4 if m in plan.text_methods)
    errors = _errors(results, plan.texts, methods)
    return _error_tables("table4", "Table 4. T-Vol and T-TV on text", plan, errors)


def _errors(results: Results, sources: Iterable[Source], methods: tuple[str, ...]) -> Table:
    """Errors by data set, noise level and method, beside those that were published."""
    publications = {PAPER: published("paper_errors"), CODE: published("code_errors")}
    rows = results.plan.settings(sources)
    entries: Entries = {}
    for row, (source, level) in rows.items():
        for method in methods:
            key = (source.name, level, method)
            others = {who: errors[key] for who, errors in publications.items() if key in errors}
            entries[row, method] = Entry(results.values("error", source, level, method), others)
    return Table("", "", ("set", "noise"), tuple(rows), methods, entries, averaged=True)


def _error_tables(name: str, title: str, plan: Plan, errors: Table) -> list[Table]:
    """Our errors alone, and then beside the published ones where there are any."""
    tabular = name == "table1"
    protocol = TABULAR_PROTOCOL if tabular else TEXT_PROTOCOL
    compared = BESIDE_TABULAR if tabular else BESIDE_TEXT
    seeds = f"Seeds {', '.join(map(str, plan.seeds))}"
    how = f"Error x 100, mean ± standard error. {seeds}; {protocol}"
    note = "; the two best are bold" if len(errors.columns) > N_BEST else ""
    ours = {key: Entry(entry.values) for key, entry in errors.entries.items()}
    alone = replace(errors, name=name, title=f"{title}. {how}{note}", entries=ours, bold=True)
    others = {key: entry for key, entry in errors.entries.items() if entry.published}
    columns = tuple(m for m in errors.columns if any(column == m for _, column in others))
    if not columns:
        return [alone]
    beside = replace(
        errors,
        name=f"{name}-published",
        title=f"{title}, beside {compared}. {how}",
        columns=columns,
        entries=others,
    )
    return [alone, beside]


def table_3(results: Results) -> list[Table]:
    """Clean test accuracy after training with forward correction: last and best epoch."""
    plan = results.plan
    rows = tuple((m,) for m in DOWNSTREAM if m in (*plan.methods, UNCORRECTED, TRUE_T))
    entries: Entries = {}
    columns: list[str] = []
    for source in plan.texts:
        for epoch in ("last", "best"):
            column = f"{source}, {epoch}"
            columns.append(column)
            in_paper = published("paper_downstream", epoch)
            for (method,) in rows:
                values = results.values("downstream", source, "high", method, epoch)
                key = (source.name, method)
                others = {PAPER: in_paper[key]} if key in in_paper else {}
                entries[(method,), column] = Entry(values, others)
    title = (
        "Table 3. Clean test accuracy (%) of one linear layer trained on labels with high "
        "noise, forward correction with the T of each method; last and best of 30 epochs. "
        "Paper: BERT embeddings, the data set's own test part; here 20% of the rows"
    )
    return [Table("table3", title, ("method",), rows, tuple(columns), entries)]


def table_5(results: Results) -> list[Table]:
    """Errors with and without the noise that a data set has before any is added."""
    plan = results.plan
    in_paper = published("paper_calibrated")
    rows = plan.settings(plan.texts)
    methods = plan.only(CALIBRATED)
    fields = ("plain", "calibrated")
    entries: Entries = {}
    for row, (source, level) in rows.items():
        for method in methods:
            for field in fields:
                values = results.values("calibrated", source, level, method, field)
                key = (source.name, level, method)
                compared = field == "calibrated" and key in in_paper
                others = {PAPER: in_paper[key]} if compared else {}
                entries[row, f"{method}, {field}"] = Entry(values, others)
    title = (
        "Table 5. Error x 100 against T (plain) and against T_org T (calibrated), where T_org is "
        "the same method's estimate from the original labels (the paper uses that of A-KL)"
    )
    columns = tuple(f"{method}, {field}" for method in methods for field in fields)
    return [Table("table5", title, ("set", "noise"), tuple(rows), columns, entries)]


def order_table(results: Results) -> list[Table]:
    """Whether noisy labels preserve the order of features: Kendall's tau and pairs in order."""
    plan = results.plan
    fields = {"tau": "Kendall's tau", "same": "pairs in order (%)"}
    beyond = {
        "beyond": "pairs further apart than epsilon (%)",
        "same_beyond": "of these in order (%)",
    }
    columns = {
        f"{d.upper()}: {text}": (d, field) for d in DIVERGENCES for field, text in fields.items()
    }
    columns |= {f"KL: {text}": ("kl", field) for field, text in beyond.items()}
    rows = plan.settings(plan.tables)
    entries: Entries = {}
    for row, (source, level) in rows.items():
        for column, (divergence, field) in columns.items():
            values = results.values("order", source, level, divergence, field)
            entries[row, column] = Entry.without_nan(values)
    title = (
        "Order preservation. Features ordered by their information about clean and about noisy "
        "labels (estimated by histograms, so that even for total variation, whose order noise "
        "preserves in the limit, sampling error changes it)"
    )
    return [Table("order", title, ("set", "noise"), tuple(rows), tuple(columns), entries)]


def coverage_table(results: Results) -> list[Table]:
    """Coverage and width of 90% intervals, and how often the verdict is "reliable"."""
    plan = results.plan
    texts = [source for source in plan.texts if source.features != "svd"]
    sources = [s for s in (*plan.tables, *texts) if s.name in WITH_PURE_REGIONS]
    columns = {"covered (%)": "covered", "width": "width", "called reliable (%)": "reliable"}
    rows = plan.settings(sources)
    entries: Entries = {
        (row, column): Entry(results.values("coverage", source, level, method, field))
        for row, (source, level) in rows.items()
        for method in plan.only([OURS])
        for column, field in columns.items()
    }
    title = (
        "Coverage of the 90% intervals of rank-gated on data sets with clear-cut examples of "
        "every class; `make bench-coverage` has 20 draws"
    )
    return [Table("coverage", title, ("set", "noise"), tuple(rows), tuple(columns), entries)]


def curve_table(results: Results) -> list[Table]:
    """Error on generated data against the number of rows, the noise and the overlap."""
    plan = results.plan
    levels = [level for name in CURVES for level in _points(name, quick=plan.quick)]
    methods = plan.only(IN_CURVES)
    entries: Entries = {
        ((level,), method): Entry(results.values("curve", GENERATED, level, method))
        for level in levels
        for method in methods
    }
    title = (
        "Error x 100 on two normal classes in ten dimensions: 2000 rows, noise 0.2 (class 0 "
        "more, class 1 less), overlap 0.05 (Bayes error); one of these changed in each row"
    )
    rows = tuple((level,) for level in levels)
    return [Table("curves", title, ("changed",), rows, methods, entries, bold=True)]


def _points(name: str, *, quick: bool) -> tuple[str, ...]:
    """Points of a curve; a quick run takes every other one, and not the largest n."""
    points = CURVES[name]
    return points[: 5 if name == "n" else None][::2] if quick else points


def speed_table(results: Results) -> list[Table]:
    """Seconds, memory and error of every method, and of cleanlab if it is installed."""
    plan = results.plan
    few = replace(results, plan=replace(plan, seeds=plan.seeds[:SPEED_REPETITIONS]))
    methods = [*plan.methods, *([CLEANLAB] if find_spec("cleanlab") else [])]
    fields = {"s": "seconds", "MB": "megabytes", "error x 100": "error"}
    entries: Entries = {}
    columns: list[str] = []
    for name, size in (QUICK_SPEED_SIZES if plan.quick else SPEED_SIZES).items():
        source, level = Source(f"generated, {name}"), " x ".join(map(str, size))
        for text, field in fields.items():
            column = f"{level}: {text}"
            columns.append(column)
            for method in methods:
                values = few.values("speed", source, level, method, field)
                entries[(method,), column] = Entry.without_nan(values)
    title = (
        "Speed. Seconds, extra peak memory and error of every method on the same generated data, "
        "rows x columns x classes; each on one thread and in a process of its own, with nothing "
        "else running"
    )
    rows = tuple((method,) for method in methods)
    return [Table("speed", title, ("method",), rows, tuple(columns), entries)]


def figure_1(results: Results) -> list[Table]:
    """Errors of existing methods at medium noise, and ours beside them."""
    plan = results.plan
    methods = plan.only(IN_FIGURE_1)
    sources = (*plan.tables, *plan.texts)
    entries: Entries = {
        ((str(source),), method): Entry(results.values("error", source, "medium", method))
        for source in sources
        for method in methods
    }
    rows = tuple((str(source),) for source in sources)
    return [Table("figure1", "Error x 100 at medium noise", ("set",), rows, methods, entries)]


def figure_3(results: Results) -> list[Table]:  # noqa: ARG001 (computed, not measured)
    """The bounds of Theorem 4.5 have no table."""
    return []


@dataclass(frozen=True)
class Output:
    """What is made under one name: tables, and a figure if it has a title."""

    tables: Callable[[Results], list[Table]]
    figure_title: str = ""


OUTPUTS: dict[str, Output] = {
    "table1": Output(table_1),
    "table2": Output(table_2),
    "table3": Output(table_3),
    "table4": Output(table_4),
    "table5": Output(table_5),
    "order": Output(order_table),
    "coverage": Output(coverage_table),
    "curves": Output(curve_table, "Error against rows, noise and overlap"),
    "speed": Output(speed_table),
    "figure1": Output(
        figure_1, "Figure 1. Failures of existing methods, and rank-gated beside them"
    ),
    "figure3": Output(
        figure_3, "Figure 3. The bound epsilon of the order preservation of mutual information"
    ),
}
COMPUTED = ("figure3",)
"""Outputs that are computed without measuring anything."""


def needed_cells(name: str, plan: Plan) -> list[Cell]:
    """Cells that a table or figure looks up."""
    cells: dict[Cell, None] = {}
    OUTPUTS[name].tables(Results(plan, cells.setdefault))
    return list(cells)


def left_out(names: Iterable[str], plan: Plan) -> list[str]:
    """Data sets that these tables and figures would show but that are missing, in words."""
    missing = [source for source, _ in plan.missing]
    complete = replace(
        plan,
        tables=(*plan.tables, *(s for s in missing if not s.is_text)),
        texts=(*plan.texts, *(s for s in missing if s.is_text)),
    )
    needed = {cell.source for name in names for cell in needed_cells(name, complete)}
    return [f"{source}: {reason}" for source, reason in plan.missing if source in needed]


def can_draw() -> bool:
    """Whether matplotlib is installed."""
    return find_spec("matplotlib") is not None
