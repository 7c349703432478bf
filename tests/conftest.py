"""What several tests need: where the shared data are, a small task, hypothesis settings."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

import labelnoise as ln

settings.register_profile("labelnoise", deadline=None, max_examples=50)
settings.load_profile("labelnoise")

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("LABELNOISE_DATA", ROOT.parent / "shared" / "data"))


@pytest.fixture(scope="session")
def uci():
    """Folder with the paper's tabular sets."""
    folder = DATA / "uci"
    if not folder.is_dir():
        pytest.skip(f"needs the paper's tabular sets in {folder} (or set LABELNOISE_DATA)")
    return folder


@pytest.fixture(scope="session")
def task():
    """Features, clean labels, noisy labels and the true T of an easy three-class task."""
    rng = np.random.default_rng(0)
    clean = rng.integers(3, size=1500)
    X = 4 * np.eye(3)[clean] @ rng.standard_normal((3, 6)) + 0.5 * rng.standard_normal((1500, 6))
    T = ln.TransitionMatrix([[0.8, 0.15, 0.05], [0.1, 0.7, 0.2], [0.0, 0.1, 0.9]])
    return X, clean, ln.inject_noise(clean, T, 1), T
