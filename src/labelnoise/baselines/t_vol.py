"""T-Vol: the smallest simplex that contains the noisy posteriors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.baselines.base import BaselineEstimator, LabeledRows, Solution
from labelnoise.baselines.settings import INITIAL_FREE_PARAMETER, VOLUME_WEIGHT
from labelnoise.learning.linear import DominantRows, train_layer, train_with_transition
from labelnoise.learning.losses import Loss, forward_loss, log_volume
from labelnoise.learning.settings import MAX_STEPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label


class TVolEstimator(BaselineEstimator):
    """VolMinNet (Li et al. 2021) with one linear layer: ``-log (f T)_y + volume log |det T|``.

    Of all T that explain the labels equally well, the one whose rows span the smallest volume is
    the true one if the clean posteriors are scattered enough. Departure: the paper reports the best
    of five learning rates, chosen by clean labels; here the loss is minimized to convergence,
    without a learning rate.

    Parameters
    ----------
    volume : float
        Weight of the log-volume, as published 1e-4.
    max_iter : int
        Maximum number of steps. As the volume has a small weight, T then stays near where it
        starts, at the identity.
    classes : sequence, optional
        All classes in the order of T; needed if some do not occur.
    random_state : None, int or Generator
        Not used: nothing is random.

    Attributes
    ----------
    estimate_, transition_matrix_, class_prior_, classes_
        As for `ConfidentLearningEstimator`.
    """

    method_name = "t-vol"
    assumption = "linear_and_scattered"

    def __init__(
        self,
        *,
        volume: float = VOLUME_WEIGHT,
        max_iter: int = MAX_STEPS,
        classes: Sequence[Label] | None = None,
        random_state: Any = None,
    ) -> None:
        self.volume = volume
        self.max_iter = max_iter
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:  # noqa: ARG002
        weight = checks.positive_number(self.volume, "volume", VOLUME_WEIGHT)
        max_steps = checks.positive_int(self.max_iter, "max_iter")
        task, k = rows.task(), rows.n_classes

        def loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
            fit = forward_loss(logits, transition, labels)
            volume, gradient = log_volume(transition)
            return Loss(
                fit.value + weight * volume,
                fit.logits_gradient,
                fit.transition_gradient + weight * gradient,
            )

        start = train_layer(task, np.eye(k)).layer, np.full((k, k), INITIAL_FREE_PARAMETER)
        return Solution.of_training(
            train_with_transition(task, start, loss, DominantRows(), max_steps), task
        )
