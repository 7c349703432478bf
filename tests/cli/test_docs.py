"""What the papers say about the command line runs, in the order in which they say it."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln
from labelnoise.cli.exit_codes import ExitCode
from labelnoise.cli.main import app
from labelnoise.cli.speaking import OPTIONS

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent
DONE = (ExitCode.DONE, ExitCode.GATE)
EXAMPLES = [
    (command.name, example.strip())
    for command in app.registered_commands
    for example in re.findall(r"^ *(.*labelnoise .*)$", command.epilog or "", re.MULTILINE)
]


def shell(line, folder):
    environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    return subprocess.run(
        line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("paper", ["tutorial.md", "command-line.md"])
def test_what_is_shown_runs_in_order(paper, tmp_path):
    text = (ROOT / "docs" / paper).read_text()
    blocks = re.findall(r"```console\n(.*?)```", text, flags=re.DOTALL)
    lines = [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]
    assert len(lines) > 5
    for line in lines:
        done = shell(line, tmp_path)
        assert done.returncode == 0, (line, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that examples speak of."""
    folder = tmp_path_factory.mktemp("examples")
    rng = np.random.default_rng(0)
    clean = rng.integers(3, size=400)
    X = 5 * np.eye(3)[clean] + rng.normal(size=(400, 3))
    names = np.array(["cat", "dog", "fox"])
    y = names[ln.inject_noise(clean, ln.symmetric_noise(3, 0.2), random_state=0)]
    text = [f"row {i} of the examples" for i in range(400)]
    df = pd.DataFrame(X, columns=["a", "b", "c"]).assign(text=text, y=y)
    df = df.assign(zip=rng.choice([10115, 20095, 50667], 400), notes="none")
    df.to_csv(folder / "data.csv", index=False)
    df.to_parquet(folder / "data.parquet")
    df.assign(y=names[clean]).to_csv(folder / "clean.csv", index=False)
    df.assign(model=names[clean]).to_csv(folder / "test.csv", index=False)
    df.assign(stars=y)[["text", "stars"]].to_csv(folder / "reviews.csv", index=False)
    for name, array in {"X": X, "emb": X, "y": y}.items():
        np.save(folder / f"{name}.npy", array)
    decided = pd.DataFrame({"row": range(50), "given": y[:50], "reviewed": names[clean][:50]})
    decided.to_csv(folder / "decisions.csv", index=False)
    decided.to_csv(folder / "issues.csv", index=False)
    task = {
        "data": {"row": 3, "given": y[3]},
        "annotations": [
            {"result": [{"from_name": "label", "type": "choices", "value": {"choices": ["fox"]}}]}
        ],
    }
    (folder / "project-1-export.json").write_text(json.dumps([task]))
    est = ln.estimate(X, y)
    for name in ("noise", "before", "after"):
        est.save(folder / f"{name}.json")
    return folder


@pytest.mark.parametrize(("command", "example"), EXAMPLES, ids=[e for _, e in EXAMPLES])
def test_every_example_of_the_help_runs(folder, command, example):
    assert f"labelnoise {command}" in example
    done = shell(example, folder)
    assert done.returncode in DONE, (done.stdout, done.stderr)
    assert "Traceback" not in done.stderr


def test_every_command_and_option_is_documented():
    page = (ROOT / "docs" / "command-line.md").read_text()
    for command in app.registered_commands:
        assert f"| `{command.name}` |" in page
        assert f"$ labelnoise {command.name} " in page
    for code in ExitCode:
        assert f"| {int(code)} |" in page


@pytest.mark.parametrize("name", ["csv_file", "text_embeddings", "audit_loop"])
def test_examples_run(name, tmp_path):
    done = subprocess.run(
        [sys.executable, ROOT / "examples" / f"{name}.py", tmp_path],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    assert "reliable" in done.stdout
    pages = {path.name for path in tmp_path.iterdir()}
    made = {"csv_file": {"animals.html", "issues.csv"}, "text_embeddings": {"texts.html"}}
    assert made.get(name, set()) <= pages


def test_what_is_put_into_other_words_is_said_somewhere():
    """A message that was reworded would come out in the words of Python again."""
    said = [
        node.value
        for path in (ROOT / "src").rglob("*.py")
        if path.name != "speaking.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    for words in OPTIONS:
        assert any(words in text for text in said), words
