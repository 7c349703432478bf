"""T-Revision: T from anchor points, revised while a classifier is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.estimators.baseline import BaselineEstimator, LabelledRows, Solution, solution_of
from labelnoise.estimators.diagnosis import Finding
from labelnoise.evidence.cross_fit import stratified_folds
from labelnoise.learning.linear import Task, train_layer, train_together
from labelnoise.learning.losses import reweighted_loss
from labelnoise.learning.matrices import SoftmaxRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label

ANCHOR_PERCENTILE = 97.0
"""Probabilities above this percentile are left out: the extreme ones are outliers."""

HELD_OUT = 10
"""One row in so many is held out to say when to stop."""


def anchor_points(pred_proba: FloatArray) -> FloatArray:
    """T (K, K) read off one row for each class: that with the largest probability of it.

    If ``P(true = i | x) = 1`` then ``P(label = j | x) = T[i, j]``. Probabilities above the 97th
    percentile are left out, as published, without the slip of the published code, which writes
    zeros into the probabilities it still has to read.

    >>> noisy_posterior = np.array([[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    >>> anchor_points(noisy_posterior)
    array([[0.5, 0.5],
           [0.5, 0.5]])
    """
    highest = np.percentile(pred_proba, ANCHOR_PERCENTILE, axis=0)
    kept = np.where(pred_proba <= highest, pred_proba, -1.0)
    T = pred_proba[kept.argmax(axis=0)]
    return T / T.sum(axis=1, keepdims=True)


class TRevisionEstimator(BaselineEstimator):
    """T-Revision (Xia et al. 2019) with one linear layer.

    1. A layer is trained on the noisy labels, and T0 read at its anchor points.
    2. The layer is trained again with importance weights ``f_y / (f T0)_y``.
    3. Layer and T are trained together on the weighted loss, from there.

    The published code revises ``T0 + Delta`` with a learning rate of 5e-7, which leaves Delta
    near zero, adds it once per row and lets T leave the simplex. Here T stays on the simplex.

    The weighted loss is small where a row's own label is sure or impossible, and near T = I, so
    steps 2 and 3 have no end of their own: as in the paper rows are held out, and the step that
    makes their noisy labels likeliest is the answer.

    Parameters
    ----------
    classes : sequence, optional
        All classes in the order T is to have.
    random_state : None, int or Generator
        Seed of the held-out rows. None draws a fixed seed.

    Attributes
    ----------
    estimate_ : NoiseEstimate
    transition_matrix_ : array of shape (K, K)
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)
    """

    method_name = "t-revision"
    assumption = "every class has rows that are surely of it, and one linear layer finds them"
    caveat = Finding(
        "weak",
        "this method reads T at a single row of each class and cannot see whether it is pure",
        "compare with method='rank-gated', or check some rows by hand",
    )

    def __init__(self, *, classes: Sequence[Label] | None = None, random_state: Any = None) -> None:
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabelledRows, rng: np.random.Generator) -> Solution:
        task = Task(rows.standardised(), rows.codes, rows.n_classes)
        folds = stratified_folds(rows.codes, HELD_OUT, rng)
        seen, held_out = (task.part(np.flatnonzero(mask)) for mask in (folds > 0, folds == 0))
        plain = train_layer(seen, np.eye(rows.n_classes))
        start = anchor_points(plain.layer(seen.X))
        weighted = train_layer(seen, start, plain.layer, reweighted_loss, held_out)
        revised = train_together(
            seen,
            (weighted.layer, SoftmaxRows.of(start)),
            reweighted_loss,
            held_out=held_out,
        )
        # That the way has no end is no lack of convergence: the answer lies on the way.
        return solution_of(revised, task, converged=plain.converged)
