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
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

from labelnoise.estimators.diagnosis import Finding, conclusion
from labelnoise.estimators.rank_diagnosis import WIDE
from labelnoise.estimators.views import dilution
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

CLAIMED = 0.2
"""What a label that is called wrong is worth to an audit, where one that decides is worth 1."""

LEAST_AUDITED = 50
"""Audited rows from which on they can settle what the fit left open."""

DOUBT = 0.02
"""Chance that a row is of another class than the likeliest at its place, under that view."""

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
    findings : tuple of Finding
        What was found about the estimate before any audit.
    hard : bool
        Whether the estimate takes the likeliest class at a row's place for its true class.
    audited_rows, true_codes : int arrays
        Rows checked so far and their true classes, as declared codes.
    """

    tails: FloatArray
    cells: Cells
    fit: GateDraws
    present: IntArray
    n_classes: int
    findings: tuple[Finding, ...]
    hard: bool = False
    audited_rows: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    true_codes: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K); certain where a row was audited."""
        found = np.zeros((self.cells.n_rows, self.n_classes))
        gate, eta = self.fit.point, self.fit.point.clean_posterior(self.tails)
        if len(self.audited_rows) or self.hard:
            chances = self._correction().chances(gate, self.tails, self.cells)
        else:
            chances = gate.given_labels(eta @ dilution(eta, self.cells), self.cells.label)
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
        """How far apart the two views are on each cell, (C,).

        Some weight goes to labels the fit calls wrong, however sure it is: if they turn out to be
        right, its assumption does not hold.
        """
        gate = self.fit.point
        eta = gate.clean_posterior(self.tails)
        chances = gate.row_posterior(self.tails, self.cells.label)
        surroundings = np.eye(eta.shape[1])[eta.argmax(axis=1)]
        apart = 0.5 * np.abs(chances - surroundings).sum(axis=1)
        wrong = 1 - chances[np.arange(len(chances)), self.cells.label]
        return apart + CLAIMED * wrong + 1e-6

    def audited(self, rows: IntArray, true_codes: IntArray) -> Fused:
        """Fuse more audited rows; a row that was audited before takes its new label."""
        kept = ~np.isin(self.audited_rows, rows)
        all_rows = np.concatenate([self.audited_rows[kept], rows])
        all_codes = np.concatenate([self.true_codes[kept], true_codes])
        order = np.argsort(all_rows)  # so that it does not matter which were audited first
        model = replace(self, audited_rows=all_rows[order], true_codes=all_codes[order])
        return model._fused()

    def _fused(self) -> Fused:
        rng = np.random.default_rng(len(self.audited_rows))  # the same audit, the same answer
        gates = self.fit.draws or (self.fit.point,)
        correction = self._correction()
        counts = [
            self._counts(gate, drawn)
            for gate, drawn in zip(gates, correction.draws(len(gates), rng), strict=True)
        ]
        joint = np.array(counts)  # [draw, true, observed]
        mean = joint.mean(axis=0)
        draws = self._draws(joint, rng) if self.fit.draws else None
        seen = mean.sum(axis=1, keepdims=True) > 0
        T = np.where(seen, mean / np.maximum(mean.sum(axis=1, keepdims=True), TINY), 0.0)
        T += np.diag(~seen[:, 0])  # a class no row belongs to keeps its placeholder
        return Fused(
            T,
            mean.sum(axis=1) / mean.sum(),
            draws,
            self._judged(draws),
            f"the {len(self.audited_rows)} audited labels are right and rows like them go wrong "
            "alike",
            self,
        )

    def _draws(self, joint: FloatArray, rng: np.random.Generator) -> Draws:
        """Draws of T and prior from expected counts [draw, true, observed]."""
        Ts = rng.gamma(np.maximum(joint, TINY))
        Ts = np.maximum(Ts, TINY * np.eye(self.n_classes))
        Ts /= Ts.sum(axis=2, keepdims=True)
        totals = joint.sum(axis=2)
        priors = rng.gamma(np.maximum(totals, TINY))
        priors /= priors.sum(axis=1, keepdims=True)
        return Draws(Ts, priors)

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
            hard=self.hard,
        )

    def _judged(self, draws: Draws | None) -> Diagnosis:
        """Drop the findings that enough audited rows have settled; keep all others."""
        checked = Finding(
            "reliable", f"{len(self.audited_rows)} rows were checked by hand and fused", ""
        )
        if draws is None or len(self.audited_rows) < LEAST_AUDITED:
            return conclusion([checked, *self.findings])
        diagonal = np.diagonal(draws.transition, axis1=1, axis2=2)[:, self.present]
        low, high = np.quantile(diagonal, [0.05, 0.95], axis=0)
        settled = (high - low).mean() <= WIDE
        left = [found for found in self.findings if not (settled and found.audit_settles)]
        return conclusion([checked, *left])


@dataclass(frozen=True)
class Correction:
    """``P(true = i | x, observed = j)`` in proportion to ``eta_i^c T[i, j] exp(d[j, i])``.

    Under the hard view eta is all but certain of the likeliest class, and T is left out.
    """

    at: FloatArray  # (1 + K (K - 1),): log c, then d row by row without its diagonal
    n_classes: int
    hard: bool
    scores: FloatArray  # (m, size of at) gradient of each audited row's log-likelihood

    def logits(self, gate: Gate, tails: FloatArray, label: IntArray) -> FloatArray:
        """Unnormalised log-chances, (m, K)."""
        k = self.n_classes
        shift = np.zeros((k, k))
        shift[~np.eye(k, dtype=bool)] = self.at[1:]
        eta, noise = gate.clean_posterior(tails), np.log(gate.transition.T)
        if self.hard:
            eta, noise = (1 - DOUBT) * np.eye(k)[eta.argmax(axis=1)] + DOUBT / k, np.zeros((k, k))
        return np.exp(self.at[0]) * np.log(np.maximum(eta, TINY)) + (noise + shift)[label]

    def chances(self, gate: Gate, tails: FloatArray, cells: Cells) -> FloatArray:
        """P(true | x, observed) of every cell, (C, K)."""
        logits = self.logits(gate, tails, cells.label)
        return np.exp(logits - logsumexp(logits, axis=1, keepdims=True))

    def draws(self, n_draws: int, rng: np.random.Generator) -> list[Correction]:
        """Draws from its posterior, taken as normal with precision ``P + S' S``.

        P is that of the prior and S the scores. A draw u from the prior is pulled to what the m
        audited rows say by a system of m or of len(at) equations, whichever is smaller.
        """
        S, root = self.scores, 1 / np.sqrt(prior_precision(self.n_classes))
        u = rng.standard_normal((n_draws, len(self.at))) * root
        v = u @ S.T + rng.standard_normal((n_draws, len(S)))
        if len(S) < len(self.at):
            inner = np.eye(len(S)) + (S * root**2) @ S.T
            moves = u - np.linalg.solve(inner, v.T).T @ S * root**2
        else:
            moves = u - np.linalg.solve(np.diag(root**-2) + S.T @ S, (v @ S).T).T
        return [replace(self, at=self.at + move) for move in moves]


def prior_precision(n_classes: int) -> FloatArray:
    """Prior precision of log c and of the entries of d."""
    precision = np.full(1 + n_classes * (n_classes - 1), SHIFT_SPREAD**-2)
    precision[0] = TRUST_SPREAD**-2
    return precision


def learn_correction(
    gate: Gate, tails: FloatArray, label: IntArray, true: IntArray, *, hard: bool
) -> Correction:
    """Most probable correction given audited rows: their tails (m, K), labels and true classes."""
    k = len(gate.slopes)
    start = Correction(np.zeros(1 + k * (k - 1)), k, hard, np.zeros((0, 1 + k * (k - 1))))
    if not len(label):
        return start
    audit = _Audit(start, gate, tails, label, true)
    # Where many rows contradict the fit, each is too surprising to pull: start there as well.
    starts = (start.at, audit.best(start.at, 0.0).x)
    found = min((audit.best(at, SURPRISE) for at in starts), key=lambda run: run.fun).x
    return replace(start, at=found, scores=audit.scores(found, SURPRISE)[1])


@dataclass(frozen=True)
class _Audit:
    """Audited rows and their likelihood under a correction."""

    start: Correction
    gate: Gate
    tails: FloatArray  # (m, K)
    label: IntArray  # (m,)
    true: IntArray  # (m,)

    def scores(self, at: FloatArray, surprise: float) -> tuple[FloatArray, FloatArray]:
        """Log-likelihood of each row (m,), and its gradient in the parameters (m, len(at))."""
        k, rows = self.start.n_classes, np.arange(len(self.label))
        logits = replace(self.start, at=at).logits(self.gate, self.tails, self.label)
        flat = replace(self.start, at=np.zeros_like(at))
        chances = np.exp(logits - logsumexp(logits, axis=1, keepdims=True))
        usual = (1 - surprise) * np.maximum(chances[rows, self.true], TINY)
        likelihood = usual + surprise / k
        residual = (usual / likelihood)[:, None] * (np.eye(k)[self.true] - chances)
        log_eta = flat.logits(self.gate, self.tails, self.label) - self._noise(k)
        gradient = np.zeros((len(rows), len(at)))
        gradient[:, 0] = np.exp(at[0]) * (residual * log_eta).sum(axis=1)
        which = np.full((k, k), -1)
        which[~np.eye(k, dtype=bool)] = 1 + np.arange(k * (k - 1))
        place = which[self.label]  # parameter of each row's shift, (m, K)
        inside = place >= 0
        gradient[np.nonzero(inside)[0], place[inside]] = residual[inside]
        return np.log(likelihood), gradient

    def _noise(self, k: int) -> FloatArray:
        if self.start.hard:
            return np.zeros((len(self.label), k))
        return np.log(self.gate.transition.T)[self.label]

    def best(self, at: FloatArray, surprise: float) -> Any:
        """The most probable correction, sought from `at`."""
        precision = prior_precision(self.start.n_classes)

        def objective(at: FloatArray) -> tuple[float, FloatArray]:
            value, gradient = self.scores(at, surprise)
            posterior = value.sum() - 0.5 * precision @ at**2
            return -float(posterior), precision * at - gradient.sum(axis=0)

        return minimize(objective, at, jac=True, method="L-BFGS-B")
