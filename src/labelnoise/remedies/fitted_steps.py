"""A pipeline with all steps before its classifier fitted."""

from __future__ import annotations

import numbers
from typing import Any

import joblib
import numpy as np
from sklearn.base import clone
from sklearn.pipeline import Pipeline

from labelnoise.evidence.cross_fit import select_rows


class FittedSteps:
    """Steps of a pipeline before the classifier, fitted; a classifier alone has none.

    With `find_supervised`, steps that use the labels are found by fitting each once more with
    shuffled labels. Noise is estimated from `unsupervised_features`, the output of the steps before
    the first of them: its own output contains the row's label, so wrong labels would look right.
    The classifier, `last`, is not fitted, and is to be trained on `features`.
    """

    def __init__(self, model: Any, X: Any, y: Any, *, find_supervised: bool) -> None:
        self._whole = clone(model)
        pipeline = isinstance(model, Pipeline)
        self._before = self._whole.steps[:-1] if pipeline else []
        self.last = model.steps[-1][1] if pipeline else model
        self.features = self.unsupervised_features = X
        unsupervised = find_supervised
        for _, step in self._before:
            if step in (None, "passthrough"):
                continue
            entering, self.features = self.features, _transformed(step, self.features, y)
            unsupervised = unsupervised and _ignores_labels(step, entering, y, self.features)
            if unsupervised:
                self.unsupervised_features = self.features

    def ended_by(self, fitted: Any) -> Any:
        """The whole model, with a fitted classifier as its last step."""
        if not isinstance(self._whole, Pipeline):
            return fitted
        self._whole.steps = [*self._before, (self._whole.steps[-1][0], fitted)]
        return self._whole


def _transformed(step: Any, X: Any, y: Any) -> Any:
    """Output of a step for the rows that it is fitted on, computed as a pipeline does."""
    if hasattr(step, "fit_transform"):
        return step.fit_transform(X, y)
    return step.fit(X, y).transform(X)


def _ignores_labels(step: Any, X: Any, y: Any, output: Any) -> bool:
    """Whether the output of a step stays the same with shuffled labels; random steps get a seed."""
    shuffled = select_rows(y, np.random.default_rng(0).permutation(len(y)))
    copy = clone(step)
    seeds = {
        name: 0
        for name, value in step.get_params().items()
        if name.endswith("random_state") and not isinstance(value, numbers.Integral)
    }
    if seeds:
        output = _transformed(clone(copy).set_params(**seeds), X, y)
        copy.set_params(**seeds)
    return bool(joblib.hash(output) == joblib.hash(_transformed(copy, X, shuffled)))
