"""Findings about groups of rows: whether they leave enough to judge the labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.evidence.settings import (
    CLEAR_GAIN,
    CONFINED_SHARE,
    FEW_GROUPS,
    MIN_GAIN,
    MIN_ROWS_OF_CLASS,
)
from labelnoise.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.evidence.cells import Cells
    from labelnoise.evidence.groups import RowGroups
    from labelnoise.findings import Verdict


@dataclass(frozen=True)
class GroupReport:
    """What is known about groups; arrays have one entry for each class that occurs.

    Attributes
    ----------
    n_groups : int
    row_worth : float
        What a row counts relative to an independent one.
    label_counts : (K,) array
        Rows with each label.
    confined : (K,) array
        Share of each label's rows that fits without them scored, if these have hardly seen the
        label; 0 for labels of which there are enough rows in other groups.
    gain, gain_of_rows : float
        Standard errors by which scores beat the label frequencies, and by which they would if rows
        were independent.
    too_few_places : bool
        Whether there would be enough distinct rows if rows were independent.
    """

    n_groups: int
    row_worth: float
    label_counts: FloatArray
    confined: FloatArray
    gain: float
    gain_of_rows: float
    too_few_places: bool

    @classmethod
    def of(
        cls,
        groups: RowGroups,
        cells: Cells,
        row_worth: float,
        gains: tuple[float, float],
        *,
        too_few_places: bool,
    ) -> GroupReport:
        """Measure groups; `gains` with rows as they count, and as if they were independent."""
        codes = cells.label[cells.cell_of_row]
        return cls(
            groups.n_groups,
            row_worth,
            np.bincount(codes).astype(np.float64),
            groups.confined_labels(codes),
            *gains,
            too_few_places,
        )


def group_findings(report: GroupReport, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Too few rows of a label in other groups, too few groups, or too few independent rows."""
    confined = np.flatnonzero(report.confined)
    if confined.size:
        counts, share = report.label_counts[confined], report.confined[confined]
        facts: dict[str, Any] = {
            "classes": [classes[i] for i in confined],
            "share": float(counts @ share / counts.sum()),
        }
        matters = counts.sum() > CONFINED_SHARE * report.label_counts.sum()
        verdict: Verdict = "cannot tell" if matters else "rough"
        about = tuple(confined.tolist())
        yield Finding("labels_in_few_groups", facts, verdict, about=about)
    if report.n_groups < FEW_GROUPS:
        yield Finding("few_groups", {"n_groups": report.n_groups})
    yield from _few_independent_rows(report)
    amount = report.row_worth * report.label_counts
    few = (amount < MIN_ROWS_OF_CLASS) & (report.label_counts >= MIN_ROWS_OF_CLASS)
    if few.any():
        named = [classes[i] for i in np.flatnonzero(few)]
        facts = {"least": MIN_ROWS_OF_CLASS, "classes": named}
        yield Finding("few_independent_rows", facts)


def _few_independent_rows(report: GroupReport) -> Iterator[Finding]:
    """Labels that are hardly predicted, or too few distinct rows, because rows count for less."""
    unknown = report.gain < MIN_GAIN <= report.gain_of_rows
    unclear = report.gain < CLEAR_GAIN <= report.gain_of_rows
    if not (unknown or unclear or report.too_few_places):
        return
    n_rows = int(report.label_counts.sum())
    facts = {"n_groups": report.n_groups, "n_rows": n_rows, "n": report.row_worth * n_rows}
    verdict: Verdict = "cannot tell" if unknown else "rough"
    yield Finding("few_independent_rows", facts, verdict, settled_by_audit=True)
