"""Results for the classes that occur, placed among all declared ones."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.uncertainty import Bounds, Draws

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.uncertainty import Limits


@dataclass(frozen=True)
class Placement:
    """Positions of the classes that occur among all; the others get no noise and no rows."""

    labels: Labels

    @property
    def present_codes(self) -> IntArray:
        """Codes of the classes that occur."""
        return self.labels.present_codes

    def probabilities(self, given: FloatArray) -> FloatArray:
        """Those of the classes that occur, from all (n, K); uniform where only others had any."""
        if len(self.present_codes) == given.shape[1]:
            return given
        kept = given[:, self.present_codes]
        total = kept.sum(axis=1, keepdims=True)
        return np.divide(kept, total, out=np.full_like(kept, 1 / kept.shape[1]), where=total > 0)

    def transition(self, T: FloatArray) -> FloatArray:
        """T of all classes, (K, K) or (S, K, K)."""
        k = len(self.labels.classes)
        full = np.broadcast_to(np.eye(k), (*T.shape[:-2], k, k)).copy()
        full[..., self.present_codes[:, None], self.present_codes] = T
        return full

    def prior(self, prior: FloatArray) -> FloatArray:
        """Prior of all classes, (K,) or (S, K)."""
        full = np.zeros((*prior.shape[:-1], len(self.labels.classes)))
        full[..., self.present_codes] = prior
        return full

    def draws(self, draws: Draws | None) -> Draws | None:
        """Draws of T and prior of all classes."""
        return draws and Draws(self.transition(draws.transition), self.prior(draws.prior))

    def bounds(self, bounds: Bounds) -> Bounds:
        """Bounds of all classes."""
        return Bounds(self._limits(bounds.lower), self._limits(bounds.upper), self.labels.classes)

    def _limits(self, end: Limits) -> Limits:
        T, prior = self.transition(end.transition_matrix), self.prior(end.class_prior)
        return replace(end, transition_matrix=T, class_prior=prior)
