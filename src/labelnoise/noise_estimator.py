"""The base of all estimators: they check and encode their input alike, and keep their estimate alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from labelnoise import checks
from labelnoise.data.containers import refuse_another_order
from labelnoise.data.frames import encode

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label, Labels
    from labelnoise.data.frames import Encoding
    from labelnoise.noise_estimate import NoiseEstimate


class NoiseEstimator(BaseEstimator):
    """A scikit-learn estimator whose `fit` makes a `NoiseEstimate`."""

    classes: Sequence[Label] | None

    def _encode(self, X: Any, y: Any) -> tuple[Labels, Encoding, FloatArray]:
        """Labels as codes, how the features were encoded, and the features as numbers (n, d).

        The labels are checked first, because encoding the features may take long.
        """
        refuse_another_order(X=X, y=y)
        labels = self._encode_labels(y, checks.n_rows(X))
        checks.distinct_columns(X)
        encoding, matrix = encode(X)
        validate_data(self, X, skip_check_array=True)  # remembers the names of the columns
        return labels, encoding, matrix

    def _encode_labels(self, y: Any, n_rows: int | None = None, of: str = "X") -> Labels:
        """Labels as codes, enough of them to estimate; `of` names what has `n_rows` rows."""
        return checks.estimable(checks.labels(y, n_rows, self.classes, of=of))

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
