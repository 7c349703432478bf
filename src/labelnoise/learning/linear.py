"""One linear softmax layer, trained through a noise matrix that is known or learnt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from scipy.optimize import minimize
from scipy.special import softmax

from labelnoise.learning.losses import forward_loss
from labelnoise.learning.matrices import SoftmaxRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.learning.losses import Loss
    from labelnoise.learning.matrices import MatrixForm

SHRINKAGE = 1e-5
"""Weight of half the squared weights beside the mean loss of a row.

It keeps the layer finite where classes are apart. As much as T-Vol's volume weighs (1e-4), it would
decide in its place: with two distinct rows the error of T-Vol is then 20 points, not 4.
"""

STEPS, LEAST_GAIN, LEAST_SLOPE = 2000, 1e-10, 1e-8
"""Steps at most, unless told; the search is over when a step gains less than this share of the
loss, or the largest entry of the gradient is below this."""


@dataclass(frozen=True)
class Layer:
    """``f(x) = softmax(x W + b)``; the last row of `weights` (d + 1, K) is b."""

    weights: FloatArray

    def logits(self, X: FloatArray) -> FloatArray:
        """(n, K) from features (n, d)."""
        return X @ self.weights[:-1] + self.weights[-1]

    def __call__(self, X: FloatArray) -> FloatArray:
        """Posteriors (n, K)."""
        found: FloatArray = softmax(self.logits(X), axis=1)
        return found


@dataclass(frozen=True)
class Learnt:
    """A layer, the T it was trained with, and how the search ended."""

    layer: Layer
    transition: FloatArray  # (K, K)
    converged: bool
    n_steps: int


@dataclass(frozen=True)
class Stop:
    """When to stop training.

    Attributes
    ----------
    n_steps : int
        Steps at most.
    held_out : Task, optional
        Rows not trained on. Given, the answer is the step on the way that makes their labels
        likeliest, not the end of the way.
    """

    n_steps: int = STEPS
    held_out: Task | None = None


class NoisyLoss(Protocol):
    """A loss of logits (n, K), T (K, K) and labels (n,)."""

    def __call__(self, logits: FloatArray, transition: FloatArray, labels: IntArray, /) -> Loss:
        """Value and gradients."""


@dataclass(frozen=True)
class Task:
    """Features (n, d), dense or sparse, with noisy labels as codes (n,)."""

    X: FloatArray
    labels: IntArray
    n_classes: int

    def part(self, rows: IntArray) -> Task:
        """Some of the rows."""
        return Task(self.X[rows], self.labels[rows], self.n_classes)

    def label_chances(self, layer: Layer, transition: FloatArray) -> FloatArray:
        """Probability of each row's own label, (n,)."""
        found: FloatArray = (layer(self.X) * transition.T[self.labels]).sum(axis=1)
        return found

    def likelihood(self, layer: Layer, transition: FloatArray) -> float:
        """Mean log-probability of the noisy labels."""
        return -forward_loss(layer.logits(self.X), transition, self.labels).value


def train_layer(
    task: Task,
    transition: FloatArray,
    start: Layer | None = None,
    loss: NoisyLoss = forward_loss,
    shrinkage: float = SHRINKAGE,
) -> Learnt:
    """Train a layer with T known, to convergence; `shrinkage` weighs half the squared weights."""
    first = start or Layer(np.zeros((task.X.shape[1] + 1, task.n_classes)))
    shape = first.weights.shape

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        layer = Layer(at.reshape(shape))
        found = loss(layer.logits(task.X), transition, task.labels)
        value, in_weights = _shrunk(found, layer, task.X, shrinkage)
        return value, in_weights.ravel()

    end, converged, n_steps = _minimized(objective, first.weights.ravel())
    return Learnt(Layer(end.reshape(shape)), transition, converged, n_steps)


def train_together(
    task: Task,
    start: tuple[Layer, FloatArray],
    loss: NoisyLoss,
    form: MatrixForm = SoftmaxRows(),  # noqa: B008 (it has no state)
    stop: Stop = Stop(),
) -> Learnt:
    """Train a layer and T together.

    Parameters
    ----------
    task : Task
    start : (Layer, (K, K) array)
        Where to start: a layer, and the free numbers of T.
    loss : callable
        Of logits, T and labels.
    form : MatrixForm
        How T is written.
    stop : Stop
    """
    layer, free = start
    size, k = layer.weights.size, task.n_classes

    def unpacked(at: FloatArray) -> tuple[Layer, FloatArray]:
        return Layer(at[:size].reshape(-1, k)), at[size:].reshape(k, k)

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        layer, free = unpacked(at)
        found = loss(layer.logits(task.X), form.matrix(free), task.labels)
        value, in_weights = _shrunk(found, layer, task.X)
        in_free = form.pull(free, found.in_transition)
        return value, np.concatenate([in_weights.ravel(), in_free.ravel()])

    first = np.concatenate([layer.weights.ravel(), free.ravel()])

    def read(at: FloatArray) -> tuple[Layer, FloatArray]:
        layer, free = unpacked(at)
        return layer, form.matrix(free)

    best = _Best(stop.held_out, read) if stop.held_out else None
    end, converged, n_steps = _minimized(objective, first, best, stop.n_steps)
    return Learnt(*read(end), converged, n_steps)


class _Best:
    """Remembers the step that makes held-out labels likeliest."""

    def __init__(
        self, held_out: Task, read: Callable[[FloatArray], tuple[Layer, FloatArray]]
    ) -> None:
        self._held_out, self._read, self._value = held_out, read, -np.inf
        self.at: FloatArray = np.empty(0)

    def __call__(self, at: FloatArray) -> None:
        value = self._held_out.likelihood(*self._read(at))
        if value > self._value:
            self._value, self.at = value, at.copy()


def _shrunk(
    found: Loss, layer: Layer, X: FloatArray, shrinkage: float = SHRINKAGE
) -> tuple[float, FloatArray]:
    """A loss with weight decay, and its gradient in the weights; the intercept is not shrunk."""
    in_weights = np.vstack([X.T @ found.in_logits, found.in_logits.sum(axis=0)])
    in_weights[:-1] += shrinkage * layer.weights[:-1]
    return found.value + 0.5 * shrinkage * float((layer.weights[:-1] ** 2).sum()), in_weights


def _minimized(
    objective: Any, first: FloatArray, best: _Best | None = None, n_steps: int = STEPS
) -> tuple[FloatArray, bool, int]:
    """The end of the way, or the best step on it, whether the search converged, its steps."""
    limits = {"maxiter": n_steps, "maxfun": 2 * n_steps}
    options: Any = {**limits, "ftol": LEAST_GAIN, "gtol": LEAST_SLOPE}
    watch: Any = best
    if best:
        best(first)
    run = minimize(objective, first, jac=True, method="L-BFGS-B", options=options, callback=watch)
    # A line search may end for want of digits (status 2): there is nowhere better to go.
    ended = run.success or (run.status == 2 and np.isfinite(run.fun))
    return best.at if best else run.x, bool(ended), int(run.nit)
