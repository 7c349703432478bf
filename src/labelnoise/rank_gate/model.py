"""The rank gate: clean posteriors from ranks, and T, in one likelihood with its gradient.

A row lies v_i = -log(1 - u_i) deep in the tail of class i's score. The model is

    P(true = i | x) = eta_i(x) = softmax_i(a_i v_i + b_i)
    P(observed = j | x) = sum_i eta_i(x) T[i, j]

A steep slope a_i means that the rows scoring highest for class i are all of that class (the case
HOC assumes everywhere); a flat one that classes overlap. With two classes the log-odds are
``a_1 v_1 - a_0 v_0 + b``: each end of the ranking has a slope of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.evidence.cells import Cells

TEMPER = 0.5
"""Weight of a row in the likelihood. Its label is used twice, as the row's own and in its
neighbors' scores; neighbors share the errors of their scores, which doubles the variance."""

SEEN_RIGHT, SEEN_WRONG = 1.0, 1.0
"""Dirichlet prior of a row of T: as if one row of the class had been seen labeled right, and one
wrong, in equal parts by all other classes."""

SLOPE_SHAPE, SLOPE_SCALE = 1.0, 2.0
"""Inverse gamma prior of a slope, whose logarithm is most probably log 2. It falls off slowly
towards clear separation, and fast towards zero, where the model degenerates: no noise, and
features that say nothing."""

PRIOR_ROWS = 20.0
"""How many rows' worth the belief is that true classes are about as frequent as labels."""

LIMIT = 60.0
"""Log-odds and log-slopes beyond this are no parameters but a search gone astray."""

SMALLEST = 1e-250
"""Below this a probability is zero, and its inverse still a number."""

FAR = 1e15
"""Stands for infinity in a line search, which interpolates."""

STEPS, WANTED = 1500, 1e-4
"""Steps at most, and what the log-posterior must still gain by one."""


@dataclass(frozen=True)
class Gate:
    """Parameters: T, the slope and the offset of each class's gate."""

    transition: FloatArray  # (K, K)
    slopes: FloatArray  # (K,)
    offsets: FloatArray  # (K,)

    def clean_posterior(self, tails: FloatArray) -> FloatArray:
        """P(true = i | x), (m, K), from tails (m, K)."""
        logits = tails * self.slopes + self.offsets
        if logits.shape[1] == 2:  # the same, without sums over short rows
            lead = logits[:, 1] - logits[:, 0]
            return np.column_stack([expit(-lead), expit(lead)])
        logits -= logits.max(axis=1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(axis=1, keepdims=True)
        return logits

    def row_posterior(self, tails: FloatArray, labels: IntArray) -> FloatArray:
        """P(true = i | x, observed label), (m, K)."""
        return self.given_labels(self.clean_posterior(tails), labels)

    def given_labels(self, eta: FloatArray, labels: IntArray) -> FloatArray:
        """Bayes' rule: clean posteriors (m, K) and labels (m,) to P(true | x, label)."""
        joint = eta * self.transition.T[labels]
        return joint / np.maximum(joint.sum(axis=1, keepdims=True), SMALLEST)


@dataclass(frozen=True)
class Mode:
    """The most probable parameters (size,), their value, and whether the search converged."""

    at: FloatArray
    value: float
    converged: bool


class GateModel:
    """Log-posterior of the parameters given tails and labels.

    Parameters are the log-odds ``log(T[i, j] / T[i, i])`` off the diagonal, row by row, then
    the log-slopes and the offsets: K (K - 1) + 2 K numbers.

    Parameters
    ----------
    tails : (C, K) array
        Depth of each cell in the tail of each class.
    cells : Cells
        Labels and numbers of rows. Every class must occur.
    """

    def __init__(self, tails: FloatArray, cells: Cells) -> None:
        order = np.argsort(cells.label, kind="stable")  # sums over a label are sums over a run
        self.n_classes = k = cells.n_classes
        self.tails = tails[order]
        self.label = cells.label[order]
        self.weight = TEMPER * cells.weight[order]
        self.share = cells.weight[order] / cells.weight.sum()
        self.frequencies = cells.label_frequencies
        self.runs = np.bincount(self.label, minlength=k)
        self._starts = np.concatenate([[0], np.cumsum(self.runs)[:-1]])
        self.off = ~np.eye(k, dtype=bool)
        self.n_odds = k * (k - 1)
        self.size = self.n_odds + 2 * k
        self.seen = np.full((k, k), SEEN_WRONG / (k - 1))
        np.fill_diagonal(self.seen, SEEN_RIGHT)

    def gate(self, at: FloatArray) -> Gate:
        """Parameters as T, slopes and offsets."""
        k, odds = self.n_classes, np.zeros((self.n_classes, self.n_classes))
        odds[self.off] = at[: self.n_odds]
        odds -= odds.max(axis=1, keepdims=True)
        T = np.exp(odds)
        T /= T.sum(axis=1, keepdims=True)
        return Gate(T, np.exp(at[self.n_odds : self.n_odds + k]), at[self.n_odds + k :])

    def prior(self, at: FloatArray) -> FloatArray:
        """Frequencies of the true classes, the mean of the clean posteriors."""
        return np.einsum("c,ck->k", self.share, self.gate(at).clean_posterior(self.tails))

    def __call__(self, at: FloatArray) -> tuple[float, FloatArray]:
        """Negative log-posterior and its gradient; infinite where no parameters make sense.

        With responsibilities r = P(true | x, observed), the gradient of a row's log-likelihood
        is r - eta in the gate's logits and, in the log-odds of T, r_i (1[observed = j] - T_ij).
        """
        nowhere = np.inf, np.zeros_like(at)
        if not np.abs(at).max() < LIMIT:
            return nowhere
        gate = self.gate(at)
        T, eta = gate.transition, gate.clean_posterior(self.tails)
        sign, log_det = np.linalg.slogdet(T)
        p = np.einsum("c,ck->k", self.share, eta)
        if sign <= 0 or p.min() < SMALLEST:
            return nowhere
        r = eta * np.repeat(T.T, self.runs, axis=0)
        likelihood = np.maximum(r.sum(axis=1), SMALLEST)
        r *= (self.weight / likelihood)[:, None]
        counts = np.add.reduceat(r, self._starts, axis=0).T  # [true, observed]
        log_slopes = np.log(gate.slopes)
        belief = PRIOR_ROWS * self.frequencies
        value = (
            self.weight @ np.log(likelihood)
            + log_det
            + (self.seen * np.log(np.maximum(T, SMALLEST))).sum()
            - (SLOPE_SHAPE * log_slopes + SLOPE_SCALE / gate.slopes).sum()
            + belief @ np.log(p)
            - 0.5 * self.n_classes * gate.offsets.mean() ** 2  # softmax leaves the mean free
        )
        pull = np.linalg.inv(T).T  # gradient of log det T, then through the softmax of a row
        counts += self.seen
        in_T = counts - counts.sum(axis=1, keepdims=True) * T
        in_T += T * (pull - (pull * T).sum(axis=1, keepdims=True))
        r -= self.weight[:, None] * eta
        worth = belief / p
        r += self.share[:, None] * eta * (worth - np.einsum("ck,k->c", eta, worth)[:, None])
        in_slopes = np.einsum("ck,ck->k", r, self.tails) * gate.slopes
        in_slopes += SLOPE_SCALE / gate.slopes - SLOPE_SHAPE
        in_offsets = r.sum(axis=0) - gate.offsets.mean()
        return -float(value), -np.concatenate([in_T[self.off], in_slopes, in_offsets])

    def curvature(self, at: FloatArray) -> FloatArray:
        """Approximate Hessian (size, size) of the negative log-posterior.

        The empirical Fisher information of the likelihood, and roughly the curvature of the
        priors: draws are the faster the better it is, and right in any case.
        """
        k, gate = self.n_classes, self.gate(at)
        T, eta = gate.transition, gate.clean_posterior(self.tails)
        r = gate.row_posterior(self.tails, self.label)
        true, observed = np.nonzero(self.off)
        scores = np.empty((len(r), self.size))
        scores[:, : self.n_odds] = r[:, true] * (
            (self.label[:, None] == observed) - T[true, observed]
        )
        scores[:, self.n_odds : -k] = (r - eta) * self.tails * gate.slopes
        scores[:, -k:] = r - eta
        hessian = (scores * self.weight[:, None]).T @ scores
        diagonal = np.full(self.size, 1e-6)
        diagonal[: self.n_odds] += self.seen[self.off] * (1 - T[self.off])
        diagonal[self.n_odds : -k] += SLOPE_SCALE / gate.slopes
        hessian[np.diag_indices(self.size)] += diagonal
        hessian[-k:, -k:] += 1 / k
        p = self.share @ eta
        moved = np.diag(p) - (eta * self.share[:, None]).T @ eta  # of p with the offsets
        hessian[-k:, -k:] += (moved * (PRIOR_ROWS * self.frequencies / p**2)) @ moved.T
        return hessian

    def start(self) -> FloatArray:
        """T from the labels at the top of each class's ranking; classes as frequent as labels."""
        k = self.n_classes
        T = np.empty((k, k))
        for i in range(k):
            deepest = np.argsort(-self.tails[:, i], kind="stable")
            reached = np.cumsum(self.share[deepest]) <= self.frequencies[i] / 3
            last = deepest[max(0, int(reached.sum()) - 1)]
            top = self.tails[:, i] >= self.tails[last, i]  # ties all belong, whatever their labels
            T[i] = np.bincount(self.label[top], self.weight[top], k) + 0.5 / k
            T[i, i] = T[i].max()
        T /= T.sum(axis=1, keepdims=True)
        if np.linalg.slogdet(T)[0] <= 0:
            T = (T + np.eye(k)) / 2
        odds = np.log(T / np.diag(T)[:, None])[self.off]
        gate = Gate(T, np.full(k, SLOPE_SCALE / SLOPE_SHAPE), np.zeros(k))
        for _ in range(20):
            p = self.share @ gate.clean_posterior(self.tails)
            gate = replace(gate, offsets=gate.offsets + np.log(self.frequencies / p))
        offsets = gate.offsets - gate.offsets.mean()
        return np.concatenate([odds, np.log(gate.slopes), offsets])

    def mode(self) -> Mode:
        """Find the most probable parameters.

        Parameters are scaled by the root of the curvature at the start: those of rare
        confusions bend the posterior a thousand times less than others.
        """
        start = self.start()
        scale = np.sqrt(self._bend(start))

        def scaled(at: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = self(at / scale)
            return min(value, FAR), gradient / scale

        options: Any = {"maxiter": STEPS, "maxfun": 2 * STEPS, "maxcor": 20}
        options["ftol"] = WANTED / max(abs(self(start)[0]), 1.0)
        found = minimize(scaled, start * scale, jac=True, method="L-BFGS-B", options=options)
        # A line search may end at a minimum for want of digits; it has converged if it is flat.
        flat = np.abs(found.jac).max() < 1.0
        return Mode(
            found.x / scale, float(found.fun), bool(found.success or (found.status == 2 and flat))
        )

    def _bend(self, at: FloatArray) -> FloatArray:
        """Diagonal of the curvature, (size,)."""
        gate = self.gate(at)
        T, eta = gate.transition, gate.clean_posterior(self.tails)
        r = gate.row_posterior(self.tails, self.label)
        rows = np.einsum("c,ck->k", self.weight, r)
        squares = self.weight[:, None] * (r - eta) ** 2
        return np.concatenate(
            [
                (rows[:, None] * T * (1 - T) + self.seen)[self.off],
                (squares * self.tails**2).sum(axis=0) * gate.slopes**2 + SLOPE_SCALE / gate.slopes,
                squares.sum(axis=0) + 1.0,
            ]
        )
