"""A classifier trained on noisy labels as if they were clean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    MetaEstimatorMixin,
    clone,
    is_classifier,
)
from sklearn.pipeline import Pipeline
from sklearn.utils import column_or_1d, get_tags, indexable
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import (
    _num_samples,
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from labelnoise import checks
from labelnoise.data.containers import refuse_another_order
from labelnoise.data.encoder import TableEncoder
from labelnoise.data.frames import is_table
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.cross_fit import (
    columns_of_all_classes,
    cross_fitted_probabilities,
    select_rows,
    stratified_folds,
)
from labelnoise.evidence.findings import nearly_singular
from labelnoise.learning.losses import backward_loss, forward_loss
from labelnoise.methods import estimate, warn_if_unreliable
from labelnoise.noise_estimator import NoiseEstimator
from labelnoise.remedies.fitted_steps import FittedSteps
from labelnoise.remedies.given_noise import (
    is_given,
    known_noise,
    label_codes,
    with_sorted_classes,
)
from labelnoise.remedies.softmax_regression import is_softmax_regression, train_through_noise
from labelnoise.remedies.training_sets import (
    NoisyRows,
    backward_set,
    forward_set,
    relabeled_set,
    reweighted_set,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels
    from labelnoise.learning.losses import NoisyLoss
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.remedies.training_sets import TrainingSet
    from labelnoise.transition import TransitionMatrix


@dataclass(frozen=True)
class Correction:
    """A training set for any classifier, and for some methods a corrected loss."""

    training_set: Callable[[NoisyRows], TrainingSet]
    loss: NoisyLoss | None = None
    inverts: bool = False


CORRECTIONS = {
    "forward": Correction(forward_set, forward_loss),
    "backward": Correction(backward_set, backward_loss, inverts=True),
    "reweight": Correction(reweighted_set),
    "relabel": Correction(relabeled_set),
}


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
        noise is estimated on their output, up to the first step that uses the labels.
    noise : "estimate", estimator of noise, NoiseEstimate, TransitionMatrix or array (K, K)
        How labels go wrong. "estimate" estimates it inside `fit`, on the training rows only, by
        `labelnoise.estimate`; an estimator such as ``HOCEstimator()`` is used instead of it. A
        plain array follows the sorted classes.
    method : {"forward", "backward", "reweight", "relabel"}
        "forward" makes the noisy labels likely: it minimizes ``-log (f(x) T)_y``. "backward"
        minimizes a loss whose mean is the clean one; it has no lower bound, so a model that can
        fit every row needs a strong penalty. "reweight" gives rows importance weights, "relabel"
        the most likely true class.

        Forward and backward train `LogisticRegression` (with a ridge penalty or none) by the
        corrected loss itself, to convergence; `tol` and `max_iter` are ignored. Other classifiers
        are trained once on soft labels: each row occurs once for each class that it may be of,
        with the probability of the class as `sample_weight`. Forward uses P(true | x, label),
        backward P(true | x). Classifiers without `sample_weight` get rows drawn in proportion to
        the weights. Soft labels make up to K copies of a row, and a classifier that splits rows
        itself, for example for early stopping, may have copies on both sides.
    encode : "auto" or bool
        Whether a data frame (pandas, polars, pyarrow) is turned into numbers by `TableEncoder`,
        fitted on the training rows: numbers with missing values, categories, dates and texts.
        "auto" encodes it unless `estimator` is or contains a `Pipeline`, which gets the frame as
        it is; False is for classifiers that read frames themselves. Arrays are never encoded.
    cv : int
        Folds of the cross-fitting that finds P(true | x, label) with the classifier's own
        predictions, trained without its `class_weight`. Not used for estimates by "rank-gated"
        inside `fit`, which know it.
    random_state : None, int or Generator
        Seed of folds and draws. None is a fixed seed.

    Attributes
    ----------
    estimator_ : classifier
        Trained, with the labels as classes.
    noise_ : NoiseEstimate
        What was estimated, or given. ``clf.noise_.save(path)`` keeps it as JSON, and
        ``noise=NoiseEstimate.load(path)`` uses it again.
    encoder_ : TableEncoder or None
        How frames are turned into numbers.
    classes_ : array of shape (K,)
        Sorted; the order in `noise` does not matter.
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
        encode: Any = "auto",
        cv: int = 5,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.noise = noise
        self.method = method
        self.encode = encode
        self.cv = cv
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Estimate the noise if necessary, and train the classifier.

        Parameters
        ----------
        X : array, sparse matrix, data frame, or anything the classifier accepts
        y : array-like of shape (n,)
            Noisy labels.
        """
        correction = CORRECTIONS[checks.one_of(self.method, "method", CORRECTIONS)]
        X, y, labels = self._checked(X, y)
        self.encoder_ = TableEncoder() if self._encodes(X) else None
        Z = X if self.encoder_ is None else self.encoder_.fit_transform(X, y)
        steps = FittedSteps(self.estimator, Z, y, find_supervised=not is_given(self.noise))
        noise_features = steps.unsupervised_features
        if noise_features is Z:
            noise_features = X  # the estimator of noise encodes it itself, with its own warnings
        self.noise_ = self._noise_of(noise_features, y, labels)
        T = with_sorted_classes(self.noise_.transition_matrix)
        if correction.inverts:
            T.inverse()  # refuses a T that has none
        for finding in nearly_singular(T.values):
            warn_user(finding)
        self.classes_ = checks.label_array(T.classes)
        codes = label_codes(labels, T)
        if correction.loss is not None and is_softmax_regression(steps.last):
            fitted = train_through_noise(
                steps.last, steps.features, codes, T.values, correction.loss
            )
            fitted.classes_ = self.classes_
        else:
            rng = checks.generator(self.random_state)
            noisy = self._noisy_rows(Z, codes, T, rng)
            fitted = self._trained(steps, correction.training_set(noisy), rng)
        self.estimator_ = steps.ended_by(fitted)
        validate_data(self, X, skip_check_array=True)  # remembers the columns
        return self

    def predict(self, X: Any) -> Any:
        """The most likely true class of each row, (m,)."""
        Z = self._encoded(X)
        return self.estimator_.predict(Z)

    @available_if(_inner_has("predict_proba"))
    def predict_proba(self, X: Any) -> FloatArray:
        """P(true class | x) by the trained classifier, (m, K), columns as in `classes_`."""
        Z = self._encoded(X)
        found = np.asarray(self.estimator_.predict_proba(Z))
        return columns_of_all_classes(found, self.estimator_.classes_, self.classes_)

    @available_if(_inner_has("decision_function"))
    def decision_function(self, X: Any) -> FloatArray:
        """The decision function of the trained classifier, classes as in `classes_`.

        Minus infinity for a class that it was not trained on.
        """
        Z = self._encoded(X)
        found: FloatArray = np.asarray(self.estimator_.decision_function(Z))
        trained_on = self.estimator_.classes_
        if len(trained_on) == len(self.classes_):
            return found
        each = np.column_stack([-found, found]) if found.ndim == 1 else found
        return columns_of_all_classes(each, trained_on, self.classes_, others=-np.inf)

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any, Labels]:
        """Rows and labels, if these and the classifier can be used."""
        if isinstance(self.estimator, type) or not _classifies(self.estimator):
            raise LabelNoiseError(
                "wrong_value",
                name="estimator",
                expected="an instance of a classifier",
                value=self.estimator,
                example="LogisticRegression()",
            )
        refuse_another_order(X=X, y=y)
        if getattr(y, "ndim", 1) == 2 and y.shape[1] == 1:
            y = column_or_1d(y, warn=True)
        (X,), (y,) = indexable(X), indexable(y)
        return X, y, checks.labels(y, _num_samples(X))

    def _encodes(self, X: Any) -> bool:
        """Whether the rows are a frame, and encoded here."""
        if self.encode not in (allowed := ["auto", True, False]):
            raise LabelNoiseError(
                "unknown_choice", name="encode", value=self.encode, allowed=allowed
            )
        encodes = not _has_pipeline(self.estimator) if self.encode == "auto" else self.encode
        return bool(encodes) and is_table(X)

    def _encoded(self, X: Any) -> Any:
        """New rows as the trained classifier takes them, if there is one."""
        check_is_fitted(self)
        if self.encoder_ is None:
            return X
        validate_data(self, X, skip_check_array=True, reset=False)  # the same columns
        return self.encoder_.transform(X)

    def _noise_of(self, X: Any, y: Any, labels: Labels) -> NoiseEstimate:
        """The noise, estimated on these rows or given."""
        if isinstance(self.noise, NoiseEstimator):
            est = clone(self.noise).fit(X, y).estimate_
        elif not isinstance(self.noise, str):
            return known_noise(self.noise, labels)
        elif self.noise == "estimate":
            est = estimate(X, y)
        else:
            raise LabelNoiseError("noise_not_usable", given=repr(self.noise))
        warn_if_unreliable(est, "noise_.diagnosis of the fitted classifier")
        return est

    def _noisy_rows(
        self, Z: Any, codes: IntArray, T: TransitionMatrix, rng: np.random.Generator
    ) -> NoisyRows:
        """Posteriors of the training rows, classes in the order of T.

        An estimate knows the rows that it was made from: these, if it was made inside `fit`.
        """
        est = self.noise_
        if est is not self.noise and est.rows is not None:
            order = [est.classes.index(label) for label in T.classes]
            by_features, posteriors = est.rows.by_features(), est.rows.posteriors()
            return NoisyRows(codes, T.values, by_features[:, order], posteriors[:, order])
        n_folds = checks.positive_int(self.cv, "cv", minimum=2)
        folds = stratified_folds(codes, min(n_folds, len(codes)), rng)
        model = _without_class_weight(self.estimator)
        noisy = cross_fitted_probabilities(model, Z, codes, folds, self.classes_)
        return NoisyRows.of_predictions(codes, T.values, noisy)

    def _trained(self, steps: FittedSteps, training: TrainingSet, rng: np.random.Generator) -> Any:
        """A copy of the classifier, trained on weighted rows, or on rows drawn by weight."""
        if len(np.unique(training.codes)) == 1:
            (only,) = self.classes_[training.codes[:1]].tolist()
            raise LabelNoiseError("one_class_after_correction", label=only)
        fitted = clone(steps.last)
        weights = {}
        if has_fit_parameter(fitted, "sample_weight"):
            weights["sample_weight"] = training.weights
        else:
            training = training.resampled(rng)
        rows = select_rows(steps.features, training.rows)
        return fitted.fit(rows, self.classes_[training.codes], **weights)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not isinstance(self.estimator, type) and hasattr(self.estimator, "__sklearn_tags__"):
            tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.multi_class = True
        return tags


def _classifies(model: Any) -> bool:
    """Whether a model is a classifier; one without scikit-learn's tags needs its methods."""
    if not hasattr(model, "__sklearn_tags__"):
        return all(hasattr(model, name) for name in ("fit", "predict", "get_params"))
    return bool(is_classifier(model))


def _has_pipeline(model: Any) -> bool:
    """Whether a model is a pipeline, or has one inside, such as a search or an ensemble of some."""
    return any(isinstance(part, Pipeline) for part in (model, *model.get_params().values()))


def _without_class_weight(model: Any) -> Any:
    """A copy without `class_weight`, which would make it predict other frequencies."""
    settings = [name for name in model.get_params() if name.endswith("class_weight")]
    return clone(model).set_params(**dict.fromkeys(settings)) if settings else model
