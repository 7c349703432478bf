"""The rows whose labels are probably wrong, ranked, with evidence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise import checks
from labelnoise.errors import LabelNoiseError
from labelnoise.noise_estimate import states_noise_rate
from labelnoise.review.settings import MIN_EXPECTED_ERRORS, N_NEIGHBORS

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.checks import Label
    from labelnoise.noise_estimate import NoiseEstimate

COLUMNS = (
    "row",
    "given",
    "suggested",
    "p_wrong",
    "p_suggested",
    "neighbors",
    "neighbor_labels",
    "expected_precision",
    "expected_found",
)
"""Columns of label issues, in order."""


class Suspects:
    """Rows of an estimate, ranked by the probability that they are wrong, without audited rows."""

    def __init__(self, est: NoiseEstimate) -> None:
        self.est = est
        self.rows = est.row_model("find_label_issues")
        self.given = self.rows.observed()  # codes of the labels, (n,)
        self.p_true = est.row_posteriors
        self.p_wrong = 1 - self.p_true[np.arange(len(self.given)), self.given]
        # Ties (many errors are almost certain) are broken by the features.
        ranked = np.lexsort((-self.rows.log_odds_margin(), -self.p_wrong))
        self.ranked = ranked[~np.isin(ranked, self.rows.audits())]

    @property
    def n_wrong(self) -> int:
        """Estimated number of wrong labels, without those that an audit has found."""
        known = self.p_wrong[self.rows.audits()].sum()
        return max(0, round(self.est.noise_rate * len(self.given) - float(known)))

    @property
    def n_errors(self) -> float:
        """All errors, of which some are found; those that no row shows never are."""
        by_rows = float(self.p_wrong[self.ranked].sum())
        return max(by_rows, float(self.n_wrong), MIN_EXPECTED_ERRORS)

    def select(
        self,
        budget: int | None = None,
        threshold: float | Mapping[Any, float] | None = None,
        *,
        per_class: bool = True,
    ) -> IntArray:
        """Rows to review, most suspicious first; for the parameters see `find_label_issues`."""
        if threshold is not None:
            enough = self.p_wrong >= _thresholds(threshold, self.est.classes)[self.given]
            return self.ranked[enough[self.ranked]][:budget]
        n_chosen = self.n_wrong if budget is None else budget
        chosen = self.review_order(per_class=per_class)[:n_chosen]
        return chosen[np.argsort(self.rank_of(chosen))]

    def rank_of(self, rows: IntArray) -> IntArray:
        """Ranks of some suspects, (m,); 0 is the most suspicious."""
        rank = np.empty(len(self.given), dtype=np.int64)
        rank[self.ranked] = np.arange(len(self.ranked))
        return rank[rows]

    def review_order(self, *, per_class: bool) -> IntArray:
        """All suspects in the order in which a growing budget includes them.

        With `per_class`, in proportion to the expected numbers of errors of the labels, by the
        Webster/Sainte-Lague method: the r-th row of a label is placed at ``(r - 1/2) / expected``.
        """
        if not per_class:
            return self.ranked
        by_label = self.ranked[np.argsort(self.given[self.ranked], kind="stable")]
        size = np.bincount(self.given[by_label], minlength=len(self.est.classes))
        expected = np.bincount(self.given[by_label], self.p_wrong[by_label], len(size))
        rank_in_label = np.arange(len(by_label)) - np.repeat(np.cumsum(size) - size, size)
        expected = np.maximum(expected, MIN_EXPECTED_ERRORS)
        quotient = (rank_in_label + 0.5) / np.repeat(expected, size)
        return by_label[np.argsort(quotient, kind="stable")]

    def columns(
        self,
        rows: IntArray,
        ids: Any = None,
        n_neighbors: int = N_NEIGHBORS,
        *,
        probabilities: bool = False,
    ) -> dict[str, Any]:
        """Label issues for some rows (m,), as plain columns; `ids` (n,) are those of all rows.

        What a review is expected to find is NaN where the estimate states no share of wrong labels.
        """
        ids = np.arange(len(self.given)) if ids is None else ids
        given, labels = self.given[rows], checks.label_array(self.est.classes)
        others = self.p_true[rows].copy()
        others[np.arange(len(rows)), given] = -1.0
        suggested = others.argmax(axis=1)
        near = self.rows.nearest(rows, n_neighbors)
        found = np.cumsum(self.p_wrong[rows])
        known = 1.0 if states_noise_rate(self.est) else np.nan
        values = (
            ids[rows],
            labels[given],
            labels[suggested],
            self.p_wrong[rows],
            self.p_true[rows, suggested],
            [ids[row[row >= 0]].tolist() for row in near],
            [labels[self.given[row[row >= 0]]].tolist() for row in near],
            found / np.arange(1, len(rows) + 1) * known,
            found / self.n_errors * known,
        )
        columns = dict(zip(COLUMNS, values, strict=True))
        if probabilities:
            p_true = self.p_true[rows].T
            columns |= {
                f"p_true[{one}]": p for one, p in zip(self.est.classes, p_true, strict=True)
            }
        return columns


def _thresholds(given: Any, classes: tuple[Label, ...]) -> FloatArray:
    """A threshold for every label, (K,)."""
    if not isinstance(given, Mapping):
        return np.full(len(classes), checks.fraction(given, "threshold"))
    if set(given) != set(classes):
        facts = {"classes": list(classes), "labels": list(given)}
        raise LabelNoiseError("thresholds_of_other_classes", **facts)
    return np.array([checks.fraction(given[label], "threshold") for label in classes])
