import csv
import json
import sys

import numpy as np
import pytest
from experiments.__main__ import main


def test_tables_and_figures_are_written_and_measured_only_once(tmp_path, capsys):
    methods = ["--methods", "hoc", "confident-learning"]
    call = ["curves", "figure3", *methods, "--quick", "--out", str(tmp_path), "--jobs", "1"]
    assert main(call) == 0
    printed = capsys.readouterr()
    assert printed.out.strip() == str(tmp_path / "report.md")
    assert "left out" not in printed.err  # neither needs data
    results = (tmp_path / "results.jsonl").read_bytes()
    assert len(results.splitlines()) == 9 * 2  # points x methods
    assert main(call) == 0
    assert (tmp_path / "results.jsonl").read_bytes() == results
    page = (tmp_path / "report.md").read_text()
    for part in ("numpy", "cores", "Seeds: 1", "n=250", "](figure3.svg)"):
        assert part in page
    for name in ("figure3", "curves"):
        assert (tmp_path / f"{name}.svg").read_bytes().startswith(b"<?xml")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
    assert (tmp_path / "curves.csv").read_text().startswith("changed,column,mean")


def test_every_job_runs_on_prepared_text(tmp_path):
    """A small text set of three classes, through tables 2 to 5, figure 1 and coverage."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=300)
    X = 3 * np.eye(3, 5)[y] + rng.standard_normal((300, 5))
    (tmp_path / "text").mkdir()
    np.save(tmp_path / "text" / "ag_tiny.npy", X.astype(np.float16))
    np.save(tmp_path / "text" / "ag_y.npy", y.astype(np.int8))
    names = ["table2", "table3", "table4", "table5", "figure1", "coverage"]
    methods = ["hoc", "a-kl", "t-vol", "rank-gated"]
    out = tmp_path / "out"
    call = [*names, "--data", str(tmp_path), "--out", str(out), "--seeds", "1", "--jobs", "1"]
    assert main([*call, "--methods", *methods]) == 0
    lines = (out / "results.jsonl").read_text().splitlines()
    records = [json.loads(line)["record"] for line in lines]
    assert all(np.isfinite(value) for record in records for value in record.values())
    page = (out / "report.md").read_text()
    assert "AG's news (tiny) | high" in page
    assert "paper 4.54" in page  # A-KL at high noise in the paper
    accuracies = (out / "table3.csv").read_text()
    assert "the true T" in accuracies
    assert "no correction" in accuracies


def test_every_job_runs_on_a_tabular_set(tmp_path, uci):
    (tmp_path / "uci").mkdir()
    for name in ("heart", "banana"):
        (tmp_path / "uci" / f"{name}.csv").write_bytes((uci / f"{name}.csv").read_bytes())
    out = tmp_path / "out"
    call = ["table1", "order", "--data", str(tmp_path), "--out", str(out), "--seeds", "1"]
    assert main([*call, "--methods", "hoc", "t-tv", "--jobs", "1"]) == 0
    page = (out / "report.md").read_text()
    assert "| Heart | low |" in page
    assert "**Left out:** Splice" in page
    assert "code 12.11" in page


@pytest.mark.full
def test_the_speed_table_has_cleanlab_in_it(tmp_path):
    call = ["speed", "--quick", "--methods", "confident-learning", "hoc", "--out", str(tmp_path)]
    assert main(call) == 0
    rows = list(csv.DictReader((tmp_path / "speed.csv").read_text().splitlines()))
    assert {row["method"] for row in rows} == {"confident-learning", "hoc", "cleanlab"}
    values = {(row["method"], row["column"].partition(": ")[2]): row["mean"] for row in rows}
    for method in ("confident-learning", "hoc", "cleanlab"):
        assert float(values[method, "s"]) > 0
        assert float(values[method, "error x 100"]) < 20
        if sys.platform == "linux":
            assert 0 < float(values[method, "MB"]) < 500


def test_an_empty_table_is_not_written_and_an_old_one_is_removed(tmp_path, capsys):
    for name in ("table3.md", "figure1.svg", "table1-published.md"):
        (tmp_path / name).write_text("from an earlier run")
    names = ["table1", "table3", "figure1", "curves", "--quick", "--jobs", "1"]
    assert main([*names, "--methods", "hoc", "hoc", "t-vol", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().err
    assert "nothing to measure for table1, table3, figure1" in printed
    assert "not shown in table1, table3, figure1, curves: t-vol" in printed
    page = (tmp_path / "report.md").read_text()
    for name in ("table3", "figure1"):
        assert f"*{name}: nothing was measured" in page
    assert "**Left out:** Jigsaw" in page
    assert page.count("| hoc |") == 1
    for name in ("table3.md", "figure1.svg", "table1-published.md"):
        assert not (tmp_path / name).exists()


def test_only_data_that_would_be_shown_are_missed(tmp_path, capsys):
    assert main(["table3", "--out", str(tmp_path)]) == 2  # nothing at all to do
    assert main(["table3", "figure3", "figure3", "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().err
    assert "left out: AG's news" in printed
    assert "Heart" not in printed  # table 3 has no tabular sets


def test_a_quick_run_lists_what_it_leaves_out_and_may_have_more_seeds(tmp_path, capsys):
    call = ["figure3", "--quick", "--seeds", "2", "--methods", "hoc", "selective"]
    assert main([*call, "--out", str(tmp_path)]) == 0
    page = (tmp_path / "report.md").read_text()
    assert "Seeds: 1, 2 (a quick run" in page
    for text in (capsys.readouterr().err, page):
        assert "a quick run: of the tabular sets only banana, heart, titanic" in text
        assert "no selective on text" in text


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (["table1", "--data", "nowhere"], "'nowhere' is not a folder"),
        (["table1", "--data", "text"], "has no folder uci or text"),
        (["table1", "--data", "."], "nothing to measure for table1"),
        (["--prepare", "ag"], "--data and --model"),
    ],
)
def test_data_that_cannot_be_used_are_an_error(tmp_path, monkeypatch, capsys, call, named):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text").mkdir()
    assert main(call) == 2
    assert named in capsys.readouterr().err


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (["table9"], "table9"),
        (["table1", "--methods", "magic"], "magic"),
        (["table1", "--seeds", "0"], "--seeds"),
        (["table1", "--jobs", "x"], "--jobs"),
    ],
)
def test_a_wrong_option_ends_with_code_2(capsys, call, named):
    with pytest.raises(SystemExit, match="2"):
        main(call)
    assert named in capsys.readouterr().err
