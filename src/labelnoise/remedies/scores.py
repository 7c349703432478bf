"""Scores on noisy labels -> the scores that clean labels would give, with intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.clean_metrics import AVERAGES, METRICS, OF_CLASS, metric_named
from labelnoise.remedies.given_noise import matrix_of
from labelnoise.transition import MAX_CONDITION_NUMBER, MAX_SHOWN, labelled_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.remedies.clean_metrics import Metric
    from labelnoise.transition import TransitionMatrix

LEAST_DRAWS, N_DRAWS = 200, 2000
"""Draws behind an interval: fewer only where many classes make each of them large."""

BLOCK, KEPT, WORKED = 2**22, 2**25, 2**28
"""Numbers that are worked on at once, that are kept of all draws, and that all draws have."""

NEARLY_SINGULAR = 10.0
"""Condition number of T from which on a note says what it does to the score."""

FEW_DRAWS = 0.05
"""Share of draws without a value that is worth a note."""

ROUNDING = 1e-9

SURELY = 4.0
"""Standard deviations below zero at which a share is no accident: the least of many cells."""


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

    def __repr__(self) -> str:
        head = f"{self.metric} on clean labels, from {self.n_rows} rows ({self.level:.0%} interval)"
        notes = "".join(f"\n  - {note}" for note in self.notes)
        if np.ndim(self.value) == 0:
            return f"{head}: {self._line(())}{notes}"
        if np.ndim(self.value) == 1:
            shown = enumerate(self.classes[:MAX_SHOWN])
            lines = [f"  {label}: {self._line((i,))}" for i, label in shown]
            more = len(self.classes) - MAX_SHOWN
            lines += [f"  ({more} more classes)"] * (more > 0)
            return "\n".join([f"{head}:", *lines]) + notes
        table = labelled_table(self.classes, lambda i, j: f"{self.value[i, j]:.1f}", "predicted")
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
    what T might be as well.

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
    if checks.positive_number(level, "level") >= 1:
        raise LabelNoiseError(f"level must be a probability below 1, got {level!r}. Pass 0.9.")
    T = matrix_of(noise, y_noisy, y_pred)
    undo = T.inverse().T
    counts = _counts(y_noisy, y_pred, T.classes)
    n_rows = int(counts.sum())
    measure = metric_named(metric, average, n_rows)
    ways = _ways_to_undo(noise, undo)
    draws = _Draws.of(ways, counts, measure, checks.generator(random_state))
    value = measure(undo @ counts / n_rows)
    lower, upper = draws.interval(level, value)
    alarms = tuple(_alarms(T, value, draws, metric))
    named = metric in OF_CLASS and average is not None
    score = CorrectedScore(
        metric=f"{average} {metric}" if named else metric,
        value=_plain(value),
        lower=_plain(lower),
        upper=_plain(upper),
        level=level,
        naive=_plain(measure(counts / n_rows)),
        classes=T.classes,
        n_rows=n_rows,
        notes=(*alarms, *_notes(noise, draws)),
    )
    for alarm in alarms:
        warn_user(f"the corrected {score.metric} needs a second look: {alarm}.")
    return score


@dataclass(frozen=True)
class CorrectedScorer:
    """A scikit-learn scorer: the score of a model's predictions as clean labels would give it.

    ``scorer(model, X, y_noisy)`` is what `corrected_score` says of ``model.predict(X)``, without
    interval or notes. On few rows it may leave what the metric allows; it is not clipped,
    because models are to be compared by it.

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
        for note in _nearly_singular(T):
            warn_user(f"models will be compared by scores that are unsure: {note}.")

    def __call__(self, estimator: Any, X: Any, y: Any) -> float:
        """Score a fitted model on rows `X` with noisy labels `y`."""
        T = matrix_of(self.noise)
        counts = _counts(y, estimator.predict(X), T.classes)
        n_rows = int(counts.sum())
        joint = T.inverse().T @ counts / n_rows
        return float(metric_named(self.metric, self.average, n_rows)(joint))


@dataclass(frozen=True)
class _Draws:
    """Draws of the clean joint distribution (S, K, K), boiled down.

    Attributes
    ----------
    values : (S, ...) array
        The metric of each.
    lowest : float
        The least share of any true class and prediction, in standard deviations of its draws.
    """

    values: FloatArray
    lowest: float

    @classmethod
    def of(
        cls,
        ways: FloatArray,
        counts: FloatArray,
        measure: Metric,
        rng: np.random.Generator,
    ) -> _Draws:
        """Draw rows that might have come as well, and what T might be.

        Shares of label and prediction are drawn around the `counts` (K, K), with one more row
        spread over all cells: an empty cell is no proof that there is nothing in it. `ways`
        (S, K, K) are what ``T'^-1`` might be.
        """
        cells = counts.size
        size = measure(counts / counts.sum()).size
        n_draws = int(np.clip(min(KEPT // size, WORKED // cells), LEAST_DRAWS, N_DRAWS))
        values, total, squares = [], np.zeros_like(counts), np.zeros_like(counts)
        for low in range(0, n_draws, step := max(1, BLOCK // cells)):
            n = min(step, n_draws - low)
            shares = rng.standard_gamma(counts.ravel() + 1 / cells, size=(n, cells))
            shares /= shares.sum(axis=1, keepdims=True)
            joint = ways[rng.integers(len(ways), size=n)] @ shares.reshape(n, *counts.shape)
            values.append(measure(joint))
            total += joint.sum(axis=0)
            squares += (joint**2).sum(axis=0)
        mean = total / n_draws
        spread = np.sqrt(np.maximum(squares / n_draws - mean**2, 0.0))
        return cls(np.concatenate(values), float((mean / (spread + ROUNDING)).min()))

    def interval(self, level: float, point: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Central interval, stretched to hold the point if need be; NaN where nothing has one."""
        ends = (1 - level) / 2, (1 + level) / 2
        known = ~np.isnan(self.values).all(axis=0)
        lower, upper = np.nanquantile(np.where(known, self.values, 0.0), ends, axis=0)
        lower, upper = np.fmin(lower, point), np.fmax(upper, point)
        return np.where(known, lower, np.nan), np.where(known, upper, np.nan)


def _counts(y_noisy: Any, y_pred: Any, classes: tuple[Label, ...]) -> FloatArray:
    """Rows by label and prediction, (K, K)."""
    n_rows = np.shape(y_noisy)[0] if np.ndim(y_noisy) else 0
    if not n_rows:
        raise LabelNoiseError(f"y_noisy has no labels: {y_noisy!r}. Pass one for each row.")
    labels = checks.known_labels(y_noisy, classes, n_rows, "y_noisy")
    predicted = checks.known_labels(y_pred, classes, n_rows, "y_pred")
    k = len(classes)
    return np.bincount(labels * k + predicted, minlength=k * k).reshape(k, k).astype(np.float64)


def _ways_to_undo(noise: Any, undo: FloatArray) -> FloatArray:
    """What ``T'^-1`` might be, (S, K, K), where there is one; of a known T it is `undo` alone."""
    if not isinstance(noise, NoiseEstimate) or noise.draws is None:
        return undo[None]
    drawn = noise.draws.transition
    drawn = drawn[np.linalg.cond(drawn) <= MAX_CONDITION_NUMBER]
    return np.linalg.inv(np.swapaxes(drawn, 1, 2)).astype(np.float64) if len(drawn) else undo[None]


def _nearly_singular(T: TransitionMatrix) -> Iterator[str]:
    condition = T.condition_number
    if condition > NEARLY_SINGULAR:
        yield (
            f"T is nearly singular (condition number {condition:.0f}), so a small error of T or a "
            "few rows change the score a lot"
        )


def _alarms(T: TransitionMatrix, value: FloatArray, draws: _Draws, metric: str) -> Iterator[str]:
    """Notes that are worth a warning."""
    yield from _nearly_singular(T)
    most = math.inf if metric == "confusion_matrix" else 1.0
    off = np.maximum(-value, value - most)
    if np.nanmax(off) > ROUNDING:
        allowed = "0 and more" if most == math.inf else "0 to 1"
        worst = float(np.ravel(value)[np.nanargmax(off)])
        yield (
            f"{int((off > ROUNDING).sum())} of {value.size} value(s) lie outside of {allowed}, the "
            f"worst is {worst:.3f}. That happens by chance where rows are few, and else means that "
            "labels go wrong in another way than T says: use the interval"
        )
    if draws.lowest < -SURELY:
        yield (
            "shares of true class and prediction come out negative by more than chance: labels of "
            "these rows go wrong in another way than T says, or the model was trained on them"
        )


def _notes(noise: Any, draws: _Draws) -> Iterator[str]:
    if isinstance(noise, NoiseEstimate):
        if noise.draws is None:
            yield (
                f"the estimate by {noise.method!r} has no draws, so the interval takes T as known "
                "and is too narrow"
            )
        if noise.diagnosis.verdict != "reliable":
            reasons = "; ".join(noise.diagnosis.reasons)
            yield f"the estimate of T is {noise.diagnosis.verdict!r}: {reasons}"
    undefined = float(np.isnan(draws.values).mean(axis=0).max())
    if undefined > FEW_DRAWS:
        yield (
            f"in {undefined:.0%} of the draws some class has no rows, and no value: its interval "
            "is that of the others"
        )


def _plain(value: Any) -> Any:
    return float(value) if np.ndim(value) == 0 else value
