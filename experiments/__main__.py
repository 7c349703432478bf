"""``python -m experiments``: the tables and figures of the paper, and ours beside them."""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.errors import ExperimentError
from experiments.outputs import COMPUTED, OUTPUTS, can_draw, left_out, needed_cells
from experiments.plan import ALL_METHODS, Plan, Results
from experiments.report import write_report
from experiments.run import Progress, run, summary
from experiments.sources import DataFolder
from experiments.store import Store
from experiments.text import TEXT_SETS, prepare_text
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.store import Cell

EXAMPLES = """
examples:
  %(prog)s --data DATA                    everything
  %(prog)s table1 figure1 --data DATA     one table, one figure
  %(prog)s --data DATA --quick            two minutes
  %(prog)s table1 --download              tables from OpenML
  %(prog)s --prepare ag --data DATA --model all-MiniLM-L6-v2

A run that was stopped continues where it was: start it again with the same --out.
"""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments; 0 if all succeeded, 1 if a cell failed, 2 for a wrong call."""
    options = parser().parse_args(arguments)
    try:
        return prepare(options) if options.prepare else run_experiments(options)
    except (ExperimentError, LabelNoiseError) as error:
        _say(f"error: {error}")
        return 2
    except KeyboardInterrupt:
        _say("\nstopped; results so far are kept. Start again with the same --out to continue.")
        return INTERRUPTED


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(
        prog="python -m experiments",
        description="The tables and figures of the paper, and ours beside them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument
    names = f"what to make (default: everything): {', '.join(OUTPUTS)}"
    add("names", nargs="*", metavar="NAME", type=_output_name, help=names)
    add("--data", type=Path, help="folder with uci/*.csv and text/*.npy")
    add("--download", action="store_true", help="download missing tables from OpenML")
    add("--out", type=Path, default=Path("build/tables"), help="output folder (%(default)s)")
    add("--seeds", type=_positive, help="number of seeds, starting at 1 (5; 1 with --quick)")
    methods = f"only these methods (default: all): {', '.join(ALL_METHODS)}"
    add("--methods", nargs="+", metavar="METHOD", choices=ALL_METHODS, help=methods)
    add("--jobs", type=_positive, default=os.cpu_count() or 1, help="processes (%(default)s)")
    add("--quick", action="store_true", help="one seed, small data sets: two minutes")
    add = made.add_argument_group("preparing a text set").add_argument
    add("--prepare", choices=[*TEXT_SETS], help="embed a text set into the --data folder, and stop")
    add("--model", help="a sentence-transformers model, by name or folder")
    add("--features", metavar="NAME", help="name of the embedding (default: that of the model)")
    add("--file", type=Path, help="CSV file to read instead of a download")
    return made


def _output_name(text: str) -> str:
    """A table or figure; `choices` of argparse would refuse to do without any name."""
    if text not in OUTPUTS:
        raise argparse.ArgumentTypeError(f"{text!r} is none of: {', '.join(OUTPUTS)}")
    return text


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, not {text!r}")
    return int(text)


def run_experiments(options: argparse.Namespace) -> int:
    """Measure what is missing, and write the report."""
    names = list(dict.fromkeys(options.names or OUTPUTS))
    data, plan = _plan(options, names)
    needed = {name: needed_cells(name, plan) for name in names}
    cells = list(dict.fromkeys(cell for some in needed.values() for cell in some))
    if not cells and not set(names) & set(COMPUTED):
        raise ExperimentError(
            f"nothing to measure for {', '.join(names)}: the data sets are missing, or the chosen "
            "methods do not appear in it. Pass --data with a folder that has the data sets, or "
            "other --methods."
        )
    fingerprints = {source: data.fingerprint(source) for source in (*plan.tables, *plan.texts)}
    store = Store(options.out / "results.jsonl", fingerprints)
    n_missing = len(store.missing(cells))
    n_kept = len(cells) - n_missing
    if cells:
        shown = ", ".join(name for name, some in needed.items() if some)
        _say(f"measuring {n_missing} cells ({n_kept} are kept from earlier runs): {shown}")
    gaps = _gaps(needed, options.methods or ())
    for line in gaps:
        _say(line)

    start = time.monotonic()
    progress = Progress(n_missing)
    failures = run(cells, store, data, options.jobs, progress)
    progress.close()

    minutes = (time.monotonic() - start) / 60
    n_measured = n_missing - len(failures)
    notes = [f"{n_measured} cells measured in {minutes:.1f} min, {n_kept} kept from earlier runs"]
    failed = summary(failures)
    for line in failed:
        _say(f"failed: {line}")
    notes += [*gaps, *(f"**Failed:** {line}" for line in failed)]
    print(write_report(options.out, names, Results(plan, store.get), notes))
    return 1 if failures else 0


def _plan(options: argparse.Namespace, names: Sequence[str]) -> tuple[DataFolder, Plan]:
    """Find out which data sets are available, and report what is not."""
    folder: Path | None = options.data
    if folder is not None and not any((folder / part).is_dir() for part in ("uci", "text")):
        problem = "has no folder uci or text" if folder.is_dir() else "is not a folder"
        raise ExperimentError(
            f"--data {str(folder)!r} {problem}. Pass a folder with uci/*.csv or text/*.npy."
        )
    data = DataFolder(folder, options.download)
    n_seeds = options.seeds or (1 if options.quick else 5)
    methods = dict.fromkeys(options.methods or ALL_METHODS)
    plan = Plan.from_data(data, range(1, n_seeds + 1), methods, quick=options.quick)
    for line in left_out(names, plan):
        _say(f"left out: {line}")
    if plan.quick:
        _say(plan.reductions)
    if not can_draw() and any(OUTPUTS[name].figure_title for name in names):
        _say("figures are not drawn. Run: pip install matplotlib")
    return data, plan


def _gaps(needed: dict[str, list[Cell]], methods: Sequence[str]) -> list[str]:
    """Outputs with nothing to measure, and requested methods that appear in none, in words."""
    empty = [name for name, cells in needed.items() if not cells and name not in COMPUTED]
    shown = {cell.method for cells in needed.values() for cell in cells}
    unused = [method for method in dict.fromkeys(methods) if method not in shown]
    lines = [f"nothing to measure for {', '.join(empty)}"] if empty else []
    return lines + ([f"not shown in {', '.join(needed)}: {', '.join(unused)}"] if unused else [])


def prepare(options: argparse.Namespace) -> int:
    """Embed a text set, and write it to where the experiments look for it."""
    from experiments.text_huggingface import sentence_embedder

    if options.data is None or options.model is None:
        raise ExperimentError("--prepare needs --data and --model. Pass both.")
    features = options.features or re.sub(r"[^\w.-]+", "-", Path(options.model).resolve().name)
    embed = sentence_embedder(options.model)
    folder = options.data / "text"
    print(prepare_text(options.prepare, folder, embed, features=features, file=options.file))
    return 0


def _say(line: str) -> None:
    print(line, file=sys.stderr)


if __name__ == "__main__":
    raise SystemExit(main())
