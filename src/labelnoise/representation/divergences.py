"""The seven f-divergences of the paper's appendix (Table 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import xlogy

from labelnoise import checks
from labelnoise.errors import LabelNoiseError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import ArrayLike

    from labelnoise.arrays import FloatArray


@dataclass(frozen=True)
class Divergence:
    """One f-divergence ``D_f(P || Q) = sum q f(p / q)``, with f convex and f(1) = 0.

    Where f(0) is infinite, P may not be zero where Q is not.
    """

    f: Callable[[FloatArray], Any]
    finite_at_zero: bool = True


DIVERGENCES: dict[str, Divergence] = {
    "tv": Divergence(lambda v: np.abs(v - 1) / 2),
    "kl": Divergence(lambda v: xlogy(v, v)),
    "jensen-shannon": Divergence(lambda v: xlogy(v, v) - (1 + v) * np.log((1 + v) / 2)),
    "squared-hellinger": Divergence(lambda v: (np.sqrt(v) - 1) ** 2),
    "pearson": Divergence(lambda v: (1 - v) ** 2),
    "neyman": Divergence(lambda v: (1 - v) ** 2 / v, finite_at_zero=False),
    "reverse-kl": Divergence(lambda v: -np.log(v), finite_at_zero=False),
}


def f_divergence(p: ArrayLike, q: ArrayLike, divergence: str = "kl") -> FloatArray:
    """f-divergence between discrete distributions, along the last axis.

    Parameters
    ----------
    p, q : arrays of shape (..., m)
        Distributions over the same m cells. Cells where both are zero contribute nothing;
        a cell with p > 0 and q = 0 is an error (it cannot occur when q is the product of p's
        margins, as in mutual information).
    divergence : str
        A key of `DIVERGENCES`.

    Notes
    -----
    The paper's code computes the variational form ``E_P[g*] - E_Q[f*(g*)]``, which is equal.

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
        return np.where(used, q * chosen.f(ratio), 0.0).sum(axis=-1)
