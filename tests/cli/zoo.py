"""What the tests of the command line share: a zoo, and starts of real processes."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd

import labelnoise as ln

BIN = Path(sys.executable).parent
NAMES = np.array(["cat", "dog", "fox"])
T = [[0.8, 0.15, 0.05], [0.05, 0.9, 0.05], [0.0, 0.3, 0.7]]
FEATURES = ("--features", "weight,height")


def animals(n=600, seed=0):
    """A table with two numbers, a category, and labels of which some are wrong."""
    rng = np.random.default_rng(seed)
    y = rng.integers(3, size=n)
    noisy = ln.inject_noise(y, T, random_state=seed)
    center = np.array([[0, 0], [4, 0], [0, 4]])[y]
    x = (center + rng.normal(size=(n, 2))).round(4)
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


def start(line, cwd, **settings):
    """Run a line in a shell of its own, with `labelnoise` on its path."""
    path = f"{BIN}:{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-c", line],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", "NO_COLOR": "1", "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        **settings,
    )
