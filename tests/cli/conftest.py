import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import labelnoise as ln

LABELNOISE = Path(sys.executable).with_name("labelnoise")
NAMES = np.array(["cat", "dog", "fox"])
T = [[0.8, 0.15, 0.05], [0.05, 0.9, 0.05], [0.0, 0.3, 0.7]]


def animals(n=900, seed=0):
    """A table with two numbers, a category, and labels of which some are wrong."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    noisy = ln.inject_noise(y, T, random_state=seed)
    centre = np.array([[0, 0], [4, 0], [0, 4]])[y]
    x = (centre + rng.normal(size=(n, 2))).round(4)
    return pd.DataFrame(
        {
            "weight": x[:, 0],
            "height": x[:, 1],
            "home": rng.choice(["house", "barn"], n),
            "text": [f"animal number {i} of the <b>zoo</b>" for i in range(n)],
            "label": NAMES[noisy],
            "truth": NAMES[y],
        }
    )


@pytest.fixture(scope="session")
def zoo(tmp_path_factory):
    """A folder with the same table in every format."""
    folder = tmp_path_factory.mktemp("zoo")
    df = animals()
    df.drop(columns="truth").to_csv(folder / "zoo.csv", index=False)
    df.to_csv(folder / "with-truth.csv", index=False)
    table = df.drop(columns="truth")
    table.to_csv(folder / "zoo.tsv", index=False, sep="\t")
    table.to_parquet(folder / "zoo.parquet")
    table.to_feather(folder / "zoo.feather")
    table.to_feather(folder / "zoo.arrow")
    table.to_json(folder / "zoo.jsonl", orient="records", lines=True)
    X = df[["weight", "height"]].to_numpy()
    np.save(folder / "X.npy", X)
    np.save(folder / "y.npy", df["label"].to_numpy().astype(str))
    np.savez(folder / "zoo.npz", X=X, y=df["label"].to_numpy().astype(str))
    return folder


class Done:
    """What a command did."""

    def __init__(self, run):
        self.code, self.out, self.err = run.returncode, run.stdout, run.stderr

    @property
    def document(self):
        return json.loads(self.out)


@pytest.fixture
def run(tmp_path):
    """Run the command line in a folder of its own."""

    def called(*arguments, code=0, **settings):
        environment = {**os.environ, "COLUMNS": "100", "NO_COLOR": "1"}
        done = Done(
            subprocess.run(
                [LABELNOISE, *map(str, arguments)],
                capture_output=True,
                text=True,
                cwd=settings.pop("cwd", tmp_path),
                env=environment,
                check=False,
                **settings,
            )
        )
        assert done.code == code, (done.code, done.out, done.err)
        return done

    return called
