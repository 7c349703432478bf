"""What a method to compare with finds: T, the prior, and how well labels were foretold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import nnls

from labelnoise.evidence.predictive_gain import log_gain

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.learning.linear import Learnt, Task


@dataclass(frozen=True)
class Solution:
    """T, the prior, and what can be said about how they were found.

    Attributes
    ----------
    transition : (K, K) array
    prior : (K,) array
    won : (n,) array
        By how much the model foretells each row's label better than frequencies do.
    n_fitted : int
        Numbers that were fitted to these very labels.
    converged : bool
    """

    transition: FloatArray
    prior: FloatArray
    won: FloatArray
    n_fitted: int = 0
    converged: bool = True


def solution_of(learnt: Learnt, task: Task, *, converged: bool | None = None) -> Solution:
    """What a layer and T learnt on `task` say about T and the prior."""
    frequencies = np.bincount(task.labels, minlength=task.n_classes) / len(task.labels)
    own = np.maximum(task.label_chances(learnt.layer, learnt.transition), np.finfo(float).tiny)
    k = task.n_classes
    return Solution(
        learnt.transition,
        learnt.layer(task.X).mean(axis=0),
        log_gain(own, frequencies[task.labels]),
        n_fitted=(task.X.shape[1] + 1) * (k - 1) + k * (k - 1),
        converged=learnt.converged if converged is None else converged,
    )


def prior_behind(transition: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Clean frequencies p (K,) for which p T comes closest to the frequencies of the labels.

    >>> T = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> prior_behind(T, np.array([0.3, 0.7]) @ T).round(6)
    array([0.3, 0.7])
    """
    system = np.vstack([transition.T, np.ones(len(transition))])
    found, _ = nnls(system, np.append(frequencies, 1.0))
    prior: FloatArray = found / found.sum()
    return prior
