"""T-TV: posteriors that are as far from each other as the labels allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.baselines.base import BaselineEstimator, LabeledRows, Solution
from labelnoise.baselines.settings import INITIAL_DIAGONAL, N_PARTNERS, TOTAL_VARIATION_WEIGHT
from labelnoise.learning.linear import logits_of, train_layer, train_with_transition
from labelnoise.learning.losses import Loss, forward_loss, total_variation
from labelnoise.learning.settings import MAX_STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label


class TTVEstimator(BaselineEstimator):
    """Total variation regularization (Zhang, Niu and Sugiyama 2021) with one linear layer.

    Minimizes ``-log (f T)_y - separation TV(f(x), f(x'))`` over random pairs of rows: of all T that
    explain the labels, the one with which the classifier is most certain. Departures: the
    published method draws new pairs in each of 2000 steps; here each row has four fixed partners,
    and the loss is minimized to convergence. Training starts from a layer trained on the noisy
    labels, as with a layer of zeros and two classes an even T would have no gradient.

    Parameters
    ----------
    separation : float
        Weight of the total variation between posteriors, as published 0.1.
    max_iter : int
        Maximum number of steps. Stopped early, T stays near where it starts.
    classes : sequence, optional
        All classes in the order of T; needed if some do not occur.
    random_state : None, int or Generator
        Seed of the pairs; None is a fixed seed.

    Attributes
    ----------
    estimate_, transition_matrix_, class_prior_, classes_
        As for `ConfidentLearningEstimator`.
    """

    method_name = "t-tv"
    assumption = "linear_and_anchored"

    def __init__(
        self,
        *,
        separation: float = TOTAL_VARIATION_WEIGHT,
        max_iter: int = MAX_STEPS,
        classes: Sequence[Label] | None = None,
        random_state: Any = None,
    ) -> None:
        self.separation = separation
        self.max_iter = max_iter
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        weight = checks.positive_number(self.separation, "separation") / N_PARTNERS
        max_steps = checks.positive_int(self.max_iter, "max_iter")
        task, k = rows.task(), rows.n_classes
        pairings = [rng.permutation(len(rows.codes)) for _ in range(N_PARTNERS)]

        def loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
            fit = forward_loss(logits, transition, labels)
            value, gradient = fit.value, fit.logits_gradient
            for partners in pairings:
                distance, in_distance = total_variation(logits, partners)
                value, gradient = value - weight * distance, gradient - weight * in_distance
            return Loss(value, gradient, fit.transition_gradient)

        layer = train_layer(task, np.eye(k)).layer
        off_diagonal = (1 - INITIAL_DIAGONAL) / (k - 1)
        T = np.where(np.eye(k, dtype=bool), INITIAL_DIAGONAL, off_diagonal)
        start = layer, logits_of(T)
        return Solution.of_training(
            train_with_transition(task, start, loss, max_steps=max_steps), task
        )
