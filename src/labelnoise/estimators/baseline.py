"""What the methods to compare with share: they check, solve, judge and remember alike."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data
from threadpoolctl import threadpool_limits

from labelnoise import checks
from labelnoise.data.frames import features
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.estimators.diagnosis import (
    FEW_ROWS,
    Finding,
    conclusion,
    hardly_foretold,
    led_by_others,
    misplaced,
    nearly_singular,
    placeholders,
    seen_before,
)
from labelnoise.estimators.labelled_rows import LabelledRows, content_order, within_range
from labelnoise.estimators.placement import Placement
from labelnoise.evidence.claims import Claims
from labelnoise.evidence.gain import standard_errors
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.checks import Label, Labels
    from labelnoise.estimators.solution import Solution


class BaselineEstimator(BaseEstimator, ABC):
    """Check the input, let the method solve, and remember the answer with a verdict.

    No method here can see whether what it assumes holds, so none is ever called "reliable".
    """

    method_name: ClassVar[str]
    assumption: ClassVar[str]
    caveat: ClassVar[Finding]

    classes: Sequence[Label] | None
    random_state: Any

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
        matrix = None if X is None else within_range(features(X))
        n_rows = None if matrix is None else len(matrix)
        labels = checks.estimable(checks.labels(y, n_rows, self.classes))
        if matrix is None:
            matrix = np.empty((len(labels.codes), 0))
        else:
            validate_data(self, X, skip_check_array=True)
        place = Placement(labels)
        given = None
        if pred_proba is not None:
            found = checks.probabilities(pred_proba, len(labels.codes), labels.classes)
            given = place.probabilities(found)
        order = content_order(matrix if given is None else given, place.codes)
        given = None if given is None else given[order]
        rows = LabelledRows(matrix[order], place.codes[order], len(place.present), given)
        rng = checks.generator(self.random_state)
        with threadpool_limits(1, user_api="blas"):  # sums in one order on any number of threads
            solution = self._solve(rows, rng)
        self._remember(labels, rows, solution)
        return self

    def _instead(self) -> str:
        return ""

    def _remedy(self) -> str:
        return "raise max_iter=" if "max_iter" in self.get_params() else "drop features"

    def _remember(self, labels: Labels, rows: LabelledRows, solution: Solution) -> None:
        place = Placement(labels)
        about_input = [*self._findings_on_input(labels, rows, solution)]
        for finding in about_input:
            warn_user(finding.warning)
        findings = [*about_input, *self._findings(labels, solution)]
        self.estimate_ = NoiseEstimate(
            TransitionMatrix(place.transition(solution.transition), labels.classes),
            place.prior(solution.prior),
            method=self.method_name,
            diagnosis=conclusion(findings),
            assumption=self.assumption,
            parameters=self.get_params(deep=False),
            n_rows=len(labels.codes),
        )
        self.transition_matrix_ = np.array(self.estimate_.transition_matrix.values)
        self.class_prior_ = np.array(self.estimate_.class_prior)
        self.classes_ = checks.label_array(labels.classes)

    def _findings_on_input(
        self, labels: Labels, rows: LabelledRows, solution: Solution
    ) -> Iterator[Finding]:
        """What is worth a warning."""
        if not solution.converged:
            yield Finding("weak", "the search stopped before it had converged", self._remedy())
        if rows.pred_proba is not None:
            claims = Claims.of(rows.pred_proba, rows.codes)
            yield from seen_before(claims)
            present = np.flatnonzero(labels.counts)
            yield from misplaced(claims, tuple(labels.classes[i] for i in present))

    def _findings(self, labels: Labels, solution: Solution) -> Iterator[Finding]:
        counted = list(zip(labels.classes, labels.counts, strict=True))
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
        yield from led_by_others(solution.transition, tuple(c for c, n in counted if n))
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
