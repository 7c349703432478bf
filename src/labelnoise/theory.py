"""Order preservation (paper, section 4): what noisy labels do to mutual information.

Two classes, ``e1 = P(observed 2 | true 1)``, ``e2 = P(observed 1 | true 2)``, ``e1 + e2 < 1``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import entr, xlogy

from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray

WORST_CASE = (0.0, 1.0)
PRACTICAL = (1 / 6, 5 / 6)
"""Ranges of beta = P(Y = 1 | z): all values, and odds between 1:5 and 5:1."""


def _check_rates(e1: FloatArray, e2: FloatArray) -> None:
    if (e1 < 0).any() or (e2 < 0).any() or (e1 + e2 >= 1).any():
        raise LabelNoiseError("noise_rates_reverse_order", e1=e1.tolist(), e2=e2.tolist())


def tv_scale(e1: float, e2: float) -> float:
    """Factor ``1 - e1 - e2`` by which noise shrinks total variation information.

    Theorem 4.4: I_TV(Z; noisy Y) = (1 - e1 - e2) I_TV(Z; Y) for every Z, so the order of
    features is preserved exactly.

    >>> round(tv_scale(0.2, 0.1), 10)
    0.7
    """
    _check_rates(np.asarray(e1), np.asarray(e2))
    return 1 - e1 - e2


def kl_bias(beta: ArrayLike, e1: ArrayLike, e2: ArrayLike) -> FloatArray:
    """What noise adds to the mutual information at a value z, beside shrinking it.

    The paper's Delta_Bias as a function of ``beta = P(Y = 1 | z)``, in nats: with
    ``b = (1 - e1 - e2) beta + e2`` it is ``-H(b) + (1 - e1 - e2) H(beta)``. Then

        I(Z; noisy Y) = (1 - e1 - e2) (I(Z; Y) - H(Y)) + H(noisy Y) + E_z[kl_bias(beta_z)].
    """
    beta, e1, e2 = (np.asarray(a, dtype=float) for a in (beta, e1, e2))
    _check_rates(e1, e2)
    keep = 1 - e1 - e2
    noisy = keep * beta + e2
    return keep * (entr(beta) + entr(1 - beta)) - (entr(noisy) + entr(1 - noisy))


def kl_gap(
    e1: ArrayLike, e2: ArrayLike, beta_range: tuple[float, float] = WORST_CASE, base: float = math.e
) -> FloatArray:
    """Epsilon with which mutual information preserves order, if beta is within a range.

    If the noisy mutual informations of two features differ by more than epsilon, the clean ones
    are in the same order. It is the spread of `kl_bias` over the range: the bias increases up to
    ``beta* = e2 / (e1 + e2)`` and then decreases, so that its extremes are at beta* (or the point
    of the range nearest to it) and at the ends.

    Parameters
    ----------
    e1, e2 : arrays
        Noise rates.
    beta_range : pair
        `WORST_CASE` (0, 1), or `PRACTICAL` (1/6, 5/6) as in the paper's figure 3.
    base : float
        Base of the logarithm; 2 for bits, as in the figure.
    """
    e1, e2 = np.broadcast_arrays(np.asarray(e1, dtype=float), np.asarray(e2, dtype=float))
    low, high = beta_range
    total = e1 + e2
    peak = np.clip(np.where(total > 0, e2 / np.where(total > 0, total, 1), 0.5), low, high)
    lowest = np.minimum(kl_bias(low, e1, e2), kl_bias(high, e1, e2))
    return (kl_bias(peak, e1, e2) - lowest) / math.log(base)


def kl_epsilon(e1: ArrayLike, delta: ArrayLike, base: float = math.e) -> FloatArray:
    """Theorem 4.5 in closed form, for ``e2 = delta e1`` with delta in [0, 1].

    ``e1 [delta log delta - (1 + delta) log(1 + delta)] + H(e1)``; equal to the worst-case
    `kl_gap`. (The theorem's text says e1 = delta e2; its proof, and this, use e2 = delta e1.)

    Examples
    --------
    For symmetric noise it is H(e) - 2 e log 2, the paper's corollary:

    >>> round(float(kl_epsilon(0.25, 1.0, base=2)), 4)
    0.3113
    """
    e1, delta = np.asarray(e1, dtype=float), np.asarray(delta, dtype=float)
    if (delta < 0).any() or (delta > 1).any():
        raise LabelNoiseError("delta_out_of_range", delta=delta.tolist())
    _check_rates(e1, delta * e1)
    bracket = xlogy(delta, delta) - xlogy(1 + delta, 1 + delta)
    return (e1 * bracket + entr(e1) + entr(1 - e1)) / math.log(base)
