"""Gain of scores over label frequencies in predicting labels, and its standard error."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def log_gain(own: FloatArray, frequencies: FloatArray) -> FloatArray:
    """Gain (m,) in log-probability, in nats, of the rows' own labels.

    Parameters
    ----------
    own : (m,) array
        Probabilities that scores assign to the rows' own labels.
    frequencies : (m,) array
        Overall frequencies of the same labels.
    """
    return np.log(own) - np.log(frequencies)


def probability_gain(pred_proba: FloatArray, codes: IntArray) -> FloatArray:
    """Gain (n,) in probability of each row's own label over that of a label drawn at random.

    Unlike the log-probability, it does not penalize overconfident probabilities that rank well.

    >>> probability_gain(np.array([[0.9, 0.1], [0.3, 0.7]]), np.array([0, 1]))
    array([0.4, 0.2])
    """
    frequencies = np.bincount(codes, minlength=pred_proba.shape[1]) / len(codes)
    return pred_proba[np.arange(len(codes)), codes] - pred_proba @ frequencies


def gain_in_standard_errors(
    gain: FloatArray, weight: FloatArray | None = None, n_fitted: float = 0.0
) -> float:
    """Average gain (m,) divided by its standard error; rows may have weights (m,).

    Each parameter fitted to the same labels accounts for one nat that new labels would not give
    (Akaike 1974).

    >>> gain_in_standard_errors(np.array([0.0, 1.0, 0.0, 1.0]))  # 0.5 over 0.5 / sqrt(4)
    2.0
    """
    weight = np.ones(len(gain)) if weight is None else weight
    n_rows = weight.sum()
    mean = weight @ gain / n_rows
    variance = max(float(weight @ (gain - mean) ** 2 / n_rows), 1e-300)
    return float((mean - n_fitted / n_rows) / np.sqrt(variance / n_rows))
