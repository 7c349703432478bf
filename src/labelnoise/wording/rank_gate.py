"""Messages about the rank gate: its two readings, its findings, and audits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.estimates import OUT_OF_FOLD, OUT_OF_SAMPLE
from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

AUDIT, AUDIT_COMMAND = "(suggest_audit)", "(labelnoise find --for-audit)"


def _check_rows(advice: str) -> tuple[str, str]:
    """Advice that ends with how to choose rows, for Python and for the command line."""
    return advice.format(AUDIT), advice.format(AUDIT_COMMAND)


ARGUMENTS: Mapping[str, Message] = {
    "too_few_draws": Message(
        "n_draws must be 0 (no intervals) or at least {least}, got {n}: fewer do not determine an "
        "interval",
        "pass n_draws=100",
    ),
    "scorers_without_features": Message(
        "scorers are trained on features", "pass X and no graph=, or leave out scorers="
    ),
    "nothing_to_rank_rows_by": Message(
        "X is None", "pass features, neighbors as graph=, or probabilities as pred_proba="
    ),
    "not_a_representation": Message(
        "representation must be a Representation or None, got {value}",
        "pass, for example, labelnoise.Representation(decorrelate=True)",
    ),
    "fitted_without_pred_proba": Message(
        "pred_proba was passed, but the estimator was fitted without it",
        "leave it out, or fit with pred_proba= as well",
    ),
    "labels_of_no_training_row": Message(
        "y has labels that no training row has, so nothing is known about them: {labels}",
        "fit on data with all classes",
    ),
}

FINDINGS: Mapping[str, Message] = {
    "noise_by_class": Message(
        "each class has some clear-cut examples, and mistakes are as common there as in borderline "
        "cases"
    ),
    "noise_by_instance": Message("every label that disagrees with its surroundings is wrong"),
    "rows_like_audited_rows": Message(
        "the {n:audited label is|audited labels are} right, and similar rows are mislabeled in the "
        "same way"
    ),
    "no_clear_cut_rows": Message(
        "there are no clear-cut {classes} rows, so for {classes} we can give only a range",
        *_check_rows("check some rows by hand {}, or use features that set the class apart"),
    ),
    "data_leave_T_open": Message(
        "the data do not determine T: half of its diagonal entries have {level:.0%} intervals "
        "wider than {width:.0%}",
        *_check_rows("collect more rows, or check rows by hand {}"),
    ),
    "wide_intervals": Message(
        "error rates per class are uncertain by about ±{points:.0f} points",
        *_check_rows("collect more rows, or check rows by hand {}"),
    ),
    "wide_intervals_of_classes": Message(
        "the error rates of {classes} are uncertain by up to ±{points:.0f} points",
        *_check_rows("collect more rows of these classes, or check rows by hand {}"),
    ),
    "few_neighbors": Message(
        "the graph has {n:neighbor|neighbors} per row, too few to rank rows by their labels",
        "build the graph with 50 neighbors or more",
    ),
    "few_distinct_probabilities": Message(
        "the given probabilities have about {n:.0f} distinct rows: they look like predicted "
        "classes, which cannot rank rows",
        "pass probabilities, not predicted classes",
    ),
    "few_distinct_rows": Message(
        "many rows have the same features: together they amount to about {n:.0f} distinct rows, "
        "too few to see how labels change toward the clear-cut rows",
        "use more features, or finer ones",
    ),
    "readings_differ": Message(
        "classes overlap: {low:.1%} to {high:.1%} of the labels may be wrong, depending on whether "
        "mistakes are more common in borderline cases",
        *_check_rows(
            "check rows by hand {}: about a hundred usually settle it, twenty of each class"
        ),
    ),
    "classes_alike": Message(
        "labels hardly tell {classes} apart: they are often confused, or none of them has "
        "clear-cut examples, and then we can give only a range",
        *_check_rows("merge these classes, or check some of their rows by hand {}"),
    ),
    "probabilities_better_than_features": Message(
        "the given probabilities agree with {agreed:.1%} of the labels, the {source} with "
        "{by_other_sources:.1%}: the model is better, or it was trained on these very rows",
        f"{OUT_OF_SAMPLE}; if you did so already, pass pred_proba without X",
        OUT_OF_FOLD,
    ),
    "fit_not_converged": Message(
        "the fit stopped before it converged", "merge small classes, or drop them"
    ),
    "audited_rows_included": Message("includes {n:hand-checked row|hand-checked rows}"),
    "audit_contradicts_fit": Message(
        "the audited rows contradict what features and labels suggest, so the numbers for rows "
        "that are not similar to them are a guess",
        "audit {enough} rows or more, drawn at random or by suggest_audit",
        "audit {enough} rows or more, drawn at random or by labelnoise find --for-audit",
    ),
    "few_audited_of_class": Message(
        "fewer than {least} audited rows truly belong to {classes}",
        "audit more rows that have this label or may belong to this class",
    ),
    "class_known_from_audit_only": Message(
        "no row is labeled {classes}: only its audited rows are counted, so its share is too small "
        "and its row of T is based on few rows",
        "label rows of these classes, and estimate again",
    ),
}

MESSAGES: Mapping[str, Message] = {**ARGUMENTS, **FINDINGS}
