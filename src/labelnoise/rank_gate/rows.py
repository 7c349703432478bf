"""Results of the rank gate for single rows, before and after an audit."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.findings import Diagnosis
from labelnoise.rank_gate.audit import Audit, AuditedCells
from labelnoise.rank_gate.audit_findings import findings_after_audit
from labelnoise.rank_gate.purity_curves import purity_curves
from labelnoise.row_model import AfterAudit, rows_by_audit_value
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Finding
    from labelnoise.neighbors.graph import NeighborGraph
    from labelnoise.rank_gate.fitted_cells import FittedCells
    from labelnoise.row_model import PurityCurve


@dataclass(frozen=True)
class GatedRows:
    """The row model (`labelnoise.row_model.RowModel`) of the rank gate.

    Attributes
    ----------
    fitted : FittedCells
        The fit, for classes that occur.
    present_codes : (K,) int array
        Codes, among all declared classes, of the classes that occur.
    classes : tuple
        Names of all declared classes.
    findings : tuple of Finding
        Findings before any audit, without those about classes that no row is labeled with.
    graph : NeighborGraph or None
        The nearest places of every place, for display; None if rows were not compared.
    audit : Audit
        Rows checked so far.
    """

    fitted: FittedCells
    present_codes: IntArray
    classes: tuple[Label, ...]
    findings: tuple[Finding, ...]
    graph: NeighborGraph | None = None
    audit: Audit = field(default_factory=Audit)

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K); certain where a row was audited."""
        model = self._audited() if self.audit else self.fitted
        return self._of_rows(model.probabilities())

    def by_features(self) -> FloatArray:
        """P(true class | features), (n, K); certain where a row was audited."""
        return self._of_rows(self.fitted.by_features())

    def log_odds_margin(self) -> FloatArray:
        """Log-odds of the best other class against the label by the features, (n,)."""
        margin = self.fitted.log_odds_margin()
        margin[np.arange(len(margin)), self.fitted.cells.label] = -np.inf
        best: FloatArray = margin.max(axis=1)[self.cells()]
        return best

    def audit_value(self) -> FloatArray:
        """How informative about T the true label of each row would be, (n,); 0 if audited."""
        value = self.fitted.audit_value()[self.cells()]
        value[self.audit.rows] = 0.0
        return value

    def cells(self) -> IntArray:
        """Groups of rows with the same label and features, numbered by their content, (n,)."""
        return self.fitted.cells.cell_of_row

    def observed(self) -> IntArray:
        """Observed labels as declared codes, (n,)."""
        codes: IntArray = self.present_codes[self.fitted.cells.label[self.cells()]]
        return codes

    def audits(self) -> IntArray:
        """Rows whose true labels are known from an audit."""
        return self.audit.rows

    def nearest(self, rows: IntArray, k: int) -> IntArray:
        """Up to `k` rows nearest to each of some rows, (m, k); -1 where none is known."""
        if self.graph is None:
            return np.full((len(rows), k), -1)
        places = self.fitted.cells.place[self.cells()]
        return replace(self.graph, place_of_row=places).nearest_rows(rows, k)

    def purity(self) -> tuple[PurityCurve, ...]:
        """How labels change along the ranking of each class that occurs."""
        names = [self.classes[i] for i in self.present_codes]
        fitted = self.fitted
        return purity_curves(fitted.depths, fitted.cells, fitted.fit.point, names)

    def suggest(self, n_rows: int) -> IntArray:
        """Rows whose true labels would determine T best, most informative first."""
        return rows_by_audit_value(self, n_rows)

    def with_findings(self, findings: tuple[Finding, ...]) -> GatedRows:
        """With added findings about the data, which remain after an audit."""
        return replace(self, findings=(*findings, *self.findings))

    def audited(self, rows: IntArray, true_codes: IntArray) -> AfterAudit:
        """The estimate after an audit of more rows."""
        model = replace(self, audit=self.audit.with_rows(rows, true_codes))
        audited = model._audited()
        transition, prior = audited.point()
        draws = audited.draws()
        return AfterAudit(
            transition,
            prior,
            draws,
            Diagnosis.of([*findings_after_audit(self.findings, audited, draws, self.classes)]),
            Assumption("rows_like_audited_rows", {"n": len(model.audit)}),
            model,
        )

    def _audited(self) -> AuditedCells:
        return AuditedCells(self.fitted, self.audit, self.present_codes, len(self.classes))

    def _of_rows(self, probabilities: FloatArray) -> FloatArray:
        """Chances of the cells (C, K) as those of the rows among all declared classes, (n, K)."""
        found = np.zeros((len(self.cells()), len(self.classes)))
        found[:, self.present_codes] = probabilities[self.cells()]
        found[self.audit.rows] = np.eye(len(self.classes))[self.audit.true_codes]
        return found
