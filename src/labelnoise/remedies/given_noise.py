"""Noise in the forms that remedies accept: an estimate, a matrix, or a plain array."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.evidence.findings import nearly_singular
from labelnoise.findings import Diagnosis, Finding
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.remedies.goodness_of_fit import fit_p_value
from labelnoise.remedies.score_draws import matrices_of, matrices_to_test
from labelnoise.remedies.settings import MISFIT_LEVEL
from labelnoise.transition import TransitionMatrix
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Labels

MISFIT = Finding("labels_do_not_fit_matrix")


def is_given(noise: Any) -> bool:
    """Whether noise is given, rather than to be estimated."""
    return isinstance(noise, NoiseEstimate | TransitionMatrix | np.ndarray | list | tuple)


def matrix_of(noise: Any, **labels: Any) -> TransitionMatrix:
    """T of noise in any form; a plain array follows the sorted classes that occur in `labels`.

    >>> matrix_of([[0.9, 0.1], [0.2, 0.8]], y=["dog", "dog"], z=["cat", "dog"]).classes
    ('cat', 'dog')
    """
    if isinstance(noise, NoiseEstimate):
        return noise.transition_matrix
    if isinstance(noise, TransitionMatrix):
        return noise
    if not is_given(noise):
        raise LabelNoiseError("noise_not_usable", given=type(noise).__name__)
    T = TransitionMatrix(noise)
    if not labels:
        raise LabelNoiseError("matrix_without_class_names", n_classes=T.n_classes)
    found = {label for name, given in labels.items() for label in checks.plain_labels(given, name)}
    if T.n_classes != len(found):
        classes = sorted(found, key=repr)
        raise LabelNoiseError("matrix_without_class_names", n_classes=T.n_classes, classes=classes)
    return TransitionMatrix(T, checks.labels(checks.label_array(list(found)), None).classes)


def known_noise(noise: Any, labels: Labels) -> NoiseEstimate:
    """Given noise as an estimate; warns if labels do not fit it.

    The finding becomes part of the diagnosis of a matrix. An estimate keeps its own diagnosis.
    """
    given = isinstance(noise, NoiseEstimate)
    est = noise if given else _as_estimate(matrix_of(noise, y=labels.classes), labels)
    T = est.transition_matrix
    matrices = matrices_to_test(matrices_of(est, T))
    p_value = fit_p_value(matrices, _label_counts(labels, T)[:, None])
    if p_value is None or p_value >= MISFIT_LEVEL:
        return est
    warn_user(MISFIT)
    return est if given else replace(est, diagnosis=Diagnosis((*est.diagnosis.findings, MISFIT)))


def label_codes(labels: Labels, T: TransitionMatrix) -> IntArray:
    """Labels as codes (n,) in the order of T's classes."""
    place = checks.known_labels(labels.classes, T.classes, len(labels.classes), "y")
    return place[labels.codes]


def _label_counts(labels: Labels, T: TransitionMatrix) -> FloatArray:
    return np.bincount(label_codes(labels, T), minlength=T.n_classes).astype(np.float64)


def with_sorted_classes(T: TransitionMatrix) -> TransitionMatrix:
    """T with its classes in sorted order, as scikit-learn has them."""
    classes = checks.labels(checks.label_array(T.classes), None).classes
    order = [T.classes.index(label) for label in classes]
    return TransitionMatrix(T.values[np.ix_(order, order)], classes)


def _as_estimate(T: TransitionMatrix, labels: Labels) -> NoiseEstimate:
    """A matrix as an estimate, "rough" if it is nearly singular.

    The prior p solves ``p T = q``, q being label frequencies; negative entries are set to 0.
    """
    prior = np.maximum(_label_counts(labels, T) @ np.linalg.pinv(T.values), 0.0)
    return NoiseEstimate(
        T,
        prior / prior.sum(),
        method="given",
        diagnosis=Diagnosis(tuple(nearly_singular(T.values))),
        assumption=Assumption("given_matrix"),
        n_rows=len(labels.codes),
    )
