"""Findings after an audit: those that enough audited rows have settled are dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.findings import classes_without_rows
from labelnoise.findings import Finding
from labelnoise.rank_gate.findings import width_findings
from labelnoise.rank_gate.settings import (
    CONTRADICTION_PROBABILITY,
    JUDGED_LEVEL,
    MIN_AUDITED,
    MIN_AUDITED_AGAINST_FIT,
    MIN_AUDITED_OF_CLASS,
    MIN_KNOWN_SHARE,
    VERY_WIDE,
    WIDE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.checks import Label
    from labelnoise.rank_gate.audit import AuditedCells
    from labelnoise.uncertainty import Draws


OF_WIDTH = {"wide_intervals", "data_leave_T_open"}
"""Findings about intervals, which are judged anew after an audit."""


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
    n_audited, n_rows = len(audited.audit), len(audited.fitted.cells.cell_of_row)
    contradicted = audited.correction.probability_of_large_error > CONTRADICTION_PROBABILITY
    enough = MIN_AUDITED_AGAINST_FIT if contradicted else MIN_AUDITED
    if n_audited == n_rows:
        yield from (finding for finding in before if not finding.settled_by_audit)
    elif draws is None or n_audited < enough:
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
    """Findings about classes of which too few rows were audited, or whose T is still unclear.

    A finding that is not about certain classes is settled if the classes of nearly all rows are
    known. Intervals are those after the audit.
    """
    present, label = audited.present_codes, audited.fitted.cells.label
    diagonal = np.diagonal(draws.transition, axis1=1, axis2=2)[:, present]
    low, high = np.quantile(diagonal, [(1 - JUDGED_LEVEL) / 2, (1 + JUDGED_LEVEL) / 2], axis=0)
    n_seen = np.bincount(audited.audit.true_codes, minlength=len(classes))[present]
    known = (high - low <= VERY_WIDE) & (n_seen >= MIN_AUDITED_OF_CLASS)
    narrow = (high - low).mean() <= WIDE
    share = np.bincount(label, audited.fitted.cells.weight * known[label]).sum()
    enough_known = share >= MIN_KNOWN_SHARE * audited.fitted.cells.weight.sum()
    to_settle = [finding for finding in before if finding.settled_by_audit]
    for finding in before:
        settled = known[list(finding.about)].all() if finding.about else enough_known
        if finding not in to_settle or not ((narrow and settled) or finding.code in OF_WIDTH):
            yield finding
    names = tuple(classes[i] for i in present)
    yield from width_findings(high - low, names)
    rare = [name for name, n in zip(names, n_seen, strict=True) if n < MIN_AUDITED_OF_CLASS]
    unknown = [one for one in to_settle if not known[list(one.about) or slice(None)].all()]
    if rare and to_settle and (unknown or not narrow):
        yield Finding("few_audited_of_class", {"least": MIN_AUDITED_OF_CLASS, "classes": rare})


def _classes_without_labels(audited: AuditedCells, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Classes that no row is labeled with: placeholders until rows of them are audited."""
    absent = np.setdiff1d(np.arange(len(classes)), audited.present_codes)
    audited_too = np.isin(absent, audited.audit.true_codes)
    yield from classes_without_rows(tuple(classes[i] for i in absent[~audited_too]))
    if audited_too.any():
        found = [classes[i] for i in absent[audited_too]]
        yield Finding("class_known_from_audit_only", {"classes": found})
