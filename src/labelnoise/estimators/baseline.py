"""What the methods of other people share here: they check, solve, judge and remember alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from scipy.optimize import nnls
from sklearn.base import BaseEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import validate_data
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.frames import features
from labelnoise.data.points import group_identical
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.estimators.diagnosis import (
    FEW_ROWS,
    Finding,
    conclusion,
    hardly_foretold,
    misplaced,
    nearly_singular,
    placeholders,
    seen_before,
)
from labelnoise.estimators.placement import Placement
from labelnoise.evidence.claims import Claims
from labelnoise.evidence.cross_fit import cross_fitted, stratified_folds
from labelnoise.evidence.gain import nats_won, standard_errors
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.learning.linear import Learnt, Task


SORTED_COLUMNS = 8
"""Columns by whose values rows are put in order; a sort of each takes time."""


@dataclass(frozen=True)
class LabelledRows:
    """Rows as a baseline sees them: K classes that all occur."""

    X: FloatArray  # (n, d); no columns where only probabilities were given
    codes: IntArray  # (n,)
    n_classes: int
    pred_proba: FloatArray | None  # (n, K)

    def standardised(self) -> FloatArray:
        """Features with mean 0 and variance 1; constant ones stay away from the model."""
        X = checks.varying_columns(self.X, np.ones(len(self.codes)))
        scaled: FloatArray = StandardScaler().fit_transform(X)
        return scaled

    def probabilities(
        self, model: Any, n_folds: int, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """Those given, or cross-fitted ones, (n, K), and each row's fold (one, if given)."""
        if self.pred_proba is not None:
            return self.pred_proba, np.zeros(len(self.codes), dtype=np.int64)
        folds = stratified_folds(self.codes, n_folds, rng)
        return cross_fitted(model, self.X, self.codes, folds, self.n_classes), folds


@dataclass(frozen=True)
class Solution:
    """T, the prior, and what can be said about how they were found.

    Attributes
    ----------
    transition : (K, K) array
    prior : (K,) array
    won : (n,) array
        By how much the model foretells each row's label better than frequencies do.
    n_fitted : int
        Numbers that were fitted to these very labels.
    converged : bool
    """

    transition: FloatArray
    prior: FloatArray
    won: FloatArray
    n_fitted: int = 0
    converged: bool = True


def solution_of(learnt: Learnt, task: Task, *, converged: bool | None = None) -> Solution:
    """What a layer and T learnt on `task` say about T and the prior."""
    frequencies = np.bincount(task.labels, minlength=task.n_classes) / len(task.labels)
    own = np.maximum(task.label_chances(learnt.layer, learnt.transition), np.finfo(float).tiny)
    k = task.n_classes
    return Solution(
        learnt.transition,
        learnt.layer(task.X).mean(axis=0),
        nats_won(own, frequencies[task.labels]),
        n_fitted=(task.X.shape[1] + 1) * (k - 1) + k * (k - 1),
        converged=learnt.converged if converged is None else converged,
    )


def linear_classifier() -> Any:
    """One linear layer, as in the paper, on standardised features."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))


def prior_behind(transition: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Clean frequencies p (K,) for which p T comes closest to the frequencies of the labels.

    >>> T = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> prior_behind(T, np.array([0.3, 0.7]) @ T).round(6)
    array([0.3, 0.7])
    """
    system = np.vstack([transition.T, np.ones(len(transition))])
    found, _ = nnls(system, np.append(frequencies, 1.0))
    prior: FloatArray = found / found.sum()
    return prior


def content_order(matrix: FloatArray, codes: IntArray) -> IntArray:
    """Rows sorted by features (n, d) and labels (n,): folds and pairs must not see another order.

    By the values of a few columns, which scaling leaves in order, then by bytes.
    """
    _, content = group_identical(matrix + 0.0)
    leading = matrix[:, :SORTED_COLUMNS].T[::-1]
    return np.lexsort((codes, content, *leading))


class BaselineEstimator(BaseEstimator, ABC):
    """Check the input, let the method solve, and remember the answer with a verdict.

    No method here can see whether what it assumes holds, so none is ever called "reliable".
    """

    method_name: ClassVar[str]
    assumption: ClassVar[str]
    caveat: ClassVar[Finding]

    @abstractmethod
    def _solve(self, rows: LabelledRows, rng: np.random.Generator) -> Solution:
        """Find T and the prior."""

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d)
            Features. Text columns of a frame are one-hot encoded.
        y : array-like of shape (n,)
            Noisy labels.
        """
        return self._fit(X, y, None)

    def _fit(self, X: Any, y: Any, pred_proba: Any) -> Self:
        if X is None and pred_proba is None:
            raise LabelNoiseError(f"X is None. Pass features{self._instead()}.")
        matrix = None if X is None else features(X)
        n_rows = None if matrix is None else len(matrix)
        labels = checks.estimable(checks.labels(y, n_rows, getattr(self, "classes", None)))
        if matrix is None:
            matrix = np.empty((len(labels.codes), 0))
        else:
            validate_data(self, X, skip_check_array=True)
        place = Placement(labels)
        given = None
        if pred_proba is not None:
            found = checks.probabilities(pred_proba, len(labels.codes), labels.classes)
            given = found[:, place.present]
        order = content_order(matrix if given is None else given, place.codes)
        given = None if given is None else given[order]
        rows = LabelledRows(matrix[order], place.codes[order], len(place.present), given)
        rng = checks.generator(getattr(self, "random_state", None))
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            solution = self._solve(rows, rng)
        self._remember(labels, rows, solution)
        return self

    def _instead(self) -> str:
        return ""

    def _remember(self, labels: Labels, rows: LabelledRows, solution: Solution) -> None:
        place = Placement(labels)
        if not solution.converged:
            warn_user("the search stopped before it had converged. Scale features, or drop some.")
        self.estimate_ = NoiseEstimate(
            TransitionMatrix(place.transition(solution.transition), labels.classes),
            place.prior(solution.prior),
            method=self.method_name,
            diagnosis=conclusion([*self._findings(labels, rows, solution)]),
            assumption=self.assumption,
            parameters=self.get_params(deep=False),
            n_rows=len(labels.codes),
        )
        self.transition_matrix_ = np.array(self.estimate_.transition_matrix.values)
        self.class_prior_ = np.array(self.estimate_.class_prior)
        self.classes_ = checks.label_array(labels.classes)

    def _findings(
        self, labels: Labels, rows: LabelledRows, solution: Solution
    ) -> Iterator[Finding]:
        counted = list(zip(labels.classes, labels.counts, strict=True))
        if not solution.converged:
            yield Finding("weak", "the search stopped before it had converged", "scale features")
        if rows.pred_proba is not None:
            claims = Claims.of(rows.pred_proba, rows.codes)
            yield from seen_before(claims)
            yield from misplaced(claims, tuple(c for c, n in counted if n))
        gain = standard_errors(solution.won, n_fitted=solution.n_fitted)
        yield from hardly_foretold(gain, "the model's probabilities")
        few = (labels.counts > 0) & (labels.counts < FEW_ROWS)
        if few.any():
            yield Finding(
                "weak",
                f"fewer than {FEW_ROWS} rows are labelled {labels.named(np.flatnonzero(few))}",
                "collect more rows of the rare classes, or merge them",
            )
        yield from nearly_singular(solution.transition)
        yield from placeholders(tuple(c for c, n in counted if not n))
        yield self.caveat

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags


class ProbabilityBaseline(BaselineEstimator):
    """A baseline that needs class probabilities alone, whoever made them."""

    def fit(self, X: Any, y: Any, *, pred_proba: Any = None) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d), or None with `pred_proba`
            Features. Text columns of a frame are one-hot encoded.
        y : array-like of shape (n,)
            Noisy labels.
        pred_proba : array of shape (n, K), optional
            Class probabilities from your own model, used instead of `X`. Each row must have
            been predicted by a model that was not trained on it.
        """
        return self._fit(X, y, pred_proba)

    def _instead(self) -> str:
        return ", or probabilities as pred_proba="
