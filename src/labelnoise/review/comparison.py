"""Comparing two estimates: whether there is less noise in the later one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from labelnoise.review.settings import CERTAIN_CHANGE
from labelnoise.wording import Note, sentence

if TYPE_CHECKING:
    from labelnoise.checks import Label
    from labelnoise.noise_estimate import NoiseEstimate


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
        Shares of wrong labels after audited rows are corrected.
    p_less_noise : float or None
        Probability that there is less noise in the later one, from the draws of both; None if an
        estimate has no draws.
    by_class : tuple of ClassChange
        The shares for each true class that both estimates have.
    """

    before: float
    after: float
    p_less_noise: float | None
    by_class: tuple[ClassChange, ...]

    @property
    def change(self) -> float:
        """Change in the share of wrong labels."""
        return self.after - self.before

    @property
    def conclusion(self) -> Note:
        """The change as a code with its facts."""
        probability = self.p_less_noise
        if probability is None:
            direction = "less" if self.change < 0 else "more" if self.change > 0 else "same"
            return Note(f"{direction}_noise_without_intervals")
        if probability >= CERTAIN_CHANGE:
            return Note("less_noise_than_before", {"probability": probability})
        if probability <= 1 - CERTAIN_CHANGE:
            return Note("more_noise_than_before", {"probability": 1 - probability})
        return Note("change_of_noise_unclear", {"probability": probability})

    def in_words(self) -> str:
        """The change as a sentence."""
        return sentence(self.conclusion.reason())


def compare_estimates(before: NoiseEstimate, after: NoiseEstimate) -> Comparison:
    """Compare two estimates, such as those before and after relabeling.

    Two estimates with identical bounds were made from the same features and labels, before and
    after a review. Corrected rows are then a gain, however much noise there was, and the draws of
    the estimate with more corrected rows are used for both. Otherwise the errors of the estimates
    are taken as independent. In fact they are positively correlated, as the rows are nearly the
    same, so the probability of a change is conservative.
    """
    old_rates, new_rates = _remaining_by_class(before), _remaining_by_class(after)
    by_class = tuple(
        ClassChange(label, rate, new_rates[label])
        for label, rate in old_rates.items()
        if label in new_rates
    )
    shares = (before.noise_left().share, after.noise_left().share)
    return Comparison(*shares, _probability_of_less(before, after), by_class)


def _probability_of_less(before: NoiseEstimate, after: NoiseEstimate) -> float | None:
    if before.draws is None or after.draws is None:
        return None
    rates = [before.draws.noise_rate, after.draws.noise_rate]
    corrected = [sum(before.corrected), sum(after.corrected)]
    same_labels = before.bounds is not None and before.bounds == after.bounds
    if same_labels:
        rates = 2 * [rates[int(np.argmax(corrected))]]
    old, new = (np.maximum(d - c, 0.0) for d, c in zip(rates, corrected, strict=True))
    gain = old - new if same_labels else (old[None, :] - new[:, None]).ravel()
    return float((gain > 0).mean() + (gain == 0).mean() / 2)


def _remaining_by_class(est: NoiseEstimate) -> dict[Label, float]:
    """Share of wrong labels in each true class after audited rows are corrected."""
    rates = est.transition_matrix.noise_rates
    if est.corrected:
        rates = rates - np.array(est.corrected) / np.maximum(est.class_prior, 1e-12)
    return dict(zip(est.classes, np.clip(rates, 0.0, 1.0).tolist(), strict=True))
