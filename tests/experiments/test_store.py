import shutil

import pytest
from experiments.errors import ExperimentError
from experiments.sources import Source
from experiments.store import Cell, Store, code_digest

from experiments import store as store_module

CELL = Cell("error", Source("heart"), "low", 1, "hoc")


def test_records_survive_a_restart(tmp_path):
    path = tmp_path / "new" / "results.jsonl"
    Store(path, {}).put(CELL, {"error": 1.5})
    again = Store(path, {})
    assert again.get(CELL) == {"error": 1.5}
    assert again.missing([CELL, CELL._replace(seed=2), CELL._replace(seed=2)]) == [
        CELL._replace(seed=2)
    ]


def test_a_truncated_line_costs_only_one_cell(tmp_path):
    path = tmp_path / "results.jsonl"
    store = Store(path, {})
    store.put(CELL, {"error": 1.0})
    store.put(CELL._replace(seed=2), {"error": 2.0})
    path.write_bytes(b"\xff\xfe\n" + path.read_bytes()[:-9])  # not ours, and killed while writing
    again = Store(path, {})
    assert again.get(CELL) == {"error": 1.0}
    assert again.get(CELL._replace(seed=2)) is None
    again.put(CELL._replace(seed=3), {"error": 3.0})
    assert Store(path, {}).get(CELL._replace(seed=3)) == {"error": 3.0}


def test_results_from_other_data_are_ignored(tmp_path):
    path = tmp_path / "results.jsonl"
    Store(path, {CELL.source: "1:1"}).put(CELL, {"error": 1.0})
    assert Store(path, {CELL.source: "2:2"}).get(CELL) is None


def test_the_key_changes_with_the_code_that_measures_and_with_no_other(tmp_path, monkeypatch):
    for name in ("EXPERIMENTS", "LIBRARY"):
        copy = tmp_path / name
        shutil.copytree(getattr(store_module, name), copy)
        monkeypatch.setattr(store_module, name, copy)
    first = code_digest.__wrapped__()
    for showing in ("EXPERIMENTS/tables.py", "EXPERIMENTS/published/__init__.py"):
        _append(tmp_path / showing)
    assert code_digest.__wrapped__() == first
    seen = {first}
    for measuring in ("EXPERIMENTS/sources.py", "EXPERIMENTS/text.py", "LIBRARY/transition.py"):
        _append(tmp_path / measuring)
        seen.add(code_digest.__wrapped__())
    assert len(seen) == 4


def _append(path):
    with path.open("a") as stream:
        stream.write("# another line")


def test_a_folder_that_was_removed_is_named(tmp_path):
    store = Store(tmp_path / "gone" / "results.jsonl", {})
    shutil.rmtree(tmp_path / "gone")
    with pytest.raises(ExperimentError, match=r"gone.results\.jsonl"):
        store.put(CELL, {"error": 1.0})


def test_a_path_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExperimentError, match="Choose a folder"):
        Store(tmp_path / "file" / "results.jsonl", {})
