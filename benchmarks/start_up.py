"""Print how long the command line takes to show its help, compared with a bare Python.

    python -m benchmarks.start_up

The median of eleven calls of each, in turn.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

CALLS = {
    "python -c pass": ["-c", "pass"],
    "labelnoise --help": ["-m", "labelnoise", "--help"],
    "labelnoise report --help": ["-m", "labelnoise", "report", "--help"],
}
N_RUNS = 11


def seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    times_of: dict[str, list[float]] = {name: [] for name in CALLS}
    for _ in range(N_RUNS):
        for name, arguments in CALLS.items():
            times_of[name].append(seconds(arguments))
    bare = statistics.median(times_of["python -c pass"])
    for name, times in times_of.items():
        median = statistics.median(times)
        print(f"{name:<26}{median:>7.3f} s {median / bare:>6.1f} times a bare Python")


if __name__ == "__main__":
    main()
