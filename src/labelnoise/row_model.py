"""Results for the single rows that an estimate was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Diagnosis, Finding
    from labelnoise.uncertainty import Draws
    from labelnoise.wording import Assumption


SHOWN_NEIGHBORS = 10
"""Number of neighbors of each row that an estimate keeps, to show them beside the row."""


@dataclass(frozen=True)
class PurityCurve:
    """How labels change along the ranking of one class, in B steps from all rows to its top."""

    label: Label
    top: FloatArray  # (B,) middle of each step: share of the ranking from its top, from 1 downwards
    n_rows: FloatArray  # (B,) rows in each step
    observed: FloatArray  # (B,) share of them that have the label
    fitted: FloatArray  # (B,) the same, as fitted
    clean: FloatArray  # (B,) fitted share of them that truly belong to the class: 1 where pure


class RowModel(Protocol):
    """Results for the single rows that an estimate was made from."""

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K)."""

    def by_features(self) -> FloatArray:
        """P(true class | features), (n, K), without the row's own label."""

    def log_odds_margin(self) -> FloatArray:
        """Log-odds of the best other class against the label by the features, (n,)."""

    def audit_value(self) -> FloatArray:
        """How informative about T the true label of each row would be, (n,); 0 if it is known."""

    def cells(self) -> IntArray:
        """Groups of rows with the same label and features, numbered by their content, (n,)."""

    def observed(self) -> IntArray:
        """Observed labels as codes, (n,)."""

    def audits(self) -> IntArray:
        """Rows whose true labels are known from an audit."""

    def nearest(self, rows: IntArray, k: int) -> IntArray:
        """Up to `k` rows nearest to each of some rows, (m, k); -1 where none is known."""

    def purity(self) -> tuple[PurityCurve, ...]:
        """How labels change along the ranking of each class that occurs."""

    def suggest(self, n_rows: int) -> IntArray:
        """Rows whose true labels would determine T best, most informative first."""

    def with_findings(self, findings: tuple[Finding, ...]) -> RowModel:
        """With added findings about the data, which remain after an audit."""

    def audited(self, rows: IntArray, true_codes: IntArray) -> AfterAudit:
        """The estimate after an audit of some rows."""


@dataclass(frozen=True)
class AfterAudit:
    """An estimate after an audit."""

    transition: FloatArray  # (K, K)
    prior: FloatArray  # (K,)
    draws: Draws | None
    diagnosis: Diagnosis
    assumption: Assumption
    rows: RowModel


def rows_by_audit_value(rows: RowModel, n_chosen: int) -> IntArray:
    """Choose rows to audit in proportion to their values, most informative first.

    Rows are taken at equal steps of the cumulative sum of the values, label by label, and not by
    the largest values: the chosen rows have to represent others. The choice is not random, and
    depends on the content of the rows alone, not on their order.
    """
    value, cell, label = rows.audit_value(), rows.cells(), rows.observed()
    audited = rows.audits()
    n_chosen = min(n_chosen, len(value) - len(audited))
    order = np.lexsort((cell, -value, label))
    reached = np.cumsum(value[order])
    marks = (np.arange(n_chosen) + 0.5) / max(n_chosen, 1) * reached[-1]
    chosen = np.unique(order[np.searchsorted(reached, marks)])
    if len(chosen) < n_chosen:  # rows with values above a step were chosen twice
        rest = np.lexsort((cell, -value))
        rest = rest[~np.isin(rest, chosen) & ~np.isin(rest, audited)]
        chosen = np.concatenate([chosen, rest[: n_chosen - len(chosen)]])
    found: IntArray = chosen[np.lexsort((cell[chosen], -value[chosen]))]
    return found
