"""How far an estimate is from the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.errors import LabelNoiseError, wrong_shape
from labelnoise.transition import TransitionMatrix

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def transition_error(
    true: TransitionMatrix | ArrayLike, estimate: TransitionMatrix | ArrayLike
) -> float:
    """Average total variation between two transition matrices, in [0, 1].

    The paper's metric (equation 1): ``sum_ij |T_ij - T^_ij| / (2 K)``, the mean over true
    classes of the total variation distance between the two label distributions. Papers
    quote it times 100.

    Examples
    --------
    Guessing "half and half" when 30% of the labels of either class are wrong:

    >>> round(transition_error([[0.7, 0.3], [0.3, 0.7]], [[0.5, 0.5], [0.5, 0.5]]), 10)
    0.2
    """
    if isinstance(true, TransitionMatrix) and isinstance(estimate, TransitionMatrix):
        # Matrices made without names are numbered, and may be compared with named ones.
        numbered = tuple(range(true.n_classes)) in (true.classes, estimate.classes)
        same_names = set(true.classes) == set(estimate.classes)
        if true.classes != estimate.classes and (same_names or not numbered):
            raise LabelNoiseError(
                "matrices_of_other_classes", first=true.classes, second=estimate.classes
            )
    a, b = np.asarray(true, dtype=float), np.asarray(estimate, dtype=float)
    if a.shape != b.shape or a.ndim != 2 or a.shape[0] != a.shape[1]:
        expected = f"a square matrix of the same size as true, of shape {a.shape}"
        raise wrong_shape("estimate", b.shape, expected)
    return float(np.abs(a - b).sum() / (2 * len(a)))


def prior_error(true: ArrayLike, estimate: ArrayLike) -> float:
    """Total variation distance between two class priors, in [0, 1]."""
    a, b = np.asarray(true, dtype=float), np.asarray(estimate, dtype=float)
    if a.shape != b.shape or a.ndim != 1:
        expected = f"a vector of the same length as true, of shape {a.shape}"
        raise wrong_shape("estimate", b.shape, expected)
    return float(np.abs(a - b).sum() / 2)
