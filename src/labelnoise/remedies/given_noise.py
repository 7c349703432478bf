"""Noise as remedies take it: an estimate, a matrix, or a plain table of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError, warn_user
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import TransitionMatrix


def warn_of_doubts(est: NoiseEstimate) -> None:
    """Warn if an estimate that the user has not seen is not to be relied on."""
    if est.diagnosis.verdict != "reliable":
        warn_user(
            f"the noise that was estimated is {est.diagnosis.verdict!r}: "
            f"{'; '.join(est.diagnosis.reasons)}. Its diagnosis says what to do: see "
            "labelnoise.estimate(X, y)."
        )


def matrix_of(noise: Any, *labels: Any) -> TransitionMatrix:
    """T of noise in any form.

    Parameters
    ----------
    noise : NoiseEstimate, TransitionMatrix or array of shape (K, K)
    *labels : array-likes
        A plain array follows the sorted classes that occur in these.

    Examples
    --------
    >>> matrix_of([[0.9, 0.1], [0.2, 0.8]], ["dog", "dog"], ["cat", "dog"]).classes
    ('cat', 'dog')
    """
    if isinstance(noise, NoiseEstimate):
        return noise.transition_matrix
    if isinstance(noise, TransitionMatrix):
        return noise
    if not isinstance(noise, np.ndarray | list | tuple):
        raise LabelNoiseError(
            "noise must be a NoiseEstimate, a TransitionMatrix or a table of numbers, got "
            f"{noise!r}. Pass labelnoise.estimate(X, y), or NoiseEstimate.load(path)."
        )
    T = TransitionMatrix(noise)
    if not labels:
        raise LabelNoiseError(
            "noise is a plain table, and there are no labels to name its classes by. Name them: "
            "TransitionMatrix(noise, classes=[...])."
        )
    found = {label for given in labels for label in checks.labels(given, None).classes}
    if T.n_classes != len(found):
        raise LabelNoiseError(
            f"noise has {T.n_classes} classes, but {len(found)} occur "
            f"({checks.named(sorted(found, key=repr))}). Name them all, in the order of its rows: "
            "TransitionMatrix(noise, classes=[...])."
        )
    return TransitionMatrix(T, checks.labels(list(found), None).classes)
