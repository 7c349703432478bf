"""The confident learning of cleanlab, for the speed table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from cleanlab.count import estimate_py_and_noise_matrices_from_probabilities
from sklearn.model_selection import cross_val_predict

from labelnoise.baselines.confident_learning import linear_classifier

if TYPE_CHECKING:
    from experiments.draws import Draw
    from labelnoise.arrays import FloatArray


def cleanlab_transition(drawn: Draw) -> FloatArray:
    """T (K, K) from cross-validated probabilities of the same classifier as ours."""
    pred_proba = cross_val_predict(
        linear_classifier(), drawn.X, drawn.noisy, cv=5, method="predict_proba"
    )
    _, noise_matrix, *_ = estimate_py_and_noise_matrices_from_probabilities(drawn.noisy, pred_proba)
    return np.asarray(noise_matrix, dtype=np.float64).T  # cleanlab has [observed, true]
