"""Results -> a folder: CSV and Markdown of each table, figures, and one page of it all."""

from __future__ import annotations

import os
import platform
import time
from typing import TYPE_CHECKING

from experiments.outputs import FIGURES, TABLE_OUTPUTS, can_draw, left_out
from experiments.store import PACKAGES, code_digest, versions
from labelnoise.atomic_files import write_bytes_atomically, write_text_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from experiments.plan import Plan, Results


ENDS = ("csv", "md", "svg", "png")
NOTHING = "nothing was measured (see above), or it does not show the chosen methods"


def write_report(
    folder: Path, names: Sequence[str], results: Results, happened: Iterable[str]
) -> Path:
    """Write everything that the results allow, and return the page.

    `happened` are sentences about this run.
    """
    parts = ["# Reproducing the paper", "\n".join(_how(results.plan, names, happened))]
    for name in names:
        before = {folder / f"{name}{of}.{end}" for of in ("", "-published") for end in ENDS}
        for path in before:
            if path.is_file():
                path.unlink()  # a file of an earlier run must not pass for one of this
        parts += _tables(folder, name, results) if name in TABLE_OUTPUTS else []
        parts += _figures(folder, name, results) if name in FIGURES else []
    page = folder / "report.md"
    write_text_atomically(page, "\n\n".join(part.strip() for part in parts) + "\n")
    return page


def _tables(folder: Path, name: str, results: Results) -> Iterator[str]:
    for table in TABLE_OUTPUTS[name].tables(results):
        if table.measured:
            write_text_atomically(folder / f"{table.name}.csv", table.csv())
            write_text_atomically(folder / f"{table.name}.md", table.markdown())
            yield table.markdown()
        else:
            yield f"*{table.name}: {NOTHING}*"


def _figures(folder: Path, name: str, results: Results) -> Iterator[str]:
    if not can_draw():
        yield f"*{FIGURES[name]}: not drawn. Run: pip install 'labelnoise[plot]'*"
        return
    from experiments.figures_matplotlib import files

    drawn = files(name, results)
    for end, content in drawn.items():
        write_bytes_atomically(folder / f"{name}.{end}", content)
    title = FIGURES[name]
    yield f"**{title}**\n\n![{title}]({name}.svg)" if drawn else f"*{name}: {NOTHING}*"


def _how(plan: Plan, names: Sequence[str], happened: Iterable[str]) -> Iterator[str]:
    """What was run, where, with what; and what is not there."""
    yield f"- Made {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}"
    python = platform.python_version()
    yield f"- Machine: {platform.platform()}, {os.cpu_count()} cores, Python {python}"
    packages = versions(("labelnoise", *PACKAGES, "matplotlib"))
    yield f"- Versions: {', '.join(packages)}; code {code_digest()}"
    yield f"- Seeds: {', '.join(map(str, plan.seeds))}" + (f" ({plan.cut})" if plan.quick else "")
    for sentence in happened:
        yield f"- {sentence}"
    for line in left_out(names, plan):
        yield f"- **Left out:** {line}"
