"""Hand-checked rows: which to check, and what they make of the estimate.

The fit says P(true = i | x, observed = j) for every row. Audited rows test that, and
`corrections.py` learns from them where it is off. Then the true classes of the audited rows and the
corrected chances of all others are simply counted.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.findings import classes_without_rows
from labelnoise.findings import Diagnosis, Finding
from labelnoise.rank_gate.audit_correction import SIZES, Audited, Correction, Size, learn_correction
from labelnoise.rank_gate.measurements import JUDGED_LEVEL
from labelnoise.rank_gate.purity_curves import purity_curves
from labelnoise.rank_gate.readings import (
    confusion,
    diluted,
    dilution,
    impurities,
    likeliest_classes,
    purified,
)
from labelnoise.rank_gate.settings import VAGUE, WIDE
from labelnoise.row_model import Fused
from labelnoise.uncertainty import Draws
from labelnoise.wording import Assumption

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.evidence.cells import Cells
    from labelnoise.neighbors.graph import NeighborGraph
    from labelnoise.rank_gate.readings import GateDraws
    from labelnoise.row_model import PurityCurve

EVENLY = 0.5
"""Share of suggested rows that are drawn without regard to what the fit thinks of them."""

LEAST_AUDITED, LEAST_OF_A_CLASS = 100, 20
"""Audited rows from which on they can settle what the fit left open, and how many must truly be of
a class to settle what it left open about that class: others say nothing about its row of T."""

MANY_AUDITED, CONTRADICTED = 300, 0.9
"""Audited rows that can settle anything if they contradict the fit: if it is far off with more
than the second number's chance."""

CONTRADICTION = Finding("audit_contradicts_fit", {"enough": MANY_AUDITED})

OTHER_VIEW = 0.25
"""Chance that the view not in use holds, before any row was audited."""

TINY = 1e-12
"""Chances below this count as this: an audited row may prove any of them wrong."""


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
    classes : tuple
        Names of all declared classes.
    findings : tuple of Finding
        What was found about the estimate before any audit, classes without rows apart.
    graph : NeighborGraph or None
        The nearest places of every place, to show; None if rows were not compared.
    hard : bool
        Whether the estimate takes the likeliest class at a row's place for its true class.
    audited_rows, true_codes : int arrays
        Rows checked so far and their true classes, as declared codes.
    """

    tails: FloatArray
    cells: Cells
    fit: GateDraws
    present: IntArray
    classes: tuple[Label, ...]
    findings: tuple[Finding, ...]
    graph: NeighborGraph | None = None
    hard: bool = False
    audited_rows: IntArray = field(default_factory=lambda: np.empty(0, np.int64))
    true_codes: IntArray = field(default_factory=lambda: np.empty(0, np.int64))

    @property
    def n_classes(self) -> int:
        """Declared classes."""
        return len(self.classes)

    def posteriors(self) -> FloatArray:
        """P(true class | features, observed label), (n, K); certain where a row was audited."""
        if len(self.audited_rows):
            odds, lead = self._odds(), self._lead()
            chances = self._correction(odds, lead).typical(odds, lead, self.cells.label)
        else:
            chances = self._chances(hard=self.hard)
        return self._of_rows(chances)

    def _of_rows(self, chances: FloatArray) -> FloatArray:
        """Chances of the cells (C, K) as those of the rows among all declared classes, (n, K)."""
        found = np.zeros((self.cells.n_rows, self.n_classes))
        found[:, self.present] = chances[self.cells.cell_of_row]
        found[self.audited_rows] = np.eye(self.n_classes)[self.true_codes]
        return found

    def by_features(self) -> FloatArray:
        """P(true class | features), (n, K); certain where a row was audited."""
        eta = self.fit.point.clean_posterior(self.tails)
        eta = likeliest_classes(eta) if self.hard else eta @ dilution(eta, self.cells)
        return self._of_rows(eta)

    def lead(self) -> FloatArray:
        """By how much, in log-odds, features prefer the best other class to the label, (n,)."""
        lead = self._lead()
        lead[np.arange(len(lead)), self.cells.label] = -np.inf
        best: FloatArray = lead.max(axis=1)[self.cells.cell_of_row]
        return best

    def audits(self) -> IntArray:
        """Rows whose true labels are known."""
        return self.audited_rows

    def observed(self) -> IntArray:
        """Observed labels as declared codes, (n,)."""
        codes: IntArray = self.present[self.cells.label[self.cells.cell_of_row]]
        return codes

    def nearest(self, rows: IntArray, k: int) -> IntArray:
        """Up to `k` rows nearest to each of some rows, (m, k); -1 where none is known."""
        if self.graph is None:
            return np.full((len(rows), k), -1)
        places = self.cells.place[self.cells.cell_of_row]
        return replace(self.graph, group_of_row=places).nearest_rows(rows, k)

    def _chances(self, *, hard: bool) -> FloatArray:
        """P(true | x, observed) by the point estimate, under one of the two views, (C, K)."""
        gate = self.fit.point
        eta = gate.clean_posterior(self.tails)
        if hard:
            return likeliest_classes(eta)
        return gate.given_labels(eta @ dilution(eta, self.cells), self.cells.label)

    def _odds(self) -> FloatArray:
        """Log-chances that an audit starts from, (C, K), by the point estimate."""
        return self._both_views(self._chances(hard=False), self._chances(hard=True))

    def _drawn_odds(self, rng: np.random.Generator) -> Iterator[FloatArray]:
        """The same for each draw of the gate, with pure regions that may not be quite pure.

        Just as the intervals before an audit: rows that say nothing about a class must not make it
        look better known.
        """
        share = self.cells.weight / self.cells.weight.sum()
        mixed_up = confusion(self.fit.point.clean_posterior(self.tails), share)
        drawn = impurities(mixed_up, self.fit.prior, len(self.fit.draws), rng)
        for gate, impurity in zip(self.fit.draws, drawn, strict=True):
            eta = gate.clean_posterior(self.tails)
            T, _ = purified(gate.transition, self.fit.prior, impurity, mixed_up)
            there = eta @ diluted(impurity, mixed_up)
            soft = replace(gate, transition=T).given_labels(there, self.cells.label)
            yield self._both_views(soft, likeliest_classes(eta))

    def _both_views(self, soft: FloatArray, hard: FloatArray) -> FloatArray:
        """Logarithms of the view in use and a little of the other.

        Neither view alone knows how errors thin out away from the boundary if the other holds.
        """
        own, other = (hard, soft) if self.hard else (soft, hard)
        return np.log(np.maximum((1 - OTHER_VIEW) * own + OTHER_VIEW * other, TINY))

    def _lead(self) -> FloatArray:
        """By how much, in log-odds, each class leads the observed one by the features, (C, K)."""
        eta = np.log(np.maximum(self.fit.point.clean_posterior(self.tails), TINY))
        return eta - eta[np.arange(len(eta)), self.cells.label][:, None]

    def purity(self) -> tuple[PurityCurve, ...]:
        """How labels change along the ranking of each class that occurs."""
        names = [self.classes[i] for i in self.present]
        return purity_curves(self.tails, self.cells, self.fit.point, names)

    def suggest(self, n_rows: int) -> IntArray:
        """Rows whose true labels say most about T, most telling first.

        A row is worth what is uncertain about it if neither view is known to hold: most where they
        part, little where a label agrees with its surroundings. But both views may be wrong about
        the many rows that seem right, so half of the worth is shared out evenly among labels and
        among the rows of each: a rare class has a row of T like any other. Rows are drawn in
        proportion to it, label by label, rather than from its top: they have to speak for others.
        """
        n_rows = min(n_rows, self.cells.n_rows - len(self.audited_rows))
        worth = self._worth()[self.cells.cell_of_row]
        worth[self.audited_rows] = 0.0
        cell = self.cells.cell_of_row  # numbered by content: the order of the rows is no matter
        order = np.lexsort((cell, -worth, self.cells.label[cell]))
        # Equal steps through the sum of all worth: a row is met with a chance in proportion.
        reached = np.cumsum(worth[order])
        marks = (np.arange(n_rows) + 0.5) / max(n_rows, 1) * reached[-1]
        chosen = np.unique(order[np.searchsorted(reached, marks)])
        if len(chosen) < n_rows:  # rows worth more than a step were met twice
            rest = np.lexsort((cell, -worth))
            rest = rest[~np.isin(rest, chosen) & ~np.isin(rest, self.audited_rows)]
            chosen = np.concatenate([chosen, rest[: n_rows - len(chosen)]])
        return chosen[np.lexsort((cell[chosen], -worth[chosen]))]

    def _worth(self) -> FloatArray:
        """What a row of each cell is worth, (C,): half its uncertainty, half the same by label."""
        rows_like_it = np.bincount(self.cells.label, self.cells.weight)[self.cells.label]
        chances = (self._chances(hard=False) + self._chances(hard=True)) / 2
        unsure = 1 - (chances**2).sum(axis=1)
        evenly = 1 / (rows_like_it * self.cells.n_classes)
        return (1 - EVENLY) * unsure / (self.cells.weight @ unsure) + EVENLY * evenly

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
        odds, lead = self._odds(), self._lead()
        correction = self._correction(odds, lead)
        expected = self._expected(correction.typical(odds, lead, self.cells.label))
        point = _normalized((self._known() + expected)[None])
        draws = _normalized(self._joint_draws(correction, lead, rng)) if self.fit.draws else None
        return Fused(
            point.transition[0],
            point.prior[0],
            draws,
            self._judged(draws, correction),
            Assumption("rows_like_audited_rows", {"n": len(self.audited_rows)}),
            self,
        )

    def _joint_draws(
        self, correction: Correction, lead: FloatArray, rng: np.random.Generator
    ) -> FloatArray:
        """Draws of the rows by true class and label, (S, K, K): nothing to draw, if all are known.

        Drawn as the counts of other rows like these would be, so that T is a chance and not the
        share that these rows happen to have: the wider of the two.
        """
        sizes, joint = correction.sizes(len(self.fit.draws), rng), []
        for odds, size in zip(self._drawn_odds(rng), sizes, strict=True):
            (learnt,) = self._correction(odds, lead, (size,)).learnt
            chances = learnt.draw(rng).chances(odds, lead, self.cells.label)
            joint.append(rng.gamma(self._expected(chances)))
        return self._known() + np.array(joint)

    def _known(self) -> FloatArray:
        """Audited rows by true class and label, (K, K) of all declared classes."""
        joint = np.zeros((self.n_classes, self.n_classes))
        label = self.cells.label[self.cells.cell_of_row[self.audited_rows]]
        np.add.at(joint, (self.true_codes, self.present[label]), 1.0)
        return joint

    def _expected(self, chances: FloatArray) -> FloatArray:
        """All other rows by true class and label as chances (C, K) have it, (K, K) of all."""
        unknown = self.cells.weight.copy()
        np.subtract.at(unknown, self.cells.cell_of_row[self.audited_rows], 1.0)
        k = len(self.present)
        expected = np.zeros((k, k))
        np.add.at(expected, self.cells.label, chances * unknown[:, None])  # [observed, true]
        joint = np.zeros((self.n_classes, self.n_classes))
        joint[np.ix_(self.present, self.present)] = expected.T
        return joint

    def _correction(
        self, odds: FloatArray, lead: FloatArray, sizes: tuple[Size, ...] = SIZES
    ) -> Correction:
        """Learn the correction from the audited rows whose true class occurs among the labels."""
        position = np.full(self.n_classes, -1)
        position[self.present] = np.arange(len(self.present))
        known = position[self.true_codes] >= 0
        cell = self.cells.cell_of_row[self.audited_rows[known]]
        audit = Audited(
            odds[cell], lead[cell], self.cells.label[cell], position[self.true_codes[known]]
        )
        return learn_correction(audit, sizes)

    def _judged(self, draws: Draws | None, correction: Correction) -> Diagnosis:
        """Drop the findings that enough audited rows have settled; keep all others."""
        n_audited, open_rows = len(self.audited_rows), tuple(self._rows_of_t_to_come())
        checked = Finding("audited_rows_included", {"n": n_audited}, "reliable")
        contradicted = correction.far_off > CONTRADICTED
        enough = MANY_AUDITED if contradicted else LEAST_AUDITED
        if draws is None or n_audited < enough:
            left = [*[CONTRADICTION] * contradicted, *self.findings]
        else:
            left = [*self._unsettled(draws)]
        return Diagnosis.of([*left, *open_rows, checked])

    def _unsettled(self, draws: Draws) -> Iterator[Finding]:
        """Findings about classes of which too few rows were audited, or whose T is still vague."""
        diagonal = np.diagonal(draws.transition, axis1=1, axis2=2)[:, self.present]
        ends = [(1 - JUDGED_LEVEL) / 2, (1 + JUDGED_LEVEL) / 2]
        low, high = np.quantile(diagonal, ends, axis=0)
        seen = np.bincount(self.true_codes, minlength=self.n_classes)[self.present]
        known = (high - low <= VAGUE) & (seen >= LEAST_OF_A_CLASS)
        narrow = (high - low).mean() <= WIDE
        unsettled = []
        for found in self.findings:
            about = list(found.about) or slice(None)
            if not (found.settled_by_audit and narrow and known[about].all()):
                unsettled.append(found)
        yield from unsettled
        rare = self.present[seen < LEAST_OF_A_CLASS]
        if rare.size and any(found.settled_by_audit for found in unsettled):
            classes = [self.classes[i] for i in rare]
            yield Finding("few_audited_of_class", {"least": LEAST_OF_A_CLASS, "classes": classes})

    def _rows_of_t_to_come(self) -> Iterator[Finding]:
        """Classes that no row is labeled with: placeholders until rows of them are audited."""
        absent = np.setdiff1d(np.arange(self.n_classes), self.present)
        met = np.isin(absent, self.true_codes)
        yield from classes_without_rows(tuple(self.classes[i] for i in absent[~met]))
        if met.any():
            classes = [self.classes[i] for i in absent[met]]
            yield Finding("class_known_from_audit_only", {"classes": classes})


def _normalized(joint: FloatArray) -> Draws:
    """T and prior from counts [draw, true, observed]; a class without rows keeps a placeholder."""
    totals = joint.sum(axis=2)
    empty = totals == 0
    T = joint / np.where(empty, 1.0, totals)[:, :, None]
    T += empty[:, :, None] * np.eye(joint.shape[1])
    return Draws(T, totals / totals.sum(axis=1, keepdims=True))
