"""Print time, peak memory and page size of the command line for a CSV file of many rows.

    python -m benchmarks.large_table [ROWS]

Twenty columns: 18 numbers, a category and a date; three classes, 20% of the labels corrupted. It
is written to a temporary folder. Linux and macOS only (resource.getrusage).
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import labelnoise as ln

LIMIT = "4GB"
MAX_PAGE_BYTES = 5_000_000
BLOCK = 100_000
TOWNS = np.array(["Rome", "Oslo", "Pau", "Lima", "Bonn"])


def write_table(path: Path, n_rows: int) -> ln.TransitionMatrix:
    """Write the table, and return the T by which its labels were corrupted."""
    rng = np.random.default_rng(0)
    true = rng.integers(3, size=n_rows)
    noisy = ln.inject_noise(true, ln.symmetric_noise(3, 0.2), random_state=0)
    days = np.datetime64("2020-01-01") + rng.integers(1000, size=n_rows)
    with path.open("w") as stream:
        stream.write(",".join([*(f"x{i}" for i in range(18)), "town", "day", "y"]) + "\n")
        for low in range(0, n_rows, BLOCK):
            rows = slice(low, min(low + BLOCK, n_rows))
            X = rng.standard_normal((rows.stop - low, 18))
            X[:, :3] += 2.5 * np.eye(3)[true[rows]]
            town = TOWNS[rng.integers(5, size=len(X))]
            for numbers, *others in zip(X.tolist(), town, days[rows], noisy[rows], strict=True):
                cells = [f"{number:.4f}" for number in numbers] + [str(other) for other in others]
                stream.write(",".join(cells) + "\n")
    return ln.realized_transition(true, noisy)


def timed(command: str, path: Path, *options: str) -> tuple[bytes, float]:
    """The output of a command for a table, and its seconds."""
    program = str(Path(sys.executable).with_name("labelnoise"))
    call = [program, command, str(path), "--label", "y", "--max-memory", LIMIT, *options]
    started = time.perf_counter()
    done = subprocess.run(call, check=True, stdout=subprocess.PIPE)
    return done.stdout, time.perf_counter() - started


def peak_of_commands() -> float:
    """The largest peak memory of the commands, in GiB."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit / 1024**3


def main() -> int:
    n_rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        path, page = Path(folder) / "large.csv", Path(folder) / "large.html"
        truth = write_table(path, n_rows)
        print(f"{n_rows:,} rows x 20 columns ({path.stat().st_size / 1e6:.0f} MB of CSV)")
        output, seconds = timed("estimate", path, "--json")
        error = ln.transition_error(truth, json.loads(output)["transition"])
        print(f"estimate: {seconds:.0f} s, error {100 * error:.2f}", flush=True)
        _, seconds = timed("report", path, "--output", str(page))
        size = page.stat().st_size
        print(f"report: {seconds:.0f} s, a page of {size / 1e6:.2f} MB")
    peak = peak_of_commands()
    print(f"peak memory of both: {peak:.2f} GB, at most {LIMIT}")
    return 0 if peak <= float(LIMIT.removesuffix("GB")) and size < MAX_PAGE_BYTES else 1


if __name__ == "__main__":
    raise SystemExit(main())
