"""Answers drawn from a known model, for the benchmark and the tests of annotators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def crowd(
    n_classes: int,
    n_annotators: int,
    rng: np.random.Generator,
    *,
    strength: float = 20.0,
    careful: tuple[float, float] = (4.0, 1.5),
) -> FloatArray:
    """T (A, K, K) of annotators who differ in care and habits."""
    common = 0.75 * np.eye(n_classes) + 0.25 * rng.dirichlet(np.ones(n_classes), n_classes)
    share = rng.beta(*careful, n_annotators)[:, None, None]
    guess = rng.dirichlet(np.full(n_classes, 2.0), (n_annotators, 1))
    weights = strength * (share * common + (1 - share) * guess)
    drawn = np.maximum(rng.standard_gamma(weights), 1e-12)
    return drawn / drawn.sum(axis=-1, keepdims=True)


def answers(
    T: FloatArray, true: IntArray, per_row: int, rng: np.random.Generator
) -> tuple[IntArray, IntArray, IntArray]:
    """`per_row` answers to each row, by annotators of very different diligence."""
    n, a = len(true), len(T)
    diligence = 0.9 * rng.dirichlet(np.ones(a)) + 0.1 / a
    keys = np.log(diligence) + rng.gumbel(size=(n, a))
    who = np.argsort(-keys, axis=1)[:, :per_row].ravel()
    row = np.repeat(np.arange(n), per_row)
    bounds = T[who, true[row]].cumsum(axis=1)[:, :-1]
    label = (bounds < rng.random((len(row), 1))).sum(axis=1)
    return row, who, label
