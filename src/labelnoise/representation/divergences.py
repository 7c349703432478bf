"""The seven f-divergences of the paper's appendix (Table 4), each with its variational form."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import xlogy

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray

Function = Callable[["FloatArray"], "FloatArray"]


@dataclass(frozen=True)
class Divergence:
    """One f-divergence ``D_f(P || Q) = sum q f(p / q)``.

    Attributes
    ----------
    f : function of the ratio v = p / q
        Convex, with f(1) = 0.
    witness : function of the ratio
        The optimal variational function g*, at which the supremum over g of
        ``E_P[g] - E_Q[f*(g)]`` is attained.
    conjugate : function
        The convex conjugate f*.
    finite_at_zero : bool
        Whether f(0) is finite, that is, whether P may be zero where Q is not.
    """

    f: Function
    witness: Function
    conjugate: Function
    finite_at_zero: bool = True


def _relative_entropy(v: FloatArray) -> FloatArray:
    return np.asarray(xlogy(v, v), dtype=np.float64)


def _jensen_shannon(v: FloatArray) -> FloatArray:
    return _relative_entropy(v) - (1 + v) * np.log((1 + v) / 2)


def _hellinger_conjugate(u: FloatArray) -> FloatArray:
    finite = np.maximum(u, np.finfo(float).min / 2)  # u / (1 - u) tends to -1
    return finite / (1 - finite)


DIVERGENCES: dict[str, Divergence] = {
    "tv": Divergence(
        f=lambda v: np.abs(v - 1) / 2,
        witness=lambda v: np.sign(v - 1) / 2,
        conjugate=lambda u: u,
    ),
    "kl": Divergence(
        f=_relative_entropy,
        witness=lambda v: 1 + np.log(v),
        conjugate=lambda u: np.exp(u - 1),
    ),
    "jensen-shannon": Divergence(
        f=_jensen_shannon,
        witness=lambda v: np.log(2 * v / (1 + v)),
        conjugate=lambda u: -np.log(2 - np.exp(u)),
    ),
    "squared-hellinger": Divergence(
        f=lambda v: (np.sqrt(v) - 1) ** 2,
        witness=lambda v: 1 - 1 / np.sqrt(v),
        conjugate=_hellinger_conjugate,
    ),
    "pearson": Divergence(
        f=lambda v: (1 - v) ** 2,
        witness=lambda v: 2 * (v - 1),
        conjugate=lambda u: u**2 / 4 + u,
    ),
    "neyman": Divergence(
        f=lambda v: (1 - v) ** 2 / v,
        witness=lambda v: 1 - 1 / v**2,
        conjugate=lambda u: 2 - 2 * np.sqrt(1 - u),
        finite_at_zero=False,
    ),
    "reverse-kl": Divergence(
        f=lambda v: -np.log(v),
        witness=lambda v: -1 / v,
        conjugate=lambda u: -1 - np.log(-u),
        finite_at_zero=False,
    ),
}


def f_divergence(
    p: ArrayLike, q: ArrayLike, divergence: str = "kl", *, variational: bool = False
) -> FloatArray:
    """f-divergence between discrete distributions, along the last axis.

    Parameters
    ----------
    p, q : arrays of shape (..., m)
        Distributions over the same m cells. Cells where both are zero contribute nothing;
        a cell with p > 0 and q = 0 is an error (it cannot occur when q is the product of p's
        margins, as in mutual information).
    divergence : str
        A key of `DIVERGENCES`.
    variational : bool
        Compute ``E_P[g*] - E_Q[f*(g*)]``, as the paper's code does, instead of the
        sum of ``q f(p / q)``. The two are equal.

    Examples
    --------
    >>> float(f_divergence([0.5, 0.5], [0.9, 0.1], "tv"))
    0.4
    """
    chosen = DIVERGENCES[checks.one_of(divergence, "divergence", DIVERGENCES)]
    p, q = np.broadcast_arrays(np.asarray(p, dtype=float), np.asarray(q, dtype=float))
    if ((q <= 0) & (p > 0)).any():
        raise LabelNoiseError("divergence_undefined")
    used = q > 0
    # Outside the support of q the ratio is arbitrary: its weight is zero.
    ratio = np.where(used, p / np.where(used, q, 1.0), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        if not variational:
            return np.where(used, q * chosen.f(ratio), 0.0).sum(axis=-1)
        witness = chosen.witness(ratio)
        gain = np.where(p > 0, p * witness, 0.0)
        cost = np.where(used, q * chosen.conjugate(witness), 0.0)
    return (gain - cost).sum(axis=-1)
