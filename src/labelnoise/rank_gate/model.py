"""The rank gate: the whole model in one likelihood, with its gradient.

**Data.** Each row x has an observed label j and, for every class i, a rank among all rows by the
score of class i (computed without the row's own label). Its tail depth is ``v_i = -log(1 - u_i)``,
where u_i in (0, 1) is the share of rows that rank below it.

**Likelihood.** A gate turns depths into clean posteriors, and the transition matrix T turns those
into the distribution of the observed label::

    P(true = i | x)     = eta_i(x) = softmax_i(slope_i v_i + sum_j cross_ji v_j + offset_i)
    P(observed = j | x) = sum_i eta_i(x) T[i, j]

With a steep slope, the rows that score highest for class i are all of class i (the case that HOC
assumes everywhere); with a gentle one, classes overlap there. With two classes the log-odds are
``slope_1 v_1 - slope_0 v_0 + offset``: each end of the ranking has its own slope, and cross weights
would change nothing. With more classes, cross weights allow some pairs to be far apart while others
overlap: with slopes alone, a class that is far from two others would make those two appear
separated as well.

The log-likelihood is the sum over rows of ``TEMPER * log P(observed | x)``, as labels are used
twice. Rows of groups that share errors have less weight.

**Priors**, all weak (`labelnoise.rank_gate.settings`):

- each row of T is Dirichlet, with a few rows of prior counts: those of all classes together
  (`labelnoise.rank_gate.shared_errors`), for classes with few rows;
- the density is proportional to det T: labels are informative, and classes cannot be exchanged;
- unless ``dominant=False``, no wrong label is likelier than the right one;
- each slope is inverse gamma: ``-SLOPE_SHAPE log(slope) - SLOPE_SCALE / slope``;
- each cross weight is normal around 0, with standard deviation CROSS_SPREAD;
- true classes are about as frequent as labels: ``PRIOR_ROWS * sum_i f_i log p_i``, where f are the
  label frequencies and p is the mean of eta over the rows.

**Assumption.** Errors depend on the true class alone, and each class has rows that surely belong to
it. Otherwise only a range of T follows from the data (`labelnoise.rank_gate.readings`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import expit

from labelnoise.rank_gate.settings import (
    CROSS_SPREAD,
    MIN_POSITIVE_PROBABILITY,
    PARAMETER_LIMIT,
    PRIOR_CORRECT,
    PRIOR_ROWS,
    PRIOR_WRONG,
    SLOPE_SCALE,
    SLOPE_SHAPE,
    TEMPER,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.evidence.cells import Cells


@dataclass(frozen=True)
class Gate:
    """Parameters: T, the slope and the offset of each class's gate, and the cross weights."""

    transition: FloatArray  # (K, K)
    slopes: FloatArray  # (K,)
    offsets: FloatArray  # (K,)
    cross: FloatArray | None = None  # (K, K) [of the depth, of the class], 0 on the diagonal

    def clean_posterior(self, depths: FloatArray) -> FloatArray:
        """P(true = i | x), (m, K), from tail depths (m, K).

        >>> gate = Gate(np.eye(2), np.array([1.0, 1.0]), np.zeros(2))
        >>> gate.clean_posterior(np.array([[0.0, np.log(3)]]))
        array([[0.25, 0.75]])
        """
        logits = depths * self.slopes + self.offsets
        if self.cross is not None:
            logits += depths @ self.cross
        if logits.shape[1] == 2:  # the same, without sums over short rows
            log_odds = logits[:, 1] - logits[:, 0]
            return np.column_stack([expit(-log_odds), expit(log_odds)])
        logits -= logits.max(axis=1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(axis=1, keepdims=True)
        return logits

    def row_posterior(self, depths: FloatArray, labels: IntArray) -> FloatArray:
        """P(true = i | x, observed label), (m, K)."""
        return self.given_labels(self.clean_posterior(depths), labels)

    def given_labels(self, eta: FloatArray, labels: IntArray) -> FloatArray:
        """Bayes' rule: clean posteriors (m, K) and labels (m,) to P(true | x, label)."""
        joint = eta * self.transition.T[labels]
        return joint / np.maximum(joint.sum(axis=1, keepdims=True), MIN_POSITIVE_PROBABILITY)


class GateModel:
    """Log-posterior of the parameters given tail depths and labels.

    Parameters are the log-odds ``log(T[i, j] / T[i, i])`` off the diagonal, row by row, the
    log-slopes, the offsets, and for K > 2 the cross weights: 2 K (K - 1) + 2 K numbers.

    Parameters
    ----------
    depths : (C, K) array
        Depth of each cell in the tail of each class's score.
    cells : Cells
        Labels and numbers of rows. Every class must occur.
    dominant : bool
        Whether the largest entry of each row of T must be on the diagonal.
    row_weight : float
        Weight of a row relative to an independent one.

    Attributes
    ----------
    prior_counts : (K, K) array
        Dirichlet prior of T, in rows [true, observed].
    """

    def __init__(
        self, depths: FloatArray, cells: Cells, *, dominant: bool = True, row_weight: float = 1.0
    ) -> None:
        # Sorted by label: sums over a label are sums over consecutive cells.
        order = np.argsort(cells.label, kind="stable")
        self.n_classes = k = cells.n_classes
        self.dominant = dominant
        self.depths = depths[order]
        self.label = cells.label[order]
        self.weight = TEMPER * row_weight * cells.weight[order]
        self.share = cells.weight[order] / cells.weight.sum()
        self.frequencies = cells.label_frequencies
        self.runs = np.bincount(self.label, minlength=k)
        self._starts = np.concatenate([[0], np.cumsum(self.runs)[:-1]])
        self.off = ~np.eye(k, dtype=bool)
        self.n_odds = k * (k - 1)
        self.size = self.n_odds + 2 * k + (k * (k - 1) if k > 2 else 0)
        self.prior_counts = np.full((k, k), PRIOR_WRONG / (k - 1))
        np.fill_diagonal(self.prior_counts, PRIOR_CORRECT)

    def gate(self, at: FloatArray) -> Gate:
        """Parameters (size,) as T, slopes and offsets."""
        k, odds = self.n_classes, np.zeros((self.n_classes, self.n_classes))
        odds[self.off] = at[: self.n_odds]
        odds -= odds.max(axis=1, keepdims=True)
        T = np.exp(odds)
        T /= T.sum(axis=1, keepdims=True)
        _, log_slopes, offsets, weights = np.split(at, self.n_odds + np.array([0, k, 2 * k]))
        cross = None
        if weights.size:
            cross = np.zeros((k, k))
            cross[self.off] = weights
        return Gate(T, np.exp(log_slopes), offsets, cross)

    def parameters(self, gate: Gate) -> FloatArray:
        """A gate as parameters (size,)."""
        T = gate.transition
        odds = np.log(T / np.diag(T)[:, None])[self.off]
        at = np.concatenate([odds, np.log(gate.slopes), gate.offsets])
        weights = np.zeros(self.size - len(at))
        if gate.cross is not None:
            weights[:] = gate.cross[self.off]
        return np.concatenate([at, weights])

    def prior(self, at: FloatArray) -> FloatArray:
        """Frequencies of the true classes (K,): the mean of the clean posteriors."""
        return np.einsum("c,ck->k", self.share, self.gate(at).clean_posterior(self.depths))

    def __call__(self, at: FloatArray) -> tuple[float, FloatArray]:
        """Negative log-posterior and its gradient; infinite for impossible parameters.

        With responsibilities r = P(true | x, observed), the gradient of a row's log-likelihood
        is r - eta in the gate's logits and, in the log-odds of T, r_i (1[observed = j] - T_ij).
        """
        nowhere = np.inf, np.zeros_like(at)
        if not np.abs(at).max() < PARAMETER_LIMIT:
            return nowhere
        if self.dominant and at[: self.n_odds].max() > 0:
            return nowhere
        gate = self.gate(at)
        T, eta = gate.transition, gate.clean_posterior(self.depths)
        sign, log_det = np.linalg.slogdet(T)
        p = np.einsum("c,ck->k", self.share, eta)
        if sign <= 0 or p.min() < MIN_POSITIVE_PROBABILITY:
            return nowhere
        r = eta * np.repeat(T.T, self.runs, axis=0)
        likelihood = np.maximum(r.sum(axis=1), MIN_POSITIVE_PROBABILITY)
        value = sum(self._log_priors(gate, log_det, p), start=self.weight @ np.log(likelihood))
        r *= (self.weight / likelihood)[:, None]
        in_T = self._gradient_in_odds(T, np.add.reduceat(r, self._starts, axis=0).T)
        # In the logits: r - eta, and the gradient of the prior of the class frequencies p.
        r -= self.weight[:, None] * eta
        in_p = PRIOR_ROWS * self.frequencies / p
        r += self.share[:, None] * eta * (in_p - np.einsum("ck,k->c", eta, in_p)[:, None])
        in_slopes = np.einsum("ck,ck->k", r, self.depths) * gate.slopes
        in_slopes += SLOPE_SCALE / gate.slopes - SLOPE_SHAPE
        in_offsets = r.sum(axis=0) - gate.offsets.mean()
        in_cross = np.zeros(0)
        if gate.cross is not None:
            in_cross = (self.depths.T @ r - gate.cross / CROSS_SPREAD**2)[self.off]
        return -float(value), -np.concatenate([in_T, in_slopes, in_offsets, in_cross])

    def _log_priors(self, gate: Gate, log_det: float, p: FloatArray) -> tuple[Any, ...]:
        """Log-densities of the priors, for T with this log-determinant and class frequencies p."""
        log_slopes = np.log(gate.slopes)
        cross = 0.0 if gate.cross is None else float((gate.cross**2).sum())
        return (
            log_det,
            (
                self.prior_counts * np.log(np.maximum(gate.transition, MIN_POSITIVE_PROBABILITY))
            ).sum(),
            -(SLOPE_SHAPE * log_slopes + SLOPE_SCALE / gate.slopes).sum(),
            -0.5 * cross / CROSS_SPREAD**2,
            PRIOR_ROWS * self.frequencies @ np.log(p),
            -0.5 * self.n_classes * gate.offsets.mean() ** 2,  # softmax leaves the mean free
        )

    def _gradient_in_odds(self, T: FloatArray, counts: FloatArray) -> FloatArray:
        """Gradient in the log-odds of T from expected counts (K, K) [true, observed], overwritten.

        That of log det T is the inverse of T, taken through the softmax of each row.
        """
        of_det = np.linalg.inv(T).T
        counts += self.prior_counts
        in_T = counts - counts.sum(axis=1, keepdims=True) * T
        in_T += T * (of_det - (of_det * T).sum(axis=1, keepdims=True))
        found: FloatArray = in_T[self.off]
        return found
