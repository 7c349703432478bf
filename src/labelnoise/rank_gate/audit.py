"""The estimate after some rows were checked by hand.

The fit predicts P(true = i | x, observed = j) for every row. Audited rows test these predictions,
and a correction is estimated from them where they are off
(`labelnoise.rank_gate.audit_correction`). Then the true classes of the audited rows are counted
together with the corrected probabilities of all others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from labelnoise.rank_gate.audit_correction import SHIFT_PRIORS, Audited, fit_correction
from labelnoise.uncertainty import Draws

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.rank_gate.audit_correction import Correction, ShiftPrior
    from labelnoise.rank_gate.fitted_cells import FittedCells


@dataclass(frozen=True)
class Audit:
    """Rows checked so far (m,), in order, and their true classes as declared codes (m,)."""

    rows: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    true_codes: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.rows)

    def with_rows(self, rows: IntArray, true_codes: IntArray) -> Self:
        """With more rows; one that was checked before takes its new label."""
        kept = ~np.isin(self.rows, rows)
        all_rows = np.concatenate([self.rows[kept], rows])
        all_codes = np.concatenate([self.true_codes[kept], true_codes])
        order = np.argsort(all_rows)  # the order of the checks does not matter
        return type(self)(all_rows[order], all_codes[order])


@dataclass(frozen=True)
class AuditedCells:
    """A fit, and an audit of some of its rows.

    Attributes
    ----------
    fitted : FittedCells
    audit : Audit
    present_codes : (K,) int array
        Declared codes of the classes that occur.
    n_classes : int
        Declared classes.
    """

    fitted: FittedCells
    audit: Audit
    present_codes: IntArray
    n_classes: int

    @cached_property
    def correction(self) -> Correction:
        """The correction, from the audited rows whose true class occurs among the labels."""
        return self._correction(self._log_probabilities)

    def probabilities(self) -> FloatArray:
        """Corrected P(true | x, observed) of the rows that were not audited, (C, K)."""
        return self.correction.corrected(self._log_probabilities, self._margin, self._label)

    def point(self) -> tuple[FloatArray, FloatArray]:
        """T (K, K) and prior (K,) of all declared classes."""
        counted = normalized((self._known() + self._expected(self.probabilities()))[None])
        return counted.transition[0], counted.prior[0]

    def draws(self) -> Draws | None:
        """Draws of T and prior; there is nothing to draw if all rows are known.

        The counts of other rows from the same population are drawn: T is a probability, not the
        share among these rows, and its interval is wider.
        """
        n_draws = len(self.fitted.fit.draws)
        if not n_draws:
            return None
        rng = np.random.default_rng(len(self.audit))  # the same audit, the same answer
        priors, joint = self.correction.draw_priors(n_draws, rng), []
        for logits, prior in zip(self.fitted.drawn_log_probabilities(rng), priors, strict=True):
            (shift,) = self._correction(logits, (prior,)).fitted
            probabilities = shift.draw(rng).probabilities(logits, self._margin, self._label)
            joint.append(rng.gamma(self._expected(probabilities)))
        return normalized(self._known() + np.array(joint))

    @cached_property
    def _log_probabilities(self) -> FloatArray:
        return self.fitted.log_probabilities()

    @cached_property
    def _margin(self) -> FloatArray:
        return self.fitted.log_odds_margin()

    @property
    def _label(self) -> IntArray:
        return self.fitted.cells.label

    def _known(self) -> FloatArray:
        """Audited rows by true class and label, (K, K) of all declared classes."""
        joint = np.zeros((self.n_classes, self.n_classes))
        label = self._label[self.fitted.cells.cell_of_row[self.audit.rows]]
        np.add.at(joint, (self.audit.true_codes, self.present_codes[label]), 1.0)
        return joint

    def _expected(self, probabilities: FloatArray) -> FloatArray:
        """Expected counts of all other rows by true class and label, (K, K) of all classes."""
        unknown = self.fitted.cells.weight.copy()
        np.subtract.at(unknown, self.fitted.cells.cell_of_row[self.audit.rows], 1.0)
        k = len(self.present_codes)
        expected = np.zeros((k, k))
        np.add.at(expected, self._label, probabilities * unknown[:, None])  # [observed, true]
        joint = np.zeros((self.n_classes, self.n_classes))
        joint[np.ix_(self.present_codes, self.present_codes)] = expected.T
        return joint

    def _correction(
        self, logits: FloatArray, priors: tuple[ShiftPrior, ...] = SHIFT_PRIORS
    ) -> Correction:
        position = np.full(self.n_classes, -1)
        position[self.present_codes] = np.arange(len(self.present_codes))
        true = position[self.audit.true_codes]
        cell = self.fitted.cells.cell_of_row[self.audit.rows[true >= 0]]
        audited = Audited(logits[cell], self._margin[cell], self._label[cell], true[true >= 0])
        return fit_correction(audited, priors)


def normalized(joint: FloatArray) -> Draws:
    """T and prior from counts (S, K, K) [true, observed]; a class without rows is noiseless.

    >>> normalized(np.array([[[3.0, 1.0], [0.0, 0.0]]])).transition.tolist()
    [[[0.75, 0.25], [0.0, 1.0]]]
    """
    totals = joint.sum(axis=2)
    empty = totals == 0
    T = joint / np.where(empty, 1.0, totals)[:, :, None]
    T += empty[:, :, None] * np.eye(joint.shape[1])
    return Draws(T, totals / totals.sum(axis=1, keepdims=True))
