"""The noise rate in words, with its interval and its assumption."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from labelnoise.wording import Note

if TYPE_CHECKING:
    from labelnoise.noise_estimate.estimate import NoiseEstimate
    from labelnoise.uncertainty import Limits

SHOWN_LEVEL = 0.9
"""Level of the interval that follows a noise rate."""

CLEAR_SIGN = 0.001
"""Lower end of an interval from which on labels are said to be wrong; below it touches zero."""

ALIKE = 0.005
"""Noise rates that differ by less are called much the same."""


def noise_in_words(est: NoiseEstimate) -> list[str]:
    """The noise rate with its interval and its assumption, and what it is under the other one."""
    if not est.diagnosis.can_tell:
        return [Note("noise_rate_unknown", {"rate": est.noise_rate}).reason()]
    facts: dict[str, Any] = {"rate": est.noise_rate, "assumption": est.assumption}
    if est.draws is not None:
        ends = est.interval(SHOWN_LEVEL)
        low, high = ends.lower.noise_rate, ends.upper.noise_rate
        facts |= {"level": SHOWN_LEVEL, "lower": low, "upper": high}
    code = "noise_rate"
    if no_clear_sign(est):
        code = "no_clear_sign"
        facts["upper"] = max(facts["upper"], CLEAR_SIGN)  # "0 to 0.0%" would promise too much
    statements = [Note(code, facts).reason()]
    if est.bounds is not None:
        statements.append(_other_readings(est, est.bounds.lower, est.bounds.upper))
    return statements


def no_clear_sign(est: NoiseEstimate) -> bool:
    """Whether it is open that no label is wrong: the interval touches zero, and no audit found one.

    Then the point estimate is no evidence of any: it is above zero even if all labels are correct.
    """
    if est.draws is None or any(est.corrected) or not est.diagnosis.can_tell:
        return False
    return touches_zero(est.interval(SHOWN_LEVEL).lower.noise_rate)


def touches_zero(lower: float | None) -> bool:
    """Whether an interval of a share of wrong labels, if there is one, leaves open that none is."""
    return lower is not None and lower < CLEAR_SIGN


def _other_readings(est: NoiseEstimate, lower: Limits, upper: Limits) -> str:
    """The reading that is not in use; both of them if neither is."""
    for in_use, other in ((lower, upper), (upper, lower)):
        if est.assumption == in_use.assumption:
            alike = abs(other.noise_rate - est.noise_rate) < ALIKE
            facts = {"rate": other.noise_rate, "assumption": other.assumption}
            return Note("other_reading_alike" if alike else "other_reading", facts).reason()
    facts = {
        "lower": lower.noise_rate,
        "if_lower": lower.assumption,
        "upper": upper.noise_rate,
        "if_upper": upper.assumption,
    }
    return Note("both_readings", facts).reason()
