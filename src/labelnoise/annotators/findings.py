"""What to know about the answers before relying on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import norm

from labelnoise.annotators.settings import (
    AT_RANDOM,
    JUDGED_LEVEL,
    MIN_ANSWERS_JUDGED,
    MIN_ROWS_WITH_THREE,
    NO_AGREEMENT,
    USEFUL_WEIGHT,
)
from labelnoise.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from labelnoise.annotators.agreement import Agreement
    from labelnoise.annotators.answers import Answers
    from labelnoise.arrays import FloatArray


def findings_of(
    answers: Answers, counts: FloatArray, found: Agreement, weights: FloatArray | None
) -> Iterator[Finding]:
    """All findings, for expected counts (A, K, K) and weights of the features, if there are any."""
    names = np.array(list(map(str, answers.annotators)), dtype=object)
    useful = weights is not None and weights.sum() >= USEFUL_WEIGHT
    if len(names) == 2:
        verdict: Any = "rough" if useful else "cannot tell"
        yield Finding("two_annotators", {"annotators": names.tolist()}, verdict)
    else:
        n = int((answers.n_answers >= 3).sum())
        if n < MIN_ROWS_WITH_THREE:
            facts = {"n": n, "minimum": MIN_ROWS_WITH_THREE}
            yield Finding("few_rows_with_three_answers", facts)
    if found.alpha < NO_AGREEMENT and not answers.single_label.all():
        yield Finding("annotators_do_not_agree", {"alpha": found.alpha}, "cannot tell")
    if answers.single_label.any() and not useful:
        rules = names[answers.single_label].tolist()
        yield Finding("single_label_sources", {"annotators": rules, "n": len(rules)})
    yield from _poor_annotators(answers, counts, names)
    n_without = int((~answers.answered).sum())
    if n_without:
        yield Finding("rows_without_answers", {"n": n_without}, "reliable")
    if weights is not None and not useful:
        yield Finding("features_not_useful", {}, "reliable")


def _poor_annotators(
    answers: Answers, counts: FloatArray, names: np.ndarray[Any, Any]
) -> Iterator[Finding]:
    """Annotators who answer nearly at random, or worse."""
    kappa, error = chance_corrected(counts)
    upper = kappa + norm.ppf((1 + JUDGED_LEVEL) / 2) * error
    judged = (counts.sum(axis=(1, 2)) >= MIN_ANSWERS_JUDGED) & ~answers.single_label
    worse = judged & (upper < 0)
    for code, who in (
        ("answers_at_random", judged & (upper < AT_RANDOM) & ~worse),
        ("answers_worse_than_chance", worse),
    ):
        if who.any():
            facts = {"annotators": names[who].tolist(), "n": int(who.sum())}
            yield Finding(code, facts, "reliable")


def chance_corrected(counts: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Cohen's kappa of every annotator with the true classes, (A,), and its standard error.

    ``(p - e) / (1 - e)`` for the share p of right answers, and the share e of right ones if labels
    were given at random in the same numbers; the error is that of p, given e.

    Parameters
    ----------
    counts : (A, K, K) array
        Expected answers by annotator, true class and label.
    """
    n = counts.sum(axis=(1, 2))
    right = np.trace(counts, axis1=1, axis2=2) / n
    chance = (counts.sum(axis=2) * counts.sum(axis=1)).sum(axis=1) / n**2
    room = np.maximum(1 - chance, 1 / n)
    error = np.sqrt(np.maximum(right * (1 - right), 0.25 / n) / n)
    return (right - chance) / room, error / room
