"""How surely scores foretell labels better than the frequencies of the labels do."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def log_gain(own: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Log-probability (m,) that scores give to rows' own labels beyond what frequencies give."""
    return np.log(own) - np.log(frequencies)


def probability_gain(pred_proba: FloatArray, codes: IntArray) -> FloatArray:
    """Probability (n,) of each row's own label beyond that of a label drawn at random.

    Unlike nats it is kind to probabilities that are too sure of themselves but rank well.

    >>> probability_gain(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0, 1]))
    array([0.4, 0.2])
    """
    frequencies = np.bincount(codes, minlength=pred_proba.shape[1]) / len(codes)
    return pred_proba[np.arange(len(codes)), codes] - pred_proba @ frequencies


def gain_in_standard_errors(
    won: FloatArray, weight: FloatArray | None = None, n_fitted: float = 0.0
) -> float:
    """What was won (m,), on average, over its standard error; rows may have weights (m,).

    Each number fitted to the same labels is worth one nat that new labels would not give (Akaike
    1974).

    >>> gain_in_standard_errors(np.array([0.0, 1.0, 0.0, 1.0]))  # 0.5 over 0.5 / sqrt(4)
    2.0
    """
    weight = np.ones(len(won)) if weight is None else weight
    n_rows = weight.sum()
    mean = weight @ won / n_rows
    variance = max(float(weight @ (won - mean) ** 2 / n_rows), 1e-300)
    return float((mean - n_fitted / n_rows) / np.sqrt(variance / n_rows))
