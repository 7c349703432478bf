"""Columns that hide wrong labels: without them, the same labels have more noise.

T describes the labels, so it is the same whichever features it is estimated from. A column that was
made from the labels repeats the wrong ones as well, and makes them look right. If the other columns
show more noise beyond doubt, the two estimates contradict each other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.checks import Labels
from labelnoise.errors import LabelNoiseError
from labelnoise.evidence.groups import RowGroups
from labelnoise.findings import Finding
from labelnoise.rank_gate.findings import findings_on_ranks
from labelnoise.rank_gate.settings import MARGIN, MARGIN_IF_UNCLEAR

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.encoder import TableEncoder
    from labelnoise.data.leading_columns import RemainingFeatures
    from labelnoise.rank_gate.measurements import RankReport


@dataclass(frozen=True, eq=False)
class EncodedFeatures:
    """The features that an estimate is made from, as numbers, with their labels.

    Attributes
    ----------
    encoder : TableEncoder
        Knows the column of each feature.
    matrix : (n, d) array
    labels : Labels
    groups : RowGroups or None
    """

    encoder: TableEncoder
    matrix: FloatArray
    labels: Labels
    groups: RowGroups | None

    def for_columns(self) -> tuple[TableEncoder, FloatArray, IntArray]:
        """What columns are compared by."""
        return self.encoder, self.matrix, self.labels.compact_codes

    def part(self, remaining: RemainingFeatures) -> tuple[Labels, FloatArray, RowGroups | None]:
        """Labels, features and groups of the rows that are examined."""
        rows = remaining.rows
        labels = Labels(self.labels.codes[rows], self.labels.classes)
        X = self.matrix[np.ix_(rows, remaining.features)]
        if self.groups is None:
            return labels, X, None
        groups = np.unique(self.groups.group[rows], return_inverse=True)[1]
        return labels, X, RowGroups.of(groups, labels.compact_codes, X)


HARMLESS = {"wide_intervals", "few_distinct_rows", "few_labeled_rows", "readings_differ"}
"""Findings with which an interval holds."""

UNCLEAR = "no_clear_cut_rows"
"""With this one it nearly does. With others, more noise may be overlap: the remaining features may
not tell the classes apart."""


def is_to_be_compared(findings: Iterable[Finding]) -> bool:
    """Whether an estimate with these findings would be believed."""
    return {finding.code for finding in findings} <= HARMLESS


def columns_that_hide_noise(
    report: RankReport,
    attempts: Iterable[RemainingFeatures],
    measured_without: Callable[[RemainingFeatures], RankReport],
) -> Iterator[Finding]:
    """The first columns without which there is certainly more noise, if there are any.

    Parameters
    ----------
    report : RankReport
        Of the fit to all features.
    attempts : iterable of RemainingFeatures
    measured_without : callable
        Fits the gate to what remains.
    """
    if report.interval is None:
        return
    low, high = (end.noise_rate for end in (report.interval.lower, report.interval.upper))
    for remaining in attempts:
        try:
            other = measured_without(remaining)
        except LabelNoiseError:  # nothing left to estimate from
            continue
        codes = {finding.code for finding in findings_on_ranks(other)}
        if other.interval is None or not codes <= {*HARMLESS, UNCLEAR}:
            continue
        margin = MARGIN_IF_UNCLEAR if UNCLEAR in codes else MARGIN
        least, most = (end.noise_rate for end in (other.interval.lower, other.interval.upper))
        if least > high + margin:
            facts = {
                "columns": list(remaining.left_out),
                "column_types": dict(zip(remaining.left_out, remaining.types, strict=True)),
                "low": low,
                "high": high,
                "least": least,
                "most": most,
            }
            yield Finding("columns_hide_noise", facts, hides_noise=True)
            return
