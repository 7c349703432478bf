"""Clean data -> noisy data: the noise of the paper, and generated data for curves and timings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import norm
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler

import labelnoise as ln

if TYPE_CHECKING:
    from experiments.sources import DataFolder, Source
    from labelnoise.arrays import FloatArray, IntArray

LEVELS = ("low", "medium", "high")
RATES = dict(zip(LEVELS, ((0.2, 0.1), (0.4, 0.2), (0.4, 0.4)), strict=True))
"""Tabular sets: shares of class 0 and of class 1 whose labels are flipped."""

RATIOS = dict(zip(LEVELS, (8.0, 4.0, 1.5), strict=True))
"""Text sets: r in the average noise rate ``1 / (1 + r / sqrt(K - 1))``."""


@dataclass(frozen=True)
class Draw:
    """Features with clean labels and one draw of noisy ones."""

    X: FloatArray  # (n, d)
    clean: IntArray  # (n,)
    noisy: IntArray  # (n,)

    @property
    def transition(self) -> ln.TransitionMatrix:
        """The realized T, which the paper takes as the truth."""
        return ln.realized_transition(self.clean, self.noisy)


def draw(data: DataFolder, source: Source, level: str, seed: int) -> Draw:
    """Draw noise of one level for one of the paper's data sets."""
    X, y = data.load(source)
    return text_draw(X, y, level, seed) if source.is_text else tabular_draw(X, y, level, seed)


def tabular_draw(X: FloatArray, y: IntArray, level: str, seed: int) -> Draw:
    """80% of the rows, standardized; exactly floor(count x rate) labels of each class flipped.

    One RandomState drives the split, the flips of class 0 and those of class 1, in this order.
    """
    rng = np.random.RandomState(seed)
    X, _, clean, _ = train_test_split(X, y, test_size=0.2, random_state=rng)
    e1, e2 = RATES[level]
    noisy = ln.inject_noise(clean, [[1 - e1, e1], [e2, 1 - e2]], rng, exact=True)
    X = StandardScaler().fit_transform(X)
    return Draw(X[:, X.std(axis=0) > 0], clean, noisy)  # a category may be absent from the 80%


def text_draw(X: FloatArray, y: IntArray, level: str, seed: int) -> Draw:
    """A random diagonally dominant T; labels drawn row by row."""
    rng = np.random.default_rng(seed)
    n_classes = int(y.max()) + 1
    T = ln.random_noise(n_classes, ln.paper_noise_rate(RATIOS[level], n_classes), rng)
    return Draw(X[:, X.std(axis=0) > 0], y, ln.inject_noise(y, T, rng))


@dataclass(frozen=True)
class TwoNormals:
    """Two normal classes in ten dimensions.

    Attributes
    ----------
    n : int
        Number of rows.
    noise : float
        Average noise rate; that of class 0 is a third higher, that of class 1 a third lower.
    overlap : float
        Error rate of the Bayes classifier.
    """

    n: int = 2000
    noise: float = 0.2
    overlap: float = 0.05

    @classmethod
    def at(cls, level: str) -> TwoNormals:
        """The default task with one attribute changed, as in ``"noise=0.3"``.

        >>> TwoNormals.at("noise=0.3")
        TwoNormals(n=2000, noise=0.3, overlap=0.05)
        """
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
        rng = np.random.default_rng(seed)
        clean = rng.integers(2, size=self.n)
        distance = -2 * norm.ppf(self.overlap)  # the Bayes boundary is half-way
        X = rng.standard_normal((self.n, 10)) + distance / np.sqrt(10) * clean[:, None]
        return Draw(X, clean, ln.inject_noise(clean, self.rates, rng))


def random_centers(n: int, d: int, k: int, seed: int) -> Draw:
    """Draw `k` normal classes around random centers in `d` dimensions, with 30% noise."""
    rng = np.random.default_rng(seed)
    clean = rng.integers(k, size=n)
    X = rng.standard_normal((n, d)) + 0.5 * rng.standard_normal((k, d))[clean]
    return Draw(X, clean, ln.inject_noise(clean, ln.random_noise(k, 0.3, rng), rng))
