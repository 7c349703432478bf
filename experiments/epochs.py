"""A linear layer trained in epochs on mini-batches, as in the paper's downstream table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.learning.linear import Layer, Task
from labelnoise.learning.losses import forward_loss

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray

EPOCHS, BATCH_SIZE, LEARNING_RATE, WEIGHT_DECAY = 30, 128, 1e-3, 1e-4
"""As in the paper; the last is the weight of half the squared weights."""

BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
"""Adam's constants (Kingma and Ba 2015)."""


def train_in_epochs(
    task: Task, transition: FloatArray, rng: np.random.Generator, n_epochs: int = EPOCHS
) -> Iterator[Layer]:
    """Minimize the forward-corrected loss by Adam, and yield the layer after each epoch."""
    weights = np.zeros((task.X.shape[1] + 1, task.n_classes))
    mean, square, step = np.zeros_like(weights), np.zeros_like(weights), 0
    for _ in range(n_epochs):
        shuffled = rng.permutation(len(task.labels))
        for low in range(0, len(shuffled), BATCH_SIZE):
            step += 1
            gradient = _gradient(task.part(shuffled[low : low + BATCH_SIZE]), weights, transition)
            mean = BETA_1 * mean + (1 - BETA_1) * gradient
            square = BETA_2 * square + (1 - BETA_2) * gradient**2
            rate = LEARNING_RATE * np.sqrt(1 - BETA_2**step) / (1 - BETA_1**step)
            weights = weights - rate * mean / (np.sqrt(square) + EPSILON)
        yield Layer(weights)


def _gradient(batch: Task, weights: FloatArray, transition: FloatArray) -> FloatArray:
    layer = Layer(weights)
    found = forward_loss(layer.logits(batch.X), transition, batch.labels)
    gradient = np.vstack([batch.X.T @ found.logits_gradient, found.logits_gradient.sum(axis=0)])
    gradient[:-1] += WEIGHT_DECAY * weights[:-1]
    return gradient
