"""Results -> a folder: CSV and Markdown of each table, figures, and one page with all of them."""

from __future__ import annotations

import os
import platform
import time
from typing import TYPE_CHECKING

from experiments.outputs import OUTPUTS, can_draw, left_out
from experiments.store import PACKAGES, code_digest, versions
from labelnoise.atomic_files import write_bytes_atomically, write_text_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from experiments.plan import Plan, Results
    from experiments.tables import Table

EXTENSIONS = ("csv", "md", "svg", "png")
NOTHING = "nothing was measured (see above), or it does not show the chosen methods"


def write_report(
    folder: Path, names: Sequence[str], results: Results, notes: Iterable[str]
) -> Path:
    """Write everything that the results allow, and return the path of the page.

    `notes` are sentences about this run.
    """
    parts = ["# Reproducing the paper", "\n".join(_about(results.plan, names, notes))]
    for name in names:
        _remove_earlier_files(folder, name)
        tables = OUTPUTS[name].tables(results)
        parts += _write_tables(folder, tables)
        parts += _write_figure(folder, name, tables, results.plan)
    page = folder / "report.md"
    write_text_atomically(page, "\n\n".join(part.strip() for part in parts) + "\n")
    return page


def _remove_earlier_files(folder: Path, name: str) -> None:
    """A file of an earlier run must not be taken for one of this run."""
    for stem in (name, f"{name}-published"):
        for extension in EXTENSIONS:
            (folder / f"{stem}.{extension}").unlink(missing_ok=True)


def _write_tables(folder: Path, tables: Iterable[Table]) -> Iterator[str]:
    for table in tables:
        if table.measured:
            write_text_atomically(folder / f"{table.name}.csv", table.csv())
            write_text_atomically(folder / f"{table.name}.md", table.markdown())
            yield table.markdown()
        else:
            yield f"*{table.name}: {NOTHING}*"


def _write_figure(folder: Path, name: str, tables: list[Table], plan: Plan) -> Iterator[str]:
    title = OUTPUTS[name].figure_title
    if not title:
        return
    if not can_draw():
        yield f"*{title}: not drawn. Run: pip install matplotlib*"
        return
    from experiments.figures_matplotlib import figure_files

    files = figure_files(name, tables, plan)
    for extension, content in files.items():
        write_bytes_atomically(folder / f"{name}.{extension}", content)
    if files:
        yield f"**{title}**\n\n![{title}]({name}.svg)"


def _about(plan: Plan, names: Sequence[str], notes: Iterable[str]) -> Iterator[str]:
    """When, where and with what the results were made, and what is missing."""
    yield f"- Made {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}"
    python = platform.python_version()
    yield f"- Machine: {platform.platform()}, {os.cpu_count()} cores, Python {python}"
    packages = versions(("labelnoise", *PACKAGES, "matplotlib"))
    yield f"- Versions: {', '.join(packages)}; code {code_digest()}"
    reductions = f" ({plan.reductions})" if plan.quick else ""
    yield f"- Seeds: {', '.join(map(str, plan.seeds))}{reductions}"
    for note in notes:
        yield f"- {note}"
    for line in left_out(names, plan):
        yield f"- **Left out:** {line}"
