"""What an estimate knows about the single rows it was made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.findings import Diagnosis
    from labelnoise.uncertainty import Draws
    from labelnoise.wording import Assumption


@dataclass(frozen=True)
class PurityCurve:
    """How labels change along the ranking of one class, in steps from all rows to its top.

    Attributes
    ----------
    label : Label
        The class.
    top : (B,) array
        The middle of each step: rows are among the top share of the ranking, from 1 downwards.
    n_rows : (B,) array
        Rows in each step.
    observed : (B,) array
        Share of them that carry the label.
    fitted : (B,) array
        The same by the fit.
    clean : (B,) array
        Share of them that truly are of the class, by the fit: 1 where it is pure.
    """

    label: Label
    top: FloatArray
    n_rows: FloatArray
    observed: FloatArray
    fitted: FloatArray
    clean: FloatArray


class RowModel(Protocol):
    """What an estimate knows about the single rows it was made from."""

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K)."""

    def by_features(self) -> FloatArray:
        """P(true class | features), (n, K), without the row's own label."""

    def lead(self) -> FloatArray:
        """By how much, in log-odds, features prefer the best other class to the label, (n,)."""

    def observed(self) -> IntArray:
        """Observed labels as codes, (n,)."""

    def audits(self) -> IntArray:
        """Rows whose true labels are known."""

    def nearest(self, rows: IntArray, k: int) -> IntArray:
        """Up to `k` rows nearest to each of some rows, (m, k); -1 where none is known."""

    def purity(self) -> tuple[PurityCurve, ...]:
        """How labels change along the ranking of each class that occurs."""

    def suggest(self, n_rows: int) -> IntArray:
        """Rows whose true labels would say most about T, most telling first."""

    def audited(self, rows: IntArray, true_codes: IntArray) -> Fused:
        """T and prior with the true labels of some rows known."""


@dataclass(frozen=True)
class Fused:
    """What audited rows make of an estimate."""

    transition: FloatArray  # (K, K)
    prior: FloatArray  # (K,)
    draws: Draws | None
    diagnosis: Diagnosis
    assumption: Assumption
    rows: RowModel
