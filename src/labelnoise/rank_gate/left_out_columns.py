"""Columns that hide wrong labels: without them, the same labels have more noise.

If labels err by class, T describes the labels alone, and is the same whichever features it is
estimated from. A column that was made from the labels repeats the wrong ones as well, and makes
them look right. If the other columns, with clear-cut rows of each class, show more noise beyond
doubt, the two estimates contradict each other.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.data.leaks import sets_of_leading_columns
from labelnoise.errors import LabelNoiseError
from labelnoise.findings import Finding
from labelnoise.rank_gate.findings import findings_on_ranks
from labelnoise.rank_gate.settings import (
    MARGIN,
    MARGIN_IF_UNCLEAR,
    MAX_ATTEMPTS,
    MAX_CLASSES_COMPARED,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable

    from labelnoise.evidence.encoded_features import EncodedFeatures
    from labelnoise.rank_gate.measurements import RankReport

COMPARABLE = {"wide_intervals", "few_labeled_rows", "readings_differ"}
"""Findings of estimates that are still compared: what they say about the noise, their intervals
show."""

UNCLEAR = {"wide_intervals", "no_clear_cut_rows"}
"""With one of these findings without the columns, the estimates must differ by more. With any
other, more noise may be overlap: the remaining features may not tell the classes apart."""


def is_to_be_compared(findings: Iterable[Finding]) -> bool:
    """Whether an estimate with these findings would otherwise be accepted."""
    return all(one.code in COMPARABLE and one.verdict != "cannot tell" for one in findings)


def columns_that_hide_noise(
    report: RankReport,
    features: EncodedFeatures,
    measured: Callable[[EncodedFeatures], RankReport],
) -> tuple[Finding, ...]:
    """The first columns without which there is certainly more noise, if there are any.

    Parameters
    ----------
    report : RankReport
        Of the fit to all features, if labels err by class.
    features : EncodedFeatures
    measured : callable
        Fits the gate to other features, and reports on it in the same way.
    """
    if features.encoder is None or report.interval is None:
        return ()
    if len(report.classes) > MAX_CLASSES_COMPARED:
        return ()
    low, high = (end.noise_rate for end in (report.interval.lower, report.interval.upper))
    attempts = sets_of_leading_columns(features.encoder, features.matrix, features.codes)
    for columns, rows in islice(attempts, MAX_ATTEMPTS):
        remaining = features.without(columns, rows)
        if not remaining.can_be_judged:
            continue
        try:
            other = measured(remaining)
        except (LabelNoiseError, np.linalg.LinAlgError):
            continue  # these features say too little about the labels
        margin = _required_margin(findings_on_ranks(other))
        if other.interval is None or margin is None:
            continue
        least, most = (end.noise_rate for end in (other.interval.lower, other.interval.upper))
        if least > high + margin:
            types = features.types_of(columns)
            facts = {"columns": list(columns), "low": low, "high": high, "least": least}
            facts |= {"most": most, "column_types": types or dict.fromkeys(columns, "number")}
            return (Finding("columns_hide_noise", facts, hides_noise=True),)
    return ()


def _required_margin(findings: Collection[Finding]) -> float | None:
    """How far intervals must be apart, given what was found without columns; None: never mind."""
    codes = {finding.code for finding in findings}
    if not is_to_be_compared(one for one in findings if one.code not in UNCLEAR):
        return None
    return MARGIN_IF_UNCLEAR if codes & UNCLEAR else MARGIN
