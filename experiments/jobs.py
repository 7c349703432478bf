"""Cell -> record: everything that is measured, one function for each job."""

from __future__ import annotations

import time
import warnings
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import kendalltau
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import labelnoise as ln
from experiments.draws import TwoNormals, draw, random_centers
from experiments.epochs import train_in_epochs
from experiments.memory import megabytes, reset_peak
from labelnoise.learning.linear import Task
from labelnoise.theory import kl_epsilon

if TYPE_CHECKING:
    from collections.abc import Callable

    from experiments.draws import Draw
    from experiments.sources import DataFolder
    from experiments.store import Cell, Record
    from labelnoise.arrays import FloatArray, IntArray

UNCORRECTED, TRUE_T = "no correction", "the true T"
"""Take the place of methods in `downstream`: the identity, and the realized T."""

CLEANLAB = "cleanlab"
"""Takes the place of a method in `speed`: the confident learning of cleanlab itself."""

COVERAGE_LEVEL = 0.9
CONSENSUS_METHODS = ("hoc", "x-kl", "x-tv", "a-kl", "a-tv")


def paper_options(method: str, *, text: bool) -> dict[str, Any]:
    """What the paper chooses for text: embeddings not standardized, logarithmic weights."""
    if not text or method not in CONSENSUS_METHODS:
        return {}
    return {"standardize": False} | ({} if method == "hoc" else {"activation": "log"})


def quiet_estimate(
    method: str, X: FloatArray, noisy: IntArray, *, text: bool = False
) -> ln.NoiseEstimate:
    """Estimate without the warnings about verdicts, which most jobs do not measure."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ln.LabelNoiseWarning)
        return ln.estimate(X, noisy, method=method, **paper_options(method, text=text))


def error(cell: Cell, data: DataFolder) -> Record:
    """Error x 100 of a method on one draw, and its seconds."""
    drawn = draw(data, cell.source, cell.level, cell.seed)
    start = time.perf_counter()
    est = quiet_estimate(cell.method, drawn.X, drawn.noisy, text=cell.source.is_text)
    seconds = time.perf_counter() - start
    return {"error": _error_of(drawn, est.transition_matrix), "seconds": seconds}


def curve(cell: Cell, data: DataFolder) -> Record:  # noqa: ARG001 (the data are generated)
    """Error x 100 of a method on generated data."""
    drawn = TwoNormals.at(cell.level).draw(cell.seed)
    est = quiet_estimate(cell.method, drawn.X, drawn.noisy)
    return {"error": _error_of(drawn, est.transition_matrix)}


def _error_of(drawn: Draw, T: Any) -> float:
    return 100 * ln.transition_error(drawn.transition, T)


def downstream(cell: Cell, data: DataFolder) -> Record:
    """Clean test accuracy of a linear layer trained on noisy labels with forward correction."""
    drawn = draw(data, cell.source, cell.level, cell.seed)
    parts = train_test_split(
        drawn.X, drawn.noisy, drawn.clean, test_size=0.2, random_state=cell.seed
    )
    X, X_test, noisy, _, _, clean_test = parts
    n_classes = int(drawn.clean.max()) + 1
    if cell.method == UNCORRECTED:
        T = np.eye(n_classes)
    elif cell.method == TRUE_T:
        T = np.asarray(drawn.transition)
    else:
        est = quiet_estimate(cell.method, X, noisy, text=cell.source.is_text)
        T = np.asarray(est.transition_matrix)
    scale = StandardScaler().fit(X)
    task, X_test = Task(scale.transform(X), noisy, n_classes), scale.transform(X_test)
    rng = np.random.default_rng(cell.seed)
    accuracy = [
        100 * float((layer.logits(X_test).argmax(axis=1) == clean_test).mean())
        for layer in train_in_epochs(task, T, rng)
    ]
    return {"last": accuracy[-1], "best": max(accuracy)}


def calibrated(cell: Cell, data: DataFolder) -> Record:
    """Error x 100 with and without T_org, the noise that a data set has before any is added.

    If the original labels are already noisy, the noise in the data is ``T_org T``, and that is
    what a method estimates. So its estimate is compared with ``T_org T``: with T_hat defined by
    ``estimate = T_org T_hat``, this is the paper's Error(T_org T, T_org T_hat). T_org is the
    estimate of the same method from the original labels.
    """
    drawn = draw(data, cell.source, cell.level, cell.seed)
    original, total = (
        np.asarray(
            quiet_estimate(cell.method, drawn.X, labels, text=cell.source.is_text).transition_matrix
        )
        for labels in (drawn.clean, drawn.noisy)
    )
    added = np.asarray(drawn.transition)
    return {
        "calibrated": 100 * ln.transition_error(original @ added, total),
        "plain": 100 * ln.transition_error(added, total),
    }


def order(cell: Cell, data: DataFolder) -> Record:
    """How well noisy labels preserve the order of features by mutual information.

    `cell.method` is the divergence. Pairs of features whose noisy information differs by more
    than epsilon (0 for total variation) should be in the same order as with clean labels.
    """
    drawn = draw(data, cell.source, cell.level, cell.seed)
    clean, noisy = (
        ln.f_mutual_information(drawn.X, labels, divergence=cell.method)
        for labels in (drawn.clean, drawn.noisy)
    )
    T = np.asarray(drawn.transition)
    e1, e2 = sorted((T[0, 1], T[1, 0]), reverse=True)
    epsilon = float(kl_epsilon(e1, e2 / e1)) if cell.method == "kl" else 0.0
    pairs = np.array(list(combinations(range(len(clean)), 2)))
    noisy_gap, clean_gap = (values[pairs[:, 0]] - values[pairs[:, 1]] for values in (noisy, clean))
    same = np.sign(noisy_gap) == np.sign(clean_gap)
    beyond = np.abs(noisy_gap) > epsilon
    return {
        "tau": float(kendalltau(clean, noisy).statistic),
        "same": 100 * float(same.mean()),
        "beyond": 100 * float(beyond.mean()),
        "same_beyond": 100 * float(same[beyond].mean()) if beyond.any() else float("nan"),
    }


def coverage(cell: Cell, data: DataFolder) -> Record:
    """Share of the entries of T inside their intervals, the mean width, and the verdict."""
    drawn = draw(data, cell.source, cell.level, cell.seed)
    est = quiet_estimate(cell.method, drawn.X, drawn.noisy, text=cell.source.is_text)
    ends = est.interval(COVERAGE_LEVEL)
    low, high = ends.lower.transition_matrix, ends.upper.transition_matrix
    truth = np.asarray(drawn.transition)
    free = ~np.eye(2, dtype=bool) if len(truth) == 2 else np.ones_like(truth, dtype=bool)
    return {
        "covered": 100 * float(((low <= truth) & (truth <= high))[free].mean()),
        "width": float((high - low)[free].mean()),
        "reliable": 100.0 * (est.diagnosis.verdict == "reliable"),
    }


def speed(cell: Cell, data: DataFolder) -> Record:  # noqa: ARG001 (the data are generated)
    """Seconds, extra memory in MB and error x 100, in a process that does nothing else."""
    n, d, k = (int(part) for part in cell.level.split(" x "))
    drawn, estimate = random_centers(n, d, k, cell.seed), _timed_method(cell.method)
    estimate(random_centers(300, d, k, cell.seed))  # imports on first use do not count
    before = reset_peak()
    start = time.perf_counter()
    T = estimate(drawn)
    seconds = time.perf_counter() - start
    megabytes_used = megabytes("VmHWM") - before
    return {"seconds": seconds, "megabytes": megabytes_used, "error": _error_of(drawn, T)}


def _timed_method(method: str) -> Callable[[Draw], Any]:
    if method == CLEANLAB:
        from experiments.speed_cleanlab import cleanlab_transition

        return cleanlab_transition
    return lambda drawn: np.asarray(quiet_estimate(method, drawn.X, drawn.noisy).transition_matrix)


JOBS: dict[str, Callable[[Cell, DataFolder], Record]] = {
    job.__name__: job for job in (error, curve, downstream, calibrated, order, coverage, speed)
}
ISOLATED_JOBS = ("speed",)
"""Jobs whose cells are measured one at a time, each in a process of its own."""
