"""How long the command line takes to help, beside a Python that does nothing.

    python benchmarks/start_up.py

The median of eleven calls each, in one run, in turn.
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
TIMES = 11


def seconds(arguments: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> None:
    took: dict[str, list[float]] = {name: [] for name in CALLS}
    for _ in range(TIMES):
        for name, arguments in CALLS.items():
            took[name].append(seconds(arguments))
    bare = statistics.median(took["python -c pass"])
    for name, times in took.items():
        median = statistics.median(times)
        print(f"{name:<26}{median:>7.3f} s {median / bare:>6.1f} times a bare Python")


if __name__ == "__main__":
    main()
