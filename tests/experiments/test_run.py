import io
from multiprocessing import active_children

import pytest

from labelnoise.errors import LabelNoiseError
from labelnoise.experiments.library import Library, Source
from labelnoise.experiments.own_tables import GENERATED
from labelnoise.experiments.run import Progress, run
from labelnoise.experiments.store import Cell, Store

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
