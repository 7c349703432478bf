"""How far annotators agree: pairwise, and beyond chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray


@dataclass(frozen=True)
class Agreement:
    """Agreement on the rows with at least two answers.

    Attributes
    ----------
    pairwise : float
        Share of equal labels among pairs of answers to a row; every answer counts the same.
    alpha : float
        Krippendorff's alpha: 1 for perfect agreement, 0 for agreement by chance.
    n_rows : int
        Rows with at least two answers. Without any, the two figures are NaN.
    """

    pairwise: float
    alpha: float
    n_rows: int


def agreement(votes: FloatArray) -> Agreement:
    """Pairwise agreement and Krippendorff's alpha for nominal labels [1]_.

    With n_ul answers l among the m_u answers to row u, and n_l in all N answers to rows that have
    at least two,

        alpha = 1 - (N - 1) sum_u (m_u^2 - sum_l n_ul^2) / (m_u - 1) / (N^2 - sum_l n_l^2)

    It is 1 minus observed by expected disagreement. Rows may have different numbers of answers,
    and annotators need not be the same.

    Parameters
    ----------
    votes : (n, K) array
        How often each row was given each label.

    Examples
    --------
    Two annotators agree on three rows of four; of the 8 answers, 5 are "a" and 3 "b":

    >>> found = agreement(np.array([[2, 0], [2, 0], [1, 1], [0, 2]]))
    >>> found.pairwise, round(found.alpha, 4)  # 1 - 7 * 2 / (64 - 34)
    (0.75, 0.5333)

    .. [1] Krippendorff. *Content analysis*, chapter 12. Sage, 4th edition 2019.
    """
    m = votes.sum(axis=1)
    votes, m = votes[m >= 2], m[m >= 2]
    if not len(m):
        return Agreement(np.nan, np.nan, 0)
    n = m.sum()
    disagreement = float(((m**2 - (votes**2).sum(axis=1)) / (m - 1)).sum())
    expected = float(n**2 - (votes.sum(axis=0) ** 2).sum())
    alpha = 1 - (n - 1) * disagreement / expected if expected else np.nan
    return Agreement(float(1 - disagreement / n), float(alpha), len(m))
