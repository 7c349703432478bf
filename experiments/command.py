"""The command line of the experiments."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from labelnoise import checks
from experiments.text import TEXT_SETS, prepare_text
from labelnoise.errors import LabelNoiseError
from experiments.jobs import EXCLUSIVE
from experiments.library import Library
from experiments.outputs import FIGURES, NAMES, can_draw, cells_of, left_out
from experiments.plan import ALL_METHODS, Plan, Results
from experiments.report import write_report
from experiments.run import Progress, run, summary
from experiments.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.store import Cell

EXAMPLES = """
examples:
  {program} --data DATA                    everything
  {program} table1 figure1 --data DATA     one table, one figure
  {program} --data DATA --quick            two minutes
  {program} table1 --download              tables from OpenML
  {program} prepare ag --data DATA --model all-MiniLM-L6-v2

A run that was stopped continues where it was: start it again with the same --out.
"""
PROGRAM = "python -m experiments"
INTERRUPTED = 130
WITHOUT_CELLS = ("figure3",)
"""Outputs that are worked out, not measured."""


def main(arguments: Sequence[str] | None = None, program: str = PROGRAM) -> int:
    """Run the experiments; 0 if all went well, 1 if a cell failed, 2 for a wrong call."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given[:1] == ["prepare"]:
            return _prepare(given[1:], program)
        return _run(given, program)
    except LabelNoiseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "\nstopped; what was measured so far is kept. Start again with the same --out to go "
            "on.",
            file=sys.stderr,
        )
        return INTERRUPTED


def _run(given: Sequence[str], program: str) -> int:
    options = _parser(program).parse_args(given)
    names = list(dict.fromkeys(options.names or NAMES))
    library, plan = _planned(options, names)
    of_name = {name: cells_of(name, plan) for name in names}
    cells = [cell for needed in of_name.values() for cell in needed]
    if not cells and not set(names) & set(WITHOUT_CELLS):
        raise LabelNoiseError(
            f"nothing to measure for {', '.join(names)}: the sets are not there, or these methods "
            "are not in it. Pass --data with a folder that has them, or other --methods."
        )
    stamps = {source: library.stamp(source) for source in (*plan.tables, *plan.texts)}
    store = Store(options.out / "results.jsonl", stamps)
    n_missing = len(store.missing(cells))
    n_kept = len(set(cells)) - n_missing
    if cells:
        what = ", ".join(name for name, needed in of_name.items() if needed)
        _say(f"measuring {n_missing} cells ({n_kept} are there from before): {what}")
    for line in _without(options.methods, of_name):
        _say(line)

    start = time.monotonic()
    progress = Progress(n_missing)
    alone = [cell for cell in cells if cell.job in EXCLUSIVE]
    together = [cell for cell in cells if cell.job not in EXCLUSIVE]
    failures = run(together, store, library, options.jobs, progress)
    failures += run(alone, store, library, 1, progress, fresh=True)
    progress.close()

    minutes = (time.monotonic() - start) / 60
    n_done = n_missing - len(failures)
    happened = [f"{n_done} cells measured in {minutes:.1f} min, {n_kept} kept from before"]
    happened += _without(options.methods, of_name)
    for line in summary(failures):
        _say(f"failed: {line}")
        happened.append(f"**Failed:** {line}")
    print(write_report(options.out, names, Results(store, plan), happened))
    return 1 if failures else 0


def _planned(options: argparse.Namespace, names: Sequence[str]) -> tuple[Library, Plan]:
    """Check what was asked for, and say what of it there is."""
    for name in names:
        checks.one_of(name, "table or figure", NAMES)
    methods = list(dict.fromkeys(options.methods or ALL_METHODS))
    for method in methods:
        checks.one_of(method, "method", ALL_METHODS)
    usual = 1 if options.quick else 5
    n_seeds = checks.positive_int(usual if options.seeds is None else options.seeds, "--seeds")
    checks.positive_int(options.jobs, "--jobs")
    if options.data is not None:
        _check_data(options.data)
    library = Library(options.data, options.download)
    plan = Plan.of(library, range(1, n_seeds + 1), methods, quick=options.quick)
    for line in left_out(names, plan):
        _say(f"left out: {line}")
    if plan.quick:
        _say(plan.cut)
    if not can_draw() and set(names) & set(FIGURES):
        _say("figures are not drawn. Run: pip install 'labelnoise[plot]'")
    return library, plan


def _without(methods: Sequence[str] | None, of_name: dict[str, list[Cell]]) -> list[str]:
    """In words, outputs with nothing to measure, and methods that were asked for in vain."""
    empty = [name for name, cells in of_name.items() if not cells and name not in WITHOUT_CELLS]
    shown = {cell.method for cells in of_name.values() for cell in cells}
    idle = [method for method in dict.fromkeys(methods or ()) if method not in shown]
    lines = [f"nothing to measure for {', '.join(empty)}"] if empty else []
    return lines + ([f"not shown in {', '.join(of_name)}: {', '.join(idle)}"] if idle else [])


def _say(line: str) -> None:
    print(line, file=sys.stderr)


def _check_data(folder: Path) -> None:
    if not folder.is_dir():
        raise LabelNoiseError(f"--data {str(folder)!r} is not a folder")
    if not any((folder / part).is_dir() for part in ("uci", "text")):
        raise LabelNoiseError(
            f"--data {str(folder)!r} has neither uci/ nor text/ in it. Pass a folder with "
            "uci/*.csv or text/*.npy."
        )


def _parser(program: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=program,
        description="The paper's tables and figures, and ours beside them.",
        epilog=EXAMPLES.format(program=program),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of: {', '.join(NAMES)}")
    parser.add_argument("--data", type=Path, help="folder with uci/*.csv and text/*.npy")
    parser.add_argument("--download", action="store_true", help="fetch missing tables from OpenML")
    parser.add_argument("--out", type=Path, default=Path("experiments"), help="folder to write to")
    parser.add_argument("--seeds", type=int, help="number of seeds, from 1 on (5; 1 if --quick)")
    parser.add_argument("--methods", nargs="+", metavar="METHOD", help="some methods (all)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--quick", action="store_true", help="one seed, small sets: two minutes")
    return parser


def _prepare(given: Sequence[str], program: str) -> int:
    parser = argparse.ArgumentParser(
        prog=f"{program} prepare",
        description="Fetch a text set, embed it, and put it where the experiments look for it.",
    )
    parser.add_argument("name", choices=TEXT_SETS)
    parser.add_argument("--data", type=Path, required=True, help="folder of the prepared data")
    parser.add_argument("--model", required=True, help="a sentence-transformers model")
    parser.add_argument("--features", help="name of the embedding (that of the model)")
    parser.add_argument("--file", type=Path, help="CSV file, instead of a download")
    options = parser.parse_args(given)
    from experiments.text_huggingface import sentence_embedder

    folder, embed = options.data / "text", sentence_embedder(options.model)
    features = options.features or re.sub(r"[^\w.-]+", "-", Path(options.model).resolve().name)
    print(prepare_text(options.name, folder, embed, features=features, file=options.file))
    return 0
