"""Hamiltonian Monte Carlo for smooth densities that are nearly normal."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.linalg import solve_triangular

from labelnoise.progress import steps
from labelnoise.rank_gate.settings import (
    ACCEPTED_SHARE,
    LARGEST_LEAP,
    LEAPS,
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
        """A move in z as a move of the parameters."""
        moved: FloatArray = solve_triangular(self.factor.T, z, lower=False)
        return moved

    def gradient(self, gradient: FloatArray) -> FloatArray:
        """A gradient in the parameters as one in z."""
        seen: FloatArray = solve_triangular(self.factor, gradient, lower=True)
        return seen


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
    at = _Point(mode, *target(mode))
    draws = np.empty((n_draws, len(mode)))
    for turn in steps("drawing intervals", range(WARM_UP_TRAJECTORIES + n_draws)):
        push = rng.standard_normal(len(mode))
        leap = step.size * rng.uniform(0.8, 1.2)  # no period to fall in step with
        there, left = _trajectory(target, space, at, push, leap)
        lost = float(there.value + 0.5 * left @ left - at.value - 0.5 * push @ push)
        accepted = float(np.exp(-max(lost, 0.0))) if np.isfinite(lost) else 0.0
        if rng.random() < accepted:
            at = there
        if turn < WARM_UP_TRAJECTORIES:
            step.adapt(accepted, last=turn == WARM_UP_TRAJECTORIES - 1)
        else:
            draws[turn - WARM_UP_TRAJECTORIES] = at.at
    return draws


class _Point(NamedTuple):
    """Where the chain is: parameters (P,), negative log-density, its gradient (P,)."""

    at: FloatArray
    value: float
    gradient: FloatArray


def _trajectory(
    target: Target, space: Whitening, start: _Point, push: FloatArray, leap: float
) -> tuple[_Point, FloatArray]:
    """Leapfrog: where a push from `start` leads, and what is left of the push."""
    there, force = start, space.gradient(start.gradient)
    for _ in range(LEAPS):
        push = push - 0.5 * leap * force
        at = there.at + leap * space.step(push)
        there = _Point(at, *target(at))
        if not np.isfinite(there.value):
            break
        force = space.gradient(there.gradient)
        push = push - 0.5 * leap * force
    return there, push


class _StepSize:
    """Dual averaging (Nesterov 2009, as in Hoffman and Gelman 2014, section 3.2).

    Its constants differ from theirs: the chain starts at the mode, in coordinates where steps of
    about one are right, and warms up for few turns only.
    """

    def __init__(self) -> None:
        self.size = 0.5
        self._log_mean, self._shortfall, self._turns = np.log(0.5), 0.0, 0

    def adapt(self, accepted: float, *, last: bool) -> None:
        self._turns += 1
        self._shortfall += (ACCEPTED_SHARE - accepted - self._shortfall) / (self._turns + 5)
        log_size = np.log(LARGEST_LEAP) - np.sqrt(self._turns) / 0.2 * self._shortfall
        log_size = float(np.clip(log_size, np.log(0.01), np.log(LARGEST_LEAP)))
        self.size = float(np.exp(log_size))
        self._log_mean += self._turns**-0.75 * (log_size - self._log_mean)
        if last:
            self.size = float(np.exp(self._log_mean))
