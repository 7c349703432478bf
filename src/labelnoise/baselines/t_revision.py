"""T-Revision: T from anchor points, revised while a classifier is trained."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.baselines.base import BaselineEstimator, LabeledRows, Solution
from labelnoise.baselines.settings import ANCHOR_PERCENTILE, HELD_OUT_FOLDS, MAX_REWEIGHTINGS
from labelnoise.evidence.cross_fit import stratified_folds
from labelnoise.learning.linear import logits_of, train_layer, train_with_transition
from labelnoise.learning.losses import reweighted_loss, weighted_loss

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.learning.linear import Layer, Task


def anchor_points(pred_proba: FloatArray) -> FloatArray:
    """T (K, K) from the probabilities of one row per class, the one with the largest probability.

    If ``P(true = i | x) = 1`` then ``P(label = j | x) = T[i, j]``. Probabilities above the 97th
    percentile are left out, as published. Departure: the published code does so by writing zeros
    into the probabilities, which then also appear in T.

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
    """Train with importance weights from the previous layer, as long as held-out labels gain."""
    likelihood = held_out.log_likelihood(layer, transition)
    for _ in range(MAX_REWEIGHTINGS):
        own = layer(seen.X)[np.arange(len(seen.labels)), seen.labels]
        predicted = seen.label_probabilities(layer, transition)
        weights = own / np.maximum(predicted, np.finfo(float).tiny)
        following = train_layer(seen, transition, layer, weighted_loss(weights)).layer
        reached = held_out.log_likelihood(following, transition)
        if reached <= likelihood:
            break
        layer, likelihood = following, reached
    return layer


class TRevisionEstimator(BaselineEstimator):
    """T-Revision (Xia et al. 2019) with one linear layer.

    1. A layer is trained on the noisy labels, and T0 is read at its anchor points.
    2. The layer is trained again with importance weights ``f_y / (f T0)_y``, which are constant
       during training and recomputed after it.
    3. From there, layer and T are trained together on the weighted loss, whose gradient includes
       that of the weights.

    Departures: the published code revises ``T0 + Delta`` with a learning rate of 5e-7, which
    leaves Delta near zero, and lets T leave the simplex; here T stays on it. The minimum of step 3
    estimates nothing (see `labelnoise.learning.losses.reweighted_loss`), so, as in the paper, rows
    are held out, and steps 2 and 3 stop where their noisy labels have the largest likelihood. That
    is often at the start, and then T is T0.

    Parameters
    ----------
    classes : sequence, optional
        All classes in the order of T; needed if some do not occur.
    random_state : None, int or Generator
        Seed of the held-out rows; None is a fixed seed.

    Attributes
    ----------
    estimate_, transition_matrix_, class_prior_, classes_
        As for `ConfidentLearningEstimator`.
    """

    method_name = "t-revision"
    assumption = "anchor_rows"

    def __init__(self, *, classes: Sequence[Label] | None = None, random_state: Any = None) -> None:
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        task = rows.task()
        folds = stratified_folds(rows.codes, HELD_OUT_FOLDS, rng)
        seen, held_out = (task.part(np.flatnonzero(mask)) for mask in (folds > 0, folds == 0))
        plain = train_layer(seen, np.eye(rows.n_classes))
        T0 = anchor_points(plain.layer(seen.X))
        layer = reweighted_layer(seen, held_out, plain.layer, T0)
        revised = train_with_transition(
            seen, (layer, logits_of(T0)), reweighted_loss, held_out=held_out
        )
        # Step 3 is not meant to converge.
        return Solution.of_training(replace(revised, converged=plain.converged), task)
