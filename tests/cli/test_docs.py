"""What the documentation and the help say about the command line runs."""

import json
import re
import runpy
import shlex
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from cli.zoo import start
from labelnoise.cli.command import app
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.main import COMMANDS

ROOT = Path(__file__).parents[2]
DONE = (ExitCode.DONE, ExitCode.GATE)
EXAMPLES = [
    (command.name, example.strip())
    for command in app.registered_commands
    for example in re.findall(r"^ *(.*labelnoise .*)$", command.epilog or "", re.MULTILINE)
]


def run_line(line, folder, run):
    """Run a line of a terminal: in this process if it needs no shell."""
    program, *arguments = shlex.split(line)
    if program == "labelnoise" and not set("|<>;&") & set(line):
        run(*arguments, cwd=folder)
        return
    done = start(line, folder)
    assert done.returncode in DONE, (line, done.stdout, done.stderr)


@pytest.mark.parametrize("page", ["tutorial.md", "command-line.md"])
def test_what_is_shown_runs_in_order(page, tmp_path, run):
    text = (ROOT / "docs" / page).read_text()
    blocks = re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    assert len(lines) > 5
    for line in lines:
        run_line(line, tmp_path, run)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the examples name."""
    folder = tmp_path_factory.mktemp("examples")
    rng = np.random.default_rng(0)
    clean = rng.integers(3, size=200)
    X = 5 * np.eye(3)[clean] + rng.normal(size=(200, 3))
    names = np.array(["cat", "dog", "fox"])
    y = names[ln.inject_noise(clean, ln.symmetric_noise(3, 0.2), random_state=0)]
    text = [f"row {i} of the examples" for i in range(200)]
    df = pd.DataFrame(X, columns=["a", "b", "c"]).assign(text=text, y=y)
    df = df.assign(zip=rng.choice([10115, 20095, 50667], 200), notes="none")
    df.to_csv(folder / "data.csv", index=False)
    df.assign(y=names[clean]).to_csv(folder / "clean.csv", index=False)
    df.assign(model=names[clean]).to_csv(folder / "test.csv", index=False)
    df.assign(stars=y)[["text", "stars"]].to_csv(folder / "reviews.csv", index=False)
    odds = np.exp(X)
    probabilities = odds / odds.sum(axis=1, keepdims=True)
    for name, array in {"X": X, "emb": X, "y": y, "probabilities": probabilities}.items():
        np.save(folder / f"{name}.npy", array)
    decided = pd.DataFrame({"row": range(50), "given": y[:50], "reviewed": names[clean][:50]})
    decided.to_csv(folder / "decisions.csv", index=False)
    decided.to_csv(folder / "issues.csv", index=False)
    choice = {"from_name": "label", "type": "choices", "value": {"choices": ["fox"]}}
    task = {"data": {"row": 3, "given": y[3]}, "annotations": [{"result": [choice]}]}
    (folder / "project-1-export.json").write_text(json.dumps([task]))
    items = df[["a", "b", "c"]].assign(item=range(200))
    items.to_csv(folder / "items.csv", index=False)
    answers = np.column_stack(
        [ln.inject_noise(clean, ln.symmetric_noise(3, 0.2), i) for i in range(3)]
    )
    task, worker = np.nonzero(answers >= 0)
    long = pd.DataFrame({"task": task, "worker": worker, "answer": names[answers.ravel()]})
    long.to_csv(folder / "answers.csv", index=False)
    est = ln.estimate(X, y)
    for name in ("noise.json", "before.json", "after.json", "noise/"):
        est.save(f"{folder}/{name}")
    return folder


@pytest.mark.parametrize(("command", "example"), EXAMPLES, ids=[e for _, e in EXAMPLES])
def test_every_example_of_the_help_runs(folder, run, command, example):
    assert f"labelnoise {command}" in example
    if "--max-noise" in example and "|" not in example:
        run(*shlex.split(example)[1:], cwd=folder, code=ExitCode.GATE)
    else:
        run_line(example, folder, run)


def test_every_command_and_exit_code_is_documented():
    page = (ROOT / "docs" / "command-line.md").read_text()
    for command in COMMANDS:
        assert f"| `{command}` |" in page
        assert f"$ labelnoise {command} " in page
    for code in ExitCode:
        assert f"| {int(code)} |" in page


@pytest.mark.parametrize("name", ["csv_file", "text_embeddings", "audit_loop"])
def test_examples_run(name, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", [name, str(tmp_path)])
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    out, err = capsys.readouterr()
    assert err == ""
    assert "reliable" in out
    pages = {path.name for path in tmp_path.iterdir()}
    made = {"csv_file": {"animals.html", "issues.csv"}, "text_embeddings": {"texts.html"}}
    assert made.get(name, set()) <= pages
