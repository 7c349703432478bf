"""Scores on noisy labels -> the scores that clean labels would give, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.data.containers import refuse_another_order
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.findings import nearly_singular
from labelnoise.remedies import score_notes
from labelnoise.remedies.clean_metrics import AVERAGES, METRICS, Asked
from labelnoise.remedies.given_noise import matrix_of
from labelnoise.remedies.misfit import misfit_by_chance
from labelnoise.remedies.possible_scores import Possible, drawn_values, interval_of, lean
from labelnoise.remedies.score_notes import Found
from labelnoise.transition import MAX_SHOWN, labeled_table

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.transition import TransitionMatrix


@dataclass(frozen=True, eq=False, repr=False)
class CorrectedScore:
    """A score as clean labels would give it. ``float(score)`` is its value, if it is one number.

    Attributes
    ----------
    metric : str
    value : float, or array of shape (K,) or (K, K)
        The score on clean labels. Not clipped: where it leaves what the metric allows, `notes`
        says so.
    lower, upper : like value
        Ends of the interval, not clipped either.
    level : float
        Probability with which the interval holds the score.
    naive : like value
        The score on the noisy labels as they are.
    classes : tuple
        Names, in the order of arrays.
    n_rows : int
        Rows that were scored.
    notes : tuple of str
        What to know before using the numbers.
    """

    metric: str
    value: Any
    lower: Any
    upper: Any
    level: float
    naive: Any
    classes: tuple[Label, ...]
    n_rows: int
    notes: tuple[str, ...] = ()

    def __float__(self) -> float:
        if np.ndim(self.value):
            raise LabelNoiseError(
                f"{self.metric} is {np.size(self.value)} numbers here. Use .value, or for one "
                "number pass average='macro' (precision, recall, f1) or another metric."
            )
        return float(self.value)

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec else repr(self)

    def __repr__(self) -> str:
        level = f"{100 * self.level:g}% interval"
        head = f"{self.metric} on clean labels, from {self.n_rows} rows ({level})"
        notes = "".join(f"\n  - {note}" for note in self.notes)
        if np.ndim(self.value) == 0:
            return f"{head}: {self._line(())}{notes}"
        if np.ndim(self.value) == 1:
            shown = enumerate(self.classes[:MAX_SHOWN])
            lines = [f"  {label}: {self._line((i,))}" for i, label in shown]
            more = len(self.classes) - MAX_SHOWN
            lines += [f"  ({more} more classes)"] * (more > 0)
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
    """Work out what a score would be on clean labels.

    If labels err by class, whatever the prediction, then the joint distribution M of label and
    prediction is ``M = T' C``, C being that of true class and prediction. So ``C = T'^-1 M``, and
    every metric of a confusion matrix follows. The predictions must come from a model that did
    not see these labels: one that was trained on them repeats their errors.

    The interval holds the score on the population that the rows were drawn from: it allows for
    the rows and their labels having been drawn, and, where `noise` is an estimate with draws, for
    what T might be as well, as if both were independent: estimate T from other rows, those that
    the model was trained on say. Of several numbers each has its own interval.

    Parameters
    ----------
    y_noisy : array-like of shape (n,)
        Noisy labels of the test rows.
    y_pred : array-like of shape (n,)
        Predicted classes.
    noise : NoiseEstimate, TransitionMatrix or array of shape (K, K)
        How labels go wrong. A matrix is taken as known; a plain array follows the sorted classes
        of labels and predictions.
    metric : str
        "accuracy", "balanced_accuracy", "precision", "recall", "f1" or "confusion_matrix"
        (expected rows, [true, predicted]).
    average : {"macro", "weighted", "micro"} or None
        How precision, recall and F1 of the classes become one number; None keeps one a class.
    level : float
        Probability with which the interval shall hold the score.
    random_state : None, int or Generator
        Seed of the draws behind the interval. None draws a fixed seed.

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
    asked = Asked(metric, average, _counts(y_noisy, y_pred, T.classes), T.inverse().T)
    possible, value = Possible.of(noise, T), asked.value
    rng = checks.generator(random_state)
    values = drawn_values(possible, asked.counts + asked.more, asked.of_drawn, rng)
    if asked.mean_of_classes:
        values = values - 2 * lean(possible, asked, rng)  # once for the draws, once for the rows
    lower, upper = interval_of(values, level, value, possible.share_singular)
    chance = misfit_by_chance(possible.some(), asked.counts)
    found = Found(asked, T, possible.share_singular, (lower, upper), chance)
    alarms = tuple(score_notes.alarms(found))
    for alarm in alarms:
        warn_user(f"the corrected {asked.name} needs a second look: {alarm}.")
    rough, of_noise = score_notes.rough(level, len(values)), score_notes.of_noise(noise, chance)
    return CorrectedScore(
        metric=asked.name,
        value=_plain(np.where(np.isinf(value), np.nan, value)),
        lower=_plain(lower),
        upper=_plain(upper),
        level=level,
        naive=_plain(asked.naive),
        classes=T.classes,
        n_rows=asked.n_rows,
        notes=(*alarms, *score_notes.of_score(found), *rough, *of_noise),
    )


@dataclass(frozen=True, eq=False)
class CorrectedScorer:
    """A scikit-learn scorer: the score of a model's predictions as clean labels would give it.

    ``scorer(model, X, y_noisy)`` is what `corrected_score` says of ``model.predict(X)``, without
    interval or notes. On few rows it may leave what the metric allows; it is not clipped,
    because models are to be compared by it. It is NaN if a class's share of the rows comes out
    negative and the metric divides by it.

    Parameters
    ----------
    noise : NoiseEstimate or TransitionMatrix
        How labels go wrong; it must name all classes.
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
        checks.one_of(self.metric, "metric", METRICS[:-1])  # a matrix compares no models
        checks.one_of(self.average, "average", AVERAGES)
        T = matrix_of(self.noise)
        T.inverse()
        for finding in nearly_singular(T.values):
            warn_user(finding)

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Score a fitted model on rows `X` with noisy labels `y`."""
        T = matrix_of(self.noise)
        counts = _counts(y, estimator.predict(X), T.classes)
        value = float(Asked(self.metric, self.average, counts, T.inverse().T).value)
        return math.nan if math.isinf(value) else value


def _counts(y_noisy: Any, y_pred: Any, classes: tuple[Label, ...]) -> FloatArray:
    """Rows by label and prediction, (K, K)."""
    n_rows = np.shape(y_noisy)[0] if np.ndim(y_noisy) else 0
    if not n_rows:
        raise LabelNoiseError(f"y_noisy has no labels: {y_noisy!r}. Pass one for each row.")
    labels = checks.known_labels(y_noisy, classes, n_rows, "y_noisy")
    predicted = checks.known_labels(y_pred, classes, n_rows, "y_pred")
    k = len(classes)
    return np.bincount(labels * k + predicted, minlength=k * k).reshape(k, k).astype(np.float64)


def _plain(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
