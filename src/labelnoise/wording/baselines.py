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
        "a model gives a class an above-average probability for exactly the rows that belong to it"
    ),
    "trusts_probabilities": Message(
        "this method trusts a model's probabilities and cannot detect where they are misleading",
        COMPARE,
    ),
    "anchor_rows": Message(
        "every class has rows that certainly belong to it, and a linear layer finds them"
    ),
    "trusts_anchor_rows": Message(
        "this method reads T at a single row of each class and cannot detect whether that row is "
        "clear-cut",
        COMPARE,
    ),
    "linear_and_anchored": Message(
        "one linear layer fits the true classes, and every class has rows that certainly belong to "
        "it"
    ),
    "linear_and_scattered": Message(
        "one linear layer fits the true classes, and their probabilities are sufficiently scattered"
    ),
    "trusts_linear_layer": Message(
        "this method fits one linear layer, and whatever the layer cannot fit looks like noise",
        COMPARE,
    ),
    "top_rows_pure": Message("the rows a model ranks highest for a class all belong to it"),
    "trusts_top_rows": Message(
        "this method reads T at the top of a ranking and cannot detect whether the top is pure",
        COMPARE,
    ),
}
