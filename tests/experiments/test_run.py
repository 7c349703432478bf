import io
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest
from experiments.library import Library, Source
from experiments.own_tables import GENERATED
from experiments.run import Failure, Progress, run, summary
from experiments.store import Cell, Store

from labelnoise.errors import LabelNoiseError

CELLS = [Cell("curve", GENERATED, "n=250", seed, "hoc") for seed in (1, 2, 3)]


def test_cells_are_measured_once_and_failures_are_named(tmp_path):
    store, library = Store(tmp_path / "results.jsonl", {}), Library(None)
    broken = Cell("error", Source("heart"), "low", 1, "hoc")  # no folder, no network
    failures = run([*CELLS, broken], store, library, 2, Progress(4))
    assert [failure.cell for failure in failures] == [broken]
    assert "LabelNoiseError" in failures[0].reason
    assert store.missing(CELLS) == []
    assert 0 < store.get(CELLS[0])["error"] < 50
    before = (tmp_path / "results.jsonl").read_bytes()
    assert run(CELLS, store, library, 1, Progress(0), fresh=True) == []
    assert (tmp_path / "results.jsonl").read_bytes() == before


class KillWorkers(Progress):
    def step(self, what):
        super().step(what)
        for child in active_children():
            child.kill()


def test_a_killed_process_loses_nothing_that_was_measured(tmp_path):
    store = Store(tmp_path / "results.jsonl", {})
    cells = [Cell("curve", GENERATED, "n=8000", seed, "hoc") for seed in range(6)]
    with pytest.raises(LabelNoiseError, match="killed, perhaps for want of memory"):
        run(cells, store, Library(None), 1, KillWorkers(6))
    kept = Store(tmp_path / "results.jsonl", {})
    assert 0 < len(kept.missing(cells)) < 6


def test_a_bar_is_drawn_on_a_terminal_only():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        progress = Progress(2, stream)
        progress.step("this")
        progress.close()
        assert ("1/2" in stream.getvalue()) == drawn


def test_without_a_terminal_there_is_a_line_now_and_then(monkeypatch):
    stream = io.StringIO()
    progress = Progress(3, stream)
    progress.step("too soon")
    monkeypatch.setattr("experiments.run.LINE_EVERY", 0.0)
    progress.step("this")
    assert stream.getvalue() == "2/3, 0 min left, this\n"


def test_cells_that_failed_alike_share_a_line():
    failures = [Failure(cell, "too hot") for cell in CELLS] + [Failure(CELLS[0], "too cold")]
    assert summary(failures) == [
        "curve, Generated (n=250, seed 1, hoc and 2 more): too hot",
        "curve, Generated (n=250, seed 1, hoc): too cold",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_end_with_a_run_that_was_killed(tmp_path):
    call = [sys.executable, "-m", "experiments", "curves", "--methods", "rank-gated"]
    parent = subprocess.Popen(
        [*call, "--out", str(tmp_path), "--jobs", "2"], stderr=subprocess.DEVNULL
    )
    try:
        results = tmp_path / "results.jsonl"
        assert _within(60, lambda: results.exists() and results.stat().st_size)
        workers = _children(parent.pid)
        assert len(workers) >= 2
    finally:
        parent.kill()
        parent.wait()
    assert _within(30, lambda: not any(_lives(worker) for worker in workers))


def _within(seconds, happened):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if happened():
            return True
        time.sleep(0.1)
    return False


def _children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
