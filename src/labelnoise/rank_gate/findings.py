"""Findings of the rank gate about its own fit, from the measurements."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from labelnoise.evidence.findings import (
    clustered_rows,
    columns_in_another_order,
    copied_rows,
    diagonal_not_largest,
    few_labeled_rows,
    group_findings,
    nearly_singular,
    trained_on_these_rows,
    weak_prediction,
)
from labelnoise.evidence.sources import PROBABILITIES
from labelnoise.findings import Finding
from labelnoise.noise_estimate import touches_zero
from labelnoise.rank_gate.settings import (
    ALL_DISTINCT,
    CLAIMED_MUCH_NOISE,
    CLAIMED_NOISE,
    FEW_NEIGHBORS,
    FEW_PLACES,
    GAP_RATIO,
    JUDGED_LEVEL,
    LARGE_GAP,
    MAX_AGREEMENT_LEAD,
    MAX_CONFUSION_RATIO,
    MAX_PURE_SHARE,
    MAX_PURE_SHARE_OF_TWO,
    MIN_PURE_SHARE,
    PURE_SHARE_ERRORS,
    SMALL_GAP,
    UNCLEAR_ROWS,
    UNCLEAR_ROWS_OF_TWO,
    UNKNOWN,
    UNSUPPORTED_CLAIM,
    VERY_WIDE,
    WIDE,
)
from labelnoise.wording import joined

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.rank_gate.measurements import RankReport

Mask = np.ndarray[tuple[int], np.dtype[np.bool_]]


def early_warnings(report: RankReport) -> Iterator[Finding]:
    """Findings that are also warnings, in case nobody reads the diagnosis."""
    if not report.converged:
        yield Finding("not_converged")
    yield from _trained_on_these_rows(report)
    yield from _columns_in_another_order(report)


def findings_on_ranks(report: RankReport) -> tuple[Finding, ...]:
    """All findings about a fit of the rank gate."""
    findings = [finding for check in CHECKS for finding in check(report)]
    findings += group_findings(report.groups, report.classes) if report.groups else []
    if report.duplicates and report.n_places >= FEW_PLACES:  # with fewer, places are far apart
        findings += copied_rows(report.duplicates)
    findings += clustered_rows(report.clusters) if report.clusters else []
    return tuple(findings)


def _prediction(report: RankReport) -> Iterator[Finding]:
    yield from weak_prediction(report.gain, joined(report.sources))


def _trained_on_these_rows(report: RankReport) -> Iterator[Finding]:
    if report.agreement is not None:
        yield from trained_on_these_rows(report.agreement)


def _columns_in_another_order(report: RankReport) -> Iterator[Finding]:
    if report.agreement is not None:
        yield from columns_in_another_order(report.agreement, report.classes)


def _better_than_features(report: RankReport) -> Iterator[Finding]:
    agreement = report.agreement
    if (
        agreement is None
        or agreement.by_other_sources is None
        or any(_trained_on_these_rows(report))
    ):
        return
    if agreement.agreed - agreement.by_other_sources > MAX_AGREEMENT_LEAD:
        facts = {
            "agreed": agreement.agreed,
            "by_other_sources": agreement.by_other_sources,
            "source": joined([name for name in report.sources if name != PROBABILITIES]),
        }
        yield Finding("probabilities_better_than_features", facts, settled_by_audit=True)


def _about(classes: tuple[Label, ...], where: Mask, **facts: Any) -> dict[str, Any]:
    """Facts and classes of a finding about the classes where a mask holds."""
    return {
        "facts": {"classes": [classes[i] for i in np.flatnonzero(where)], **facts},
        "settled_by_audit": True,
        "about": tuple(np.flatnonzero(where).tolist()),
    }


def _unclear(report: RankReport) -> Mask:
    """Classes with too few clear-cut rows."""
    required = MAX_PURE_SHARE_OF_TWO if len(report.classes) == 2 else MAX_PURE_SHARE
    enough = np.minimum(MIN_PURE_SHARE + PURE_SHARE_ERRORS / np.sqrt(report.label_places), required)
    enough[report.claims > UNSUPPORTED_CLAIM] = required
    unclear: Mask = report.pure_share < enough
    return unclear


def _purity(report: RankReport) -> Iterator[Finding]:
    unclear = _unclear(report)
    if unclear.any():
        yield Finding("no_clear_cut_rows", **_about(report.classes, unclear))


def _width(report: RankReport) -> Iterator[Finding]:
    if report.interval is not None:
        ends = (report.interval.upper, report.interval.lower)
        high, low = (np.diag(end.transition_matrix) for end in ends)
        yield from width_findings(high - low, report.classes)


def width_findings(width: FloatArray, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Wide intervals, from the widths (K,) of those of the diagonal of T."""
    if (width > UNKNOWN).mean() >= 0.5:
        facts = {"level": JUDGED_LEVEL, "width": UNKNOWN}
        yield Finding("data_leave_T_open", facts, "cannot tell", settled_by_audit=True)
    elif width.mean() > WIDE:
        points = 50 * float(width.mean())
        yield Finding("wide_intervals", {"points": points}, settled_by_audit=True)
    elif (width > VERY_WIDE).any():
        points = 50 * float(width.max())
        yield Finding("wide_intervals", **_about(classes, width > VERY_WIDE, most=points))


def _rows(report: RankReport) -> Iterator[Finding]:
    if report.n_neighbors is not None and report.n_neighbors < FEW_NEIGHBORS:
        yield Finding("few_neighbors", {"n": report.n_neighbors})
    if report.n_places < min(FEW_PLACES, ALL_DISTINCT * report.label_counts.sum()):
        given = report.sources == (PROBABILITIES,)
        code = "few_distinct_probabilities" if given else "few_distinct_rows"
        yield Finding(code, {"n": report.n_places})
    yield from few_labeled_rows(report.label_counts, report.classes)


def _readings(report: RankReport) -> Iterator[Finding]:
    low, high = report.bounds.lower.noise_rate, report.bounds.upper.noise_rate
    facts = {"low": low, "high": high}
    if _may_be_overlap(report):
        yield Finding("noise_or_overlap", facts, "cannot tell", settled_by_audit=True)
    elif high - low > LARGE_GAP or (high - low > SMALL_GAP and high > GAP_RATIO * low):
        yield Finding("readings_differ", facts, settled_by_audit=True)


def _may_be_overlap(report: RankReport) -> bool:
    """Whether the noise that is claimed may just as well be overlap of the classes.

    Without clear-cut rows, a curve that levels off is no evidence of noise, unless the interval
    admits that there may be none and the readings are not far apart.
    """
    low, high = report.bounds.lower.noise_rate, report.bounds.upper.noise_rate
    unclear, of_two = _unclear(report), len(report.classes) == 2
    if low <= CLAIMED_NOISE or not unclear.any():
        return False
    gap, max_unclear = (LARGE_GAP, UNCLEAR_ROWS_OF_TWO) if of_two else (SMALL_GAP, UNCLEAR_ROWS)
    if low > CLAIMED_MUCH_NOISE:  # a gate that takes much for noise overstates what is clear-cut
        max_unclear /= 2
    interval = report.interval
    if interval is not None and not touches_zero(interval.lower.noise_rate):
        gap, max_unclear = 0.0, 0.0 if of_two else max_unclear
    unclear_rows = float(report.label_counts @ unclear / report.label_counts.sum())
    return high - low >= gap and unclear_rows >= max_unclear


def _alike(report: RankReport) -> Iterator[Finding]:
    """Classes that labels hardly separate: classes that share all their places look the same."""
    T, diagonal = report.transition, np.diag(report.transition)
    ratio = T * T.T / np.outer(diagonal, diagonal) - np.eye(len(T))
    alike = ratio.max(axis=1) > MAX_CONFUSION_RATIO
    if len(T) > 2 and alike.any():
        yield Finding("classes_alike", **_about(report.classes, alike))


def _solution(report: RankReport) -> Iterator[Finding]:
    if not report.converged:
        yield Finding("not_converged")
    yield from nearly_singular(report.transition)
    yield from diagonal_not_largest(report.transition, report.classes)


CHECKS = (
    _prediction,
    _trained_on_these_rows,
    _columns_in_another_order,
    _better_than_features,
    _purity,
    _width,
    _rows,
    _readings,
    _alike,
    _solution,
)
