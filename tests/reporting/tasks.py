"""Estimates with many classes, made up: fitting them would take long."""

import numpy as np

from labelnoise.findings import Diagnosis
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.noise_estimate.saved_rows import SavedRows
from labelnoise.row_model import PurityCurve
from labelnoise.transition import TransitionMatrix
from labelnoise.uncertainty import Draws


def made_up_estimate(names, n_rows):
    """A random T with 40% to 100% correct labels in every class, and random rows."""
    rng = np.random.default_rng(0)
    k = len(names)
    T = 0.4 * np.eye(k) + 0.6 * rng.dirichlet(np.ones(k), size=k)
    draws = np.stack([rng.dirichlet(100 * row, size=20) for row in T], axis=1)
    uniform = np.full(k, 1 / k)
    return NoiseEstimate(
        TransitionMatrix(T, names),
        uniform,
        method="rank-gated",
        diagnosis=Diagnosis(),
        n_rows=n_rows,
        draws=Draws(draws, np.tile(uniform, (20, 1))),
        rows=made_up_rows(names, n_rows, rng),
    )


def made_up_rows(names, n_rows, rng):
    """Rows with random posteriors and neighbors, and a curve for every class."""
    k = len(names)
    top = np.geomspace(1, 0.01, 12)
    arrays = {
        "observed": np.arange(n_rows) % k,
        "posteriors": rng.dirichlet(np.ones(k), size=n_rows),
        "nearest": rng.integers(n_rows, size=(n_rows, 10)),
        "log_odds_margin": np.zeros(n_rows),
        "audits": np.array([], dtype=int),
    }
    curves = [PurityCurve(name, top, np.full(12, 50.0), *3 * [1 - top]) for name in names]
    return SavedRows(arrays, tuple(curves))
