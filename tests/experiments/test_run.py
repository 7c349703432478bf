import io
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path

import pytest
from experiments.errors import ExperimentError
from experiments.outputs import GENERATED
from experiments.run import Failure, Progress, run, summary
from experiments.sources import DataFolder, Source
from experiments.store import Cell, Store

CELLS = [Cell("curve", GENERATED, "n=250", seed, "hoc") for seed in (1, 2, 3)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cells_are_measured_once_and_failures_are_named(tmp_path, n_jobs):
    store, data = Store(tmp_path / "results.jsonl", {}), DataFolder(None)
    broken = Cell("error", Source("flare-solar"), "low", 1, "hoc")  # no folder, not on OpenML
    failures = run([*CELLS, broken], store, data, n_jobs, Progress(4))
    assert [failure.cell for failure in failures] == [broken]
    assert "ExperimentError" in failures[0].reason
    assert store.missing(CELLS) == []
    assert 0 < store.get(CELLS[0])["error"] < 50
    before = (tmp_path / "results.jsonl").read_bytes()
    assert run(CELLS, store, data, n_jobs, Progress(0)) == []
    assert (tmp_path / "results.jsonl").read_bytes() == before


class KillWorkers(Progress):
    def step(self, label):
        super().step(label)
        for child in active_children():
            child.kill()


def test_a_killed_process_loses_nothing_that_was_measured(tmp_path):
    store = Store(tmp_path / "results.jsonl", {})
    cells = [Cell("curve", GENERATED, "n=2000", seed, "hoc") for seed in range(6)]
    with pytest.raises(ExperimentError, match="a worker process was killed"):
        run(cells, store, DataFolder(None), 2, KillWorkers(6))
    kept = Store(tmp_path / "results.jsonl", {})
    assert 0 < len(kept.missing(cells)) < 6


def test_a_bar_is_drawn_only_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    for stream, drawn in ((Terminal(), True), (io.StringIO(), False)):
        progress = Progress(2, stream)
        progress.step("this")
        progress.close()
        assert ("1/2" in stream.getvalue()) == drawn


def test_without_a_terminal_progress_is_a_line_now_and_then(monkeypatch):
    stream = io.StringIO()
    progress = Progress(3, stream)
    progress.step("too soon")
    monkeypatch.setattr("experiments.run.SECONDS_BETWEEN_LINES", 0.0)
    progress.step("this")
    assert stream.getvalue() == "2/3, 0 min left, this\n"


def test_cells_that_failed_for_the_same_reason_share_a_line():
    failures = [Failure(cell, "too hot") for cell in CELLS] + [Failure(CELLS[0], "too cold")]
    assert summary(failures) == [
        "curve, Generated (n=250, seed 1, hoc and 2 more): too hot",
        "curve, Generated (n=250, seed 1, hoc): too cold",
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_workers_end_when_the_run_is_killed(tmp_path):
    call = [sys.executable, "-m", "experiments", "curves", "--methods", "rank-gated"]
    parent = subprocess.Popen(
        [*call, "--out", str(tmp_path), "--jobs", "2"], stderr=subprocess.DEVNULL
    )
    try:
        results = tmp_path / "results.jsonl"
        assert _within(60, lambda: parent.poll() is not None or _has_content(results))
        assert parent.poll() is None
        workers = _children(parent.pid)
        assert len(workers) >= 2
    finally:
        parent.kill()
        parent.wait()
    assert _within(30, lambda: not any(_is_alive(worker) for worker in workers))


def _within(seconds, condition):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.1)
    return False


def _has_content(path):
    return path.exists() and path.stat().st_size > 0


def _children(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
