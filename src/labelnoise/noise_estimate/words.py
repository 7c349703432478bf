"""How many labels are wrong, in words: the statement that every output begins with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labelnoise.noise_estimate.settings import ALIKE, CLEAR_SIGN, SHOWN_LEVEL
from labelnoise.wording import Note, joined

if TYPE_CHECKING:
    from labelnoise.findings import Diagnosis
    from labelnoise.noise_estimate.estimate import NoiseEstimate, NoiseLeft
    from labelnoise.uncertainty import Limits


def noise_in_words(est: NoiseEstimate) -> list[str]:
    """How many labels are wrong, with the assumption, and how many under the other assumption.

    After a review, first how many are still wrong, and then how many were wrong before.
    """
    statement = noise_statement(est)
    if not can_state_rate(est):
        return [statement.reason()]
    assumption = {"assumption": est.assumption}
    if not n_reviewed(est):
        statements = [Note(statement.code, {**statement.facts, **assumption})]
    else:
        before = Note("noise_rate_before_review", _all_labels(est) | assumption)
        statements = [statement, Note("interval_after_review"), before]
    if est.bounds is not None:
        statements.append(_other_readings(est, est.bounds.lower, est.bounds.upper))
    return [one.reason() for one in statements]


def noise_statement(est: NoiseEstimate) -> Note:
    """How many labels are wrong, or still wrong once reviewed rows are corrected, in short."""
    if not est.diagnosis.can_tell:
        return Note("noise_rate_unknown", {"rate": est.noise_rate})
    left, n = est.noise_left(), n_reviewed(est)
    review = {"n": n} if n else {}
    if est.diagnosis.hides_noise:
        cause, least = {"cause": _cause(est.diagnosis)}, lower_limit(est)
        if least is None:
            return Note("wrong_labels_hidden", cause)
        return Note("lower_limit", {"rate": least, **cause, **review})
    facts = _facts(left) | review
    if no_clear_sign(est):
        # "0 to 0.0%" would promise too much
        return Note("no_clear_sign", facts | {"upper": max(facts["upper"], CLEAR_SIGN)})
    return Note("noise_rate", facts)


def no_clear_sign(est: NoiseEstimate) -> bool:
    """Whether it is possible that no label is wrong (or still wrong, after a review).

    The interval touches zero. Then the point estimate is no evidence of wrong labels: it is above
    zero even if all labels are correct.
    """
    left = est.noise_left()
    return can_state_rate(est) and left.lower is not None and _none_for_certain(left)


def gives_rate(est: NoiseEstimate) -> bool:
    """Whether the estimate states a share of wrong labels, so that more can be derived from it."""
    return can_state_rate(est) and not no_clear_sign(est)


def can_state_rate(est: NoiseEstimate) -> bool:
    """Whether the estimate is more than a best fit or a lower limit."""
    return est.diagnosis.can_tell and not est.diagnosis.hides_noise


def n_reviewed(est: NoiseEstimate) -> int:
    """Rows that were reviewed and are included."""
    if est.rows is not None:
        return len(est.rows.audits())
    counts = (
        int(finding.facts["n"])
        for finding in est.diagnosis.findings
        if finding.code == "audited_rows_included"
    )
    return next(counts, 0)


def lower_limit(est: NoiseEstimate) -> float | None:
    """The least share of wrong labels where others may be hidden; None if that is not known.

    It is not if rows may be copies, which count several times, and wrongly look like evidence.
    """
    left = est.noise_left()
    if _none_for_certain(left) or any("column" not in one.facts for one in est.diagnosis.hiding):
        return None
    return _least(left)


def _least(left: NoiseLeft) -> float:
    """The lower end of the interval, if there is one."""
    return left.share if left.lower is None else left.lower


def touches_zero(lower: float | None) -> bool:
    """Whether the interval of a share of wrong labels, if there is one, (nearly) includes zero."""
    return lower is not None and lower < CLEAR_SIGN


def _none_for_certain(left: NoiseLeft) -> bool:
    """Whether not even one label is wrong beyond doubt."""
    return touches_zero(_least(left))


def _cause(diagnosis: Diagnosis) -> str:
    """Why wrong labels may look right, as a phrase."""
    columns = [one.facts["column"] for one in diagnosis.hiding if "column" in one.facts]
    codes = dict.fromkeys(one.code for one in diagnosis.hiding)
    return joined([Note(f"hidden_by_{code}", {"columns": columns}).reason() for code in codes])


def _facts(left: NoiseLeft) -> dict[str, Any]:
    level = None if left.lower is None else SHOWN_LEVEL
    return {"rate": left.share, "level": level, "lower": left.lower, "upper": left.upper}


def _all_labels(est: NoiseEstimate) -> dict[str, Any]:
    """The share of labels that are or were wrong, with its interval."""
    if est.draws is None:
        return {"rate": est.noise_rate}
    ends = est.interval(SHOWN_LEVEL)
    low, high = ends.lower.noise_rate, ends.upper.noise_rate
    return {"rate": est.noise_rate, "level": SHOWN_LEVEL, "lower": low, "upper": high}


def _other_readings(est: NoiseEstimate, lower: Limits, upper: Limits) -> Note:
    """The reading that is not in use; both of them if neither is."""
    for in_use, other in ((lower, upper), (upper, lower)):
        if est.assumption == in_use.assumption:
            alike = abs(other.noise_rate - est.noise_rate) < ALIKE
            facts = {"rate": other.noise_rate, "assumption": other.assumption}
            return Note("other_reading_alike" if alike else "other_reading", facts)
    facts = {
        "lower": lower.noise_rate,
        "if_lower": lower.assumption,
        "upper": upper.noise_rate,
        "if_upper": upper.assumption,
    }
    return Note("both_readings", facts)
