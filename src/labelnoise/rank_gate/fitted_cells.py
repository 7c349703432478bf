"""Predictions of a fitted gate for the training rows, cell by cell and under both readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.impurity import confusion, impurities, mixing, purified, typical_mixing
from labelnoise.rank_gate.readings import likeliest_classes
from labelnoise.rank_gate.settings import EVEN_SHARE, MIN_CLASS_PROBABILITY, OTHER_READING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.evidence.cells import Cells
    from labelnoise.rank_gate.readings import GateDraws


@dataclass(frozen=True)
class FittedCells:
    """Cells of the training rows, and the gate that was fitted to them.

    Attributes
    ----------
    depths : (C, K) array
        Tail depths.
    cells : Cells
    fit : GateDraws
    by_instance : bool
        Whether labels are assumed to err by instance: the true class of a row is the one that its
        surroundings indicate.
    """

    depths: FloatArray
    cells: Cells
    fit: GateDraws
    by_instance: bool

    def by_features(self) -> FloatArray:
        """P(true | x) under the reading in use, (C, K)."""
        eta = self._eta()
        return likeliest_classes(eta) if self.by_instance else eta @ typical_mixing(eta, self.cells)

    def probabilities(self) -> FloatArray:
        """P(true | x, observed) under the reading in use, (C, K)."""
        if self.by_instance:  # surroundings are decisive, and T is only a summary
            return self.by_features()
        return self._probabilities_by_class()

    def log_odds_margin(self) -> FloatArray:
        """Log-odds of each class against the observed one by the features, (C, K)."""
        eta = np.log(np.maximum(self._eta(), MIN_CLASS_PROBABILITY))
        return eta - eta[np.arange(len(eta)), self.cells.label][:, None]

    def log_probabilities(self) -> FloatArray:
        """Log-probabilities (C, K) of the point estimate, which an audit corrects."""
        return self._both_readings(self._probabilities_by_class(), likeliest_classes(self._eta()))

    def drawn_log_probabilities(self, rng: np.random.Generator) -> Iterator[FloatArray]:
        """The same for each draw of the gate and of the impurity of clear-cut rows.

        The intervals before an audit also include the impurity: without it, audited rows that are
        uninformative about a class would narrow its interval.
        """
        share = self.cells.weight / self.cells.weight.sum()
        confused = confusion(self._eta(), share)
        point, draws = self.fit.point.transition, self.fit.draws
        drawn = np.maximum(impurities(confused, point, self.fit.prior, len(draws), rng), 0.0)
        for gate, impurity in zip(draws, drawn, strict=True):
            eta = gate.clean_posterior(self.depths)
            T, _ = purified(gate.transition, self.fit.prior, impurity, confused)
            mixed = eta @ mixing(impurity, confused)
            by_class = replace(gate, transition=T).given_labels(mixed, self.cells.label)
            yield self._both_readings(by_class, likeliest_classes(eta))

    def audit_value(self) -> FloatArray:
        """How informative about T the true label of one more row of each cell would be, (C,).

        Half of the value is the row's uncertainty about both readings: large where they differ,
        small where a label agrees with its surroundings. But both readings may be wrong about the
        many rows that seem right, so the other half is spread evenly over labels, and over the rows
        with each label: the row of T of a rare class matters as much as any other.
        """
        cells = self.cells
        rows_with_label = np.bincount(cells.label, cells.weight)[cells.label]
        probabilities = (self._probabilities_by_class() + likeliest_classes(self._eta())) / 2
        unsure = 1 - (probabilities**2).sum(axis=1)
        evenly = 1 / (rows_with_label * cells.n_classes)
        return (1 - EVEN_SHARE) * unsure / (cells.weight @ unsure) + EVEN_SHARE * evenly

    def _eta(self) -> FloatArray:
        return self.fit.point.clean_posterior(self.depths)

    def _probabilities_by_class(self) -> FloatArray:
        eta = self._eta()
        mixed = eta @ typical_mixing(eta, self.cells)
        return self.fit.point.given_labels(mixed, self.cells.label)

    def _both_readings(self, by_class: FloatArray, by_instance: FloatArray) -> FloatArray:
        """Logarithms of a mixture of the reading in use and a little of the other.

        Each reading alone predicts wrongly, if the other holds, how errors become rarer away from
        the boundary.
        """
        in_use, other = (by_instance, by_class) if self.by_instance else (by_class, by_instance)
        mixed = (1 - OTHER_READING) * in_use + OTHER_READING * other
        return np.log(np.maximum(mixed, MIN_CLASS_PROBABILITY))
