"""Print how long a large CSV file takes to read, relative to bare pyarrow and pandas.

    python -m benchmarks.read_csv [--rows 1000000]

Twenty columns: 14 numbers with gaps, two counts, three categories and a label. Beside the Arrow
table, `read_table` makes a digest of the file, detects the delimiter and the encoding, and looks
for quotes that are never closed; `load_table` also encodes the features. Seconds are CPU time, the
best of three in one process, so that other work on the machine hardly matters. Fails if
`read_table` takes more than four times as long as pyarrow alone.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd
import pyarrow as pa
from pyarrow import csv

import labelnoise as ln
from labelnoise.data.files import ReadOptions, read_table

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_RATIO = 4.0
REPEATS = 3
CITIES = np.array(["Berlin", "Paris", "London, UK", "New York", "Oslo", "Bern", "Rome", "Madrid"])


def write_table(path: Path, n_rows: int) -> None:
    """Write a table in which half of the numbers and all categories have some missing values."""
    rng = np.random.default_rng(0)
    columns: dict[str, pa.Array] = {}
    for i in range(14):
        gaps = rng.random(n_rows) < (0.03 if i % 2 else 0.0)
        columns[f"x{i}"] = pa.array(rng.standard_normal(n_rows).round(4), mask=gaps)
    for i in range(2):
        columns[f"count{i}"] = pa.array(rng.integers(100_000, size=n_rows))
    for i in range(3):
        cities = CITIES[rng.integers(len(CITIES), size=n_rows)]
        columns[f"city{i}"] = pa.array(cities, mask=rng.random(n_rows) < 0.02)
    columns["y"] = pa.array(np.array(["no", "yes"])[rng.integers(2, size=n_rows)])
    csv.write_csv(pa.table(columns), path, csv.WriteOptions(quoting_style="needed"))


def best_seconds(work: Callable[[], object]) -> float:
    """CPU seconds of the fastest of several calls."""
    seconds = []
    for _ in range(REPEATS):
        started = time.process_time()
        work()
        seconds.append(time.process_time() - started)
    return min(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    n_rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        write_table(path, n_rows)
        print(f"{n_rows:,} rows x 20 columns ({path.stat().st_size / 1e6:.0f} MB of CSV)")
        readers: dict[str, Callable[[], object]] = {
            "pyarrow.csv.read_csv": lambda: csv.read_csv(path, csv.ReadOptions(use_threads=False)),
            "pandas.read_csv": lambda: pd.read_csv(path),
            "labelnoise read_table": lambda: read_table(path, ReadOptions()),
            "labelnoise load_table": lambda: ln.load_table(path, "y"),
        }
        seconds = {name: best_seconds(read) for name, read in readers.items()}
    arrow, pandas, ours, _ = seconds.values()
    print(f"{'':<24}{'CPU seconds':>12}{'/ pyarrow':>12}{'/ pandas':>12}")
    for name, taken in seconds.items():
        print(f"{name:<24}{taken:>12.2f}{taken / arrow:>12.2f}{taken / pandas:>12.2f}")
    too_slow = ours > MAX_RATIO * arrow
    print(f"read_table: at most {MAX_RATIO:g} times pyarrow alone: {'no' if too_slow else 'yes'}")
    return int(too_slow)


if __name__ == "__main__":
    raise SystemExit(main())
