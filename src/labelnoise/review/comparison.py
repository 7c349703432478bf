"""Two estimates -> whether there is less noise in the later one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from labelnoise.checks import Label
    from labelnoise.noise_estimate import NoiseEstimate

SURE = 0.95
"""Probability from which on a change is stated as a fact."""


class ClassChange(NamedTuple):
    """Shares of wrong labels among the rows of one true class, in two estimates."""

    label: Label
    before: float
    after: float


@dataclass(frozen=True)
class Comparison:
    """What changed between two estimates.

    Attributes
    ----------
    before, after : float
        Shares of wrong labels, once audited rows are corrected.
    p_less_noise : float or None
        Probability that there is less noise in the later one, by the draws of both, taken as
        independent; None if an estimate has no draws.
    by_class : tuple of ClassChange
        The same for each true class that both know.
    """

    before: float
    after: float
    p_less_noise: float | None
    by_class: tuple[ClassChange, ...]

    @property
    def change(self) -> float:
        """By how much the share of wrong labels changed."""
        return self.after - self.before

    def in_words(self) -> str:
        """The change as a sentence."""
        if self.p_less_noise is None:
            less = self.change < 0
            told = "less" if less else "more" if self.change > 0 else "as much"
            return (
                f"There seems to be {told} noise; without intervals nobody knows how sure that is."
            )
        if self.p_less_noise >= SURE:
            return f"There is less noise than before (probability {self.p_less_noise:.0%})."
        if self.p_less_noise <= 1 - SURE:
            return f"There is more noise than before (probability {1 - self.p_less_noise:.0%})."
        return (
            "The data cannot tell whether there is less noise than before (probability "
            f"{self.p_less_noise:.0%})."
        )


def compare_estimates(before: NoiseEstimate, after: NoiseEstimate) -> Comparison:
    """Compare two estimates, such as those before and after relabeling.

    The probability takes the errors of both as independent. They are made from nearly the same
    rows, so they err alike, and a change is surer than it says: the careful side. If features and
    labels alone tell both the same, up to the last digit, they are estimates of the same labels,
    before and after a review: then what was corrected is corrected, whatever the noise was before.
    """
    probability = None
    if before.draws is not None and after.draws is not None:
        draws = [before.draws.noise_rate, after.draws.noise_rate]
        corrected = [sum(before.corrected), sum(after.corrected)]
        same_labels = before.bounds is not None and before.bounds == after.bounds
        if same_labels:  # by the one that knows more
            draws = 2 * [draws[int(np.argmax(corrected))]]
        old, new = (np.maximum(d - c, 0.0) for d, c in zip(draws, corrected, strict=True))
        gain = old - new if same_labels else (old[None, :] - new[:, None]).ravel()
        probability = float((gain > 0).mean() + (gain == 0).mean() / 2)
    old_rates, new_rates = _left_by_class(before), _left_by_class(after)
    by_class = tuple(
        ClassChange(label, rate, new_rates[label])
        for label, rate in old_rates.items()
        if label in new_rates
    )
    return Comparison(before.noise_left().share, after.noise_left().share, probability, by_class)


def _left_by_class(est: NoiseEstimate) -> dict[Label, float]:
    """Share of wrong labels among the rows of each true class, once audited rows are corrected."""
    rates = est.transition_matrix.noise_rates
    if est.corrected:
        rates = rates - np.array(est.corrected) / np.maximum(est.class_prior, 1e-12)
    return dict(zip(est.classes, np.clip(rates, 0.0, 1.0).tolist(), strict=True))
