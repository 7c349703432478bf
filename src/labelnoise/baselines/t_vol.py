"""T-Vol: the tightest simplex that holds the noisy posteriors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.baselines.base import BaselineEstimator
from labelnoise.baselines.solution import Solution, solution_of
from labelnoise.learning.linear import STEPS, Stop, Task, train_layer, train_together
from labelnoise.learning.losses import Loss, forward_loss, log_volume
from labelnoise.learning.matrices import DominantRows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.baselines.labeled_rows import LabeledRows
    from labelnoise.checks import Label

VOLUME = 1e-4
"""As published."""

START = -2.0
"""Free numbers of T at the start: off the diagonal sigmoid(-2) = 0.12 beside 1."""


class TVolEstimator(BaselineEstimator):
    """VolMinNet (Li et al. 2021) with one linear layer: ``-log (f T)_y + volume log |det T|``.

    Of all T that explain the labels equally well, the one whose rows span the least volume is the
    true one if the clean posteriors are scattered enough. The paper reports the best of five
    learning rates by clean labels; here the loss is minimized to convergence, without a learning
    rate. Stopped early, T stays where it started, near the identity: the volume counts for little.

    Parameters
    ----------
    volume : float
        Weight of the volume; published 1e-4.
    max_iter : int
        Steps at most. Stopped early, T stays near where it starts.
    classes : sequence, optional
        All classes in the order T is to have.
    random_state : None, int or Generator
        Taken as by the other methods; nothing is drawn.

    Attributes
    ----------
    estimate_ : NoiseEstimate
    transition_matrix_ : array of shape (K, K)
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)
    """

    method_name = "t-vol"
    assumption = "linear_and_scattered"
    caveat = "trusts_linear_layer"

    def __init__(
        self,
        *,
        volume: float = VOLUME,
        max_iter: int = STEPS,
        classes: Sequence[Label] | None = None,
        random_state: Any = None,
    ) -> None:
        self.volume = volume
        self.max_iter = max_iter
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:  # noqa: ARG002
        weight = checks.positive_number(self.volume, "volume", VOLUME)
        n_steps = checks.positive_int(self.max_iter, "max_iter")
        task = Task(rows.standardized(), rows.codes, rows.n_classes)

        def loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
            fit, (volume, in_volume) = (
                forward_loss(logits, transition, labels),
                log_volume(transition),
            )
            return Loss(
                fit.value + weight * volume, fit.in_logits, fit.in_transition + weight * in_volume
            )

        start = train_layer(task, np.eye(rows.n_classes))
        free = np.full((rows.n_classes, rows.n_classes), START)
        found = train_together(task, (start.layer, free), loss, DominantRows(), stop=Stop(n_steps))
        return solution_of(found, task)
