"""Draws from the posterior of the crowd model, for intervals: a Gibbs sampler.

Every step is conjugate. The counts of a matrix are Dirichlet-multinomial; a number of tables for
each of them (the Chinese restaurant franchise of [1]_) makes the common matrix C and the careful
shares w conjugate, too. The chain starts at the mode, and classes keep their names there: other
orders of the classes are far less probable, as the prior is better than chance.

.. [1] Teh, Jordan, Beal, Blei. *Hierarchical Dirichlet processes.* JASA 101, 2006.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln

from labelnoise.annotators.answers import softmax
from labelnoise.annotators.crowd import (
    LOG_PRIOR_OF_STRENGTH,
    STRENGTHS,
    Crowd,
    common_prior,
    prior_of_sources,
    single_label_transition,
)
from labelnoise.annotators.settings import (
    CAREFUL_ROWS,
    FIRST_CAREFUL_SHARE,
    MAX_ANSWERS_DRAWN,
    MIN_DRAWS,
    MIN_PROBABILITY,
    N_DRAWS,
    WARM_UP_SHARE,
)

if TYPE_CHECKING:
    from labelnoise.annotators.answers import Answers
    from labelnoise.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and variance of the draws, of any shape."""

    mean: FloatArray
    variance: FloatArray


@dataclass(frozen=True, eq=False)
class CrowdDraws:
    """Moments of what was drawn.

    Attributes
    ----------
    transition : Moments
        (A + 1, K, K): of every annotator, and of all together, weighted by their answers.
    noise_rate : Moments
        (A + 1,): expected share of wrong answers, on rows such as those answered.
    prior : Moments
        (K,): class frequencies.
    """

    transition: Moments
    noise_rate: Moments
    prior: Moments


def draw(
    answers: Answers, crowd: Crowd, log_prior: FloatArray | None, rng: np.random.Generator
) -> CrowdDraws:
    """Moments of draws of the crowd, started at its mode.

    Parameters
    ----------
    answers : Answers
    crowd : Crowd
        The mode.
    log_prior : (n, K) array or None
        Log-probabilities from features; the class frequencies, which are drawn, if None.
    rng : Generator
    """
    n = int(np.clip(MAX_ANSWERS_DRAWN // len(answers), MIN_DRAWS, N_DRAWS))
    warm_up = int(WARM_UP_SHARE * n)
    sums: list[tuple[FloatArray, FloatArray]] = []
    for step in range(warm_up + n):
        crowd, counts = _next(answers, crowd, log_prior, rng)
        if step < warm_up:
            continue
        drawn = (*_with_all(crowd.transition, counts), crowd.prior)
        if not sums:
            sums = [(np.zeros_like(one), np.zeros_like(one)) for one in drawn]
        sums = [
            (total + one, squares + one**2)
            for (total, squares), one in zip(sums, drawn, strict=True)
        ]
    return CrowdDraws(*(_moments(total / n, squares / n) for total, squares in sums))


def _moments(mean: FloatArray, mean_square: FloatArray) -> Moments:
    return Moments(mean, np.maximum(mean_square - mean**2, MIN_PROBABILITY))


def _with_all(transition: FloatArray, counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """T (A + 1, K, K) and noise rates (A + 1,), the last of all annotators together."""
    together, of_class = together_with(transition, counts), counts.sum(axis=2)
    of_class = np.concatenate([of_class, of_class.sum(axis=0)[None]])
    of_class /= of_class.sum(axis=1, keepdims=True)
    right = (of_class * np.diagonal(together, axis1=1, axis2=2)).sum(axis=1)
    return together, 1 - right


def together_with(transition: FloatArray, counts: FloatArray) -> FloatArray:
    """T (A + 1, K, K): of the annotators, and their average by answers to rows of each class."""
    weight = counts.sum(axis=2) + MIN_PROBABILITY
    average = (weight[:, :, None] * transition).sum(axis=0) / weight.sum(axis=0)[:, None]
    return np.concatenate([transition, average[None]])


def _next(
    answers: Answers, crowd: Crowd, log_prior: FloatArray | None, rng: np.random.Generator
) -> tuple[Crowd, FloatArray]:
    """The next state of the chain, and the counts (A, K, K) [annotator, true class, label]."""
    _, a, k = answers.shape
    prior = np.log(np.maximum(crowd.prior, MIN_PROBABILITY)) if log_prior is None else log_prior
    true = _categorical(softmax(prior + answers.log_likelihood(crowd.log_evidence)), rng)
    cell = (answers.annotator * k + true[answers.row]) * k + answers.label
    tally = np.bincount(cell, minlength=a * k * k).reshape(a, k, k)
    classes = np.bincount(true[answers.answered], minlength=k)
    crowd = replace(crowd, prior=rng.dirichlet(classes + 1.0))
    judges = ~answers.single_label
    if judges.any():
        crowd = _with_center(crowd, tally[judges], judges, rng)
    transition = _dirichlets(tally + crowd.strength * crowd.center, rng)
    evidence = np.log(transition)
    if not judges.all():
        transition[~judges] = single_label_transition(answers)[:, None, :]
        shares = tally[~judges].sum(axis=2) + prior_of_sources(answers)
        evidence[~judges] = np.log(_dirichlets(shares.T, rng)).T[:, :, None]
    counts = tally.astype(np.float64)
    return replace(crowd, transition=transition, log_evidence=evidence), counts


def _with_center(
    crowd: Crowd, tally: IntArray, judges: BoolArray, rng: np.random.Generator
) -> Crowd:
    """Draws of the strength, the careful shares and the common matrix, given counts of judges."""
    w, k = crowd.careful[judges], tally.shape[2]
    center = crowd.center[judges]
    tables = _tables(tally, crowd.strength * center, rng)
    of_careful = np.clip(w[:, None, None] * crowd.common / center, 0, 1)
    careful = rng.binomial(tables, of_careful)
    average = (careful.sum() + FIRST_CAREFUL_SHARE) / (tables.sum() + 1)
    share, right = crowd.careful.copy(), careful.sum(axis=(1, 2))
    guesses = tables.sum(axis=(1, 2)) - right
    share[judges] = rng.beta(right + CAREFUL_ROWS * average, guesses + CAREFUL_ROWS * (1 - average))
    common = _dirichlets(careful.sum(axis=0) + common_prior(k), rng)
    n = tally.sum(axis=2)[..., None]
    log_p = tables.sum() * np.log(STRENGTHS) + LOG_PRIOR_OF_STRENGTH
    log_p += (gammaln(STRENGTHS) - gammaln(STRENGTHS + n)).sum(axis=(0, 1))
    strength = STRENGTHS[_categorical(softmax(log_p[None]), rng)[0]]
    return replace(crowd, careful=share, common=common, strength=float(strength))


def _tables(tally: IntArray, prior: FloatArray, rng: np.random.Generator) -> IntArray:
    """Numbers of tables for counts of the same shape.

    The j-th of the answers in a cell opens a table with probability ``prior / (prior + j)``, j
    counted from 0.
    """
    flat = tally.ravel()
    cell = np.repeat(np.arange(flat.size), flat)
    earlier = np.arange(len(cell)) - (np.cumsum(flat) - flat)[cell]
    weight = prior.ravel()[cell]
    opens = rng.random(len(cell)) * (weight + earlier) < weight
    return np.bincount(cell[opens], minlength=flat.size).reshape(tally.shape)


def _categorical(probabilities: FloatArray, rng: np.random.Generator) -> IntArray:
    """A draw from each row of probabilities (n, K)."""
    bounds = probabilities.cumsum(axis=1)[:, :-1]
    return (bounds < rng.random((len(bounds), 1))).sum(axis=1)


def _dirichlets(weights: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Draws from Dirichlet distributions along the last axis."""
    drawn = np.maximum(rng.standard_gamma(weights), MIN_PROBABILITY)
    found: FloatArray = drawn / drawn.sum(axis=-1, keepdims=True)
    return found
