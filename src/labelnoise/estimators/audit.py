"""Hand-checked rows: which to check, and what they make of the estimate.

The fit says P(true = i | x, observed = j) in proportion to ``eta_i(x) T[i, j]`` for every row.
Audited rows test that and correct it: with odds ``eta_i^c T[i, j] exp(d[j, i])`` the exponent c
says how far the features are to be trusted, and d how often label j is right after all. c = 1 and
d = 0 is the fit itself, and what the correction shrinks to. It is learnt given features and
label, so rows may be chosen by anything that looks at those two alone. Then the corrected
chances of all other rows, and the true classes of the audited ones, are simply counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from labelnoise.estimators.diagnosis import Finding, conclusion
from labelnoise.estimators.rank_diagnosis import WIDE
from labelnoise.noise_estimate import Fused
from labelnoise.uncertainty import Draws

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.estimators.gate import Gate
    from labelnoise.estimators.views import GateDraws
    from labelnoise.evidence.cells import Cells
    from labelnoise.noise_estimate import Diagnosis

TRUST_SPREAD = 0.5
"""Prior standard deviation of log c."""

SHIFT_SPREAD = 1.5
"""Prior standard deviation of an entry of d: odds four times larger or smaller are no surprise."""

SURPRISE = 0.03
"""Share of audited rows that may be anything: a few that contradict what seemed certain must not
change what is said about rows that were never certain."""

TINY = 1e-12


@dataclass(frozen=True)
class GatedRows:
    """What the rank gate knows about single rows.

    Attributes
    ----------
    tails : (C, K) array
    cells : Cells
    fit : GateDraws
    present : (K,) int array
        Codes, among all declared classes, of the classes that occur.
    n_classes : int
        Declared classes.
    diagnosis : Diagnosis
        Of the estimate before any audit.
    audited_rows, true_codes : int arrays
        Rows checked so far and their true classes, as declared codes.
    """

    tails: FloatArray
    cells: Cells
    fit: GateDraws
    present: IntArray
    n_classes: int
    diagnosis: Diagnosis
    audited_rows: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    true_codes: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K); certain where a row was audited."""
        correction = self._correction()
        found = np.zeros((self.cells.n_rows, self.n_classes))
        chances = correction.chances(self.fit.point, self.tails, self.cells)
        found[:, self.present] = chances[self.cells.cell_of_row]
        found[self.audited_rows] = np.eye(self.n_classes)[self.true_codes]
        return found

    def suggest(self, n_rows: int) -> IntArray:
        """Rows whose true labels say most about T, most telling first.

        What is worth knowing is where the two views part: a label that disagrees with its
        surroundings is an error to one and an exception to the other. Rows are drawn evenly
        along that ranking, label by label, rather than from its top: they have to speak for others.
        """
        n_rows = min(n_rows, self.cells.n_rows - len(self.audited_rows))
        worth = self._worth()[self.cells.cell_of_row]
        worth[self.audited_rows] = 0.0
        order = np.lexsort((-worth, self.cells.label[self.cells.cell_of_row]))
        # Equal steps through the sum of all worth: a row is met with a chance in proportion.
        reached = np.cumsum(worth[order])
        marks = (np.arange(n_rows) + 0.5) / max(n_rows, 1) * reached[-1]
        chosen = np.unique(order[np.searchsorted(reached, marks)])
        if len(chosen) < n_rows:  # rows worth more than a step were met twice
            rest = np.argsort(-worth, kind="stable")
            rest = rest[~np.isin(rest, chosen) & ~np.isin(rest, self.audited_rows)]
            chosen = np.concatenate([chosen, rest[: n_rows - len(chosen)]])
        return chosen[np.argsort(-worth[chosen], kind="stable")]

    def _worth(self) -> FloatArray:
        """How far apart the two views are on each cell, and how unsure the first is, (C,)."""
        gate = self.fit.point
        eta = gate.clean_posterior(self.tails)
        chances = gate.row_posterior(self.tails, self.cells.label)
        surroundings = np.eye(eta.shape[1])[eta.argmax(axis=1)]
        apart = 0.5 * np.abs(chances - surroundings).sum(axis=1)
        return apart + 0.1 * (1 - chances.max(axis=1)) + 1e-6

    def audited(self, rows: IntArray, true_codes: IntArray) -> Fused:
        """Fuse more audited rows; a row that was audited before takes its new label."""
        kept = ~np.isin(self.audited_rows, rows)
        all_rows = np.concatenate([self.audited_rows[kept], rows])
        all_codes = np.concatenate([self.true_codes[kept], true_codes])
        order = np.argsort(all_rows)  # so that it does not matter which were audited first
        model = replace(self, audited_rows=all_rows[order], true_codes=all_codes[order])
        return model._fused()

    def _fused(self) -> Fused:
        rng = np.random.default_rng(0)
        gates = self.fit.draws or (self.fit.point,)
        correction = self._correction()
        counts = [
            self._counts(gate, drawn)
            for gate, drawn in zip(gates, correction.draws(len(gates), rng), strict=True)
        ]
        joint = np.array(counts)  # [draw, true, observed]
        Ts = rng.gamma(np.maximum(joint, TINY))
        Ts = np.maximum(Ts, TINY * np.eye(self.n_classes))
        Ts /= Ts.sum(axis=2, keepdims=True)
        totals = joint.sum(axis=2)
        priors = rng.gamma(np.maximum(totals, TINY))
        priors /= priors.sum(axis=1, keepdims=True)
        mean = joint.mean(axis=0)
        seen = mean.sum(axis=1, keepdims=True) > 0
        T = np.where(seen, mean / np.maximum(mean.sum(axis=1, keepdims=True), TINY), 0.0)
        T += np.diag(~seen[:, 0])  # a class no row belongs to keeps its placeholder
        draws = Draws(Ts, priors)
        return Fused(
            T,
            mean.sum(axis=1) / mean.sum(),
            draws,
            self._judged(draws),
            f"the {len(self.audited_rows)} audited labels are right and rows like them go wrong "
            "alike",
            self,
        )

    def _counts(self, gate: Gate, correction: Correction) -> FloatArray:
        """Rows by true class and label, (K, K): known where audited, expected elsewhere."""
        label = self.cells.label[self.cells.cell_of_row[self.audited_rows]]
        unknown = self.cells.weight.copy()
        np.subtract.at(unknown, self.cells.cell_of_row[self.audited_rows], 1.0)
        chances = correction.chances(gate, self.tails, self.cells) * unknown[:, None]
        k = len(self.present)
        expected = np.zeros((k, k))
        np.add.at(expected, self.cells.label, chances)  # [observed, true]
        joint = np.zeros((self.n_classes, self.n_classes))
        joint[np.ix_(self.present, self.present)] = expected.T
        np.add.at(joint, (self.true_codes, self.present[label]), 1.0)
        return joint

    def _correction(self) -> Correction:
        """Learn the correction from the audited rows whose true class occurs among the labels."""
        position = np.full(self.n_classes, -1)
        position[self.present] = np.arange(len(self.present))
        known = position[self.true_codes] >= 0
        cell = self.cells.cell_of_row[self.audited_rows[known]]
        return learn_correction(
            self.fit.point,
            self.tails[cell],
            self.cells.label[cell],
            position[self.true_codes[known]],
        )

    def _judged(self, draws: Draws) -> Diagnosis:
        """The verdict is lifted where audited rows have made the intervals narrow."""
        checked = Finding(
            "reliable", f"{len(self.audited_rows)} rows were checked by hand and fused", ""
        )
        diagonal = np.diagonal(draws.transition, axis1=1, axis2=2)
        low, high = np.quantile(diagonal, [0.05, 0.95], axis=0)
        if ((high - low)[self.present]).mean() <= WIDE:
            return conclusion([checked])
        before = self.diagnosis
        return replace(before, reasons=(checked.reason, *before.reasons))


@dataclass(frozen=True)
class Correction:
    """``P(true = i | x, observed = j)`` in proportion to ``eta_i^c T[i, j] exp(d[j, i])``."""

    at: FloatArray  # log c, then d row by row without its diagonal
    n_classes: int
    spread: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))  # (m, P), see `draws`

    def logits(self, gate: Gate, tails: FloatArray, label: IntArray) -> FloatArray:
        """Unnormalised log-chances, (m, K)."""
        shift = np.zeros((self.n_classes, self.n_classes))
        shift[~np.eye(self.n_classes, dtype=bool)] = self.at[1:]
        eta = np.log(np.maximum(gate.clean_posterior(tails), TINY))
        return np.exp(self.at[0]) * eta + (np.log(gate.transition.T) + shift)[label]

    def chances(self, gate: Gate, tails: FloatArray, cells: Cells) -> FloatArray:
        """P(true | x, observed) of every cell, (C, K)."""
        logits = self.logits(gate, tails, cells.label)
        return np.exp(logits - logsumexp(logits, axis=1, keepdims=True))

    def draws(self, n_draws: int, rng: np.random.Generator) -> list[Correction]:
        """What it would be under random weights of the audited rows, to first order."""
        moves = (rng.exponential(size=(n_draws, len(self.spread))) - 1) @ self.spread
        return [replace(self, at=self.at + move) for move in moves]


def learn_correction(gate: Gate, tails: FloatArray, label: IntArray, true: IntArray) -> Correction:
    """Most probable correction given audited rows: their tails (m, K), labels and true classes."""
    k = len(gate.slopes)
    size = 1 + k * (k - 1)
    start = Correction(np.zeros(size), k)
    if not len(label):
        return replace(start, spread=np.zeros((0, size)))
    eta = np.log(np.maximum(gate.clean_posterior(tails), TINY))
    precision = np.full(size, SHIFT_SPREAD**-2)
    precision[0] = TRUST_SPREAD**-2
    off = ~np.eye(k, dtype=bool)
    rows, which = np.arange(len(label)), np.full((k, k), -1)
    which[off] = 1 + np.arange(k * (k - 1))  # parameter of shift [observed, true]

    def gradients(at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Log-likelihood of each row (m,), and its gradient in the logits (m, K)."""
        logits = replace(start, at=at).logits(gate, tails, label)
        chances = np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
        likelihood = (1 - SURPRISE) * chances[rows, true] + SURPRISE / k
        counted = (1 - SURPRISE) * chances[rows, true] / likelihood
        return np.log(likelihood), counted[:, None] * (np.eye(k)[true] - chances)

    def by_parameter(at: FloatArray, residual: FloatArray) -> FloatArray:
        """Gradient of each row's log-likelihood in the parameters, (m, P)."""
        found = np.zeros((len(label), size))
        found[:, 0] = np.exp(at[0]) * (residual * eta).sum(axis=1)
        place = which[label]  # (m, K)
        inside = place >= 0
        found[np.broadcast_to(rows[:, None], place.shape)[inside], place[inside]] = residual[inside]
        return found

    def objective(at: FloatArray) -> tuple[float, FloatArray]:
        value, residual = gradients(at)
        gradient = by_parameter(at, residual).sum(axis=0) - precision * at
        return -float(value.sum() - 0.5 * precision @ at**2), -gradient

    found = minimize(objective, start.at, jac=True, method="L-BFGS-B")
    scores = by_parameter(found.x, gradients(found.x)[1])
    hessian = scores.T @ scores + np.diag(precision)
    spread = np.linalg.solve(hessian, scores.T).T.astype(np.float64)
    return Correction(found.x, k, spread)
