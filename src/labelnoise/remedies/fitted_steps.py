"""A pipeline with all steps before its classifier fitted."""

from __future__ import annotations

import numbers
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
    """Whether a step does the same with other labels; one that draws at random gets a seed."""
    shuffled = select_rows(y, np.random.default_rng(0).permutation(len(y)))
    copy = clone(step)
    seeds = _unset_seeds(copy)
    if seeds:
        found = _transformed(clone(copy).set_params(**seeds), X, y)
        copy.set_params(**seeds)
    return _same(found, _transformed(copy, X, shuffled))


def _unset_seeds(step: Any) -> dict[str, int]:
    """Seeds for all that a step leaves to chance, also inside of it."""
    settings = step.get_params()
    return {
        name: 0
        for name, value in settings.items()
        if name.endswith("random_state") and not isinstance(value, numbers.Integral)
    }


def _same(one: Any, other: Any) -> bool:
    """Whether two tables are equal, missing values too."""
    if np.shape(one) != np.shape(other):
        return False
    if sparse.issparse(one):
        tables: Any = one, other
        one, other = (table.tocsr().sorted_indices() for table in tables)
        parts = ((one.indptr, other.indptr), (one.indices, other.indices), (one.data, other.data))
        return all(map(_same, *zip(*parts, strict=True)))
    one, other = np.asarray(one), np.asarray(other)
    if one.dtype.kind in "OUS":
        one, other = one.astype(str), other.astype(str)
    return np.array_equal(one, other, equal_nan=one.dtype.kind in "fcmM")
