"""A linear layer trained in epochs on mini-batches, as in the paper's downstream table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.learning.linear import Layer, Task
from labelnoise.learning.losses import forward_loss

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray

EPOCHS, BATCH, RATE, DECAY = 30, 128, 1e-3, 1e-4
"""Passes over the rows, rows in a batch, the step size, and the weight of the squared weights."""

MEAN_DECAY, SQUARE_DECAY, FLOOR = 0.9, 0.999, 1e-8
"""Adam's constants (Kingma and Ba 2015)."""


def train_in_epochs(
    task: Task, transition: FloatArray, rng: np.random.Generator, n_epochs: int = EPOCHS
) -> Iterator[Layer]:
    """Minimize the forward-corrected loss by Adam, and give the layer after each epoch."""
    weights = np.zeros((task.X.shape[1] + 1, task.n_classes))
    mean, square, step = np.zeros_like(weights), np.zeros_like(weights), 0
    for _ in range(n_epochs):
        shuffled = rng.permutation(len(task.labels))
        for low in range(0, len(shuffled), BATCH):
            step += 1
            gradient = _gradient(task.part(shuffled[low : low + BATCH]), weights, transition)
            mean = MEAN_DECAY * mean + (1 - MEAN_DECAY) * gradient
            square = SQUARE_DECAY * square + (1 - SQUARE_DECAY) * gradient**2
            pace = RATE * np.sqrt(1 - SQUARE_DECAY**step) / (1 - MEAN_DECAY**step)
            weights = weights - pace * mean / (np.sqrt(square) + FLOOR)
        yield Layer(weights)


def _gradient(batch: Task, weights: FloatArray, transition: FloatArray) -> FloatArray:
    layer = Layer(weights)
    found = forward_loss(layer.logits(batch.X), transition, batch.labels)
    gradient = np.vstack([batch.X.T @ found.in_logits, found.in_logits.sum(axis=0)])
    gradient[:-1] += DECAY * weights[:-1]
    return gradient
