"""Rows as the methods to compare with see them, in an order that depends on their content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelnoise import checks
from labelnoise.data.distinct_rows import group_identical
from labelnoise.evidence.cross_fit import cross_fitted_probabilities, stratified_folds

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray

LARGE = 1e30
"""Numbers above this, or below one over it, leave the range of forests and of squares."""

SORTED_COLUMNS = 8
"""Columns by whose values rows are put in order; a sort of each takes time."""


@dataclass(frozen=True)
class LabeledRows:
    """Rows as a baseline sees them: K classes that all occur."""

    X: FloatArray  # (n, d); no columns where only probabilities were given
    codes: IntArray  # (n,)
    n_classes: int
    pred_proba: FloatArray | None  # (n, K)

    def standardized(self) -> FloatArray:
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
        checks.constant_columns(self.X, len(self.codes))
        folds = stratified_folds(self.codes, n_folds, rng)
        return cross_fitted_probabilities(
            model, self.X, self.codes, folds, np.arange(self.n_classes)
        ), folds


def linear_classifier() -> Any:
    """One linear layer, as in the paper, on standardized features."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000))


def within_range(X: FloatArray) -> FloatArray:
    """Features (n, d) whose squares are floats: extreme columns are divided by a power of two.

    >>> within_range(np.array([[1.0, 2.0**900], [2.0, 2.0**901]]))
    array([[1.  , 0.25],
           [2.  , 0.5 ]])
    """
    reach = np.abs(X).max(axis=0, initial=0.0)
    extreme = (reach > LARGE) | ((reach < 1 / LARGE) & (reach > 0))
    return np.ldexp(X, np.where(extreme, -np.frexp(reach)[1], 0)) if extreme.any() else X


def content_order(matrix: FloatArray, codes: IntArray) -> IntArray:
    """Rows sorted by features (n, d) and labels (n,): folds and pairs must not see another order.

    By the values of a few columns, which scaling leaves in order, then by bytes.
    """
    _, content = group_identical(matrix + 0.0)
    leading = matrix[:, :SORTED_COLUMNS].T[::-1]
    return np.lexsort((codes, content, *leading))
