"""A classifier trained on noisy labels as if they were clean."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    clone,
    is_classifier,
)
from sklearn.utils import column_or_1d, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import _num_samples, check_is_fitted, has_fit_parameter

from labelnoise import checks
from labelnoise.data.containers import refuse_another_order
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.cross_fit import (
    columns_of_all_classes,
    cross_fitted_probabilities,
    select_rows,
    stratified_folds,
)
from labelnoise.evidence.findings import nearly_singular
from labelnoise.findings import Diagnosis, Finding
from labelnoise.learning.losses import backward_loss, forward_loss
from labelnoise.methods import estimate, warn_if_unreliable
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.remedies.fitted_steps import FittedSteps
from labelnoise.remedies.given_noise import (
    is_given,
    matrix_of,
)
from labelnoise.remedies.misfit import HARDLY, misfit_by_chance
from labelnoise.remedies.possible_scores import Possible
from labelnoise.remedies.softmax_regression import is_softmax_regression, train_through_noise
from labelnoise.remedies.training_sets import (
    NoisyRows,
    backward_set,
    forward_set,
    relabeled_set,
    reweighted_set,
)
from labelnoise.transition import TransitionMatrix
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.learning.linear import NoisyLoss
    from labelnoise.remedies.training_sets import TrainingSet


MISFIT = Finding("labels_do_not_fit_matrix")


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
        "relabel": Correction(relabeled_set),
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
        noise is estimated on what they make of the features, up to the first step that looks
        at labels.
    noise : "estimate", estimator of noise, NoiseEstimate, TransitionMatrix or array (K, K)
        How labels go wrong. "estimate" estimates it inside `fit`, on the training rows only, by
        `labelnoise.estimate`; an estimator such as ``HOCEstimator()`` is fitted in its
        place. A plain array follows the sorted classes.
    method : {"forward", "backward", "reweight", "relabel"}
        "forward" makes the noisy labels likely: minimizes ``-log (f(x) T)_y``. "backward"
        minimizes a loss that is the clean one on average; it has no lower bound, so a model that
        can fit every row needs a strong penalty. "reweight" gives rows importance weights,
        "relabel" the likeliest true class.

        Forward and backward train `LogisticRegression` (with a ridge penalty or none) by the
        corrected loss itself, to convergence whatever its `tol` and `max_iter`. Other classifiers
        are trained once on soft labels: rows come once for each class that they may be of, with
        its probability as `sample_weight`. So forward uses P(true | x, label), backward
        P(true | x). Classifiers that take no weights get rows drawn in proportion to them. Soft
        labels make up to K copies of a row, and a classifier that splits rows itself, for early
        stopping say, may have copies on both sides.
    cv : int
        Folds of the cross-fitting that finds P(true | x, label) with the classifier's own
        predictions, trained without its `class_weight`. Estimates by "rank-gated" inside `fit`
        know it, and need none.
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
        Sorted, whatever the order of `noise`.
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
    0.75
    >>> print(f"{corrected.score(X[2000:], y[2000:]):.2f}")
    0.96
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
        X, y, labels = self._checked(X, y)
        steps = FittedSteps(self.estimator, X, y, look_for_labels=not is_given(self.noise))
        self.noise_ = self._noise_of(steps.plain_features, y, labels)
        T = _sorted(self.noise_.transition_matrix)
        if correction.inverts:
            T.inverse()  # refuses a T that has none
        for finding in nearly_singular(T.values):
            warn_user(finding)
        self.classes_ = checks.label_array(T.classes)
        codes = _codes(labels, T)
        if correction.loss is not None and is_softmax_regression(steps.last):
            fitted = train_through_noise(
                steps.last, steps.features, codes, T.values, correction.loss
            )
            fitted.classes_ = self.classes_
        else:
            rng = checks.generator(self.random_state)
            noisy = self._noisy_rows(X, codes, T, rng)
            fitted = self._trained(steps, correction.training_set(noisy), rng)
        self.estimator_ = steps.ended_by(fitted)
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
        return columns_of_all_classes(
            np.asarray(inner.predict_proba(X)), inner.classes_, self.classes_
        )

    @available_if(_inner_has("decision_function"))
    def decision_function(self, X: Any) -> FloatArray:
        """What the trained classifier's own says, classes as in `classes_`.

        A class that it was never shown has minus infinity.
        """
        check_is_fitted(self)
        inner = self.estimator_
        found: FloatArray = np.asarray(inner.decision_function(X))
        if len(inner.classes_) == len(self.classes_):
            return found
        each = np.column_stack([-found, found]) if found.ndim == 1 else found
        return columns_of_all_classes(each, inner.classes_, self.classes_, others=-np.inf)

    @property
    def n_features_in_(self) -> int:
        """Columns of the training rows."""
        return int(self.estimator_.n_features_in_)

    @property
    def feature_names_in_(self) -> Any:
        """Names of the columns of the training rows, if they had any."""
        return self.estimator_.feature_names_in_

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any, Labels]:
        """Rows and labels, if these and the classifier can be used."""
        if isinstance(self.estimator, type) or not _classifies(self.estimator):
            raise LabelNoiseError(
                f"estimator must be a classifier, got {self.estimator!r}. Pass an instance of one, "
                "such as LogisticRegression()."
            )
        refuse_another_order(X=X, y=y)
        if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        (X,) = indexable(X)
        return X, y, checks.labels(y, _num_samples(X))

    def _noise_of(self, Z: Any, y: Any, labels: Labels) -> NoiseEstimate:
        """The noise, estimated on these rows or given."""
        if isinstance(self.noise, str):
            if self.noise != "estimate":
                raise LabelNoiseError(
                    f"unknown noise {self.noise!r}. Pass 'estimate', an estimator such as "
                    "HOCEstimator(), an estimate, or a matrix."
                )
            est = estimate(Z, y)
        elif isinstance(self.noise, NoiseEstimator):
            est = clone(self.noise).fit(Z, y).estimate_
        else:
            return self._given_noise(labels)
        warn_if_unreliable(est, "noise_.diagnosis of the fitted classifier")
        return est

    def _given_noise(self, labels: Labels) -> NoiseEstimate:
        """The noise that is given, as an estimate, held against how often labels occur."""
        given = isinstance(self.noise, NoiseEstimate)
        est = self.noise if given else _known(matrix_of(self.noise, y=labels.classes), labels)
        T = est.transition_matrix
        chance = misfit_by_chance(Possible.of(est, T).some(), _counts(labels, T)[:, None])
        if chance is None or chance >= HARDLY:
            return est
        warn_user(MISFIT)
        diagnosis = Diagnosis.of([*est.diagnosis.findings, MISFIT])
        return est if given else replace(est, diagnosis=diagnosis)

    def _noisy_rows(
        self, X: Any, codes: IntArray, T: TransitionMatrix, rng: np.random.Generator
    ) -> NoisyRows:
        """What the training rows probably are, classes in the order of T.

        An estimate knows the rows that it was made from; only if it was made here are these them.
        """
        est = self.noise_
        if est is not self.noise and est.rows is not None:
            order = [est.classes.index(label) for label in T.classes]
            by_features, posteriors = est.rows.by_features(), est.rows.posteriors()
            return NoisyRows(codes, T.values, by_features[:, order], posteriors[:, order])
        n_folds = checks.positive_int(self.cv, "cv", minimum=2)
        folds = stratified_folds(codes, min(n_folds, len(codes)), rng)
        noisy = cross_fitted_probabilities(
            _unweighted(self.estimator), X, codes, folds, self.classes_
        )
        return NoisyRows.of_predictions(codes, T.values, noisy)

    def _trained(self, steps: FittedSteps, training: TrainingSet, rng: np.random.Generator) -> Any:
        """A copy of the classifier, trained on weighted rows, or on rows drawn by weight."""
        if len(np.unique(training.codes)) == 1:
            (only,) = self.classes_[training.codes[:1]].tolist()
            raise LabelNoiseError(
                f"corrected by this T, all rows are of class {only!r}: there is nothing to learn. "
                "Check that T belongs to these labels, with rows for true classes."
            )
        fitted = clone(steps.last)
        weighs = has_fit_parameter(fitted, "sample_weight")
        used = training if weighs else training.drawn(rng)
        weights = {"sample_weight": used.weights} if weighs else {}
        rows = select_rows(steps.features, used.rows)
        return fitted.fit(rows, self.classes_[used.codes], **weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not isinstance(self.estimator, type) and hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.multi_class = True
        return tags


def _known(T: TransitionMatrix, labels: Labels) -> NoiseEstimate:
    """A matrix that is given, as an estimate; "weak" if it can hardly be undone.

    The prior p solves ``p T = q``, with what comes out negative cut to 0.
    """
    prior = np.maximum(_counts(labels, T) @ np.linalg.pinv(T.values), 0.0)
    return NoiseEstimate(
        T,
        prior / prior.sum(),
        method="given",
        diagnosis=Diagnosis.of([*nearly_singular(T.values)]),
        assumption=Assumption("given_matrix"),
        n_rows=len(labels.codes),
    )


def _codes(labels: Labels, T: TransitionMatrix) -> IntArray:
    """Labels as codes (n,) in the order of T's classes."""
    place = checks.known_labels(labels.classes, T.classes, len(labels.classes), "y")
    return place[labels.codes]


def _counts(labels: Labels, T: TransitionMatrix) -> FloatArray:
    """Rows of each label, (K,), in the order of T's classes."""
    return np.bincount(_codes(labels, T), minlength=T.n_classes).astype(np.float64)


def _classifies(model: Any) -> bool:
    """Whether a model is a classifier; one without scikit-learn's tags needs its manners."""
    if not hasattr(model, "__sklearn_tags__"):
        return all(hasattr(model, name) for name in ("fit", "predict", "get_params"))
    return bool(is_classifier(model))


def _unweighted(model: Any) -> Any:
    """A copy without weights of classes, which would make it predict other frequencies."""
    settings = [name for name in model.get_params() if name.endswith("class_weight")]
    return clone(model).set_params(**dict.fromkeys(settings)) if settings else model


def _sorted(T: TransitionMatrix) -> TransitionMatrix:
    """T with its classes in sorted order, as scikit-learn has them."""
    classes = checks.labels(checks.label_array(T.classes), None).classes
    order = [T.classes.index(label) for label in classes]
    return TransitionMatrix(T.values[np.ix_(order, order)], classes)
