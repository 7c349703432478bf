"""Plain Dawid-Skene: maximum likelihood by EM from the shares of votes, without any prior."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from labelnoise.annotators.answers import softmax
from labelnoise.annotators.settings import PLAIN_FLOOR, PLAIN_ROUNDS, PLAIN_TOLERANCE

if TYPE_CHECKING:
    from labelnoise.annotators.answers import Answers
    from labelnoise.arrays import FloatArray


class PlainFit(NamedTuple):
    """Matrices (A, K, K), class prior (K,) and posteriors (n, K)."""

    transition: FloatArray
    prior: FloatArray
    posterior: FloatArray


def dawid_skene(answers: Answers) -> PlainFit:
    """Fit T of every annotator by maximum likelihood [1]_.

    Rounds, floors and the criterion to stop are those of crowd-kit 1.4, whose results it equals.
    With few answers a row the likelihood has maxima far from the truth; `fit_crowd` has priors
    against that.

    .. [1] Dawid, Skene. *Maximum likelihood estimation of observer error-rates using the EM
       algorithm.* Applied Statistics 28, 1979.
    """
    seen = answers.answered
    posterior = answers.vote_shares.copy()
    prior, transition = _maximized(answers, posterior)
    bound = -np.inf
    for _ in range(PLAIN_ROUNDS):
        log_T, log_p = np.log(transition), np.log(np.maximum(prior, PLAIN_FLOOR))
        joint = log_p + answers.log_likelihood(log_T)
        posterior[seen] = softmax(joint)[seen]
        prior, transition = _maximized(answers, posterior)
        before, bound = bound, _bound(answers, posterior, prior, transition)
        if bound - before < PLAIN_TOLERANCE:
            break
    posterior[~seen] = prior
    return PlainFit(transition, prior, posterior)


def _maximized(answers: Answers, posterior: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The class prior and the matrices for these posteriors; labels never given stay at zero."""
    counts = answers.expected_counts(posterior)
    used = (answers.given > 0)[:, None, :]
    counts = np.where(used, np.maximum(counts, PLAIN_FLOOR), 0.0)
    transition = counts / counts.sum(axis=2, keepdims=True)
    # never looked up, but logarithms of zero would warn
    return posterior[answers.answered].mean(axis=0), np.where(used, transition, PLAIN_FLOOR)


def _bound(
    answers: Answers, posterior: FloatArray, prior: FloatArray, transition: FloatArray
) -> float:
    """crowd-kit's evidence lower bound per answer, which counts the prior once per answer."""
    log_p = np.log(np.maximum(prior, PLAIN_FLOOR))
    log_joint = answers.log_likelihood(np.log(transition)) + answers.n_answers[:, None] * log_p
    q = posterior[answers.answered]
    expected = (q * log_joint[answers.answered]).sum()
    q = np.maximum(q, PLAIN_FLOOR)
    return float(expected - (np.log(q) * q).sum()) / len(answers)
