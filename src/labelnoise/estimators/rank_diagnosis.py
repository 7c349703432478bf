"""What the rank gate says about its own solution, in plain sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.estimators.diagnosis import (
    FEW_ROWS,
    OUT_OF_SAMPLE,
    Finding,
    copied_twins,
    hardly_foretold,
    led_by_others,
    misplaced,
    nearly_singular,
    seen_before,
)
from labelnoise.estimators.rank_report import PROBABILITIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.estimators.rank_report import RankReport

LEAST_PURE, PURE_ERRORS = 0.05, 7.0
"""Share of a class's rows that must lie where it is all but alone: the first, and the second over
the root of the number of its places. The end of a curve that hardly levels off is a guess."""

MOST_PURE, MOST_OF_TWO = 0.5, 0.65
"""No larger share is ever asked for; the second with two classes, which leave but one curve."""

STRAINED = 0.055
"""Strain above which an error of T that matters would go unnoticed, and only classes that are
alone nearly everywhere are believed."""

WIDE, VAGUE, BLIND = 0.2, 0.35, 0.6
"""Widths of a 90% interval of a diagonal entry of T: on average above the first T is a rough
guess; a row above the second is one; and above the third it is hardly more than none."""

FEW_PLACES = 30
"""Distinct places below which no curve can be seen along a ranking."""

FAR_APART, APART, TIMES = 0.12, 0.05, 2.0
"""Bounds of the noise rate that differ by the first, or by the second and this many times, change
what one would do."""

ALIKE = 0.4
"""Odds ratio of the labels of two classes, of several, above which they are hardly told apart."""

AHEAD = 0.05
"""Share of the labels by which probabilities may agree better than the features do."""

FEW_NEIGHBOURS = 10
"""Neighbours below which scores are too coarse to rank rows by."""


def early_warnings(report: RankReport) -> Iterator[str]:
    """What should not wait until somebody reads the diagnosis."""
    if not report.converged:
        yield "the fit stopped before it had converged. Merge small classes."
    for finding in (*_seen_before(report), *_misplaced(report)):
        yield finding.warning


def findings_on_ranks(report: RankReport) -> tuple[Finding, ...]:
    """Judge a fit of the rank gate by what can be measured about it."""
    findings = [finding for check in CHECKS for finding in check(report)]
    findings += copied_twins(report.twins) if report.twins else []
    return tuple(findings)


def _signal(report: RankReport) -> Iterator[Finding]:
    yield from hardly_foretold(report.gain, report.source)


def _seen_before(report: RankReport) -> Iterator[Finding]:
    if report.claims is not None:
        yield from seen_before(report.claims)


def _misplaced(report: RankReport) -> Iterator[Finding]:
    if report.claims is not None:
        yield from misplaced(report.claims, report.classes)


def _ahead(report: RankReport) -> Iterator[Finding]:
    if report.claims is None or report.claims.by_others is None or any(_seen_before(report)):
        return
    agreed, by_others = report.claims.agreed, report.claims.by_others
    if agreed - by_others > AHEAD:
        yield Finding(
            "weak",
            f"pred_proba agrees with {agreed:.1%} of the labels, {report.source} with "
            f"{by_others:.1%}: a better model, or one that was trained on these very rows",
            f"{OUT_OF_SAMPLE}; if it was so, pass pred_proba alone",
            audit_settles=True,
        )


def _purity(report: RankReport) -> Iterator[Finding]:
    most = MOST_OF_TWO if len(report.classes) == 2 else MOST_PURE
    enough = np.minimum(LEAST_PURE + PURE_ERRORS / np.sqrt(report.label_places), most)
    enough[report.strain > STRAINED] = most
    bounded = report.pure_share < enough
    if bounded.any():
        yield Finding(
            "weak",
            f"hardly any region belongs almost surely to {report.names(bounded)}: "
            f"{_are_rows_of_t(bounded)} only bounded, not estimated",
            "check some rows by hand (suggest_audit), or use features that set the class apart",
            audit_settles=True,
            about=tuple(np.flatnonzero(bounded).tolist()),
        )


def _width(report: RankReport) -> Iterator[Finding]:
    if report.interval is None:
        return
    ends = report.interval
    width = np.diag(ends.upper.transition_matrix) - np.diag(ends.lower.transition_matrix)
    if (width > BLIND).mean() >= 0.5:
        yield Finding(
            "not identifiable",
            f"the data leave T open: half of the diagonal entries have {ends.level:.0%} intervals "
            f"wider than {BLIND}",
            "collect more rows, or check rows by hand (suggest_audit)",
            audit_settles=True,
        )
    elif width.mean() > WIDE:
        yield Finding(
            "weak",
            f"T is a rough guess: the {ends.level:.0%} intervals of its diagonal are "
            f"{width.mean():.2f} wide on average",
            "collect more rows, or check rows by hand (suggest_audit)",
            audit_settles=True,
        )
    elif (width > VAGUE).any():
        yield Finding(
            "weak",
            f"for {report.names(width > VAGUE)}, {_are_rows_of_t(width > VAGUE)} a rough guess: "
            f"{ends.level:.0%} intervals up to {width.max():.2f} wide",
            "collect more such rows, or check rows by hand (suggest_audit)",
            audit_settles=True,
            about=tuple(np.flatnonzero(width > VAGUE).tolist()),
        )


def _are_rows_of_t(where: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
    return "the row of T is" if where.sum() == 1 else "the rows of T are"


def _rows(report: RankReport) -> Iterator[Finding]:
    if report.n_neighbours is not None and report.n_neighbours < FEW_NEIGHBOURS:
        yield Finding(
            "weak",
            f"the graph has {report.n_neighbours} neighbours a row: too few to rank rows by their "
            "labels",
            "build the graph with 50 neighbours or more",
        )
    if report.n_places < FEW_PLACES and report.source == PROBABILITIES:
        yield Finding(
            "weak",
            f"pred_proba has about {report.n_places:.0f} distinct rows: it looks like predicted "
            "classes, which rank nothing",
            "pass probabilities, not predicted classes",
        )
    elif report.n_places < FEW_PLACES:
        yield Finding(
            "weak",
            f"many rows are alike: all amount to about {report.n_places:.0f} distinct ones, too "
            "few to see how labels change towards the pure ends",
            "use more, or finer, features",
        )
    few = report.label_counts < FEW_ROWS
    if few.any():
        yield Finding(
            "weak",
            f"fewer than {FEW_ROWS} rows are labelled {report.names(few)}",
            "collect more rows of the rare classes, or merge them",
        )


def _bounds(report: RankReport) -> Iterator[Finding]:
    low, high = report.bounds.lower.noise_rate, report.bounds.upper.noise_rate
    if high - low > FAR_APART or (high - low > APART and high > TIMES * low):
        yield Finding(
            "weak",
            f"classes overlap, so that {low:.1%} to {high:.1%} of the labels may be wrong, "
            "depending on whether people err more where classes are alike",
            "check rows by hand (suggest_audit): a hundred or so settle it, twenty of each class",
            audit_settles=True,
        )


def _alike(report: RankReport) -> Iterator[Finding]:
    """Classes that share all their places look like classes that share their labels."""
    T, diagonal = report.transition, np.diag(report.transition)
    ratio = T * T.T / np.outer(diagonal, diagonal) - np.eye(len(T))
    alike = ratio.max(axis=1) > ALIKE
    if len(T) > 2 and alike.any():
        yield Finding(
            "weak",
            f"labels hardly tell {report.names(alike)} apart: they are mixed up often, or none of "
            "them has a region of its own, and then their rows of T are only bounded",
            "merge these classes, or check some of their rows by hand (suggest_audit)",
            audit_settles=True,
            about=tuple(np.flatnonzero(alike).tolist()),
        )


def _solution(report: RankReport) -> Iterator[Finding]:
    if not report.converged:
        yield Finding(
            "weak",
            "the fit stopped before it had converged",
            "merge small classes, or drop classes with few rows",
        )
    yield from nearly_singular(report.transition)
    yield from led_by_others(report.transition, report.classes)


CHECKS = (
    _signal,
    _seen_before,
    _misplaced,
    _ahead,
    _purity,
    _width,
    _rows,
    _bounds,
    _alike,
    _solution,
)
