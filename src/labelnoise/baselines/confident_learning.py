"""Confident learning: count labels against the class a model is confident in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from labelnoise import checks
from labelnoise.baselines.base import LabeledRows, ProbabilityBaseline, Solution
from labelnoise.baselines.settings import CONFIDENCE_TOLERANCE, MAX_LOGISTIC_STEPS
from labelnoise.evidence.predictive_gain import probability_gain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label


def confident_counts(pred_proba: FloatArray, codes: IntArray) -> FloatArray:
    """Rows counted by label and confident class, [label, confident class], (K, K).

    Class j is a candidate for a row if its probability reaches ``t_j``, the average probability
    of j among the rows labeled j; the most probable candidate is the confident class. Rows without
    a candidate are not counted (Northcutt, Jiang and Chuang 2021, equations 1 and 2). As in
    cleanlab, the diagonal is at least 1, and a class with probability 0 is not a candidate.

    Departure: where several classes reach their thresholds, cleanlab 2.9 takes the most probable
    of *all* classes, which may be none of them. We take the most probable candidate. Every class
    must occur in the labels.
    """
    k = pred_proba.shape[1]
    own = np.bincount(codes, pred_proba[np.arange(len(codes)), codes], k)
    thresholds = np.maximum(own / np.bincount(codes, minlength=k), 2 * CONFIDENCE_TOLERANCE)
    reached = np.where(pred_proba >= thresholds - CONFIDENCE_TOLERANCE, pred_proba, -1.0)
    confident = reached.max(axis=1) >= 0
    counts = np.zeros((k, k))
    np.add.at(counts, (codes[confident], reached[confident].argmax(axis=1)), 1.0)
    np.fill_diagonal(counts, np.maximum(np.diag(counts), 1.0))
    return counts


def confident_joint(pred_proba: FloatArray, codes: IntArray) -> FloatArray:
    """Confident counts (K, K), rescaled so that each row sums to the number of rows so labeled.

    Departure: cleanlab 2.9 rounds the result to whole rows.
    """
    counts = confident_counts(pred_proba, codes)
    frequencies = np.bincount(codes, minlength=len(counts))
    return counts / counts.sum(axis=1, keepdims=True) * frequencies[:, None]


def linear_classifier() -> Any:
    """The default classifier: logistic regression on standardized features."""
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=MAX_LOGISTIC_STEPS))


class ConfidentLearningEstimator(ProbabilityBaseline):
    """Confident learning (Northcutt, Jiang and Chuang 2021).

    T is as wrong as the probabilities are: where classes overlap, thresholds are too low for some
    rows and too high for others.

    Parameters
    ----------
    classifier : scikit-learn classifier, optional
        Cross-fitted on the noisy labels as numbers from 0 to K - 1; by default logistic
        regression on standardized features.
    n_folds : int
    classes : sequence, optional
        All classes in the order of T; needed if some do not occur.
    random_state : None, int or Generator
        Seed of the folds; None is a fixed seed.

    Attributes
    ----------
    estimate_ : NoiseEstimate
    transition_matrix_ : array of shape (K, K)
    class_prior_ : array of shape (K,)
    classes_ : array of shape (K,)

    Examples
    --------
    >>> import labelnoise as ln
    >>> X, y = ln.make_twonorm(2000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.8, 0.2], [0.1, 0.9]], random_state=0)
    >>> ConfidentLearningEstimator().fit(X, noisy).transition_matrix_.round(1)
    array([[0.8, 0.2],
           [0.1, 0.9]])
    """

    method_name = "confident-learning"
    assumption = "probabilities_above_average"

    def __init__(
        self,
        *,
        classifier: Any = None,
        n_folds: int = 5,
        classes: Sequence[Label] | None = None,
        random_state: Any = None,
    ) -> None:
        self.classifier = classifier
        self.n_folds = n_folds
        self.classes = classes
        self.random_state = random_state

    def _solve(self, rows: LabeledRows, rng: np.random.Generator) -> Solution:
        n_folds = checks.positive_int(self.n_folds, "n_folds", minimum=2)
        probabilities, _ = self._probabilities(rows, linear_classifier(), n_folds, rng)
        joint = confident_joint(probabilities, rows.codes)
        T = joint.T / joint.sum(axis=0)[:, None]
        gain = probability_gain(probabilities, rows.codes)
        return Solution(T, joint.sum(axis=0) / joint.sum(), gain)
