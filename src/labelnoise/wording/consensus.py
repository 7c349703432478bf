"""Messages about HOC and the paper's variants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from labelnoise.wording.estimates import MORE_ROWS_OR_FEATURES
from labelnoise.wording.message import Message

if TYPE_CHECKING:
    from collections.abc import Mapping

MESSAGES: Mapping[str, Message] = {
    "neighbors_share_class": Message(
        "a row and its nearest neighbors have the same true class, and mistakes depend on the "
        "class alone (where classes overlap, the overlap is counted as noise)"
    ),
    "features_and_graph_missing": Message(
        "X is None", "pass features, or precomputed neighbors as graph="
    ),
    "graph_has_no_features_to_weight": Message(
        "this method weights features, and a precomputed graph has none",
        "pass features without graph=, or use method='hoc' (HOCEstimator) with graph=",
    ),
    "graph_too_shallow": Message(
        "for most rows, fewer than two of the {k} neighbors in the graph remain in a subsample",
        "build the graph with a larger k, or raise subsample=",
    ),
    "neighbors_agree_by_chance": Message(
        "labels of neighbors agree no more often than labels of unrelated rows: the features carry "
        "too little information about the labels, or the noise is too strong for this many rows",
        MORE_ROWS_OR_FEATURES,
    ),
    "neighbors_separate_few_classes": Message(
        "labels of neighbors separate only {groups} of {n_classes} classes: some rows of T are "
        "mixtures",
        "merge classes that are labeled alike, or collect more rows",
    ),
    "neighbors_agree_weakly": Message(
        "labels of neighbors agree only a little more often than labels of unrelated rows",
        MORE_ROWS_OR_FEATURES,
    ),
    "solver_not_converged": Message(
        "the solver stopped before it converged",
        "pass more starts (n_starts=), or merge small classes",
        "merge small classes",
    ),
    "class_nearly_empty": Message(
        "almost no rows seem to belong to {classes}, so its row of T is based on very few labels",
        "check these classes by hand, or merge them",
    ),
    "overlap_counted_as_noise": Message(
        "this method counts any disagreement between neighbors as noise, even where classes "
        "overlap",
        "expect noise rates that are too high if classes overlap, and check some rows by hand",
    ),
}
