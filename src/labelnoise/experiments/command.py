"""The command line of the experiments."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from labelnoise import checks
from labelnoise.data.text import TEXT_SETS, prepare_text
from labelnoise.errors import LabelNoiseError
from labelnoise.experiments.jobs import EXCLUSIVE
from labelnoise.experiments.library import USUAL_FEATURES, Library
from labelnoise.experiments.outputs import NAMES, cells_of, left_out
from labelnoise.experiments.plan import ALL_METHODS, Plan, Results
from labelnoise.experiments.report import write_report
from labelnoise.experiments.run import Progress, run
from labelnoise.experiments.store import Store

if TYPE_CHECKING:
    from collections.abc import Sequence

EXAMPLES = """
examples:
  python -m labelnoise.experiments --data DATA                    everything
  python -m labelnoise.experiments table1 figure1 --data DATA     one table, one figure
  python -m labelnoise.experiments --data DATA --quick            two minutes
  python -m labelnoise.experiments table1 --download              tables from OpenML
  python -m labelnoise.experiments prepare ag --data DATA --model all-MiniLM-L6-v2

A run that was stopped continues where it was: start it again with the same --out.
"""
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the experiments; 0 if all went well, 1 if a cell failed, 2 for a wrong call."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        if given[:1] == ["prepare"]:
            return _prepare(given[1:])
        return _run(given)
    except LabelNoiseError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(
            "\nstopped; what was measured is kept. Start again with the same --out to go on.",
            file=sys.stderr,
        )
        return INTERRUPTED


def _run(given: Sequence[str]) -> int:
    options = _parser().parse_args(given)
    names = options.names or list(NAMES)
    for name in names:
        checks.one_of(name, "table or figure", NAMES)
    for method in options.methods:
        checks.one_of(method, "method", ALL_METHODS)
    usual = 1 if options.quick else 5
    n_seeds = checks.positive_int(usual if options.seeds is None else options.seeds, "--seeds")
    n_jobs = checks.positive_int(options.jobs, "--jobs")
    if options.data is not None and not options.data.is_dir():
        raise LabelNoiseError(f"--data {str(options.data)!r} is not a folder")
    library = Library(options.data, options.download)
    plan = Plan.of(library, range(1, n_seeds + 1), options.methods, quick=options.quick)
    for line in left_out(names, plan):
        print(f"left out: {line}", file=sys.stderr)
    start = time.monotonic()
    cells = [cell for name in names for cell in cells_of(name, plan)]
    store = Store(
        options.out / "results.jsonl", {s: library.stamp(s) for s in (*plan.tables, *plan.texts)}
    )
    progress = Progress(len(store.missing(cells)))
    alone = [cell for cell in cells if cell.job in EXCLUSIVE]
    together = [cell for cell in cells if cell.job not in EXCLUSIVE]
    failures = run(together, store, library, n_jobs, progress)
    failures += run(alone, store, library, 1, progress, fresh=True)
    progress.close()
    page = write_report(
        options.out, names, Results(store, plan), failures, time.monotonic() - start
    )
    for failure in failures:
        print(f"failed: {failure.cell.key}: {failure.reason}", file=sys.stderr)
    print(page)
    return 1 if failures else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m labelnoise.experiments",
        description="The paper's tables and figures, and ours beside them.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"any of: {', '.join(NAMES)}")
    parser.add_argument("--data", type=Path, help="folder with uci/*.csv and text/*.npy")
    parser.add_argument("--download", action="store_true", help="fetch missing tables from OpenML")
    parser.add_argument("--out", type=Path, default=Path("experiments"), help="folder to write to")
    parser.add_argument("--seeds", type=int, help="number of seeds, from 1 on (5; 1 if --quick)")
    parser.add_argument("--methods", nargs="+", default=list(ALL_METHODS), metavar="METHOD")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--quick", action="store_true", help="one seed, small sets: two minutes")
    return parser


def _prepare(given: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m labelnoise.experiments prepare",
        description="Fetch a text set, embed it, and put it where the experiments look for it.",
    )
    parser.add_argument("name", choices=TEXT_SETS)
    parser.add_argument("--data", type=Path, required=True, help="folder of the prepared data")
    parser.add_argument("--model", required=True, help="a sentence-transformers model")
    parser.add_argument("--features", default=USUAL_FEATURES, help="name of the embedding")
    parser.add_argument("--file", type=Path, help="CSV file, instead of a download")
    options = parser.parse_args(given)
    from labelnoise.data.text_huggingface import sentence_embedder

    folder, embed = options.data / "text", sentence_embedder(options.model)
    print(prepare_text(options.name, folder, embed, features=options.features, file=options.file))
    return 0
