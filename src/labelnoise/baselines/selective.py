"""Selective classification: T from the rows a model ranks highest for each class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier

from labelnoise import checks
from labelnoise.baselines.base import ProbabilityBaseline
from labelnoise.baselines.solution import Solution, prior_behind
from labelnoise.evidence.predictive_gain import probability_gain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.baselines.labeled_rows import LabeledRows
    from labelnoise.checks import Label

LEAST_ROWS, LEAST_SHARE = 30, 1 / 50
"""A selection holds at least so many rows, and this share of all, as far as there are as many."""

TREES = 200


def purest_selection(scores: FloatArray, codes: IntArray, label: int, least: int) -> IntArray:
    """The top rows by score, at least `least`, whose share of `label` is largest.

    Rows with equal scores are in or out together.

    >>> scores, codes = np.array([0.9, 0.8, 0.7, 0.1]), np.array([0, 1, 1, 0])
    >>> purest_selection(scores, codes, 1, 2).tolist()
    [0, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    share = np.cumsum(codes[order] == label) / np.arange(1, len(order) + 1)
    ranked = scores[order]
    allowed = np.append(ranked[1:] < ranked[:-1], True)
    allowed[: min(least, len(order)) - 1] = False
    last = int(np.where(allowed, share, -1.0).argmax())
    return order[: last + 1]


class SelectiveEstimator(ProbabilityBaseline):
    """Selective classification (de Juan, Mazuelas, Zhu and Scott 2026).

    A model trained on one half of the rows ranks the other half, class by class; of the top rows,
    however many give the largest share of that label, the label histogram is T's row. Both
    halves take turns. Written from the description of the method. A class with fewer than some
    sixty rows has fewer than thirty in a half, and its selection takes in other classes' rows.

    Parameters
    ----------
    classifier : scikit-learn classifier, optional
        Trained on labels as numbers from 0 to K - 1. Left out: a forest of 200 trees.
    classes : sequence, optional
        All classes in the order T is to have.
    random_state : None, int or Generator
        Seed of the halves and of the forest. None draws a fixed seed.

    Attributes
    ----------
    estimate_ : NoiseEstimate
    transition_matrix_ : array of shape (K, K)
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)
    """

    method_name = "selective"
    assumption = "top_rows_pure"
    caveat = "trusts_top_rows"

    def __init__(
        self,
        *,
        classifier: Any = None,
        classes: Sequence[Label] | None = None,
        random_state: Any = None,
    ) -> None:
        self.classifier = classifier
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        if self.classifier is not None:
            checks.classifiers([self.classifier], "classifier")
        forest = RandomForestClassifier(TREES, random_state=int(rng.integers(2**31)))
        model = forest if self.classifier is None else self.classifier
        scores, halves = rows.probabilities(model, 2, rng)
        k, n_rows = rows.n_classes, len(rows.codes)
        least = max(LEAST_ROWS, int(n_rows * LEAST_SHARE))
        counts = np.zeros((k, k))
        for half in np.unique(halves):
            part = np.flatnonzero(halves == half)
            for label in range(k):
                top = purest_selection(scores[part, label], rows.codes[part], label, least)
                counts[label] += np.bincount(rows.codes[part][top], minlength=k) / len(top)
        T = counts / counts.sum(axis=1, keepdims=True)
        frequencies = np.bincount(rows.codes, minlength=k) / n_rows
        return Solution(T, prior_behind(T, frequencies), probability_gain(scores, rows.codes))
