"""Cell -> record: everything that is measured, one function a job."""

from __future__ import annotations

import time
import warnings
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import kendalltau
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from labelnoise.errors import LabelNoiseWarning
from labelnoise.methods import estimate
from experiments.draws import draw
from experiments.generated import Normals
from experiments.speed import speed
from labelnoise.learning.epochs import train_in_epochs
from labelnoise.learning.linear import Task
from labelnoise.metrics import transition_error
from labelnoise.representation.mutual_information import f_mutual_information
from labelnoise.theory import kl_epsilon

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray, IntArray
    from experiments.library import Library
    from experiments.store import Cell, Record
    from labelnoise.noise_estimate import NoiseEstimate

PLAIN, TRUTH = "no correction", "the true T"
"""Stand for methods in the downstream job: no T, and the realised one."""

COVERAGE_LEVEL = 0.9
FROM_CONSENSUS = ("hoc", "x-kl", "x-tv", "a-kl", "a-tv")


def settings(method: str, *, text: bool) -> dict[str, Any]:
    """The paper's choices for text: embeddings as they are, weights by the logarithm."""
    if not text or method not in FROM_CONSENSUS:
        return {}
    return {"standardize": False} | ({} if method == "hoc" else {"activation": "log"})


def estimated(method: str, X: FloatArray, noisy: IntArray, *, text: bool = False) -> NoiseEstimate:
    """Estimate without warnings: a verdict is not what is measured here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LabelNoiseWarning)
        return estimate(X, noisy, method=method, **settings(method, text=text))


def error(cell: Cell, library: Library) -> Record:
    """Error x 100 of a method on one draw, and its seconds."""
    drawn = draw(library, cell.source, cell.level, cell.seed)
    start = time.perf_counter()
    est = estimated(cell.method, drawn.X, drawn.noisy, text=cell.source.is_text)
    seconds = time.perf_counter() - start
    found = 100 * transition_error(drawn.transition, est.transition_matrix)
    return {"error": found, "seconds": seconds}


def curve(cell: Cell, library: Library) -> Record:  # noqa: ARG001 (the data are generated)
    """Error x 100 of a method on generated data."""
    drawn = Normals.at(cell.level).draw(cell.seed)
    est = estimated(cell.method, drawn.X, drawn.noisy)
    return {"error": 100 * transition_error(drawn.transition, est.transition_matrix)}


def downstream(cell: Cell, library: Library) -> Record:
    """Clean test accuracy of a layer trained on noisy labels with forward correction."""
    drawn = draw(library, cell.source, cell.level, cell.seed)
    parts = train_test_split(
        drawn.X, drawn.noisy, drawn.clean, test_size=0.2, random_state=cell.seed
    )
    X, X_test, noisy, _, _, clean_test = parts
    n_classes = int(drawn.clean.max()) + 1
    if cell.method == PLAIN:
        T = np.eye(n_classes)
    elif cell.method == TRUTH:
        T = np.asarray(drawn.transition)
    else:
        found = estimated(cell.method, X, noisy, text=cell.source.is_text)
        T = np.asarray(found.transition_matrix)
    scale = StandardScaler().fit(X)
    task, X_test = Task(scale.transform(X), noisy, n_classes), scale.transform(X_test)
    rng = np.random.default_rng(cell.seed)
    accuracy = [
        100 * float((layer.logits(X_test).argmax(axis=1) == clean_test).mean())
        for layer in train_in_epochs(task, T, rng)
    ]
    return {"last": accuracy[-1], "best": max(accuracy)}


def calibrated(cell: Cell, library: Library) -> Record:
    """Error x 100 with and without the set's own noise, T_org, as estimated on its own labels.

    Labels that were wrong before noise was added show ``T_org T``, and that is what is estimated.
    So the estimate is compared with ``T_org T``: with T_hat solved from ``T_org T_hat``, the
    paper's Error(T_org T, T_org T_hat).
    """
    drawn = draw(library, cell.source, cell.level, cell.seed)
    own, seen = (
        np.asarray(
            estimated(cell.method, drawn.X, labels, text=cell.source.is_text).transition_matrix
        )
        for labels in (drawn.clean, drawn.noisy)
    )
    added = np.asarray(drawn.transition)
    return {
        "calibrated": 100 * transition_error(own @ added, seen),
        "plain": 100 * transition_error(added, seen),
    }


def order(cell: Cell, library: Library) -> Record:
    """How well noisy labels keep the order of features by mutual information.

    `method` is the divergence. Pairs whose noisy informations differ by more than epsilon (0 for
    total variation) should be in the order of the clean ones.
    """
    drawn = draw(library, cell.source, cell.level, cell.seed)
    clean, noisy = (
        f_mutual_information(drawn.X, labels, divergence=cell.method)
        for labels in (drawn.clean, drawn.noisy)
    )
    T = np.asarray(drawn.transition)
    e1, e2 = sorted((T[0, 1], T[1, 0]), reverse=True)
    epsilon = float(kl_epsilon(e1, e2 / e1)) if cell.method == "kl" else 0.0
    pairs = np.array(list(combinations(range(len(clean)), 2)))
    apart_noisy, apart_clean = (
        values[pairs[:, 0]] - values[pairs[:, 1]] for values in (noisy, clean)
    )
    same = np.sign(apart_noisy) == np.sign(apart_clean)
    beyond = np.abs(apart_noisy) > epsilon
    return {
        "tau": float(kendalltau(clean, noisy).statistic),
        "same": 100 * float(same.mean()),
        "beyond": 100 * float(beyond.mean()),
        "same_beyond": 100 * float(same[beyond].mean()) if beyond.any() else float("nan"),
    }


def coverage(cell: Cell, library: Library) -> Record:
    """Share of the entries of T inside their intervals, their width, and the verdict."""
    drawn = draw(library, cell.source, cell.level, cell.seed)
    est = estimated(cell.method, drawn.X, drawn.noisy, text=cell.source.is_text)
    ends = est.interval(COVERAGE_LEVEL)
    low, high = ends.lower.transition_matrix, ends.upper.transition_matrix
    truth = np.asarray(drawn.transition)
    free = ~np.eye(2, dtype=bool) if len(truth) == 2 else np.ones_like(truth, dtype=bool)
    return {
        "covered": 100 * float(((low <= truth) & (truth <= high))[free].mean()),
        "width": float((high - low)[free].mean()),
        "reliable": 100.0 * (est.diagnosis.verdict == "reliable"),
    }


JOBS: dict[str, Callable[[Cell, Library], Record]] = {
    job.__name__: job for job in (error, curve, downstream, calibrated, order, coverage, speed)
}
EXCLUSIVE = ("speed",)
"""Jobs that want the machine for themselves."""
