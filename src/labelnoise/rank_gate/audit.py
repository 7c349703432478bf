"""Hand-checked rows, and what they make of the estimate.

The fit predicts P(true = i | x, observed = j) for every row. Audited rows test that, and a
correction (`labelnoise.rank_gate.audit_correction`) is estimated from them where it is off. Then
the true classes of the audited rows and the corrected chances of all others are simply counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Self

import numpy as np

from labelnoise.rank_gate.audit_correction import SIZES, Audited, fit_correction
from labelnoise.uncertainty import Draws

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.rank_gate.audit_correction import Correction, Size
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
        order = np.argsort(all_rows)  # so that it does not matter which were checked first
        return type(self)(all_rows[order], all_codes[order])


@dataclass(frozen=True)
class AuditedCells:
    """A fit, and an audit of some of its rows.

    Attributes
    ----------
    fitted : FittedCells
    audit : Audit
    present : (K,) int array
        Declared codes of the classes that occur.
    n_classes : int
        Declared classes.
    """

    fitted: FittedCells
    audit: Audit
    present: IntArray
    n_classes: int

    @cached_property
    def correction(self) -> Correction:
        """The correction, from the audited rows whose true class occurs among the labels."""
        return self._correction(self._log_chances)

    def chances(self) -> FloatArray:
        """Corrected P(true | x, observed) of the rows that were not audited, (C, K)."""
        return self.correction.typical(self._log_chances, self._lead, self._label)

    def point(self) -> tuple[FloatArray, FloatArray]:
        """T (K, K) and prior (K,) of all declared classes."""
        counted = normalized((self._known() + self._expected(self.chances()))[None])
        return counted.transition[0], counted.prior[0]

    def draws(self) -> Draws | None:
        """Draws of T and prior; there is nothing to draw if all rows are known.

        Drawn as the counts of other rows like these would be, so that T is a probability and not
        the share that these rows happen to have: the wider of the two.
        """
        n_draws = len(self.fitted.fit.draws)
        if not n_draws:
            return None
        rng = np.random.default_rng(len(self.audit))  # the same audit, the same answer
        sizes, joint = self.correction.sizes(n_draws, rng), []
        for odds, size in zip(self.fitted.drawn_log_chances(rng), sizes, strict=True):
            (shift,) = self._correction(odds, (size,)).fitted
            chances = shift.draw(rng).chances(odds, self._lead, self._label)
            joint.append(rng.gamma(self._expected(chances)))
        return normalized(self._known() + np.array(joint))

    @cached_property
    def _log_chances(self) -> FloatArray:
        return self.fitted.log_chances()

    @cached_property
    def _lead(self) -> FloatArray:
        return self.fitted.lead()

    @property
    def _label(self) -> IntArray:
        return self.fitted.cells.label

    def _known(self) -> FloatArray:
        """Audited rows by true class and label, (K, K) of all declared classes."""
        joint = np.zeros((self.n_classes, self.n_classes))
        label = self._label[self.fitted.cells.cell_of_row[self.audit.rows]]
        np.add.at(joint, (self.audit.true_codes, self.present[label]), 1.0)
        return joint

    def _expected(self, chances: FloatArray) -> FloatArray:
        """Expected counts of all other rows by true class and label, (K, K) of all classes."""
        unknown = self.fitted.cells.weight.copy()
        np.subtract.at(unknown, self.fitted.cells.cell_of_row[self.audit.rows], 1.0)
        k = len(self.present)
        expected = np.zeros((k, k))
        np.add.at(expected, self._label, chances * unknown[:, None])  # [observed, true]
        joint = np.zeros((self.n_classes, self.n_classes))
        joint[np.ix_(self.present, self.present)] = expected.T
        return joint

    def _correction(self, odds: FloatArray, sizes: tuple[Size, ...] = SIZES) -> Correction:
        position = np.full(self.n_classes, -1)
        position[self.present] = np.arange(len(self.present))
        true = position[self.audit.true_codes]
        cell = self.fitted.cells.cell_of_row[self.audit.rows[true >= 0]]
        audited = Audited(odds[cell], self._lead[cell], self._label[cell], true[true >= 0])
        return fit_correction(audited, sizes)


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
