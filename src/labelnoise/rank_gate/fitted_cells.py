"""Predictions of a fitted gate for the training rows, cell by cell and under both readings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.impurity import confusion, impurities, mixing, purified, typical_mixing
from labelnoise.rank_gate.readings import likeliest_classes
from labelnoise.rank_gate.settings import EVEN_SHARE, LEAST_CHANCE, OTHER_READING

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
        Whether labels are taken to err by instance: the true class of a row is the one that its
        surroundings point to.
    """

    depths: FloatArray
    cells: Cells
    fit: GateDraws
    by_instance: bool

    def by_features(self) -> FloatArray:
        """P(true | x) under the reading in use, (C, K)."""
        eta = self._eta()
        return likeliest_classes(eta) if self.by_instance else eta @ typical_mixing(eta, self.cells)

    def chances(self) -> FloatArray:
        """P(true | x, observed) under the reading in use, (C, K)."""
        if self.by_instance:  # surroundings are decisive, and T is only a summary
            return self.by_features()
        return self._chances_by_class()

    def lead(self) -> FloatArray:
        """By how much, in log-odds, each class leads the observed one by the features, (C, K)."""
        eta = np.log(np.maximum(self._eta(), LEAST_CHANCE))
        return eta - eta[np.arange(len(eta)), self.cells.label][:, None]

    def log_chances(self) -> FloatArray:
        """Log-chances that an audit starts from, (C, K), by the point estimate."""
        return self._both_readings(self._chances_by_class(), likeliest_classes(self._eta()))

    def drawn_log_chances(self, rng: np.random.Generator) -> Iterator[FloatArray]:
        """The same for each draw of the gate, with clear-cut rows of which a few may be others.

        As in the intervals before an audit: rows without information about a class must not make it
        look better known.
        """
        share = self.cells.weight / self.cells.weight.sum()
        confused = confusion(self._eta(), share)
        drawn = np.maximum(impurities(confused, self.fit.prior, len(self.fit.draws), rng), 0.0)
        for gate, impurity in zip(self.fit.draws, drawn, strict=True):
            eta = gate.clean_posterior(self.depths)
            T, _ = purified(gate.transition, self.fit.prior, impurity, confused)
            mixed = eta @ mixing(impurity, confused)
            by_class = replace(gate, transition=T).given_labels(mixed, self.cells.label)
            yield self._both_readings(by_class, likeliest_classes(eta))

    def worth(self) -> FloatArray:
        """How informative about T the true label of one more row of each cell would be, (C,).

        Half is the row's uncertainty if neither reading is known to hold: most where they differ,
        little where a label agrees with its surroundings. But both readings may be wrong about the
        many rows that seem right, so the other half is spread evenly over labels, and over the rows
        of each: a rare class has a row of T like any other.
        """
        cells = self.cells
        rows_with_label = np.bincount(cells.label, cells.weight)[cells.label]
        chances = (self._chances_by_class() + likeliest_classes(self._eta())) / 2
        unsure = 1 - (chances**2).sum(axis=1)
        evenly = 1 / (rows_with_label * cells.n_classes)
        return (1 - EVEN_SHARE) * unsure / (cells.weight @ unsure) + EVEN_SHARE * evenly

    def _eta(self) -> FloatArray:
        return self.fit.point.clean_posterior(self.depths)

    def _chances_by_class(self) -> FloatArray:
        eta = self._eta()
        mixed = eta @ typical_mixing(eta, self.cells)
        return self.fit.point.given_labels(mixed, self.cells.label)

    def _both_readings(self, by_class: FloatArray, by_instance: FloatArray) -> FloatArray:
        """Logarithms of the reading in use and a little of the other.

        Neither reading alone knows how errors become rarer away from the boundary if the other
        holds.
        """
        in_use, other = (by_instance, by_class) if self.by_instance else (by_class, by_instance)
        mixed = (1 - OTHER_READING) * in_use + OTHER_READING * other
        return np.log(np.maximum(mixed, LEAST_CHANCE))
