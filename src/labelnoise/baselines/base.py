"""What the methods to compare with share: they check, solve, judge and remember alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.baselines.labeled_rows import LabeledRows, content_order, within_range
from labelnoise.class_placement import Placement
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.findings import (
    classes_without_rows,
    columns_in_another_order,
    diagonal_not_largest,
    few_labeled_rows,
    nearly_singular,
    trained_on_these_rows,
    weak_prediction,
)
from labelnoise.evidence.predictive_gain import gain_in_standard_errors
from labelnoise.evidence.probability_agreement import ProbabilityAgreement
from labelnoise.findings import Diagnosis, Finding
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.transition import TransitionMatrix
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.baselines.solution import Solution
    from labelnoise.checks import Labels


class BaselineEstimator(NoiseEstimator, ABC):
    """Check the input, let the method solve, and remember the answer with a verdict.

    No method here can see whether what it assumes holds, so none is ever called "reliable".
    """

    method_name: ClassVar[str]
    assumption: ClassVar[str]  # code of what the method assumes
    caveat: ClassVar[str]  # code of what it cannot see

    random_state: Any

    @abstractmethod
    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
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
        if X is None:
            labels = self._encode_labels(y)
            matrix = np.empty((len(labels.codes), 0))
        else:
            labels, _, matrix = self._encode(X, y)
            matrix = within_range(matrix)
        given, codes = None, labels.numbered
        if pred_proba is not None:
            found = checks.probabilities(pred_proba, len(codes), labels.classes)
            given = Placement(labels).probabilities(found)
        order = content_order(matrix if given is None else given, codes)
        given = None if given is None else given[order]
        rows = LabeledRows(matrix[order], codes[order], len(labels.present), given)
        rng = checks.generator(self.random_state)
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            solution = self._solve(rows, rng)
        self._remember(labels, rows, solution)
        return self

    def _instead(self) -> str:
        return ""

    def _remember(self, labels: Labels, rows: LabeledRows, solution: Solution) -> None:
        place = Placement(labels)
        about_input = [*self._findings_on_input(labels, rows, solution)]
        for finding in about_input:
            warn_user(finding)
        findings = [*about_input, *self._findings(labels, solution)]
        self._keep(
            NoiseEstimate(
                TransitionMatrix(place.transition(solution.transition), labels.classes),
                place.prior(solution.prior),
                method=self.method_name,
                diagnosis=Diagnosis.of(findings),
                assumption=Assumption(self.assumption),
                parameters=self.get_params(deep=False),
                n_rows=len(labels.codes),
            )
        )

    def _findings_on_input(
        self, labels: Labels, rows: LabeledRows, solution: Solution
    ) -> Iterator[Finding]:
        """What is worth a warning."""
        if not solution.converged:
            yield Finding("training_not_converged")
        if rows.pred_proba is not None:
            agreement = ProbabilityAgreement.of(rows.pred_proba, rows.codes)
            yield from trained_on_these_rows(agreement)
            yield from columns_in_another_order(agreement, labels.occurring)

    def _findings(self, labels: Labels, solution: Solution) -> Iterator[Finding]:
        gain = gain_in_standard_errors(solution.won, n_fitted=solution.n_fitted)
        yield from weak_prediction(gain, "model's probabilities")
        yield from few_labeled_rows(labels.counts[labels.present], labels.occurring)
        yield from nearly_singular(solution.transition)
        yield from diagonal_not_largest(solution.transition, labels.occurring)
        yield from classes_without_rows(labels.absent)
        yield Finding(self.caveat)


class ProbabilityBaseline(BaselineEstimator):
    """A baseline that needs class probabilities alone, whoever made them."""

    classifier: Any

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
        if pred_proba is not None and self.classifier is not None:
            raise LabelNoiseError(
                "classifier= is not used with pred_proba=, which stands for its predictions. Pass "
                "one of them."
            )
        return self._fit(X, y, pred_proba)

    def _instead(self) -> str:
        return ", or probabilities as pred_proba="
