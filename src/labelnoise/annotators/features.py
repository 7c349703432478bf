"""What features say about the true class, as one more source that is weighed by its worth.

A ridge regression predicts each row's class from the features and the labels of other rows, so
given the true class its prediction is independent of the row's own answers. The predictions of all
penalties are pooled to log-probabilities ``sum_m w_m log p_m + c``; weights w and offsets c
maximize the likelihood of the answers under the model. Features that say nothing get weight zero
and change nothing, and overconfident ones are flattened: no clean labels are needed for that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.annotators.answers import softmax
from labelnoise.annotators.crowd import CrowdFit, fit_crowd
from labelnoise.annotators.settings import (
    MAX_COLUMNS,
    MAX_LEVERAGE,
    MIN_FITTED,
    N_FOLDS,
    RIDGE_PENALTIES,
    WEIGHT_STEPS,
)
from labelnoise.errors import LabelNoiseError
from labelnoise.evidence.groups import content_hashes

if TYPE_CHECKING:
    from labelnoise.annotators.answers import Answers
    from labelnoise.arrays import FloatArray, IntArray

N_SOURCES = len(RIDGE_PENALTIES)


class SoftRidge:
    """Ridge regression of class probabilities (n, K) on coordinates (n, d), for all penalties.

    It is `evidence.posteriors.LinearPosterior` for rows with probabilities in place of labels.
    """

    def __init__(self, Z: FloatArray, targets: FloatArray) -> None:
        self.mean, self.frequencies = Z.mean(axis=0), targets.mean(axis=0)
        centered = Z - self.mean
        variances, self.axes = np.linalg.eigh(centered.T @ centered)
        variances = np.maximum(variances, 0.0)
        unit = float(variances.mean()) or 1.0  # all rows are the same
        self.shrinkages = [1 / (variances + penalty * unit) for penalty in RIDGE_PENALTIES]
        self._along, self._targets = centered @ self.axes, targets
        self._products = self._along.T @ (targets - self.frequencies)

    def leave_one_out(self) -> FloatArray:
        """Log-probabilities (penalties, n, K) of the rows, each without its own target.

        Leaving row r out has the closed form ``y - (y - f) / (1 - h)`` with the leverage h.
        """
        found = []
        for shrinkage in self.shrinkages:
            leverage = (self._along**2) @ shrinkage + 1 / len(self._along)
            residual = self._targets - self._fitted(self._along, shrinkage)
            residual /= 1 - np.minimum(leverage, MAX_LEVERAGE)[:, None]
            found.append(_log(self._targets - residual))
        return np.array(found)

    def predict(self, Z: FloatArray) -> FloatArray:
        """Log-probabilities (penalties, m, K) of other rows."""
        along = (Z - self.mean) @ self.axes
        return np.array([_log(self._fitted(along, one)) for one in self.shrinkages])

    def _fitted(self, along: FloatArray, shrinkage: FloatArray) -> FloatArray:
        found: FloatArray = self.frequencies + along @ (shrinkage[:, None] * self._products)
        return found


def _log(fitted: FloatArray) -> FloatArray:
    clipped = np.maximum(fitted, MIN_FITTED)
    found: FloatArray = np.log(clipped / clipped.sum(axis=1, keepdims=True))
    return found


class Pool:
    """Pooled log-probabilities, with weights that follow the answers during EM.

    Parameters
    ----------
    logs : (M, n, K) array
        Log-probabilities of the sources.
    answered : (n,) array of bool
        Rows that the weights are fitted to.
    start : (M + K,) array, optional
        Weights and offsets to start from.
    """

    def __init__(self, logs: FloatArray, answered: Any, start: FloatArray | None = None) -> None:
        n_sources, _, k = logs.shape
        equal = np.concatenate([np.full(n_sources, 1 / n_sources), np.zeros(k)])
        self.logs, self.answered = logs, answered
        self.weights = equal if start is None else start

    def __call__(self, likelihood: FloatArray) -> FloatArray:
        """Log-probabilities (n, K), once the weights are fitted to the answers (n, K)."""
        self.weights = fitted_weights(
            self.logs[:, self.answered], likelihood[self.answered], self.weights
        )
        return pooled(self.logs, self.weights)


def pooled(logs: FloatArray, weights: FloatArray) -> FloatArray:
    """``sum_m w_m log p_m + c``, normalized, (n, K)."""
    logits = np.tensordot(weights[: len(logs)], logs, 1) + weights[len(logs) :]
    found: FloatArray = logits - np.logaddexp.reduce(logits, axis=1, keepdims=True)
    return found


def fitted_weights(logs: FloatArray, likelihood: FloatArray, start: FloatArray) -> FloatArray:
    """Weights, at least zero, and offsets that maximize the likelihood of the answers.

    The gradient of a row's log-likelihood in the logits is r - q: its posterior with the answers
    minus that without. Offsets have a standard normal prior, as softmax leaves their mean free.
    """
    n_sources, _, k = logs.shape
    likely = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))

    def negative(weights: FloatArray) -> tuple[float, FloatArray]:
        q = softmax(np.tensordot(weights[:n_sources], logs, 1) + weights[n_sources:])
        joint = q * likely
        of_row = joint.sum(axis=1, keepdims=True)
        difference = joint / of_row - q
        offsets = weights[n_sources:]
        value = np.log(of_row).sum() - 0.5 * (offsets**2).sum()
        in_weights = np.einsum("mnk,nk->m", logs, difference)
        return -float(value), -np.concatenate([in_weights, difference.sum(axis=0) - offsets])

    bounds: list[tuple[float | None, None]] = [(0.0, None)] * n_sources + [(None, None)] * k
    found = minimize(
        negative,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": WEIGHT_STEPS},
    )
    weights: FloatArray = found.x
    return weights


@dataclass(frozen=True, eq=False)
class FitWithFeatures:
    """The fit of the crowd, log-probabilities (n, K) from features, and weights of the sources."""

    fit: CrowdFit
    log_prior: FloatArray
    weights: FloatArray


def fit_with_features(answers: Answers, X: FloatArray) -> FitWithFeatures:
    """Fit the crowd together with the worth of the features (n, d).

    First the features predict the votes. The posteriors are better targets, but they contain the
    features' own prediction, and a row would meet itself again in its neighbors. So the rows are
    split into folds, and each is predicted from posteriors that were made without its fold.
    """
    with threadpool_limits(1, user_api="blas"):  # the same sums on every machine
        Z, seen = _standardized(X), answers.answered
        checks.constant_columns(X[seen])
        first = np.empty((N_SOURCES, *answers.vote_shares.shape))
        votes = SoftRidge(Z[seen], answers.vote_shares[seen])
        first[:, seen], first[:, ~seen] = votes.leave_one_out(), votes.predict(Z[~seen])
        pool = Pool(first, seen)
        fit = fit_crowd(answers, row_prior=pool)
        likelihood = answers.log_likelihood(fit.crowd.log_evidence)
        second = np.empty_like(first)
        fold = np.full(len(X), -1)  # rows without answers are in no fold: nothing is learned there
        fold[seen] = _folds(X[seen], answers.votes[seen])
        for one in np.unique(fold):
            inside, others = fold == one, (fold != one) & seen
            logs = SoftRidge(Z[others], answers.vote_shares[others]).leave_one_out()
            targets = softmax(pooled(logs, pool.weights) + likelihood[others])
            second[:, inside] = SoftRidge(Z[others], targets).predict(Z[inside])
        pool = Pool(second, seen, pool.weights)
        fit = fit_crowd(answers, fit.posterior, pool)
    return FitWithFeatures(fit, pooled(second, pool.weights), pool.weights[:N_SOURCES])


def _standardized(X: FloatArray) -> FloatArray:
    """Features with mean 0 and variance 1; constant ones are zero."""
    if X.shape[1] > MAX_COLUMNS:
        raise LabelNoiseError("too_many_feature_columns", n=X.shape[1], maximum=MAX_COLUMNS)
    deviation = X.std(axis=0)
    found: FloatArray = (X - X.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
    return found


def _folds(X: FloatArray, votes: FloatArray) -> IntArray:
    """The fold (m,) of each row: by its features and votes (m, K), not by its position.

    Rows that share all of these are the same to the model, up to who answered, and are spread over
    the folds in the order in which they come.
    """
    content = content_hashes(X, np.zeros(len(X), dtype=np.int64))
    order = np.lexsort((votes.max(axis=1), votes.sum(axis=1), content))
    fold = np.empty(len(X), dtype=np.int64)
    fold[order] = np.arange(len(X)) % N_FOLDS
    return fold
