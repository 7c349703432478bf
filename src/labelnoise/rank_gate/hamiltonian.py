"""Hamiltonian Monte Carlo for smooth densities that are nearly normal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from labelnoise.progress import steps
from labelnoise.rank_gate.settings import (
    ADAPTATION_DELAY,
    ADAPTATION_SCALE,
    AVERAGING_POWER,
    INITIAL_STEP_SIZE,
    LEAPFROG_STEPS,
    MAX_STEP_SIZE,
    MIN_STEP_SIZE,
    STEP_JITTER,
    TARGET_ACCEPTANCE,
    WARM_UP_TRAJECTORIES,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray

Target = Callable[["FloatArray"], tuple[float, "FloatArray"]]


class Whitening:
    """Coordinates z with ``at = mode + L^{-T} z``, in which the curvature L L^T is the identity."""

    def __init__(self, curvature: FloatArray) -> None:
        self.factor = np.linalg.cholesky(curvature)

    def step(self, z: FloatArray) -> FloatArray:
        """A step in z as a step in the parameters."""
        moved: FloatArray = solve_triangular(self.factor.T, z, lower=False)
        return moved

    def gradient(self, gradient: FloatArray) -> FloatArray:
        """A gradient with respect to the parameters as one with respect to z."""
        transformed: FloatArray = solve_triangular(self.factor, gradient, lower=True)
        return transformed


def hamiltonian_draws(
    target: Target,
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
        Roughly the Hessian there. Only the speed of the chain depends on it, not its distribution.
    """
    space, step = Whitening(curvature), _StepSize()
    point = _Point(mode, *target(mode))
    draws = np.empty((n_draws, len(mode)))
    for i in steps("drawing intervals", range(WARM_UP_TRAJECTORIES + n_draws)):
        momentum = rng.standard_normal(len(mode))
        step_size = step.size * rng.uniform(*STEP_JITTER)
        kinetic = 0.5 * momentum @ momentum
        end, momentum = _trajectory(target, space, point, momentum, step_size)
        error = float(end.value + 0.5 * momentum @ momentum - point.value - kinetic)
        # Exact trajectories would conserve the energy.
        accepted = float(np.exp(-max(error, 0.0))) if np.isfinite(error) else 0.0
        if rng.random() < accepted:
            point = end
        if i < WARM_UP_TRAJECTORIES:
            step.adapt(accepted, last=i == WARM_UP_TRAJECTORIES - 1)
        else:
            draws[i - WARM_UP_TRAJECTORIES] = point.at
    return draws


class _Point(NamedTuple):
    """State of the chain: parameters (P,), negative log-density, its gradient (P,)."""

    at: FloatArray
    value: float
    gradient: FloatArray


def _trajectory(
    target: Target, space: Whitening, start: _Point, momentum: FloatArray, step_size: float
) -> tuple[_Point, FloatArray]:
    """Leapfrog steps from `start`: the end point, and the momentum there."""
    point, force = start, space.gradient(start.gradient)
    for _ in range(LEAPFROG_STEPS):
        momentum = momentum - 0.5 * step_size * force
        at = point.at + step_size * space.step(momentum)
        point = _Point(at, *target(at))
        if not np.isfinite(point.value):
            break
        force = space.gradient(point.gradient)
        momentum = momentum - 0.5 * step_size * force
    return point, momentum


class _StepSize:
    """Dual averaging (Nesterov 2009, as in Hoffman and Gelman 2014, section 3.2).

    The constants differ from theirs: the chain starts at the mode, in coordinates in which a step
    size of about one is adequate, and the warm-up is short.
    """

    def __init__(self) -> None:
        self.size = INITIAL_STEP_SIZE
        self._log_mean, self._shortfall, self._n_updates = np.log(INITIAL_STEP_SIZE), 0.0, 0

    def adapt(self, accepted: float, *, last: bool) -> None:
        self._n_updates += 1
        self._shortfall += (TARGET_ACCEPTANCE - accepted - self._shortfall) / (
            self._n_updates + ADAPTATION_DELAY
        )
        log_size = (
            np.log(MAX_STEP_SIZE) - np.sqrt(self._n_updates) / ADAPTATION_SCALE * self._shortfall
        )
        log_size = float(np.clip(log_size, np.log(MIN_STEP_SIZE), np.log(MAX_STEP_SIZE)))
        self.size = float(np.exp(log_size))
        self._log_mean += self._n_updates**-AVERAGING_POWER * (log_size - self._log_mean)
        if last:
            self.size = float(np.exp(self._log_mean))
