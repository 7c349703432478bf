"""Noise as remedies take it: an estimate, a matrix, or a plain table of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.noise_estimate import NoiseEstimate
from labelnoise.transition import TransitionMatrix


def is_given(noise: Any) -> bool:
    """Whether noise is known, rather than to be estimated."""
    return isinstance(noise, NoiseEstimate | TransitionMatrix | np.ndarray | list | tuple)


def matrix_of(noise: Any, **labels: Any) -> TransitionMatrix:
    """T of noise in any form.

    Parameters
    ----------
    noise : NoiseEstimate, TransitionMatrix or array of shape (K, K)
    **labels : array-likes
        A plain array follows the sorted classes that occur in these. They are named for messages.

    Examples
    --------
    >>> matrix_of([[0.9, 0.1], [0.2, 0.8]], y=["dog", "dog"], z=["cat", "dog"]).classes
    ('cat', 'dog')
    """
    if isinstance(noise, NoiseEstimate):
        return noise.transition_matrix
    if isinstance(noise, TransitionMatrix):
        return noise
    if not is_given(noise):
        named = isinstance(noise, str | int | float | None)
        raise LabelNoiseError(
            "noise must be a NoiseEstimate, a TransitionMatrix or an array of numbers, got "
            f"{repr(noise) if named else type(noise).__name__}. Pass labelnoise.estimate(X, y), "
            "NoiseEstimate.load(path), or TransitionMatrix(table.to_numpy(), classes=[...])."
        )
    T = TransitionMatrix(noise)
    if not labels:
        raise LabelNoiseError(
            "noise is a plain table, and there are no labels to name its classes by. Name them: "
            "TransitionMatrix(noise, classes=[...])."
        )
    found = {label for name, given in labels.items() for label in checks.plain_labels(given, name)}
    if T.n_classes != len(found):
        raise LabelNoiseError(
            f"noise has {T.n_classes} classes, but {len(found)} occur "
            f"({checks.named(sorted(found, key=repr))}). Name them all, in the order of its rows: "
            "TransitionMatrix(noise, classes=[...])."
        )
    return TransitionMatrix(T, checks.labels(checks.label_array(list(found)), None).classes)
