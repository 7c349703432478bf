"""T-TV: posteriors that are as far from each other as the labels allow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.baselines.base import BaselineEstimator
from labelnoise.baselines.solution import Solution, solution_of
from labelnoise.learning.linear import STEPS, Stop, Task, train_layer, train_together
from labelnoise.learning.losses import Loss, forward_loss, separation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.baselines.labeled_rows import LabeledRows
    from labelnoise.checks import Label

PAIRINGS = 4
"""Partners of each row, drawn once: the loss is a fixed function that can be minimized."""

RIGHT = 0.5
"""Diagonal of T at the start."""


class TTVEstimator(BaselineEstimator):
    """Total variation regularization (Zhang, Niu and Sugiyama 2021) with one linear layer.

    ``-log (f T)_y - separation TV(f(x), f(x'))`` over random pairs: of all T that explain the
    labels, the one that leaves the classifier the most certain. T by the softmax of logits. The
    published method draws new pairs at each of 2000 steps; here each row has four partners for
    good, and the loss is minimized to convergence from a layer trained on the noisy labels (from
    nought, an even T with two classes would have no gradient).

    Parameters
    ----------
    separation : float
        Weight of the separation; published 0.1.
    max_iter : int
        Steps at most. Stopped early, T stays near where it starts.
    classes : sequence, optional
        All classes in the order T is to have.
    random_state : None, int or Generator
        Seed of the pairs. None draws a fixed seed.

    Attributes
    ----------
    estimate_ : NoiseEstimate
    transition_matrix_ : array of shape (K, K)
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)
    """

    method_name = "t-tv"
    assumption = "linear_and_anchored"
    caveat = "trusts_linear_layer"

    def __init__(
        self,
        *,
        separation: float = 0.1,
        max_iter: int = STEPS,
        classes: Sequence[Label] | None = None,
        random_state: Any = None,
    ) -> None:
        self.separation = separation
        self.max_iter = max_iter
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        weight = checks.positive_number(self.separation, "separation") / PAIRINGS
        n_steps = checks.positive_int(self.max_iter, "max_iter")
        task, k = Task(rows.standardized(), rows.codes, rows.n_classes), rows.n_classes
        pairings = [rng.permutation(len(rows.codes)) for _ in range(PAIRINGS)]

        def loss(logits: FloatArray, transition: FloatArray, labels: IntArray) -> Loss:
            fit = forward_loss(logits, transition, labels)
            value, in_logits = fit.value, fit.in_logits
            for partners in pairings:
                apart, in_apart = separation(logits, partners)
                value, in_logits = value - weight * apart, in_logits - weight * in_apart
            return Loss(value, in_logits, fit.in_transition)

        start = train_layer(task, np.eye(k))
        free = np.log(np.where(np.eye(k, dtype=bool), RIGHT, (1 - RIGHT) / (k - 1)))
        found = train_together(task, (start.layer, free), loss, stop=Stop(n_steps))
        return solution_of(found, task)
