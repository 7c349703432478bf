"""Draws from a smooth density by Hamiltonian Monte Carlo, where it is nearly round."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.linalg import solve_triangular

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray

LEAPS = 3
"""Steps along a trajectory. With steps of about 0.6 that is a quarter of a round trip."""

WARM_UP = 40
TARGET = 0.8
"""Share of trajectories to accept; the step adapts to it while warming up."""

LARGEST_STEP = 1.2


class Whitening:
    """Coordinates z with ``at = mode + L^{-T} z``, in which the curvature L L^T is the identity."""

    def __init__(self, curvature: FloatArray) -> None:
        self.factor = np.linalg.cholesky(curvature)

    def step(self, z: FloatArray) -> FloatArray:
        """A move in z as a move of the parameters."""
        moved: FloatArray = solve_triangular(self.factor.T, z, lower=False)
        return moved

    def gradient(self, gradient: FloatArray) -> FloatArray:
        """A gradient in the parameters as one in z."""
        seen: FloatArray = solve_triangular(self.factor, gradient, lower=True)
        return seen


def hamiltonian_draws(
    target: Callable[[FloatArray], tuple[float, FloatArray]],
    mode: FloatArray,
    curvature: FloatArray,
    n_draws: int,
    rng: np.random.Generator,
) -> FloatArray:
    """Draw parameters (n_draws, P) from ``exp(-target)``.

    Parameters
    ----------
    target : function
        Negative log-density and its gradient; infinite outside its support.
    mode : (P,) array
        Where to start.
    curvature : (P, P) array
        Roughly the Hessian there. Only the speed of the chain depends on it, not its law.
    """
    space = Whitening(curvature)
    step = _StepSize()
    at, (value, gradient) = mode, target(mode)
    draws = np.empty((n_draws, len(mode)))
    for turn in range(WARM_UP + n_draws):
        push = rng.standard_normal(len(mode))
        energy = value + 0.5 * push @ push
        leap = step.size * rng.uniform(0.8, 1.2)  # no period to fall in step with
        there, force = at, space.gradient(gradient)
        for _ in range(LEAPS):
            push = push - 0.5 * leap * force
            there = there + leap * space.step(push)
            new_value, new_gradient = target(there)
            if not np.isfinite(new_value):
                break
            force = space.gradient(new_gradient)
            push = push - 0.5 * leap * force
        lost = new_value + 0.5 * push @ push - energy
        accepted = float(np.exp(-max(float(lost), 0.0))) if np.isfinite(lost) else 0.0
        if rng.random() < accepted:
            at, value, gradient = there, new_value, new_gradient
        if turn < WARM_UP:
            step.adapt(accepted)
        else:
            step.settle()
            draws[turn - WARM_UP] = at
    return draws


class _StepSize:
    """Dual averaging (Nesterov 2009, as in Hoffman and Gelman 2014, section 3.2)."""

    def __init__(self) -> None:
        self.size = 0.5
        self._log_mean, self._shortfall, self._turns = np.log(0.5), 0.0, 0

    def adapt(self, accepted: float) -> None:
        self._turns += 1
        self._shortfall += (TARGET - accepted - self._shortfall) / (self._turns + 5)
        log_size = np.log(LARGEST_STEP) - np.sqrt(self._turns) / 0.2 * self._shortfall
        log_size = float(np.clip(log_size, np.log(0.01), np.log(LARGEST_STEP)))
        self.size = float(np.exp(log_size))
        self._log_mean += self._turns**-0.75 * (log_size - self._log_mean)

    def settle(self) -> None:
        self.size = float(np.exp(self._log_mean))
