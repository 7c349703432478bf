"""Columns that say so much about the labels that they may have been made from them.

Such target leakage (a score that was computed from the label, a model's probability, a time stamp
in a table that was sorted by label) repeats wrong labels, and makes them look right.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from labelnoise.data.settings import (
    DECISIVE_SHARE,
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
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.data.encoder import TableEncoder


def leaks_among(encoder: TableEncoder, X: FloatArray, codes: IntArray) -> tuple[Finding, ...]:
    """`leaking_columns` of the features (n, d) that an encoder made from a table or an array.

    Columns whose types the user specified are not taken for leaks.
    """
    types = {kind.name: kind.type for kind in encoder.column_types_}
    confirmed = {kind.name for kind in encoder.column_types_ if kind.given}
    columns = encoder.feature_columns_
    return tuple(leaking_columns(X, codes, columns, types or None, confirmed))


def leaking_columns(
    X: FloatArray,
    codes: IntArray,
    columns: Sequence[str],
    types: Mapping[str, str] | None = None,
    confirmed: Collection[str] = (),
) -> Iterator[Finding]:
    """Columns that alone explain the labels, or far more of them than all others together.

    What features explain is the gain in log likelihood over the frequencies of the labels, as a
    share of their entropy. For a category, it is computed from the frequencies of labels in each of
    its levels; for a number or a date, from those in bins of the feature that explains most (for a
    date also its place in the week and in the year). The features of a text or a vector are
    examined one by one, and each is compared with all others, those of its own column included: a
    leak that is spread over many of them is missed.

    All other columns together explain what the best of them does, or what a forest predicts if
    that is more; a forest is fitted only where the best of them does not settle the question.

    Parameters
    ----------
    X : (n, d) array
        Features.
    codes : (n,) int array
        Labels.
    columns : sequence of str
        The column that each feature was made from.
    types : mapping from str to str, optional
        Types of the columns; None for the features of an array, which are numbers.
    confirmed : collection of str
        Columns that the user knows not to be made from the labels.
    """
    if X.shape[1] > MOST_LEAK_FEATURES:
        return  # embeddings or texts: no single feature gives a label away
    rows = some_rows(X, codes)
    X, codes = X[rows], np.unique(codes[rows], return_inverse=True)[1]
    if not len(codes) or codes.max() < 1:
        return
    candidates = [*leak_candidates(X, codes, columns, types or {})]
    if not candidates:
        return
    named: set[str] = set()
    for candidate, others in _suspicious(X, codes, candidates, confirmed):
        if candidate.column not in named:
            named.add(candidate.column)
            facts: dict[str, Any] = {
                "column": candidate.column,
                "share": candidate.share,
                "others": others,
            }
            facts["type"] = "number" if types is None else types[candidate.column]
            yield Finding("column_predicts_label", facts, hides_noise=True)


@dataclass(frozen=True, eq=False)
class Candidate:
    """Features that are judged as one: those of a column, or one of a text or a vector.

    Attributes
    ----------
    column : str
    type : str
    features : list of int
        Their positions.
    values : (n,) array
        The feature that explains most, or the level of a category.
    share : float
        What it explains.
    """

    column: str
    type: str
    features: list[int]
    values: FloatArray | IntArray
    share: float


def some_rows(X: FloatArray, codes: IntArray) -> IntArray:
    """Positions of the rows, or of some if there are many, chosen and ordered by their content.

    Rows are sorted by a hash of their bits, to which every column contributes, and then
    shuffled, because rows with the same content should not stay side by side.
    """
    rng = np.random.default_rng(0)
    weights = rng.integers(2**63, size=X.shape[1] + 1, dtype=np.uint64) * 2 + 1
    mark = codes.astype(np.uint64) * weights[-1]
    for values, weight in zip(X.T, weights[:-1], strict=True):
        bits = (values + 0.0).view(np.uint64)  # + 0.0: no negative zeros
        mark += (bits ^ (bits >> np.uint64(32))) * weight
    found: IntArray = rng.permutation(np.argsort(mark, kind="stable"))[:LEAK_ROWS]
    counts = np.bincount(codes[found])
    return found[counts[codes[found]] > 1]  # a label that occurs once cannot be predicted


def leak_candidates(
    X: FloatArray, codes: IntArray, columns: Sequence[str], types: Mapping[str, str]
) -> Iterator[Candidate]:
    """Features that are judged as one, without those that are constant."""
    of_column: dict[str, list[int]] = {}
    for j in np.flatnonzero(X.max(axis=0) > X.min(axis=0)).tolist():
        of_column.setdefault(columns[j], []).append(j)
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

    Candidates that order the rows almost alike count as one. Numbers that lead all others are
    suspicious only if they are correlated with one of them: both depend on the label then. The
    first of several principal components leads by construction, and the directions of a text are
    such components.
    """
    shares = np.array([candidate.share for candidate in candidates])
    ranks = np.column_stack([_standard_ranks(candidate.values) for candidate in candidates])
    by_forest: dict[tuple[int, ...], float] = {}
    for i in np.argsort(-shares, kind="stable").tolist():
        candidate = candidates[i]
        if candidate.share < NOTABLE_SHARE:
            return
        if candidate.column in confirmed:
            continue
        alike = np.abs(ranks.T @ ranks[:, i])
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
    found: FloatArray = ranks / np.linalg.norm(ranks)
    return found


def _bins(values: FloatArray) -> IntArray:
    """Bins of values (n,) with about the same number of rows, or the values if they are few."""
    distinct, bins = np.unique(values, return_inverse=True)
    if len(distinct) > LEAK_BINS:
        bins = np.floor(rankdata(values, "min") * LEAK_BINS / (len(values) + 1)).astype(np.int64)
    return bins.ravel()


def _explained_by_levels(levels: IntArray, codes: IntArray) -> float:
    """Share of the labels' entropy that levels (n,) explain, from the frequencies in each.

    Each row is left out of the frequencies of its own level.
    """
    k = int(codes.max()) + 1
    overall = np.bincount(codes, minlength=k)[codes] / len(codes)
    size = np.bincount(levels)[levels]
    own = np.bincount(levels * k + codes)[levels * k + codes]
    return _share_explained((own - 1 + overall) / size, overall)


def _explained_together(
    X: FloatArray, codes: IntArray, features: tuple[int, ...], known: dict[tuple[int, ...], float]
) -> float:
    """Share of the labels' entropy that some features explain together, remembered in `known`.

    The sets differ little: each lacks only a column that stands out and the columns that are much
    like it. After a few sets, the best result stands for the rest.
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
