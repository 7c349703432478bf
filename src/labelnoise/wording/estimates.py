"""Messages about estimates of any method: what they assume, and findings that several share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

OUT_OF_SAMPLE = (
    "predict every row with a model that was not trained on it, for example with "
    "sklearn.model_selection.cross_val_predict(..., method='predict_proba')"
)
OUT_OF_FOLD = "predict every row with a model that was not trained on it (out-of-fold predictions)"
MORE_ROWS_OR_FEATURES = (
    "collect more rows, or use features that separate the classes, such as an embedding"
)

MESSAGES: Mapping[str, Message] = {
    "estimate_not_reliable": Message(
        "the noise estimate is {verdict!r}: {reasons}", "its diagnosis says what to do: {where}"
    ),
    "labels_not_predicted": Message(
        "the {source} predict labels no better than label frequencies do: they carry too little "
        "information about the classes, or the noise is too strong for this many rows",
        MORE_ROWS_OR_FEATURES,
    ),
    "labels_barely_predicted": Message(
        "the {source} predict labels only a little better than label frequencies do",
        MORE_ROWS_OR_FEATURES,
    ),
    "probabilities_of_training_rows": Message(
        "the given probabilities agree with {agreed:.1%} of the labels, at an average confidence of "
        "{confidence:.1%}: the model may have been trained on these very rows, and then it has "
        "learned their errors too",
        OUT_OF_SAMPLE,
        OUT_OF_FOLD,
    ),
    "probabilities_worse_than_random": Message(
        "the given probabilities agree with {agreed:.1%} of the labels, fewer than at random "
        "({at_random:.1%}): their columns may belong to other classes",
        "pass the columns in the order {classes:20}",
    ),
    "probabilities_in_another_order": Message(
        "the given probabilities agree with {agreed:.1%} of the labels, and would agree with "
        "{reordered:.1%} if their columns were in another order: they may belong to other classes",
        "pass the columns in the order {classes:20}",
    ),
    "class_without_rows": Message(
        "no row is labeled {classes}: its row of T is a placeholder (no noise)",
        "leave these classes out, or collect rows of them",
    ),
    "duplicates_agree": Message(
        "rows with identical features have the same label in {duplicates:.0%} of cases, rows next "
        "to them in {nearest:.0%}: some may be copies, labels included, and copies hide noise",
        "drop duplicate rows and estimate again",
    ),
    "nearly_singular": Message(
        "T is nearly singular (condition number {condition:.3g}): some classes are labeled almost "
        "alike, so small errors of T have large effects",
        "merge classes that cannot be told apart",
    ),
    "few_labeled_rows": Message(
        "fewer than {least} rows are labeled {classes}",
        "collect more rows of the rare classes, or merge them",
    ),
    "mislabeled_as_often_as_not": Message(
        "rows of {classes} seem to be mislabeled as often as not",
        "check some of these rows by hand: this row of T may belong to another class",
    ),
}
