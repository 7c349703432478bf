"""Clean data -> noisy data, as the paper draws its noise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

from labelnoise.data.noise import inject_noise, paper_noise_rate, random_noise, realised_transition

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from experiments.library import Library, Source
    from labelnoise.transition import TransitionMatrix

LEVELS = ("low", "medium", "high")
RATES = dict(zip(LEVELS, ((0.2, 0.1), (0.4, 0.2), (0.4, 0.4)), strict=True))
"""Tables: share of class 0 and of class 1 that is flipped."""

RATIOS = dict(zip(LEVELS, (8.0, 4.0, 1.5), strict=True))
"""Text: r in the average rate ``1 / (1 + r / sqrt(K - 1))``."""


@dataclass(frozen=True)
class Draw:
    """One draw of the noise."""

    X: FloatArray  # (n, d)
    clean: IntArray  # (n,)
    noisy: IntArray  # (n,)

    @property
    def transition(self) -> TransitionMatrix:
        """The realised T, the paper's truth."""
        return realised_transition(self.clean, self.noisy)


def draw(library: Library, source: Source, level: str, seed: int) -> Draw:
    """Draw noise of a level for one of the sets."""
    X, y = library.load(source)
    return text_draw(X, y, level, seed) if source.is_text else tabular_draw(X, y, level, seed)


def tabular_draw(X: FloatArray, y: IntArray, level: str, seed: int) -> Draw:
    """80% of the rows, standardized, and exactly floor(count x rate) labels of each class flipped.

    One RandomState drives the split, the flips of class 0 and those of class 1, in this order.
    """
    rng = np.random.RandomState(seed)
    X, _, clean, _ = train_test_split(X, y, test_size=0.2, random_state=rng)
    e1, e2 = RATES[level]
    noisy = inject_noise(clean, [[1 - e1, e1], [e2, 1 - e2]], rng, exact=True)
    X = StandardScaler().fit_transform(X)
    return Draw(X[:, X.std(axis=0) > 0], clean, noisy)  # a category may be missing from the 80%


def text_draw(X: FloatArray, y: IntArray, level: str, seed: int) -> Draw:
    """A random diagonally dominant T, and labels drawn row by row."""
    rng = np.random.default_rng(seed)
    n_classes = int(y.max()) + 1
    T = random_noise(n_classes, paper_noise_rate(RATIOS[level], n_classes), rng)
    return Draw(X[:, X.std(axis=0) > 0], y, inject_noise(y, T, rng))
