"""Messages about the baselines: what they assume, and what they cannot see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

COMPARE = "compare with method 'rank-gated', or check some rows by hand"

MESSAGES: Mapping[str, Message] = {
    "features_and_probabilities_missing": Message(
        "X is None", "pass features, or class probabilities as pred_proba="
    ),
    "classifier_beside_probabilities": Message(
        "classifier= is not used with pred_proba=, which replaces its predictions",
        "pass one of them",
    ),
    "training_not_converged": Message(
        "training stopped before it converged", "raise max_iter, or drop features", "drop features"
    ),
    "probabilities_above_average": Message(
        "the model's probabilities exceed their average where it is right, and only there"
    ),
    "trusts_probabilities": Message(
        "this method trusts a model's probabilities and cannot see where they mislead it", COMPARE
    ),
    "anchor_rows": Message(
        "every class has rows that surely belong to it, and a linear layer finds them"
    ),
    "trusts_anchor_rows": Message(
        "this method reads T at a single row of each class and cannot see whether that row is "
        "clear-cut",
        COMPARE,
    ),
    "linear_and_anchored": Message(
        "one linear layer fits the clean classes, and every class has rows that surely belong to it"
    ),
    "linear_and_scattered": Message(
        "one linear layer fits the clean classes, and they are scattered enough"
    ),
    "trusts_linear_layer": Message(
        "this method fits one linear layer: what the layer cannot fit looks like noise", COMPARE
    ),
    "top_rows_pure": Message("the rows a model ranks highest for a class all belong to it"),
    "trusts_top_rows": Message(
        "this method reads T at the top of a ranking and cannot see whether the top is pure",
        COMPARE,
    ),
}
