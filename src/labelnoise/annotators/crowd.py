"""The default model: every annotator's T is drawn around the matrix of the crowd.

Given the true class i of a row, annotator a answers l with probability ``T_a[i, l]``, independently
of all other answers. Row i of T_a has the prior

    T_a[i] ~ Dirichlet(s (w_a C[i] + (1 - w_a) g))

where C is the crowd's common matrix, w_a the share of a's answers that are careful, g the
frequencies of the labels (what a guess looks like), and s the strength, in answers. The crowd
determines C, s and the average of w. So an annotator with five answers is close to the crowd, one
with a thousand is not, and one who guesses is recognized by few numbers (as in MACE [1]_) before
there are enough answers for a whole matrix.

Sources that use a single label are described by which rows they answer: given the true class i and
that one of these sources answers, it is source b with probability ``phi[i, b]``. Together they are
like one annotator whose answer is the name of the source. How many of them answer is not used.

The parameters maximize the posterior by EM, with prior exponents of one more than above, so that
the mode of T is ``(counts + s center) / (n + s)``.

.. [1] Hovy, Berg-Kirkpatrick, Vaswani, Hovy. *Learning whom to trust with MACE.* NAACL 2013.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import gammaln, zeta

from labelnoise.annotators.answers import softmax
from labelnoise.annotators.settings import (
    CAREFUL_ROWS,
    COMMON_CORRECT,
    COMMON_WRONG,
    FIRST_CAREFUL_SHARE,
    MAX_CURVATURE,
    MAX_ROUNDS,
    MAX_STRENGTH,
    MIN_PROBABILITY,
    MIN_STRENGTH,
    ROUNDS_OF_STRENGTH,
    SINGLE_LABEL_ACCURACY,
    SINGLE_LABEL_PRIOR,
    STRENGTH_SPREAD,
    STRENGTHS_PER_E_FOLD,
    TOLERANCE,
    TYPICAL_STRENGTH,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.annotators.answers import Answers
    from labelnoise.arrays import BoolArray, FloatArray

    RowPrior = Callable[[FloatArray], FloatArray]
    """From log-likelihoods of the answers (n, K) to log-probabilities of the classes (n, K)."""

N_STRENGTHS = 1 + round(STRENGTHS_PER_E_FOLD * np.log(MAX_STRENGTH / MIN_STRENGTH))
STRENGTHS = np.geomspace(MIN_STRENGTH, MAX_STRENGTH, N_STRENGTHS)
LOG_PRIOR_OF_STRENGTH = -0.5 * (np.log(STRENGTHS / TYPICAL_STRENGTH) / STRENGTH_SPREAD) ** 2


@dataclass(frozen=True, eq=False)
class Crowd:
    """Parameters of the model.

    Attributes
    ----------
    common : (K, K) array
        C, the matrix of careful answers.
    careful : (A,) array
        w, the share of careful answers.
    guess : (K,) array
        g, the frequencies of the labels.
    strength : float
        s, the weight of the prior in answers.
    transition : (A, K, K) array
        T of every annotator.
    log_evidence : (A, K, K) array
        log P(answer | true class): of T, or of phi for sources with a single label.
    prior : (K,) array
        Class frequencies.
    """

    common: FloatArray
    careful: FloatArray
    guess: FloatArray
    strength: float
    transition: FloatArray
    log_evidence: FloatArray
    prior: FloatArray

    @property
    def center(self) -> FloatArray:
        """Mean of the prior of every annotator's T, (A, K, K)."""
        return centers(self.common, self.careful, self.guess)


@dataclass(frozen=True, eq=False)
class CrowdFit:
    """Fitted parameters, posteriors (n, K), and whether the search had ended."""

    crowd: Crowd
    posterior: FloatArray
    converged: bool


def centers(common: FloatArray, careful: FloatArray, guess: FloatArray) -> FloatArray:
    """``w_a C + (1 - w_a) g``, (A, K, K)."""
    w = careful[:, None, None]
    found: FloatArray = w * common + (1 - w) * guess
    return found


def common_prior(n_classes: int) -> FloatArray:
    """Dirichlet prior of the rows of the common matrix, (K, K), in answers."""
    return COMMON_CORRECT * np.eye(n_classes) + COMMON_WRONG / n_classes


def fit_crowd(
    answers: Answers, start: FloatArray | None = None, row_prior: RowPrior | None = None
) -> CrowdFit:
    """Fit the model by EM.

    Parameters
    ----------
    answers : Answers
    start : (n, K) array, optional
        Posteriors to start from; the shares of votes if left out.
    row_prior : callable, optional
        Log-probabilities of each row's classes, (n, K), from its features; the class frequencies
        if left out.
    """
    posterior = answers.vote_shares if start is None else start
    crowd, converged = _first(answers), False
    for step in range(1, MAX_ROUNDS + 1):
        judged = step % ROUNDS_OF_STRENGTH == 0
        crowd = _maximized(answers, posterior, crowd, with_strength=judged)
        likelihood = answers.log_likelihood(crowd.log_evidence)
        prior = np.log(crowd.prior) if row_prior is None else row_prior(likelihood)
        before, posterior = posterior, softmax(prior + likelihood)
        if judged and 0.5 * np.abs(posterior - before).sum() < TOLERANCE * len(posterior):
            converged = True
            break
    return CrowdFit(crowd, posterior, converged)


def _first(answers: Answers) -> Crowd:
    """Where EM starts: an average crowd, as careful as assumed."""
    _, a, k = answers.shape
    counts = answers.expected_counts(answers.vote_shares)[~answers.single_label].sum(axis=0)
    common = counts + common_prior(k)
    common /= common.sum(axis=1, keepdims=True)
    nothing = np.zeros((a, k, k))
    careful, even = np.full(a, FIRST_CAREFUL_SHARE), np.full(k, 1 / k)
    return Crowd(common, careful, even, TYPICAL_STRENGTH, nothing, nothing, even)


def _maximized(
    answers: Answers, posterior: FloatArray, crowd: Crowd, *, with_strength: bool
) -> Crowd:
    """The parameters for these posteriors (n, K); the strength costs most, and changes least."""
    counts, single = answers.expected_counts(posterior), answers.single_label
    prior = posterior[answers.answered].sum(axis=0) + 1
    crowd = replace(crowd, prior=prior / prior.sum())
    if not single.all():
        crowd = _with_center(crowd, counts, ~single)
    if with_strength and not single.all():
        variance = counts - answers.expected_counts(posterior**2)
        crowd = _with_strength(crowd, counts[~single], variance[~single], ~single)
    weighted = counts + crowd.strength * crowd.center
    transition = weighted / weighted.sum(axis=2, keepdims=True)
    evidence = np.log(np.maximum(transition, MIN_PROBABILITY))
    if single.any():
        transition[single] = single_label_transition(answers)[:, None, :]
        evidence[single] = np.log(shares_of_sources(answers, counts[single]))[:, :, None]
    return replace(crowd, transition=transition, log_evidence=evidence)


def _with_center(crowd: Crowd, counts: FloatArray, judges: BoolArray) -> Crowd:
    """One round of EM for the careful answers: which they are, whose, and what they look like.

    Single-label sources keep the share that annotators start with; it is not used.
    """
    n = counts[judges]
    guess = n.sum(axis=(0, 1)) + 1 / n.shape[2]
    guess /= guess.sum()
    w = crowd.careful[judges]
    careful = n * w[:, None, None] * crowd.common / centers(crowd.common, w, guess)
    average = (careful.sum() + FIRST_CAREFUL_SHARE) / (n.sum() + 1)
    share = crowd.careful.copy()
    by_annotator = careful.sum(axis=(1, 2)) + CAREFUL_ROWS * average
    share[judges] = by_annotator / (n.sum(axis=(1, 2)) + CAREFUL_ROWS)
    common = careful.sum(axis=0) + common_prior(n.shape[2])
    common /= common.sum(axis=1, keepdims=True)
    return replace(crowd, common=common, careful=share, guess=guess)


def _with_strength(
    crowd: Crowd, counts: FloatArray, variance: FloatArray, judges: BoolArray
) -> Crowd:
    """One step on the grid of strengths toward larger marginal likelihood.

    Counts are Dirichlet-multinomial given the true classes. These are uncertain, and expected
    counts are smoother than counts, so their likelihood would claim that annotators hardly differ.
    A second-order expansion corrects for it: ``E f(N) = f(E N) + f''(E N) Var(N) / 2``.
    """
    center = crowd.center[judges]
    at = int(np.abs(STRENGTHS - crowd.strength).argmin())
    n, of_row = counts.sum(axis=2), variance.sum(axis=2)

    def log_likelihood(position: int) -> float:
        s = STRENGTHS[position]
        cells = s * center
        value = (gammaln(s) - gammaln(s + n) - 0.5 * zeta(2, s + n) * of_row).sum()
        curvature = np.minimum(zeta(2, cells + counts), MAX_CURVATURE)
        value += (gammaln(cells + counts) - gammaln(cells) + 0.5 * curvature * variance).sum()
        return float(value + LOG_PRIOR_OF_STRENGTH[position])

    near = range(max(at - 1, 0), min(at + 2, N_STRENGTHS))
    return replace(crowd, strength=float(STRENGTHS[max(near, key=log_likelihood)]))


def single_label_transition(answers: Answers) -> FloatArray:
    """The row (K,) of T that all true classes share, for each source with a single label."""
    given = answers.given[answers.single_label]
    return given / given.sum(axis=1, keepdims=True)


def prior_of_sources(answers: Answers) -> FloatArray:
    """Prior counts (B, K) [source, true class] of the answers of sources with a single label."""
    given = answers.given[answers.single_label]
    k = given.shape[1]
    right = np.eye(k)[given.argmax(axis=1)]
    expected = np.where(right, SINGLE_LABEL_ACCURACY, (1 - SINGLE_LABEL_ACCURACY) / (k - 1))
    prior = expected * given.sum(axis=1, keepdims=True)
    weight = (SINGLE_LABEL_PRIOR * given.sum() + 2) / k
    scaled: FloatArray = weight * prior / prior.sum(axis=0)
    return scaled


def shares_of_sources(answers: Answers, counts: FloatArray) -> FloatArray:
    """Which source answers, given the true class: phi transposed, (B, K), from counts (B, K, K)."""
    shares = counts.sum(axis=2) + prior_of_sources(answers)
    return np.maximum(shares / shares.sum(axis=0), MIN_PROBABILITY)
