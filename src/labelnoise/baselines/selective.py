"""Selective classification: T from the labels of the rows that a model ranks highest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import nnls
from sklearn.ensemble import RandomForestClassifier

from labelnoise.baselines.base import LabeledRows, ProbabilityBaseline, Solution
from labelnoise.baselines.settings import MIN_SELECTED_ROWS, MIN_SELECTED_SHARE, N_TREES
from labelnoise.evidence.predictive_gain import probability_gain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label


def purest_selection(scores: FloatArray, codes: IntArray, label: int, min_rows: int) -> IntArray:
    """The top rows by score, at least `min_rows`, among which the share of `label` is largest.

    Rows with equal scores are selected together.

    >>> scores, codes = np.array([0.9, 0.8, 0.7, 0.1]), np.array([0, 1, 1, 0])
    >>> purest_selection(scores, codes, 1, 2).tolist()
    [0, 1, 2]
    """
    order = np.argsort(-scores, kind="stable")
    share = np.cumsum(codes[order] == label) / np.arange(1, len(order) + 1)
    ranked = scores[order]
    allowed = np.append(ranked[1:] < ranked[:-1], True)
    allowed[: min(min_rows, len(order)) - 1] = False
    last = int(np.where(allowed, share, -1.0).argmax())
    return order[: last + 1]


def prior_from_frequencies(transition: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Clean frequencies p (K,) for which p T is closest to the label frequencies (K,).

    >>> T = np.array([[0.9, 0.1], [0.2, 0.8]])
    >>> prior_from_frequencies(T, np.array([0.3, 0.7]) @ T).round(6)
    array([0.3, 0.7])
    """
    system = np.vstack([transition.T, np.ones(len(transition))])
    solved, _ = nnls(system, np.append(frequencies, 1.0))
    return solved / solved.sum()


class SelectiveEstimator(ProbabilityBaseline):
    """Selective classification (de Juan, Mazuelas, Zhu and Scott 2026).

    A model trained on one half of the rows ranks the other half, class by class. Of the top rows,
    as many as maximize the share of the class's label are selected, and their label frequencies
    are its row of T. Both halves take turns. Written from the description of the method. At least
    30 rows are selected, so that in classes with fewer than 60 they include rows of other classes.

    Parameters
    ----------
    classifier : scikit-learn classifier, optional
        Trained on labels as numbers from 0 to K - 1; by default a forest of 200 trees.
    classes : sequence, optional
        All classes in the order of T; needed if some do not occur.
    random_state : None, int or Generator
        Seed of the halves and of the forest; None is a fixed seed.

    Attributes
    ----------
    estimate_, transition_matrix_, class_prior_, classes_
        As for `ConfidentLearningEstimator`.
    """

    method_name = "selective"
    assumption = "top_rows_pure"

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
        forest = RandomForestClassifier(N_TREES, random_state=int(rng.integers(2**31)))
        scores, halves = self._probabilities(rows, forest, 2, rng)
        k, n_rows = rows.n_classes, len(rows.codes)
        min_rows = max(MIN_SELECTED_ROWS, int(n_rows * MIN_SELECTED_SHARE))
        counts = np.zeros((k, k))
        for half in np.unique(halves):
            part = np.flatnonzero(halves == half)
            for label in range(k):
                top = purest_selection(scores[part, label], rows.codes[part], label, min_rows)
                counts[label] += np.bincount(rows.codes[part][top], minlength=k) / len(top)
        T = counts / counts.sum(axis=1, keepdims=True)
        frequencies = np.bincount(rows.codes, minlength=k) / n_rows
        gain = probability_gain(scores, rows.codes)
        return Solution(T, prior_from_frequencies(T, frequencies), gain)
