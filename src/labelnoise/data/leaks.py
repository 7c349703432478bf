"""Columns that say so much about the labels that they may have been made from them.

Such target leakage (a score that was computed from the label, a model's probability, a time stamp
in a table that was sorted by label) repeats wrong labels, and makes them look right. If several
columns were made from the labels, none of them stands out among all others. But without all of
them, the rest may show wrong labels that they hide.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from labelnoise.data.settings import (
    DECISIVE_SHARE,
    LEADING_COLUMNS,
    LEAK_BINS,
    LEAK_FOLDS,
    LEAK_FORESTS,
    LEAK_LEAD,
    LEAK_LEAF,
    LEAK_PRIOR,
    LEAK_ROWS,
    LEAK_TREES,
    MOST_LEAK_FEATURES,
    NEARLY_THE_SAME,
    NOTABLE_SHARE,
    RELATED,
)
from labelnoise.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.encoder import TableEncoder


def leaks_among(encoder: TableEncoder, X: FloatArray, codes: IntArray) -> tuple[Finding, ...]:
    """Columns that alone explain the labels, or far more of them than all others together.

    What features explain is the gain in log likelihood over the frequencies of the labels, as a
    share of their entropy. For a category, it is computed from the frequencies of labels in each of
    its levels; for a number or a date, from those in bins of the feature that explains most (for a
    date also its place in the week and in the year). The features of a text or a vector are
    examined one by one, and each is compared with all others, those of its own column included: a
    leak that is spread over many of them is missed.

    All other columns together explain what the best of them does, or what a forest predicts if
    that is more; a forest is fitted only where the best of them does not settle the question.
    Columns whose types the user specified are not taken for leaks.
    """
    rows = _some_rows(X, codes)
    if not len(rows):
        return ()
    X, codes = X[rows], np.unique(codes[rows], return_inverse=True)[1]
    candidates = [*_candidates(encoder, X, codes)]
    found: dict[str, Finding] = {}
    for candidate, others in _suspicious(X, codes, candidates, _confirmed(encoder)):
        if candidate.column not in found:
            facts: dict[str, Any] = {"column": candidate.column, "type": candidate.type}
            facts |= {"share": candidate.share, "others": others}
            finding = Finding("column_predicts_label", facts, hides_noise=True)
            found[candidate.column] = finding
    return tuple(found.values())


def sets_of_leading_columns(
    encoder: TableEncoder, X: FloatArray, codes: IntArray
) -> Iterator[tuple[tuple[str, ...], IntArray]]:
    """Sets of columns with ``explained(all) - explained(all others) >= LEAK_LEAD``.

    First single columns, then several: as many as may stand in for one another. What they explain
    is measured as in `leaks_among`, on some rows, whose positions (m,) come with each set.
    """
    rows = _some_rows(X, codes)
    if not len(rows):
        return
    X, codes = X[rows], np.unique(codes[rows], return_inverse=True)[1]
    leading = _leading(encoder, X, codes)
    if not leading:
        return
    column_of_feature = np.array(encoder.feature_columns_, dtype=object)
    everything = explained_by_trees(X, codes)

    @cache
    def lost(columns: tuple[str, ...]) -> float:
        return everything - explained_by_trees(X[:, ~np.isin(column_of_feature, columns)], codes)

    if lost(leading) < LEAK_LEAD:
        return
    singles = sorted(((name,) for name in leading[:LEADING_COLUMNS]), key=lost, reverse=True)
    several = [leading[:n] for n in range(2, min(len(leading), LEADING_COLUMNS) + 1)]
    for columns in dict.fromkeys([*singles, *several, leading]):
        if lost(columns) >= LEAK_LEAD:
            yield columns, rows


def _leading(encoder: TableEncoder, X: FloatArray, codes: IntArray) -> tuple[str, ...]:
    """Columns by what they explain alone, the most first.

    As many as a model's probabilities have columns, or LEADING_COLUMNS if that is more, but at most
    half of all columns: the others must be able to contradict them.
    """
    candidates = sorted(_candidates(encoder, X, codes), key=lambda one: -one.share)
    n_columns = len({one.column for one in candidates})
    notable = dict.fromkeys(one.column for one in candidates if one.share >= LEAK_LEAD)
    names = tuple(name for name in notable if name not in _confirmed(encoder))
    return names[: min(max(LEADING_COLUMNS, int(codes.max())), n_columns // 2)]


def _confirmed(encoder: TableEncoder) -> set[str]:
    """Columns whose types the user specified."""
    return {kind.name for kind in encoder.column_types_ if kind.given}


@dataclass(frozen=True, eq=False)
class Candidate:
    """Features that are judged as one: those of a column, or one of a text or a vector."""

    column: str
    type: str
    features: list[int]  # their positions
    values: FloatArray | IntArray  # (n,) the feature that explains most, or levels of a category
    share: float  # what it explains


def _some_rows(X: FloatArray, codes: IntArray) -> IntArray:
    """Positions of the rows, or of some if there are many, chosen and ordered by their content.

    They are sorted by a hash of their bits, and then shuffled, so that rows with the same content
    are not side by side. There are none for embeddings, where no single feature gives a label away,
    or where fewer than two labels repeat.
    """
    if X.shape[1] > MOST_LEAK_FEATURES:
        return np.empty(0, dtype=np.int64)
    rng = np.random.default_rng(0)
    weights = rng.integers(2**63, size=X.shape[1] + 1, dtype=np.uint64) * 2 + 1
    mark = codes.astype(np.uint64) * weights[-1]
    for values, weight in zip(X.T, weights[:-1], strict=True):
        bits = (values + 0.0).view(np.uint64)  # + 0.0: no negative zeros
        mark += (bits ^ (bits >> np.uint64(32))) * weight
    found: IntArray = rng.permutation(np.argsort(mark, kind="stable"))[:LEAK_ROWS]
    counts = np.bincount(codes[found])
    if (counts > 1).sum() < 2:
        return found[:0]
    return found[counts[codes[found]] > 1]  # a label that occurs once cannot be predicted


def _candidates(encoder: TableEncoder, X: FloatArray, codes: IntArray) -> Iterator[Candidate]:
    """Features that are judged as one, without those that are constant."""
    types = {kind.name: kind.type for kind in encoder.column_types_}
    of_column: dict[str, list[int]] = {}
    for j in np.flatnonzero(X.max(axis=0) > X.min(axis=0)).tolist():
        of_column.setdefault(encoder.feature_columns_[j], []).append(j)
    for column, features in of_column.items():
        kind = types.get(column, "number")
        if kind == "category":
            levels = np.unique(X[:, features], axis=0, return_inverse=True)[1].ravel()
            yield Candidate(column, kind, features, levels, _explained_by_levels(levels, codes))
            continue
        shares = [_explained_by_levels(_bins(X[:, j]), codes) for j in features]
        if kind in ("text", "vector"):
            for j, share in zip(features, shares, strict=True):
                yield Candidate(column, kind, [j], X[:, j], share)
        else:
            best = int(np.argmax(shares))
            yield Candidate(column, kind, features, X[:, features[best]], shares[best])


def _suspicious(
    X: FloatArray, codes: IntArray, candidates: Sequence[Candidate], confirmed: Collection[str]
) -> Iterator[tuple[Candidate, float]]:
    """Candidates that explain suspiciously much, the most first, and what all others explain.

    Candidates that order the rows almost alike count as one. Numbers that lead all others must be
    correlated with one of them, because both depend on the label then: the first of several
    principal components, such as the directions of a text, leads by construction.
    """
    shares = np.array([candidate.share for candidate in candidates])
    ranks = np.array([_standard_ranks(candidate.values) for candidate in candidates])
    by_forest: dict[tuple[int, ...], float] = {}
    for i in np.argsort(-shares, kind="stable").tolist():
        candidate = candidates[i]
        if candidate.share < NOTABLE_SHARE:
            return
        if candidate.column in confirmed:
            continue
        alike = np.abs(ranks @ ranks[i])
        apart = np.flatnonzero(alike <= NEARLY_THE_SAME)
        others = float(shares[apart].max(initial=0.0))
        leads = (
            apart.size > 0
            and candidate.share >= others + LEAK_LEAD
            and candidate.type != "text"
            and (candidate.type == "category" or alike[apart].max(initial=0.0) >= RELATED)
        )
        if leads or candidate.share >= DECISIVE_SHARE:
            features = tuple(j for other in apart.tolist() for j in candidates[other].features)
            others = max(others, _explained_together(X, codes, features, by_forest))
            leads = leads and candidate.share >= others + LEAK_LEAD
        if leads or candidate.share >= DECISIVE_SHARE:
            yield candidate, others


def _standard_ranks(values: FloatArray | IntArray) -> FloatArray:
    """Ranks of values (n,), not all of them the same, with mean 0 and length 1."""
    ranks = rankdata(values) - (len(values) + 1) / 2
    return ranks / np.linalg.norm(ranks)


def _bins(values: FloatArray) -> IntArray:
    """Bins of values (n,) with about the same number of rows, or the values if they are few."""
    distinct, bins = np.unique(values, return_inverse=True)
    if len(distinct) <= LEAK_BINS:
        return bins
    return np.floor(rankdata(values, "min") * LEAK_BINS / (len(values) + 1)).astype(np.int64)


def _explained_by_levels(levels: IntArray, codes: IntArray) -> float:
    """Share of the labels' entropy that levels (n,) explain, by the frequencies of other rows."""
    k = int(codes.max()) + 1
    overall = np.bincount(codes, minlength=k)[codes] / len(codes)
    size = np.bincount(levels)[levels]
    own = np.bincount(levels * k + codes)[levels * k + codes]
    return _share_explained((own - 1 + overall) / size, overall)


def _explained_together(
    X: FloatArray, codes: IntArray, features: tuple[int, ...], known: dict[tuple[int, ...], float]
) -> float:
    """Share of the labels' entropy that some features explain together, remembered in `known`.

    The sets differ by a few columns, so after a few sets the best result stands for the rest.
    """
    if not features:
        return 0.0
    if features not in known and len(known) < LEAK_FORESTS:
        known[features] = explained_by_trees(X[:, features], codes)
    return known.get(features, max(known.values()))


def explained_by_trees(X: FloatArray, codes: IntArray) -> float:
    """Share of the labels' entropy that features (n, d) explain together, cross-fitted.

    Trees see ranks: they have no units, and no number is beyond the range of their 32-bit floats.
    """
    trees = ExtraTreesClassifier(LEAK_TREES, min_samples_leaf=LEAK_LEAF, random_state=0)
    counts = np.bincount(codes)
    folds = StratifiedKFold(min(LEAK_FOLDS, int(counts.min())))
    ranks = rankdata(X, "dense", axis=0)
    with warnings.catch_warnings():  # many classes are not a regression target here
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        predicted = cross_val_predict(trees, ranks, codes, cv=folds, method="predict_proba")
    overall = counts[codes] / len(codes)
    own = predicted[np.arange(len(codes)), codes]
    return _share_explained((1 - LEAK_PRIOR) * own + LEAK_PRIOR * overall, overall)


def _share_explained(own: FloatArray, overall: FloatArray) -> float:
    """Gain in log likelihood of predictions of the own labels (n,), as a share of the entropy."""
    return max(0.0, float(1 - np.log(own).sum() / np.log(overall).sum()))
