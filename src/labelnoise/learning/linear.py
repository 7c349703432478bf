"""One linear softmax layer, trained on noisy labels with a T that is known or learned with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, softmax

from labelnoise.learning.losses import forward_loss
from labelnoise.learning.settings import (
    MAX_GRADIENT,
    MAX_STEPS,
    MIN_INITIAL_PROBABILITY,
    MIN_RELATIVE_GAIN,
    WEIGHT_DECAY,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.learning.losses import Loss, NoisyLoss


@dataclass(frozen=True)
class Layer:
    """``f(x) = softmax(x W + b)``; the last row of `weights` (d + 1, K) is b."""

    weights: FloatArray

    def logits(self, X: FloatArray) -> FloatArray:
        """(n, K) from features (n, d)."""
        return X @ self.weights[:-1] + self.weights[-1]

    def __call__(self, X: FloatArray) -> FloatArray:
        """Posteriors (n, K)."""
        return softmax(self.logits(X), axis=1)


@dataclass(frozen=True)
class Training:
    """A trained layer, the T it was trained with, and how the training ended."""

    layer: Layer
    transition: FloatArray  # (K, K)
    converged: bool
    n_steps: int


@dataclass(frozen=True)
class Task:
    """Features (n, d), dense or sparse, with noisy labels as codes (n,)."""

    X: FloatArray
    labels: IntArray
    n_classes: int

    def part(self, rows: IntArray) -> Task:
        """Some of the rows."""
        return Task(self.X[rows], self.labels[rows], self.n_classes)

    def label_probabilities(self, layer: Layer, transition: FloatArray) -> FloatArray:
        """Probability of each row's own label, (n,)."""
        return (layer(self.X) * transition.T[self.labels]).sum(axis=1)

    def log_likelihood(self, layer: Layer, transition: FloatArray) -> float:
        """Mean log-probability of the noisy labels."""
        return -forward_loss(layer.logits(self.X), transition, self.labels).value


class SoftmaxRows:
    """``T[i] = softmax(free[i])``: any T without zeros."""

    def transition(self, free: FloatArray) -> FloatArray:
        """T (K, K) from free parameters (K, K)."""
        return softmax(free, axis=1)

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """The gradient in the free parameters, from that in T (chain rule)."""
        T = self.transition(free)
        return T * (transition_gradient - (transition_gradient * T).sum(axis=1, keepdims=True))


class DominantRows:
    """``I + sigmoid(free)`` off the diagonal, rows divided by their sums (Li et al. 2021).

    No entry exceeds the diagonal of its row. The diagonal of `free` is not used.
    """

    def transition(self, free: FloatArray) -> FloatArray:
        """T (K, K) from free parameters (K, K)."""
        raw = np.where(np.eye(len(free), dtype=bool), 1.0, expit(free))
        return raw / raw.sum(axis=1, keepdims=True)

    def gradient(self, free: FloatArray, transition_gradient: FloatArray) -> FloatArray:
        """The gradient in the free parameters, from that in T (chain rule)."""
        raw = np.where(np.eye(len(free), dtype=bool), 1.0, expit(free))
        total = raw.sum(axis=1, keepdims=True)
        mean = (transition_gradient * raw / total).sum(axis=1, keepdims=True)
        return (transition_gradient - mean) / total * raw * (1 - raw)  # zero on the diagonal


Parametrization = SoftmaxRows | DominantRows


def logits_of(transition: FloatArray) -> FloatArray:
    """Free parameters of `SoftmaxRows` for a given T (K, K), whose zeros become very small."""
    return np.log(np.maximum(transition, MIN_INITIAL_PROBABILITY))


def train_layer(
    task: Task,
    transition: FloatArray,
    start: Layer | None = None,
    loss: NoisyLoss = forward_loss,
    weight_decay: float = WEIGHT_DECAY,
) -> Training:
    """Train a layer with a known T (K, K), to convergence, by default from weights of zero."""
    first = start or Layer(np.zeros((task.X.shape[1] + 1, task.n_classes)))
    shape = first.weights.shape

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        layer = Layer(at.reshape(shape))
        found = loss(layer.logits(task.X), transition, task.labels)
        value, gradient = _with_weight_decay(found, layer, task.X, weight_decay)
        return value, gradient.ravel()

    run = _minimized(objective, first.weights.ravel(), MAX_STEPS)
    return Training(Layer(run.x.reshape(shape)), transition, _converged(run), int(run.nit))


def train_with_transition(
    task: Task,
    start: tuple[Layer, FloatArray],
    loss: NoisyLoss,
    parametrization: Parametrization = SoftmaxRows(),  # noqa: B008 (it has no state)
    max_steps: int = MAX_STEPS,
    held_out: Task | None = None,
) -> Training:
    """Train a layer and T together, from a layer and the free parameters (K, K) of T.

    If rows are held out, the result is not the last step but the one after which their labels have
    the largest likelihood.
    """
    size, k = start[0].weights.size, task.n_classes

    def layer_and_transition(at: FloatArray) -> tuple[Layer, FloatArray]:
        return Layer(at[:size].reshape(-1, k)), parametrization.transition(at[size:].reshape(k, k))

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        layer, T = layer_and_transition(at)
        found = loss(layer.logits(task.X), T, task.labels)
        value, in_weights = _with_weight_decay(found, layer, task.X)
        in_free = parametrization.gradient(at[size:].reshape(k, k), found.transition_gradient)
        return value, np.concatenate([in_weights.ravel(), in_free.ravel()])

    best, highest = np.concatenate([start[0].weights.ravel(), start[1].ravel()]), -np.inf

    def keep_best(at: FloatArray) -> None:
        nonlocal best, highest
        if held_out is not None:
            likelihood = held_out.log_likelihood(*layer_and_transition(at))
            if likelihood > highest:
                best, highest = at.copy(), likelihood

    keep_best(best)
    run = _minimized(objective, best, max_steps, keep_best)
    end = run.x if held_out is None else best
    return Training(*layer_and_transition(end), _converged(run), int(run.nit))


def _with_weight_decay(
    found: Loss, layer: Layer, X: FloatArray, weight_decay: float = WEIGHT_DECAY
) -> tuple[float, FloatArray]:
    """A loss with weight decay, and its gradient in the weights; the intercept has no decay."""
    weights = layer.weights[:-1]
    gradient = np.vstack([X.T @ found.logits_gradient, found.logits_gradient.sum(axis=0)])
    gradient[:-1] += weight_decay * weights
    return found.value + 0.5 * weight_decay * float((weights**2).sum()), gradient


def _minimized(objective: Any, first: FloatArray, max_steps: int, callback: Any = None) -> Any:
    options: Any = {
        "maxiter": max_steps,
        "maxfun": 2 * max_steps,
        "ftol": MIN_RELATIVE_GAIN,
        "gtol": MAX_GRADIENT,
    }
    return minimize(
        objective, first, jac=True, method="L-BFGS-B", options=options, callback=callback
    )


def _converged(run: Any) -> bool:
    """Whether a search succeeded.

    Status 2, no better point along the line, is also the end at a minimum for lack of
    floating-point digits.
    """
    return bool(run.success or (run.status == 2 and np.isfinite(run.fun)))
