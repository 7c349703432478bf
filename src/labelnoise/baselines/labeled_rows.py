"""Rows as the baselines see them, in an order that depends on their content alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.preprocessing import StandardScaler

from labelnoise import checks
from labelnoise.baselines.settings import MAX_MAGNITUDE, N_SORTED_COLUMNS
from labelnoise.data.distinct_rows import group_identical
from labelnoise.evidence.cross_fit import cross_fitted_probabilities, stratified_folds
from labelnoise.learning.linear import Task

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class LabeledRows:
    """Features and labels of K classes that all occur.

    Attributes
    ----------
    X : (n, d) array
        Without columns if only probabilities were given.
    codes : (n,) int array
    n_classes : int
    pred_proba : (n, K) array or None
        Probabilities from the user.
    """

    X: FloatArray
    codes: IntArray
    n_classes: int
    pred_proba: FloatArray | None

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

    def probabilities(
        self, model: Any, n_folds: int, rng: np.random.Generator
    ) -> tuple[FloatArray, IntArray]:
        """Given or cross-fitted probabilities (n, K), and the fold of each row (0 if given)."""
        if self.pred_proba is not None:
            return self.pred_proba, np.zeros(len(self.codes), dtype=np.int64)
        checks.constant_columns(self.X)
        folds = stratified_folds(self.codes, n_folds, rng)
        classes = np.arange(self.n_classes)
        return cross_fitted_probabilities(model, self.X, self.codes, folds, classes), folds


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
