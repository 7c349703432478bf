"""T-Revision: T from anchor points, revised while a classifier is trained."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.baselines.base import BaselineEstimator
from labelnoise.baselines.solution import Solution, solution_of
from labelnoise.evidence.cross_fit import stratified_folds
from labelnoise.learning.linear import Stop, Task, train_layer, train_together
from labelnoise.learning.losses import reweighted_loss, weighted_loss
from labelnoise.learning.matrices import SoftmaxRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.baselines.labeled_rows import LabeledRows
    from labelnoise.checks import Label
    from labelnoise.learning.linear import Layer

ANCHOR_PERCENTILE = 97.0
"""Probabilities above this percentile are left out: the extreme ones are outliers."""

HELD_OUT = 10
"""One row in so many is held out to say when to stop."""

ROUNDS = 10
"""Importance weights are worked out anew at most so often."""


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


def reweighted_layer(seen: Task, held_out: Task, layer: Layer, transition: FloatArray) -> Layer:
    """Train with importance weights of the layer before, until held-out labels gain nothing."""
    likelihood = held_out.likelihood(layer, transition)
    for _ in range(ROUNDS):
        own = layer(seen.X)[np.arange(len(seen.labels)), seen.labels]
        weights = own / np.maximum(seen.label_chances(layer, transition), np.finfo(float).tiny)
        following = train_layer(seen, transition, layer, weighted_loss(weights)).layer
        gained = held_out.likelihood(following, transition)
        if gained <= likelihood:
            break
        layer, likelihood = following, gained
    return layer


class TRevisionEstimator(BaselineEstimator):
    """T-Revision (Xia et al. 2019) with one linear layer.

    1. A layer is trained on the noisy labels, and T0 read at its anchor points.
    2. The layer is trained again with importance weights ``f_y / (f T0)_y``, held fixed while it
       is trained and worked out anew afterwards.
    3. Layer and T are trained together on the weighted loss, through the weights, from there.

    The published code revises ``T0 + Delta`` with a learning rate of 5e-7, which leaves Delta
    near zero, adds it once per row and lets T leave the simplex. Here T stays on the simplex.
    Step 3 has no minimum worth reaching (see `labelnoise.learning.losses.reweighted_loss`), so as
    in the paper rows are held out, and steps 2 and 3 stop where their noisy labels are likeliest.
    That is often at once: then T is T0.

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
    assumption = "anchor_rows"
    caveat = "trusts_anchor_rows"

    def __init__(self, *, classes: Sequence[Label] | None = None, random_state: Any = None) -> None:
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        task = Task(rows.standardized(), rows.codes, rows.n_classes)
        folds = stratified_folds(rows.codes, HELD_OUT, rng)
        seen, held_out = (task.part(np.flatnonzero(mask)) for mask in (folds > 0, folds == 0))
        plain = train_layer(seen, np.eye(rows.n_classes))
        start = anchor_points(plain.layer(seen.X))
        layer = reweighted_layer(seen, held_out, plain.layer, start)
        revised = train_together(
            seen, (layer, SoftmaxRows.of(start)), reweighted_loss, stop=Stop(held_out=held_out)
        )
        # That step 3 has no end is no lack of convergence: the answer lies on the way.
        return solution_of(revised, task, converged=plain.converged)
