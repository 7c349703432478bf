"""Scores on clean labels, with intervals, computed from noisy labels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import refuse_another_order
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.findings import nearly_singular
from labelnoise.remedies.clean_metrics import (
    AVERAGES,
    CLASS_METRICS,
    METRICS,
    CorrectedMetric,
)
from labelnoise.remedies.given_noise import matrix_of
from labelnoise.remedies.goodness_of_fit import fit_p_value
from labelnoise.remedies.score_draws import (
    central_interval,
    matrices_of,
    matrices_to_test,
    metric_draws,
)
from labelnoise.remedies.score_findings import score_remarks, score_warnings
from labelnoise.transition import MAX_SHOWN, labeled_table

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.transition import TransitionMatrix
    from labelnoise.wording import Audience, Note


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedScore:
    """A score as clean labels would give it. ``float(score)`` is its value, if it is one number.

    Attributes
    ----------
    metric : str
    value : float, or array of shape (K,) or (K, K)
        The score on clean labels. It is not clipped; `findings` mention values outside the range
        of the metric.
    lower, upper : like value
        Ends of the interval, not clipped either.
    level : float
        Probability that the interval contains the score.
    naive : like value
        The score on the noisy labels.
    classes : tuple
        Names, in the order of arrays.
    n_rows : int
        Rows that were scored.
    findings : tuple of Note
        What to know before using the numbers, each a code with its facts.
    """

    metric: str
    value: Any
    lower: Any
    upper: Any
    level: float
    naive: Any
    classes: tuple[Label, ...]
    n_rows: int
    findings: tuple[Note, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """The findings in sentences."""
        return tuple(map(str, self.findings))

    def __float__(self) -> float:
        if np.ndim(self.value):
            facts = {"metric": self.metric, "n_values": int(np.size(self.value))}
            raise LabelNoiseError("score_of_several_numbers", **facts)
        return float(self.value)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)

    def __repr__(self) -> str:
        return self.text()

    def text(self, audience: Audience = "python") -> str:
        """The score, its interval and its findings, for users of Python or of the command line."""
        level = f"{100 * self.level:g}% interval"
        head = f"{self.metric} on clean labels, from {self.n_rows} rows ({level})"
        notes = "".join(f"\n  - {finding.text(audience)}" for finding in self.findings)
        if np.ndim(self.value) == 0:
            return f"{head}: {self._line(())}{notes}"
        if np.ndim(self.value) == 1:
            shown = self.classes[:MAX_SHOWN]
            lines = [f"  {label}: {self._line((i,))}" for i, label in enumerate(shown)]
            if len(self.classes) > MAX_SHOWN:
                lines.append(f"  ({len(self.classes) - MAX_SHOWN} more classes)")
            return "\n".join([f"{head}:", *lines]) + notes
        table = labeled_table(self.classes, lambda i, j: f"{self.value[i, j]:.1f}", "predicted")
        return f"{head}:\n{table}{notes}"

    def _line(self, at: tuple[int, ...]) -> str:
        value, low, high, naive = (
            f"{np.asarray(numbers)[at]:.3f}"
            for numbers in (self.value, self.lower, self.upper, self.naive)
        )
        return f"{value} ({low} to {high}); on the noisy labels {naive}"


def corrected_score(
    y_noisy: Any,
    y_pred: Any,
    noise: Any,
    *,
    metric: str = "accuracy",
    average: str | None = "macro",
    level: float = 0.9,
    random_state: Any = None,
) -> CorrectedScore:
    """Compute what a score would be on clean labels.

    If label errors depend on the true class alone, not on the prediction, then the joint
    distribution M of label and prediction is ``M = T' C``, C being that of true class and
    prediction. So ``C = T'^-1 M``, and every metric of a confusion matrix follows. The model must
    not have been trained on these labels: it would repeat their errors.

    The interval is for the score on the population that the rows were drawn from. It accounts for
    the sampling of rows and labels and, if `noise` is an estimate with draws, for the uncertainty
    of T. Both are taken as independent, so estimate T from other rows, such as those that the model
    was trained on. If the score is several numbers, each has its own interval.

    Parameters
    ----------
    y_noisy : array-like of shape (n,)
        Noisy labels of the test rows.
    y_pred : array-like of shape (n,)
        Predicted classes.
    noise : NoiseEstimate, TransitionMatrix or array of shape (K, K)
        The noise of the labels. A matrix is taken as known; a plain array is in the order of the
        sorted classes of labels and predictions.
    metric : str
        "accuracy", "balanced_accuracy", "precision", "recall", "f1" or "confusion_matrix"
        (expected rows, [true, predicted]).
    average : {"macro", "weighted", "micro"} or None
        How precision, recall and F1 of the classes become one number; None keeps one per class.
    level : float
        Probability that the interval contains the score.
    random_state : None, int or Generator
        Seed of the draws behind the interval. None is a fixed seed.

    Examples
    --------
    A perfect classifier, on labels of which every fifth is wrong:

    >>> T = [[0.8, 0.2], [0.2, 0.8]]
    >>> labels, predictions = [0, 0, 0, 0, 1, 1, 1, 1, 1, 0], [0] * 5 + [1] * 5
    >>> score = corrected_score(labels, predictions, T)
    >>> round(float(score), 6), score.naive
    (1.0, 0.8)
    """
    checks.one_of(metric, "metric", METRICS)
    if average is not None:
        checks.one_of(average, "average", AVERAGES)
    checks.level(level)
    refuse_another_order(y_noisy=y_noisy, y_pred=y_pred)
    T = matrix_of(noise, y_noisy=y_noisy, y_pred=y_pred)
    corrected = CorrectedMetric(metric, average, _counts(y_noisy, y_pred, T), T)
    value = corrected.value  # refuses a T without an inverse
    matrices = matrices_of(noise, T)
    values = metric_draws(corrected, matrices, checks.generator(random_state))
    lower, upper = central_interval(values, level, value)
    p_value = fit_p_value(matrices_to_test(matrices), corrected.counts)
    warned = tuple(score_warnings(corrected, p_value))
    for note in warned:
        warn_user(note)
    averaged = metric in CLASS_METRICS and average is not None
    return CorrectedScore(
        metric=f"{average} {metric}" if averaged else metric,
        value=_plain(np.where(np.isinf(value), np.nan, value)),
        lower=_plain(lower),
        upper=_plain(upper),
        level=level,
        naive=_plain(corrected.naive),
        classes=T.classes,
        n_rows=corrected.n_rows,
        findings=(*warned, *score_remarks(corrected, noise)),
    )


@dataclass(frozen=True, eq=False)
class CorrectedScorer:
    """A scikit-learn scorer: the score of a model's predictions on clean labels.

    ``scorer(model, X, y_noisy)`` is the value of `corrected_score` for ``model.predict(X)``. On few
    rows it may be outside the range of the metric; it is not clipped, as models are compared by it.
    It is NaN if the metric divides by the share of a class and that is negative.

    Parameters
    ----------
    noise : NoiseEstimate or TransitionMatrix
        The noise of the labels; it must name all classes.
    metric : str
        "accuracy", "balanced_accuracy", "precision", "recall" or "f1".
    average : {"macro", "weighted", "micro"}

    Examples
    --------
    >>> import labelnoise as ln
    >>> from sklearn.linear_model import LogisticRegression
    >>> from sklearn.model_selection import cross_val_score
    >>> X, y = ln.make_twonorm(4000, random_state=0)
    >>> T = ln.symmetric_noise(2, 0.2)
    >>> noisy = ln.inject_noise(y, T, random_state=0)
    >>> for scoring in ("accuracy", CorrectedScorer(T)):
    ...     scores = cross_val_score(LogisticRegression(), X, noisy, scoring=scoring)
    ...     print(f"{scores.mean():.2f}")
    0.78
    0.97
    """

    noise: NoiseEstimate | TransitionMatrix
    metric: str = "accuracy"
    average: str = "macro"

    def __post_init__(self) -> None:
        checks.one_of(self.metric, "metric", METRICS[:-1])  # models cannot be compared by a matrix
        checks.one_of(self.average, "average", AVERAGES)
        T = matrix_of(self.noise)
        T.inverse()
        for finding in nearly_singular(T.values):
            warn_user(finding)

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Score a fitted model on rows `X` with noisy labels `y`."""
        T = matrix_of(self.noise)
        counts = _counts(y, estimator.predict(X), T)
        value = float(CorrectedMetric(self.metric, self.average, counts, T).value)
        return math.nan if math.isinf(value) else value


def _counts(y_noisy: Any, y_pred: Any, T: TransitionMatrix) -> FloatArray:
    """Rows by label and prediction, (K, K)."""
    n_rows, k = np.shape(y_noisy)[0] if np.ndim(y_noisy) else 0, T.n_classes
    if not n_rows:
        raise LabelNoiseError("no_labels")
    labels = checks.known_labels(y_noisy, T.classes, n_rows, "y_noisy")
    predicted = checks.known_labels(y_pred, T.classes, n_rows, "y_pred")
    return np.bincount(labels * k + predicted, minlength=k * k).reshape(k, k).astype(np.float64)


def _plain(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
