"""Generated data for curves: two normal classes whose size, noise and overlap can be chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from labelnoise.data.noise import inject_noise
from experiments.draws import Draw

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


@dataclass(frozen=True)
class Normals:
    """Two normal classes in ten dimensions.

    Attributes
    ----------
    n : int
        Rows.
    noise : float
        Share of wrong labels on average; class 0 has a third more of it, class 1 a third less.
    overlap : float
        Share of rows that the best classifier gets wrong.
    """

    n: int = 2000
    noise: float = 0.2
    overlap: float = 0.05

    @classmethod
    def at(cls, level: str) -> Self:
        """The default with one thing changed: ``"noise=0.3"``."""
        name, _, value = level.partition("=")
        kind = type(getattr(cls, name))
        return replace(cls(), **{name: kind(float(value))})

    @property
    def rates(self) -> FloatArray:
        """T (2, 2)."""
        e1, e2 = self.noise * 4 / 3, self.noise * 2 / 3
        return np.array([[1 - e1, e1], [e2, 1 - e2]])

    def draw(self, seed: int) -> Draw:
        """Draw features and labels."""
        from scipy.stats import norm

        rng = np.random.default_rng(seed)
        clean = rng.integers(2, size=self.n)
        apart = -2 * norm.ppf(self.overlap)  # the best border is half-way
        X = rng.standard_normal((self.n, 10)) + apart / np.sqrt(10) * clean[:, None]
        return Draw(X, clean, inject_noise(clean, self.rates, rng))
