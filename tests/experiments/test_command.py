import csv
import json
import sys

import numpy as np
import pytest
from experiments.command import main
from experiments.library import Library, Source


def test_tables_and_figures_are_written_and_not_measured_again(tmp_path, capsys):
    wanted = ["curves", "figure3", "--methods", "hoc", "confident-learning", "--quick"]
    call = [*wanted, "--out", str(tmp_path), "--jobs", "2"]
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


def test_every_job_runs_on_prepared_data(tmp_path):
    """A small text set of three classes, through tables 2 to 5, figure 1 and coverage."""
    rng = np.random.default_rng(0)
    y = rng.integers(3, size=600)
    X = 3 * np.eye(3, 5)[y] + rng.standard_normal((600, 5))
    (tmp_path / "text").mkdir()
    np.save(tmp_path / "text" / "ag_tiny.npy", X.astype(np.float16))
    np.save(tmp_path / "text" / "ag_y.npy", y.astype(np.int8))
    wanted = ["table2", "table3", "table4", "table5", "figure1", "coverage"]
    methods = ["hoc", "a-kl", "t-vol", "rank-gated"]
    out = tmp_path / "out"
    call = [*wanted, "--data", str(tmp_path), "--out", str(out), "--seeds", "2"]
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


def test_an_empty_table_is_not_written_and_an_old_one_goes(tmp_path, capsys):
    (tmp_path / "table3.md").write_text("of an earlier run")
    assert main(["table3", "--out", str(tmp_path), "--jobs", "1"]) == 2
    assert main(["table3", "figure3", "figure3", "--out", str(tmp_path)]) == 0
    assert (tmp_path / "figure3.svg").exists()
    (tmp_path / "figure1.svg").write_text("of an earlier run")
    (tmp_path / "table1-published.md").write_text("of an earlier run")
    names = ["table1", "table3", "figure1", "curves", "--quick"]
    assert main([*names, "--methods", "hoc", "hoc", "t-vol", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().err
    assert "nothing to measure for table1, table3, figure1" in said
    assert "not shown in table1, table3, figure1, curves: t-vol" in said
    page = (tmp_path / "report.md").read_text()
    assert "*table3: nothing was measured" in page
    assert "**Left out:** Jigsaw" in page
    assert "*figure1: nothing was measured" in page
    assert page.count("| hoc |") == 1
    for name in ("table3.md", "figure1.svg", "table1-published.md"):
        assert not (tmp_path / name).exists()


def test_what_a_table_does_not_show_is_not_missed(tmp_path, capsys):
    assert main(["table3", "figure3", "--out", str(tmp_path)]) == 0
    said = capsys.readouterr().err
    assert "left out: AG's news" in said
    assert "Heart" not in said  # table 3 has no tabular sets


def test_data_of_another_level_are_refused(tmp_path, capsys):
    (tmp_path / "text").mkdir()
    assert main(["table1", "--data", str(tmp_path / "text"), "--out", str(tmp_path)]) == 2
    assert "Pass a folder with uci/*.csv or text/*.npy" in capsys.readouterr().err
    assert main(["table1", "--data", str(tmp_path), "--out", str(tmp_path)]) == 2
    assert "nothing to measure for table1" in capsys.readouterr().err


def test_a_quick_run_says_what_it_does_without(tmp_path, capsys):
    call = ["curves", "--quick", "--methods", "hoc", "selective", "--out", str(tmp_path)]
    assert main(call) == 0
    said = "a quick run: of the tabular sets only banana, heart, titanic"
    assert said in capsys.readouterr().err
    assert said in (tmp_path / "report.md").read_text()
    assert "no selective on text" in (tmp_path / "report.md").read_text()


def test_a_quick_run_may_have_more_seeds(tmp_path):
    call = ["curves", "--quick", "--seeds", "2", "--methods", "confident-learning"]
    assert main([*call, "--out", str(tmp_path)]) == 0
    assert "Seeds: 1, 2 (a quick run" in (tmp_path / "report.md").read_text()


def test_every_job_runs_on_a_tabular_set(tmp_path, uci):
    (tmp_path / "uci").mkdir()
    for name in ("heart", "banana"):
        (tmp_path / "uci" / f"{name}.csv").write_bytes((uci / f"{name}.csv").read_bytes())
    out = tmp_path / "out"
    call = ["table1", "order", "--data", str(tmp_path), "--out", str(out), "--seeds", "1"]
    assert main([*call, "--methods", "hoc", "t-tv"]) == 0
    page = (out / "report.md").read_text()
    assert "| Heart | low |" in page
    assert "**Left out:** Splice" in page
    assert "code 12.11" in page


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (["table9"], "unknown table or figure 'table9'. Choose one of: table1"),
        (["table1", "--methods", "magic"], "unknown method 'magic'"),
        (["table1", "--seeds", "0"], "--seeds must be a whole number of at least 1"),
        (["table1", "--jobs", "0"], "--jobs must be a whole number of at least 1"),
        (["table1", "--data", "nowhere"], "--data 'nowhere' is not a folder"),
        (["prepare", "ag", "--data", "x", "--model", "m"], "sentence-transformers"),
    ],
)
def test_wrong_calls_say_what_to_do(tmp_path, monkeypatch, capsys, call, message):
    monkeypatch.chdir(tmp_path)
    assert main(call) == 2
    assert message in capsys.readouterr().err


def test_what_is_missing_says_how_to_get_it(tmp_path):
    library = Library(tmp_path)
    assert "put it there, or --download" in library.why_missing(Source("heart"))
    assert "(put it there)" in library.why_missing(Source("flare-solar"))  # not on OpenML
    assert "(pass --data, or --download)" in Library(None).why_missing(Source("heart"))
    assert "--model NAME --file CSV" in library.why_missing(Source("jigsaw", "minilm"))
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ag_minilm.npy").touch()
    assert "ag_y.npy is not there" in library.why_missing(Source("ag", "minilm"))
    assert "prepare yelp" in library.why_missing(Source("yelp", "minilm"))
    assert Library(None, download=True).why_missing(Source("banana")) == ""
    assert "no folder was given" in Library(None, download=True).why_missing(Source("flare-solar"))
