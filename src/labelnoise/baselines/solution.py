"""What a baseline finds: T, the prior, and how well labels were predicted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.predictive_gain import log_gain

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.learning.linear import Task, Training


@dataclass(frozen=True)
class Solution:
    """T and the prior, with what can be said about how they were found.

    Attributes
    ----------
    transition : (K, K) array
    prior : (K,) array
    gain : (n,) array
        By how much the model predicts each row's label better than label frequencies do.
    n_fitted : int
        Number of parameters that were fitted to these labels.
    converged : bool
    """

    transition: FloatArray
    prior: FloatArray
    gain: FloatArray
    n_fitted: int = 0
    converged: bool = True

    @classmethod
    def of_training(
        cls, training: Training, task: Task, *, converged: bool | None = None
    ) -> Solution:
        """From a linear layer and T, trained on `task`; the prior is the mean of its posteriors."""
        layer, T, k = training.layer, training.transition, task.n_classes
        frequencies = np.bincount(task.labels, minlength=k) / len(task.labels)
        own = np.maximum(task.label_probabilities(layer, T), np.finfo(float).tiny)
        return cls(
            T,
            layer(task.X).mean(axis=0),
            log_gain(own, frequencies[task.labels]),
            n_fitted=(task.X.shape[1] + 1) * (k - 1) + k * (k - 1),
            converged=training.converged if converged is None else converged,
        )
