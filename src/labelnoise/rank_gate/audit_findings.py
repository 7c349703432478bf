"""Findings after an audit: those that enough audited rows have settled are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.findings import classes_without_rows
from labelnoise.findings import Finding
from labelnoise.rank_gate.settings import (
    CONTRADICTION_PROBABILITY,
    JUDGED_LEVEL,
    MIN_AUDITED,
    MIN_AUDITED_AGAINST_FIT,
    MIN_AUDITED_OF_CLASS,
    VERY_WIDE,
    WIDE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.checks import Label
    from labelnoise.rank_gate.audit import AuditedCells
    from labelnoise.uncertainty import Draws


def findings_after_audit(
    before: tuple[Finding, ...],
    audited: AuditedCells,
    draws: Draws | None,
    classes: tuple[Label, ...],
) -> Iterator[Finding]:
    """The findings `before` that remain, and those about the audit itself.

    Parameters
    ----------
    before : tuple of Finding
        Without findings about classes that have no labels.
    audited : AuditedCells
    draws : Draws or None
        After the audit.
    classes : tuple
        All declared classes.
    """
    n_audited = len(audited.audit)
    contradicted = audited.correction.probability_of_large_error > CONTRADICTION_PROBABILITY
    enough = MIN_AUDITED_AGAINST_FIT if contradicted else MIN_AUDITED
    if draws is None or n_audited < enough:
        if contradicted:
            yield Finding("audit_contradicts_fit", {"enough": MIN_AUDITED_AGAINST_FIT})
        yield from before
    else:
        yield from _unsettled(before, audited, draws, classes)
    yield from _classes_without_labels(audited, classes)
    yield Finding("audited_rows_included", {"n": n_audited}, "reliable")


def _unsettled(
    before: tuple[Finding, ...],
    audited: AuditedCells,
    draws: Draws,
    classes: tuple[Label, ...],
) -> Iterator[Finding]:
    """Findings about classes of which too few rows were audited, or whose T is still unclear."""
    present = audited.present_codes
    diagonal = np.diagonal(draws.transition, axis1=1, axis2=2)[:, present]
    ends = [(1 - JUDGED_LEVEL) / 2, (1 + JUDGED_LEVEL) / 2]
    low, high = np.quantile(diagonal, ends, axis=0)
    n_seen = np.bincount(audited.audit.true_codes, minlength=len(classes))[present]
    known = (high - low <= VERY_WIDE) & (n_seen >= MIN_AUDITED_OF_CLASS)
    narrow = (high - low).mean() <= WIDE
    unsettled = [
        finding
        for finding in before
        if not (
            finding.settled_by_audit and narrow and known[list(finding.about) or slice(None)].all()
        )
    ]
    yield from unsettled
    rare = [classes[i] for i in present[n_seen < MIN_AUDITED_OF_CLASS]]
    if rare and any(finding.settled_by_audit for finding in unsettled):
        yield Finding("few_audited_of_class", {"least": MIN_AUDITED_OF_CLASS, "classes": rare})


def _classes_without_labels(audited: AuditedCells, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Classes that no row is labeled with: placeholders until rows of them are audited."""
    absent = np.setdiff1d(np.arange(len(classes)), audited.present_codes)
    audited_too = np.isin(absent, audited.audit.true_codes)
    yield from classes_without_rows(tuple(classes[i] for i in absent[~audited_too]))
    if audited_too.any():
        found = [classes[i] for i in absent[audited_too]]
        yield Finding("class_known_from_audit_only", {"classes": found})
