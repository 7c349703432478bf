import shutil
from pathlib import Path

import pytest
from experiments.library import Source
from experiments.store import Cell, Store, code_digest

import labelnoise as ln

CELL = Cell("error", Source("heart"), "low", 1, "hoc")


def test_what_was_stored_is_there_after_a_restart(tmp_path):
    path = tmp_path / "new" / "results.jsonl"
    Store(path, {}).put(CELL, {"error": 1.5})
    again = Store(path, {})
    assert again.get(CELL) == {"error": 1.5}
    assert again.missing([CELL, CELL._replace(seed=2), CELL._replace(seed=2)]) == [
        CELL._replace(seed=2)
    ]


def test_a_line_cut_short_costs_one_cell_only(tmp_path):
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


def test_results_from_other_data_do_not_count(tmp_path):
    path = tmp_path / "results.jsonl"
    Store(path, {CELL.source: "1:1"}).put(CELL, {"error": 1.0})
    assert Store(path, {CELL.source: "2:2"}).get(CELL) is None


def test_what_results_depend_on_is_in_their_key(tmp_path, monkeypatch):
    copy = tmp_path / "labelnoise"
    shutil.copytree(Path(ln.__file__).parent, copy)
    monkeypatch.setattr(ln, "__file__", str(copy / "__init__.py"))
    first = code_digest.__wrapped__()
    for shown in ("experiments/tables.py", "experiments/published/__init__.py"):
        with (copy / shown).open("a") as stream:
            stream.write("# another line")
    assert code_digest.__wrapped__() == first
    seen = {first}
    for measured in ("experiments/library.py", "estimators/hoc.py", "data/text.py"):
        with (copy / measured).open("a") as stream:
            stream.write("# another line")
        seen.add(code_digest.__wrapped__())
    assert len(seen) == 4


def test_a_folder_that_vanished_is_named(tmp_path):
    store = Store(tmp_path / "gone" / "results.jsonl", {})
    shutil.rmtree(tmp_path / "gone")
    with pytest.raises(ln.LabelNoiseError, match="What was measured before is kept"):
        store.put(CELL, {"error": 1.0})


def test_a_place_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ln.LabelNoiseError, match="Choose a folder"):
        Store(tmp_path / "file" / "results.jsonl", {})
