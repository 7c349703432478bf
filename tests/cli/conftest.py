"""A zoo in every format, saved estimates of it, and the command line in this process."""

import json
import shlex
import sys
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

import labelnoise as ln
from cli.zoo import FEATURES, animals
from labelnoise import methods
from labelnoise.cli import command
from labelnoise.cli.main import main
from labelnoise.cli.output import Output


@pytest.fixture(scope="session")
def known_estimates():
    """Estimates of this session, by features, labels and options."""
    return {}


@pytest.fixture(scope="module", autouse=True)
def _each_estimate_once(known_estimates):
    """Give the same estimate for the same features, labels and options, without fitting again.

    Only in the tests of the command line: others run in the same process.
    """
    fit = ln.estimate  # keeps its own reference to the function that is replaced below

    def estimate(X, y=None, **options):
        if not isinstance(X, np.ndarray | None):
            return fit(X, y, **options)
        arrays = (X, y, options.get("pred_proba"))
        contents = [np.asarray(one).tolist() for one in arrays]
        key = repr((contents, sorted(options.items(), key=lambda item: item[0])))
        if key not in known_estimates:
            known_estimates[key] = fit(X, y, **options)
        return known_estimates[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(methods, "estimate", estimate)
        yield


@pytest.fixture(scope="session")
def zoo(tmp_path_factory):
    """A folder with the same table in every format."""
    folder = tmp_path_factory.mktemp("zoo")
    df = animals()
    df.to_csv(folder / "with-truth.csv", index=False)
    table = df.drop(columns="truth")
    table.to_csv(folder / "zoo.csv", index=False)
    table.to_csv(folder / "zoo.tsv", index=False, sep="\t")
    table.to_excel(folder / "zoo.xlsx", index=False)
    table.to_parquet(folder / "zoo.parquet")
    table.to_feather(folder / "zoo.feather")
    table.to_feather(folder / "zoo.arrow")
    table.to_json(folder / "zoo.jsonl", orient="records", lines=True)
    X = df[["weight", "height"]].to_numpy()
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", df["label"].to_numpy().astype(str))
    np.savez(folder / "zoo.npz", X=X, y=df["label"].to_numpy().astype(str))
    return folder


@pytest.fixture(scope="session")
def saved(zoo, tmp_path_factory):
    """Folder of an estimate from weight and height, noise.json in it by itself, too."""
    folder = tmp_path_factory.mktemp("saved")
    with pytest.raises(SystemExit) as ended:
        main(["estimate", str(zoo / "zoo.csv"), *FEATURES, "-q", "-o", f"{folder}/"])
    assert ended.value.code == 0
    return folder


@pytest.fixture
def clean(tmp_path):
    """A table without wrong labels, some of which look wrong."""
    df = load_breast_cancer(as_frame=True).frame.rename(columns={"target": "label"})
    df.to_csv(tmp_path / "clean.csv", index=False)
    return tmp_path / "clean.csv"


@pytest.fixture
def nothing(tmp_path):
    """A table whose only feature says nothing about the labels."""
    rng = np.random.default_rng(0)
    df = pd.DataFrame({"x": rng.normal(size=400), "label": rng.choice(["a", "b"], 400)})
    df.to_csv(tmp_path / "nothing.csv", index=False)
    return tmp_path / "nothing.csv"


@dataclass
class Done:
    """What a command did, and the codes of its error and its notes."""

    code: int = 0
    out: str = ""
    err: str = ""
    error: str | None = None
    notes: list[str] = field(default_factory=list)

    @property
    def document(self):
        return json.loads(self.out)

    @property
    def next_commands(self):
        """Commands that were suggested, each as a list of arguments without "labelnoise"."""
        lines = [line for line in self.err.splitlines() if line.startswith("next: labelnoise ")]
        return [shlex.split(line)[2:] for line in lines]


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Run the command line in this process, in a folder of its own."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")

    def called(*arguments, code=0, cwd=tmp_path, stdin=None):
        done = Done()
        with monkeypatch.context() as patch:
            patch.chdir(cwd)
            if stdin is not None:
                patch.setattr(sys, "stdin", stdin)
            _record(patch, done)
            with pytest.raises(SystemExit) as ended:
                main([str(argument) for argument in arguments])
        done.code = ended.value.code or 0
        done.out, done.err = capsys.readouterr()
        assert done.code == code, (done.code, done.out, done.err)
        return done

    return called


def _record(patch, done):
    """Note down the codes of errors and notes on their way to standard error."""
    failed, notes = command._failed, Output.notes

    def record_error(note, code):
        done.error = note.code
        return failed(note, code)

    def record_notes(out, found):
        done.notes += [note.code for note in found]
        notes(out, found)

    patch.setattr(command, "_failed", record_error)
    patch.setattr(Output, "notes", record_notes)
