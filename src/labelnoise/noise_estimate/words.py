"""How many labels are wrong, in sentences: every output begins with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from labelnoise.noise_estimate.settings import CLEAR_SIGN, SAME_RATE_TOLERANCE, SHOWN_LEVEL
from labelnoise.wording import Note, joined

if TYPE_CHECKING:
    from labelnoise.findings import Diagnosis, Finding
    from labelnoise.noise_estimate.estimate import NoiseEstimate, NoiseLeft
    from labelnoise.uncertainty import Bounds


def noise_in_words(est: NoiseEstimate) -> list[str]:
    """How many labels are wrong, with the assumption, and how many under the other assumption.

    After a review, first how many are still wrong, and then how many were wrong before.
    """
    statement = noise_statement(est)
    if not identifies_noise_rate(est):
        return [statement.reason()]
    assumption = {"assumption": est.assumption}
    if not n_reviewed(est):
        statements = [Note(statement.code, {**statement.facts, **assumption})]
    else:
        all_wrong = _facts(replace(est, corrected=()).noise_left())
        before = Note("noise_rate_before_review", all_wrong | assumption)
        statements = [statement, Note("interval_after_review"), before]
    if est.bounds is not None:
        other = _other_readings(est, est.bounds)
        if not (no_clear_sign(est) and other.code == "other_reading_alike"):
            statements.append(other)
    return [one.reason() for one in statements]


def noise_statement(est: NoiseEstimate) -> Note:
    """In short, how many labels are wrong, or still wrong once reviewed rows are corrected."""
    if not est.diagnosis.can_tell:
        return Note("noise_rate_unknown", {"rate": est.noise_rate})
    n = n_reviewed(est)
    review = {"n": n} if n else {}
    if est.diagnosis.hides_noise:
        cause, lower = {"cause": _cause(est.diagnosis)}, lower_limit(est)
        if lower is None:
            return Note("wrong_labels_hidden", cause)
        return Note("lower_limit", {"rate": lower, **cause, **review})
    facts = _facts(est.noise_left()) | review
    if no_clear_sign(est):
        # "0 to 0.0%" would promise too much
        return Note("no_clear_sign", facts | {"upper": max(facts["upper"], CLEAR_SIGN)})
    return Note("noise_rate", facts)


def no_clear_sign(est: NoiseEstimate) -> bool:
    """Whether it is possible that no label is wrong (or still wrong, after a review).

    Then the interval touches zero, and the point estimate is no evidence of wrong labels: it is
    positive even if all labels are correct.
    """
    return identifies_noise_rate(est) and touches_zero(est.noise_left().lower)


def states_noise_rate(est: NoiseEstimate) -> bool:
    """Whether the estimate states a positive share of wrong labels, to derive more from."""
    return identifies_noise_rate(est) and not no_clear_sign(est)


def identifies_noise_rate(est: NoiseEstimate) -> bool:
    """Whether the data identify the share of wrong labels, and none of them may be hidden."""
    return est.diagnosis.can_tell and not est.diagnosis.hides_noise


def n_reviewed(est: NoiseEstimate) -> int:
    """Number of reviewed rows that are included."""
    included = (one for one in est.diagnosis.findings if one.code == "audited_rows_included")
    return next((int(finding.facts["n"]) for finding in included), 0)


def lower_limit(est: NoiseEstimate) -> float | None:
    """The lower limit of the share of wrong labels where others may be hidden; None if unknown.

    It is unknown if rows may be copies, which wrongly look like evidence, and if anything else
    makes the estimate less than reliable: noise may be overlap.
    """
    left = est.noise_left()
    lower = left.share if left.lower is None else left.lower
    doubtful = (one for one in est.diagnosis.findings if one.verdict != "reliable")
    return None if touches_zero(lower) or not all(map(_columns, doubtful)) else lower


def _columns(finding: Finding) -> list[str]:
    """Columns by which a finding says that wrong labels may look right."""
    if not finding.hides_noise:
        return []
    columns = finding.facts.get("columns", [])
    return [finding.facts["column"]] if "column" in finding.facts else list(columns)


def touches_zero(lower: float | None) -> bool:
    """Whether there is an interval of the share of wrong labels that (nearly) includes zero."""
    return lower is not None and lower < CLEAR_SIGN


def _cause(diagnosis: Diagnosis) -> str:
    """Why wrong labels may look right, as a phrase."""
    hiding = diagnosis.findings_hiding_noise
    columns = [name for finding in hiding for name in _columns(finding)]
    causes = dict.fromkeys("columns" if _columns(one) else one.code for one in hiding)
    return joined([Note(f"hidden_by_{cause}", {"columns": columns}).reason() for cause in causes])


def _facts(left: NoiseLeft) -> dict[str, Any]:
    level = None if left.lower is None else SHOWN_LEVEL
    return {"rate": left.share, "level": level, "lower": left.lower, "upper": left.upper}


def _other_readings(est: NoiseEstimate, bounds: Bounds) -> Note:
    """The reading that is not in use, or both if neither is."""
    lower, upper = bounds.lower, bounds.upper
    if est.assumption not in (lower.assumption, upper.assumption):
        rates = {"lower": lower.noise_rate, "upper": upper.noise_rate}
        assumptions = {"if_lower": lower.assumption, "if_upper": upper.assumption}
        return Note("both_readings", rates | assumptions)
    other = upper if est.assumption == lower.assumption else lower
    alike = abs(other.noise_rate - est.noise_rate) < SAME_RATE_TOLERANCE
    facts = {"rate": other.noise_rate, "assumption": other.assumption}
    return Note("other_reading_alike" if alike else "other_reading", facts)
