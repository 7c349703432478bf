"""The base of the baselines: how they check rows and keep what `_solve` finds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.baselines.settings import MAX_MAGNITUDE, N_SORTED_COLUMNS
from labelnoise.class_placement import Placement
from labelnoise.data.distinct_rows import group_identical
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.cross_fit import cross_fitted_probabilities, stratified_folds
from labelnoise.evidence.findings import (
    classes_without_rows,
    columns_in_another_order,
    diagonal_not_largest,
    few_labeled_rows,
    nearly_singular,
    trained_on_these_rows,
    weak_prediction,
)
from labelnoise.evidence.predictive_gain import gain_in_standard_errors, log_gain
from labelnoise.evidence.probability_agreement import ProbabilityAgreement
from labelnoise.findings import Finding
from labelnoise.learning.linear import Task
from labelnoise.noise_estimator import NoiseEstimator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.learning.linear import Training


@dataclass(frozen=True)
class LabeledRows:
    """Features and labels of K classes that all occur."""

    X: FloatArray  # (n, d), without columns if only probabilities were given
    codes: IntArray  # (n,)
    n_classes: int
    pred_proba: FloatArray | None  # (n, K), from the user

    @classmethod
    def in_content_order(
        cls, X: FloatArray, codes: IntArray, n_classes: int, pred_proba: FloatArray | None
    ) -> LabeledRows:
        """Rows sorted by what they contain, so that folds do not depend on the order given."""
        X = within_range(X)
        order = content_order(X if pred_proba is None else pred_proba, codes)
        given = None if pred_proba is None else pred_proba[order]
        return cls(X[order], codes[order], n_classes, given)

    def task(self) -> Task:
        """For a linear layer: standardized features, without constant columns, and labels."""
        X = checks.varying_columns(self.X)
        return Task(StandardScaler().fit_transform(X), self.codes, self.n_classes)


def within_range(X: FloatArray) -> FloatArray:
    """Features (n, d) whose squares are floats: extreme columns are divided by a power of two.

    >>> within_range(np.array([[1.0, 2.0**900], [2.0, 2.0**901]]))
    array([[1.  , 0.25],
           [2.  , 0.5 ]])
    """
    largest = np.abs(X).max(axis=0, initial=0.0)
    extreme = (largest > MAX_MAGNITUDE) | ((largest < 1 / MAX_MAGNITUDE) & (largest > 0))
    return np.ldexp(X, np.where(extreme, -np.frexp(largest)[1], 0)) if extreme.any() else X


def content_order(matrix: FloatArray, codes: IntArray) -> IntArray:
    """Order of rows (n, d) with labels (n,): by a few columns, then by their bytes, then by label.

    Scaling a column does not change the order of its values, while it changes bytes.
    """
    _, content = group_identical(matrix + 0.0)
    leading = matrix[:, :N_SORTED_COLUMNS].T[::-1]
    return np.lexsort((codes, content, *leading))


@dataclass(frozen=True)
class Solution:
    """T and the prior, with what can be said about how they were found.

    The gain says by how much the model predicts each row's label better than label frequencies do,
    and `n_fitted` is the number of parameters that were fitted to these labels.
    """

    transition: FloatArray  # (K, K)
    prior: FloatArray  # (K,)
    gain: FloatArray  # (n,)
    n_fitted: int = 0
    converged: bool = True

    @classmethod
    def of_training(cls, training: Training, task: Task) -> Solution:
        """From a linear layer and T, trained on `task`; the prior is the mean of its posteriors."""
        layer, T, k = training.layer, training.transition, task.n_classes
        frequencies = np.bincount(task.labels, minlength=k) / len(task.labels)
        own = np.maximum(task.label_probabilities(layer, T), np.finfo(float).tiny)
        return cls(
            T,
            layer(task.X).mean(axis=0),
            log_gain(own, frequencies[task.labels]),
            n_fitted=(task.X.shape[1] + 1) * (k - 1) + k * (k - 1),
            converged=training.converged,
        )


class BaselineEstimator(NoiseEstimator, ABC):
    """Check the input, find T by the method, and keep it with a verdict.

    No baseline can check its own assumption, so the verdict is never "reliable".
    """

    random_state: Any

    @abstractmethod
    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        """Find T and the prior."""

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d)
            Features. The columns of a frame are encoded (`labelnoise.data.encoder`).
        y : array-like of shape (n,)
            Noisy labels.
        """
        if X is None:
            raise LabelNoiseError("features_missing")
        return self._fit(X, y, None)

    def _fit(self, X: Any, y: Any, pred_proba: Any) -> Self:
        if X is None:
            labels = self._encode_labels(y)
            matrix = np.empty((len(labels.codes), 0))
        else:
            labels, _, matrix = self._encode(X, y)
        if pred_proba is not None:
            checked = checks.probabilities(pred_proba, len(labels.codes), labels.classes)
            pred_proba = Placement(labels).probabilities(checked)
        rows = LabeledRows.in_content_order(
            matrix, labels.compact_codes, len(labels.present_codes), pred_proba
        )
        rng = checks.generator(self.random_state)
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            solution = self._solve(rows, rng)
        self._remember(labels, rows, solution)
        return self

    def _remember(self, labels: Labels, rows: LabeledRows, solution: Solution) -> None:
        warned = [*self._warnings(labels, rows, solution)]
        for finding in warned:
            warn_user(finding)
        findings = [*warned, *self._findings(labels, solution)]
        self._keep_solution(labels, solution.transition, solution.prior, findings)

    def _warnings(self, labels: Labels, rows: LabeledRows, solution: Solution) -> Iterator[Finding]:
        """Findings that are also worth a warning."""
        if not solution.converged:
            yield Finding("not_converged")
        if rows.pred_proba is not None:
            agreement = ProbabilityAgreement.of(rows.pred_proba, rows.codes)
            yield from trained_on_these_rows(agreement)
            yield from columns_in_another_order(agreement, labels.present_classes)

    def _findings(self, labels: Labels, solution: Solution) -> Iterator[Finding]:
        gain = gain_in_standard_errors(solution.gain, n_fitted=solution.n_fitted)
        yield from weak_prediction(gain, "the model's probabilities")
        yield from few_labeled_rows(labels.counts[labels.present_codes], labels.present_classes)
        yield from nearly_singular(solution.transition)
        yield from diagonal_not_largest(solution.transition, labels.present_classes)
        yield from classes_without_rows(labels.absent_classes)
        yield Finding("assumption_not_tested")


class ProbabilityBaseline(BaselineEstimator):
    """A baseline that needs only class probabilities, cross-fitted or given."""

    classifier: Any

    def _probabilities(
        self, rows: LabeledRows, default: Any, n_folds: int, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """Given or cross-fitted probabilities (n, K), and the fold of each row (0 if given)."""
        if rows.pred_proba is not None:
            return rows.pred_proba, np.zeros(len(rows.codes), dtype=np.int64)
        if self.classifier is not None:
            checks.classifiers([self.classifier], "classifier")
        model = default if self.classifier is None else self.classifier
        checks.constant_columns(rows.X)
        folds = stratified_folds(rows.codes, n_folds, rng)
        classes = np.arange(rows.n_classes)
        return cross_fitted_probabilities(model, rows.X, rows.codes, folds, classes), folds

    def fit(self, X: Any, y: Any, *, pred_proba: Any = None) -> Self:
        """Estimate T.

        Parameters
        ----------
        X : array, sparse matrix or data frame of shape (n, d), or None with `pred_proba`
            Features. The columns of a frame are encoded (`labelnoise.data.encoder`).
        y : array-like of shape (n,)
            Noisy labels.
        pred_proba : array of shape (n, K), optional
            Class probabilities from your own model, used instead of `X`. Each row must have
            been predicted by a model that was not trained on it.
        """
        if X is None and pred_proba is None:
            raise LabelNoiseError("features_missing", instead="pred_proba=")
        if pred_proba is not None and self.classifier is not None:
            raise LabelNoiseError("exclude_each_other", first="classifier=", other="pred_proba=")
        return self._fit(X, y, pred_proba)
