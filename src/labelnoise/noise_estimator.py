"""What all estimators share: they take a table alike, and keep their estimate alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from labelnoise import checks
from labelnoise.data.containers import refuse_another_order

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels
    from labelnoise.noise_estimate import NoiseEstimate


class NoiseEstimator(BaseEstimator):
    """A scikit-learn estimator whose `fit` makes a `NoiseEstimate`."""

    classes: Sequence[Label] | None

    def _labels_of(self, X: Any, matrix: FloatArray, y: Any) -> Labels:
        """Labels of a table, `matrix` (n, d) in numbers, whose columns scikit-learn remembers."""
        refuse_another_order(X=X, y=y)
        labels = checks.estimable(checks.labels(y, len(matrix), self.classes))
        checks.distinct_columns(X)
        validate_data(self, X, skip_check_array=True)
        return labels

    def _keep(self, estimate: NoiseEstimate) -> None:
        """Keep the estimate, and its parts under the names scikit-learn's users expect."""
        self.estimate_ = estimate
        self.transition_matrix_ = np.array(estimate.transition_matrix.values)
        self.class_prior_ = np.array(estimate.class_prior)
        self.classes_ = checks.label_array(estimate.classes)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.sparse = True
        tags.input_tags.string = True
        return tags
