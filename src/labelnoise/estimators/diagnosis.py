"""What the consensus says about its own solution, in plain sentences."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from labelnoise.checks import named
from labelnoise.diagnosis import Diagnosis, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.estimators.consensus_solver import ConsensusSolution
    from labelnoise.evidence.claims import Claims
    from labelnoise.evidence.consensus import ConsensusCounts
    from labelnoise.evidence.twins import TwinAgreement

NO_SIGNAL, FAINT_SIGNAL = 0.6, 1.6
"""Standard errors beyond the edge of what chance reaches: with two classes 2 and 3 in all."""

COPIED_ERRORS, COPIED_MARGIN = 4.0, 0.1
"""Twins that agree more than their neighbours by both may be copies."""

RARE_SHARE = 0.05
"""A class below this share of its fair share 1/K is as good as empty."""

NARROW_LEAD = 0.02
"""A diagonal entry that leads its row by less may belong to another class."""

NO_GAIN, FAINT_GAIN = 2.0, 3.0
"""Standard errors by which scores must foretell labels better than their frequencies do."""

SEEN_BEFORE, MODEST = 0.995, 0.1
"""Probabilities that agree with more of the labels than the first, or with so many more than they
claim, may have been trained on them: a model meets new rows with less success than it claims."""

REARRANGED = 0.05
"""Share of the labels that another order of the columns may win by chance."""

OUT_OF_SAMPLE = (
    "predict every row with a model that was not trained on it, for example with "
    "sklearn.model_selection.cross_val_predict(..., method='predict_proba')"
)

MAX_CONDITION = 100.0
FEW_ROWS = 30

SEVERITY: tuple[Verdict, ...] = ("reliable", "weak", "not identifiable")


class Finding(NamedTuple):
    """One thing that was found: how bad it is, what it is, what to do."""

    verdict: Verdict
    reason: str
    remedy: str
    audit_settles: bool = False  # whether enough hand-checked rows answer it
    about: tuple[int, ...] = ()  # the classes it names, by their place among those that occur

    @property
    def warning(self) -> str:
        """In one line, for what should not wait until somebody reads the diagnosis."""
        return f"{self.reason}. To do: {self.remedy}."


OVERLAP = Finding(
    "weak",
    "this method counts any disagreement between near rows as noise, also where classes overlap",
    "expect noise rates that are too high if classes overlap, and check some rows by hand",
)
"""Always found: consensus alone cannot tell overlap from noise, so it never earns "reliable"."""


@dataclass(frozen=True)
class ConsensusReport:
    """Everything the checks look at."""

    counts: ConsensusCounts
    twins: TwinAgreement
    solution: ConsensusSolution
    classes: tuple[Label, ...]
    absent: tuple[Label, ...]

    def names(self, where: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> str:
        """Name the classes picked out by a mask."""
        return named([self.classes[i] for i in np.flatnonzero(where)])


def diagnose_consensus(report: ConsensusReport) -> Diagnosis:
    """Judge a solution of the consensus equations by what can be measured about it."""
    checks = (_groups, _solver, _classes)
    findings = [*chain.from_iterable(check(report) for check in checks)]
    return conclusion(
        [*findings, *copied_twins(report.twins), *placeholders(report.absent), OVERLAP]
    )


def conclusion(findings: Sequence[Finding]) -> Diagnosis:
    """The worst verdict among the findings, all reasons, and each remedy once."""
    verdicts = [SEVERITY.index(finding.verdict) for finding in findings]
    return Diagnosis(
        SEVERITY[max(verdicts, default=0)],
        tuple(finding.reason for finding in findings),
        tuple(dict.fromkeys(finding.remedy for finding in findings if finding.remedy)),
    )


def _groups(report: ConsensusReport) -> Iterator[Finding]:
    """Count the groups of classes that neighbours' labels tell apart.

    The pair frequencies, divided by the roots of their margins, have one eigenvalue 1 and, if
    neighbours share their class, K - 1 others above zero. Unrelated labels give a symmetric
    random matrix whose entries have variance s^2 / 2 off and s^2 on the diagonal, and hence
    eigenvalues up to ``s sqrt(2 (K - 1))``; s^2 is 2 / pairs, twice the variance of
    independent pairs because mutual neighbours make the same pair count twice.
    """
    pairs = report.counts.second / report.counts.total
    pairs = (pairs + pairs.T) / 2
    margin = np.sqrt(pairs.sum(axis=0))
    eigenvalues = np.linalg.eigvalsh(pairs / np.outer(margin, margin))[:-1]
    scale = np.sqrt(2 / report.counts.independent_pairs)
    beyond_chance = eigenvalues / scale - np.sqrt(2 * len(eigenvalues))  # in standard errors
    groups, n_classes = 1 + int((beyond_chance > NO_SIGNAL).sum()), len(report.classes)
    if groups == 1:
        yield Finding(
            "not identifiable",
            "neighbours' labels agree no more than those of strangers would: the features say too "
            "little about the labels, or the noise is too strong for this many rows",
            "collect more rows, or use features that tell the classes apart, such as an embedding",
        )
    elif groups < n_classes:
        yield Finding(
            "weak",
            f"neighbours' labels tell only {groups} of {n_classes} classes apart: some rows of T "
            "are mixed up with others",
            "merge classes that are labelled alike, or collect more rows",
        )
    elif beyond_chance.min() < FAINT_SIGNAL:
        yield Finding(
            "weak",
            "neighbours' labels agree only a little more than those of strangers would",
            "collect more rows, or use features that tell the classes apart",
        )


def copied_twins(twins: TwinAgreement) -> Iterator[Finding]:
    """Rows that may be copies of one another, labels and all."""
    if twins.excess > COPIED_ERRORS and twins.twins - twins.nearest > COPIED_MARGIN:
        yield Finding(
            "weak",
            f"rows with identical features agree in {twins.twins:.0%} of the cases, those next to "
            f"them in {twins.nearest:.0%}: some may be copies, labels and all, and hide noise",
            "drop duplicate rows and estimate again",
        )


def _solver(report: ConsensusReport) -> Iterator[Finding]:
    if not report.solution.converged:
        yield Finding(
            "weak",
            "the solver stopped before it had converged",
            "pass more starts (n_starts=) or merge small classes",
        )
    yield from nearly_singular(report.solution.transition)


def nearly_singular(transition: FloatArray) -> Iterator[Finding]:
    """A matrix T (K, K) whose rows are all but dependent."""
    condition = float(np.linalg.cond(transition))
    if condition > MAX_CONDITION:
        yield Finding(
            "weak",
            f"T is nearly singular (condition number {_rounded(condition)}): some classes are "
            "labelled alike",
            "merge classes that cannot be told apart",
        )


def _rounded(condition: float) -> str:
    return f"{condition:.0f}" if condition < 10 * MAX_CONDITION else f"above {10 * MAX_CONDITION:g}"


def _classes(report: ConsensusReport) -> Iterator[Finding]:
    T, prior, n_classes = report.solution.transition, report.solution.prior, len(report.classes)
    few = report.counts.first < FEW_ROWS
    if few.any():
        yield Finding(
            "weak",
            f"fewer than {FEW_ROWS} rows are labelled {report.names(few)}",
            "collect more rows of the rare classes, or merge them",
        )
    empty = prior < RARE_SHARE / n_classes
    if empty.any():
        yield Finding(
            "weak",
            f"almost no row seems to belong truly to {report.names(empty)}, so its row of T "
            "rests on next to nothing",
            "check these classes by hand, or merge them",
        )
    yield from led_by_others(T, report.classes)


def led_by_others(transition: FloatArray, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Rows of T (K, K) whose largest entry is not, or hardly, on the diagonal."""
    diagonal = np.diag(transition)
    narrow = np.flatnonzero(
        diagonal - (transition - np.diag(diagonal)).max(axis=1) < NARROW_LEAD
    ).tolist()
    if narrow:
        yield Finding(
            "weak",
            f"rows of {named([classes[i] for i in narrow])} seem to be mislabelled as often as not",
            "check these classes by hand: their row of T may belong to another class",
            audit_settles=True,
            about=tuple(narrow),
        )


def hardly_foretold(gain: float, source: str) -> Iterator[Finding]:
    """Scores that foretell labels by only so many standard errors better than frequencies do."""
    if gain < NO_GAIN:
        yield Finding(
            "not identifiable",
            f"{source} predict labels no better than their frequencies do: they say too "
            "little about the classes, or the noise is too strong for this many rows",
            "collect more rows, or use features that tell the classes apart, such as an embedding",
            audit_settles=True,
        )
    elif gain < FAINT_GAIN:
        yield Finding(
            "weak",
            f"{source} predict labels only a little better than their frequencies do",
            "collect more rows, or use features that tell the classes apart",
            audit_settles=True,
        )


def seen_before(claims: Claims) -> Iterator[Finding]:
    """Probabilities of a model that may have been trained on the very labels it predicts."""
    agreed, claimed = claims.agreed, claims.claimed
    unconfirmed = (claims.by_others or 0.0) < SEEN_BEFORE
    if (agreed > SEEN_BEFORE and unconfirmed) or agreed - claimed > MODEST:
        yield Finding(
            "weak",
            f"pred_proba agrees with {agreed:.1%} of the labels and claims to agree with "
            f"{claimed:.1%}: perhaps the model was trained on these very rows, has learnt "
            "their labels and hides the noise",
            OUT_OF_SAMPLE,
            audit_settles=True,
        )


def misplaced(claims: Claims, classes: tuple[Label, ...]) -> Iterator[Finding]:
    """Probabilities whose columns may be in another order than that of the classes.

    An honest model names the likeliest label, so renaming its predictions does not improve them.
    """
    wrong = (
        f"less than by chance ({claims.by_chance:.1%})"
        if claims.agreed < claims.by_chance
        else f"and with its columns in another order would agree with {claims.rearranged:.1%}"
    )
    if claims.agreed < claims.by_chance or claims.rearranged - claims.agreed > REARRANGED:
        yield Finding(
            "weak",
            f"pred_proba agrees with {claims.agreed:.1%} of the labels, {wrong}: its columns may "
            "belong to other classes",
            f"pass its columns in the order {named(classes)}",
        )


def placeholders(absent: tuple[Label, ...]) -> Iterator[Finding]:
    """Classes that were declared and do not occur."""
    if absent:
        yield Finding(
            "weak",
            f"no row is labelled {named(absent)}: its row of T is a placeholder (no noise)",
            "leave these classes out, or collect rows of them",
        )
