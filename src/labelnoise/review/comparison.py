"""Comparing two estimates: whether there is less noise in the later one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from labelnoise.errors import LabelNoiseError
from labelnoise.review.settings import CERTAIN_CHANGE
from labelnoise.wording import Note

if TYPE_CHECKING:
    from labelnoise.checks import Label
    from labelnoise.noise_estimate import NoiseEstimate
    from labelnoise.noise_estimate.estimate import NoiseLeft


class ClassChange(NamedTuple):
    """Shares of wrong labels among the rows of one true class, in two estimates."""

    label: Label
    before: float
    after: float


@dataclass(frozen=True)
class Comparison:
    """What changed between two estimates."""

    before: NoiseLeft
    after: NoiseLeft
    same_labels: bool  # both are of the same labels, before and after rows of them were reviewed
    p_less_noise: float | None  # probability of less noise in the later one; None without draws
    by_class: tuple[ClassChange, ...]  # for each true class that both estimates have
    hides_noise: bool  # wrong labels may be hidden in one of them: then nothing is concluded

    @property
    def change(self) -> float:
        """Change in the share of wrong labels."""
        return self.after.share - self.before.share

    @property
    def conclusion(self) -> Note:
        """The change as a code with its facts."""
        if self.hides_noise:
            return Note("change_of_noise_hidden")
        p_less = self.p_less_noise
        certainty: dict[str, Any]
        if p_less is None:
            less, clear, certainty = self.change < 0, self.change != 0, {"no_intervals": True}
        else:
            less, certainty = p_less > 0.5, {"probability": max(p_less, 1 - p_less)}
            clear = certainty["probability"] >= CERTAIN_CHANGE
        if not clear:
            return Note("change_of_noise_unclear", {"probability": p_less})
        return Note("noise_changed", {"less_or_more": "less" if less else "more", **certainty})


def compare_estimates(before: NoiseEstimate, after: NoiseEstimate) -> Comparison:
    """Compare two estimates, such as those before and after relabeling.

    Two estimates with identical bounds were made from the same features and labels, before and
    after a review. Corrected rows are then a gain; that the review also led to another estimate of
    the noise is not. So the estimate that knows of more corrected rows is used for both.

    The errors of estimates of different labels are taken as independent. In fact they are
    positively correlated, as the rows are nearly the same, so the probability of a change is
    conservative. One of the estimates must have all classes of the other.
    """
    old, new = ({str(label) for label in est.classes} for est in (before, after))
    if not (old <= new or new <= old):
        facts = {"before": list(before.classes), "after": list(after.classes)}
        raise LabelNoiseError("estimates_of_other_classes", **facts)
    same_labels = before.bounds is not None and before.bounds == after.bounds
    if same_labels:
        informed = max(after, before, key=lambda est: sum(est.corrected))
        before, after = (replace(informed, corrected=est.corrected) for est in (before, after))
    new_rates = _remaining_by_class(after)
    by_class = tuple(
        ClassChange(label, rate, new_rates[label])
        for label, rate in _remaining_by_class(before).items()
        if label in new_rates
    )
    return Comparison(
        before.noise_left(),
        after.noise_left(),
        same_labels,
        _probability_of_less(before, after, same_labels),
        by_class,
        not same_labels and any(est.diagnosis.hides_noise for est in (before, after)),
    )


def _probability_of_less(
    before: NoiseEstimate, after: NoiseEstimate, same_labels: bool
) -> float | None:
    if before.draws is None or after.draws is None:
        return None
    old, new = (
        np.maximum(est.draws.noise_rate - sum(est.corrected), 0.0)  # type: ignore[union-attr]
        for est in (before, after)
    )
    gain = old - new if same_labels else (old[None, :] - new[:, None]).ravel()
    return float((gain > 0).mean() + (gain == 0).mean() / 2)


def _remaining_by_class(est: NoiseEstimate) -> dict[Label, float]:
    """Share of wrong labels in each true class after audited rows are corrected."""
    rates = est.transition_matrix.noise_rates
    if est.corrected:
        rates = rates - np.array(est.corrected) / np.maximum(est.class_prior, 1e-12)
    return dict(zip(est.classes, np.clip(rates, 0.0, 1.0).tolist(), strict=True))
