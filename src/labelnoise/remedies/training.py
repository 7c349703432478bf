"""A classifier trained on noisy labels as if they were clean."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from labelnoise import checks
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.estimators.methods import estimate
from labelnoise.estimators.noise_estimator import NoiseEstimator
from labelnoise.evidence.cross_fit import cross_fitted, select_rows, stratified_folds
from labelnoise.learning.losses import backward_loss, forward_loss
from labelnoise.noise_estimate import Diagnosis, NoiseEstimate
from labelnoise.remedies.given_noise import matrix_of
from labelnoise.remedies.softmax_regression import is_softmax_regression, train_through_noise
from labelnoise.remedies.training_sets import (
    NoisyRows,
    backward_set,
    forward_set,
    relabelled_set,
    reweighted_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.learning.linear import NoisyLoss
    from labelnoise.remedies.training_sets import TrainingSet
    from labelnoise.transition import TransitionMatrix

LEAST_SINGULAR = 0.02
"""Singular values of T below this share of the largest are not inverted: they would add noise."""

TINY = 1e-9
"""Chances below this count as this, so that some class is possible for every row."""


@dataclass(frozen=True)
class Correction:
    """How a method corrects: by a loss, for models that have one; by a training set, for all."""

    training_set: Callable[[NoisyRows], TrainingSet]
    loss: NoisyLoss | None = None
    inverts: bool = False


CORRECTIONS: Mapping[str, Correction] = MappingProxyType(
    {
        "forward": Correction(forward_set, forward_loss),
        "backward": Correction(backward_set, backward_loss, inverts=True),
        "reweight": Correction(reweighted_set),
        "relabel": Correction(relabelled_set),
    }
)


def _inner_has(name: str) -> Callable[[Any], bool]:
    """Whether the trained (or, before that, the given) classifier has a method."""

    def check(self: NoiseCorrectedClassifier) -> bool:
        return hasattr(getattr(self, "estimator_", self.estimator), name)

    return check


class NoiseCorrectedClassifier(MetaEstimatorMixin, ClassifierMixin, BaseEstimator):
    """Train any scikit-learn classifier on noisy labels as if they were clean.

    Parameters
    ----------
    estimator : classifier, or pipeline that ends in one
        Cloned and trained. If it is a pipeline, all steps but the last are fitted first, and the
        noise is estimated on what they make of the features.
    noise : "estimate", estimator of noise, NoiseEstimate, TransitionMatrix or array (K, K)
        How labels go wrong. "estimate" estimates it inside `fit`, on the training rows only, by
        `labelnoise.estimate`; an estimator such as ``HOCEstimator()`` is fitted in its
        place. A plain array follows the sorted classes.
    method : {"forward", "backward", "reweight", "relabel"}
        "forward" makes the noisy labels likely: minimises ``-log (f(x) T)_y``. "backward"
        minimises a loss that is the clean one on average. "reweight" gives rows importance weights,
        "relabel" the likeliest true class.

        Forward and backward train `LogisticRegression` (with a ridge penalty) by the corrected
        loss itself. Other classifiers are trained once on soft labels: rows come once for each
        class that they may be of, with its probability as `sample_weight`. So forward uses
        P(true | x, label), backward P(true | x). Classifiers that take no weights get rows drawn
        in proportion to them.
    cv : int
        Folds of the cross-fitting that finds P(true | x, label) with the classifier's own
        predictions. Estimates by "rank-gated" inside `fit` know it, and need none.
    random_state : None, int or Generator
        Seed of folds and draws. None draws a fixed seed.

    Attributes
    ----------
    estimator_ : classifier
        Trained, on the labels as they are named.
    noise_ : NoiseEstimate
        What was estimated, or given. ``clf.noise_.save(path)`` keeps it as JSON, and
        ``noise=NoiseEstimate.load(path)`` uses it again.
    classes_ : array of shape (K,)
    n_features_in_ : int

    Examples
    --------
    >>> import labelnoise as ln
    >>> from sklearn.linear_model import LogisticRegression
    >>> X, y = ln.make_twonorm(3000, random_state=0)
    >>> noisy = ln.inject_noise(y, [[0.95, 0.05], [0.45, 0.55]], random_state=0)
    >>> plain = LogisticRegression().fit(X[:2000], noisy[:2000])
    >>> corrected = NoiseCorrectedClassifier(LogisticRegression()).fit(X[:2000], noisy[:2000])
    >>> print(f"{plain.score(X[2000:], y[2000:]):.2f}")
    0.73
    >>> print(f"{corrected.score(X[2000:], y[2000:]):.2f}")
    0.97
    """

    def __init__(
        self,
        estimator: Any,
        *,
        noise: Any = "estimate",
        method: str = "forward",
        cv: int = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.noise = noise
        self.method = method
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate the noise if need be, and train the classifier.

        Parameters
        ----------
        X : array, sparse matrix, data frame, or whatever the classifier takes
        y : array-like of shape (n,)
            Noisy labels.
        """
        correction = CORRECTIONS[checks.one_of(self.method, "method", CORRECTIONS)]
        if not hasattr(self.estimator, "fit"):
            raise LabelNoiseError(
                f"estimator must be a classifier, got {self.estimator!r}. Pass an instance, such "
                "as LogisticRegression()."
            )
        if getattr(y, "ndim", 1) == 2:
            y = column_or_1d(y, warn=True)
        (X,) = indexable(X)
        labels = checks.labels(y, _num_samples(X))
        *first, (name, last) = _steps(self.estimator)
        before = clone(Pipeline(first)) if first else None
        Z = X if before is None else before.fit_transform(X, y)
        est = self._noise_of(Z, y, labels)
        codes = checks.known_labels(y, est.classes, len(labels.codes), "y")
        self.noise_, self.classes_ = est, checks.label_array(est.classes)
        if correction.inverts:
            est.transition_matrix.inverse()  # refuses a T that has none
        T = est.transition_matrix.values
        if correction.loss is not None and is_softmax_regression(last):
            fitted = train_through_noise(last, Z, codes, T, correction.loss)
            fitted.classes_ = self.classes_
        else:
            rng = checks.generator(self.random_state)
            noisy = NoisyRows(codes, T, self._posteriors(last, Z, codes, rng))
            fitted = self._trained(last, Z, correction.training_set(noisy), rng)
        self.estimator_ = fitted if before is None else Pipeline([*before.steps, (name, fitted)])
        return self

    def predict(self, X: Any) -> Any:
        """The likeliest true class of every row."""
        check_is_fitted(self)
        return self.estimator_.predict(X)

    @available_if(_inner_has("predict_proba"))
    def predict_proba(self, X: Any) -> FloatArray:
        """P(true class | x) by the trained classifier, (m, K), columns as in `classes_`."""
        check_is_fitted(self)
        inner = self.estimator_
        predicted = np.asarray(inner.predict_proba(X))
        found = np.zeros((len(predicted), len(self.classes_)))
        place = {label: i for i, label in enumerate(self.classes_.tolist())}
        found[:, [place[label] for label in np.asarray(inner.classes_).tolist()]] = predicted
        return found

    @available_if(_inner_has("decision_function"))
    def decision_function(self, X: Any) -> FloatArray:
        """What the trained classifier's own says."""
        check_is_fitted(self)
        found: FloatArray = self.estimator_.decision_function(X)
        return found

    @property
    def n_features_in_(self) -> int:
        """Columns of the training rows."""
        return int(self.estimator_.n_features_in_)

    @property
    def feature_names_in_(self) -> Any:
        """Names of the columns of the training rows, if they had any."""
        return self.estimator_.feature_names_in_

    def _noise_of(self, Z: Any, y: Any, labels: Labels) -> NoiseEstimate:
        """The noise, estimated on these rows or given."""
        if isinstance(self.noise, str):
            checks.one_of(self.noise, "noise", ["estimate"])
            est = estimate(Z, y)
        elif isinstance(self.noise, NoiseEstimator):
            est = clone(self.noise).fit(Z, y).estimate_
        elif isinstance(self.noise, NoiseEstimate):
            return self.noise
        else:
            return _known(matrix_of(self.noise, y), y, labels)
        if est.diagnosis.verdict != "reliable":
            warn_user(
                f"the noise that was estimated is {est.diagnosis.verdict!r}: "
                f"{'; '.join(est.diagnosis.reasons)}. See noise_.diagnosis for what to do."
            )
        return est

    def _posteriors(
        self, last: Any, Z: Any, codes: IntArray, rng: np.random.Generator
    ) -> FloatArray:
        """P(true class | x, label) of the training rows, (n, K)."""
        est = self.noise_
        if self.noise is not est and est.rows is not None:
            return est.row_posteriors
        if not hasattr(last, "predict_proba"):
            raise LabelNoiseError(
                f"{type(last).__name__} predicts no probabilities, which are needed to see which "
                "labels are wrong if the noise is given. Wrap it in CalibratedClassifierCV, or "
                "pass noise='estimate'."
            )
        n_folds = checks.positive_int(self.cv, "cv", minimum=2)
        folds = stratified_folds(codes, min(n_folds, len(codes)), rng)
        noisy = cross_fitted(last, Z, codes, folds, len(est.classes))
        return posteriors_given_labels(noisy, est.transition_matrix.values, codes)

    def _trained(self, last: Any, Z: Any, training: TrainingSet, rng: np.random.Generator) -> Any:
        """A copy of the classifier, trained on weighted rows, or on rows drawn by weight."""
        fitted = clone(last)
        weighs = has_fit_parameter(fitted, "sample_weight")
        used = training if weighs else training.drawn(rng)
        weights = {"sample_weight": used.weights} if weighs else {}
        return fitted.fit(select_rows(Z, used.rows), self.classes_[used.codes], **weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = get_tags(self.estimator)
        tags.input_tags = inner.input_tags
        tags.classifier_tags.multi_class = True
        return tags


def posteriors_given_labels(noisy: FloatArray, T: FloatArray, codes: IntArray) -> FloatArray:
    """P(true | x, label) (n, K) from noisy posteriors P(label | x) (n, K).

    ``P(label | x) = P(true | x) T`` is solved for P(true | x), cut to what is possible, and the
    row's own label is taken into account by Bayes' rule.

    Examples
    --------
    Labels err by 0.2. Around a row 0.74 of the labels are 0, so 0.9 of the rows truly are.

    >>> T = np.array([[0.8, 0.2], [0.2, 0.8]])
    >>> posteriors_given_labels(np.array([[0.74, 0.26]]), T, np.array([1])).round(3)  # .18 to .08
    array([[0.692, 0.308]])
    """
    inverse = np.linalg.pinv(T, rcond=LEAST_SINGULAR)
    clean = np.maximum(noisy @ inverse, TINY)
    clean /= clean.sum(axis=1, keepdims=True)
    joint = np.maximum(clean * T.T[codes], TINY)
    return joint / joint.sum(axis=1, keepdims=True)


def _known(T: TransitionMatrix, y: Any, labels: Labels) -> NoiseEstimate:
    """A matrix that is given, as an estimate: with the prior ``p`` that solves ``p T = q``."""
    codes = checks.known_labels(y, T.classes, len(labels.codes), "y")
    frequencies = np.bincount(codes, minlength=T.n_classes) / len(codes)
    prior = np.maximum(np.linalg.lstsq(T.values.T, frequencies, rcond=None)[0], 0.0)
    return NoiseEstimate(
        T,
        prior / prior.sum(),
        method="given",
        diagnosis=Diagnosis("reliable"),
        assumption="labels err as the given matrix says",
        n_rows=len(codes),
    )


def _steps(model: Any) -> list[tuple[str, Any]]:
    """Steps of a pipeline; a classifier alone is the last step."""
    if not isinstance(model, Pipeline):
        return [("", model)]
    return [(name, step) for name, step in model.steps if step not in (None, "passthrough")]
