"""A pipeline with all steps before its classifier fitted."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from labelnoise.evidence.cross_fit import select_rows


class FittedSteps:
    """Steps of a pipeline before the classifier, fitted; a classifier alone has none.

    Parameters
    ----------
    model : classifier, or pipeline that ends in one
    X, y : training rows and noisy labels
    look_for_labels : bool
        Find out which steps look at labels, by fitting each once more with labels shuffled.

    Attributes
    ----------
    last : classifier
        Not fitted.
    features
        What the last step is trained on.
    plain_features
        What noise is estimated on: what the steps up to the first that looks at labels make of X.
        After it rows would know their own label, and noise would look like order.
    """

    def __init__(self, model: Any, X: Any, y: Any, *, look_for_labels: bool) -> None:
        self._whole = clone(model)
        pipeline = isinstance(model, Pipeline)
        self._before = self._whole.steps[:-1] if pipeline else []
        self.last = model.steps[-1][1] if pipeline else model
        self.features = self.plain_features = X
        plain = look_for_labels
        for _, step in self._before:
            if step in (None, "passthrough"):
                continue
            entering, self.features = self.features, _transformed(step, self.features, y)
            if plain and _ignores_labels(step, entering, y, self.features):
                self.plain_features = self.features
            else:
                plain = False

    def ended_by(self, fitted: Any) -> Any:
        """The whole model, with a fitted classifier as its last step."""
        if not isinstance(self._whole, Pipeline):
            return fitted
        self._whole.steps = [*self._before, (self._whole.steps[-1][0], fitted)]
        return self._whole


def _transformed(step: Any, X: Any, y: Any) -> Any:
    """What a step makes of rows that it is fitted on, as a pipeline does it."""
    if hasattr(step, "fit_transform"):
        return step.fit_transform(X, y)
    return step.fit(X, y).transform(X)


def _ignores_labels(step: Any, X: Any, y: Any, found: Any) -> bool:
    """Whether a step does the same with other labels; one that draws at random does not."""
    shuffled = select_rows(y, np.random.default_rng(0).permutation(len(y)))
    other = _transformed(clone(step), X, shuffled)
    if np.shape(found) != np.shape(other):
        return False
    if sparse.issparse(found):
        return bool((found != other).nnz == 0)
    return np.array_equal(np.asarray(found), np.asarray(other))
