"""Columns that tell so much about the labels that they may have been made from them.

Such a leak (a score that was computed from the label, a model's probability, a time stamp in a
table that was sorted by label) repeats wrong labels, and makes them look right.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.stats import rankdata
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from labelnoise.data.settings import (
    DECISIVE_SHARE,
    LEAK_BINS,
    LEAK_LEAD,
    LEAK_ROWS,
    MOST_LEAK_FEATURES,
    NEARLY_THE_SAME,
    NOTABLE_SHARE,
)
from labelnoise.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from labelnoise.arrays import FloatArray, IntArray


def leaking_columns(
    X: FloatArray, columns: Sequence[str], codes: IntArray, confirmed: Collection[str] = ()
) -> Iterator[Finding]:
    """Columns that alone explain the labels, or far more of them than all others together.

    Parameters
    ----------
    X : (n, d) array
        Features.
    columns : sequence of str
        The column that each feature was made from.
    codes : (n,) int array
        Labels.
    confirmed : collection of str
        Columns that the user knows not to be made from the labels.
    """
    if X.shape[1] > MOST_LEAK_FEATURES:
        return  # embeddings or texts: no single feature gives a label away
    rows = _some_rows(X, codes)
    X, codes = X[rows], np.unique(codes[rows], return_inverse=True)[1]
    n_folds = min(3, int(np.bincount(codes).min()))
    if n_folds < 2:
        return
    varying = X.max(axis=0) > X.min(axis=0)
    X, of_column = X[:, varying], np.array(columns)[varying]
    values = {
        name: _one_value(X[:, of_column == name]) for name in dict.fromkeys(of_column.tolist())
    }
    alone = {name: _explained_by_bins(one, codes) for name, one in values.items()}
    for name, share in alone.items():
        if share < NOTABLE_SHARE or name in confirmed:
            continue
        alike = [other for other, one in values.items() if _nearly_the_same(values[name], one)]
        rest = X[:, ~np.isin(of_column, alike)]
        others = _explained_by_trees(rest, codes, n_folds) if rest.shape[1] else 0.0
        if share >= DECISIVE_SHARE or share >= others + LEAK_LEAD:
            yield Finding(
                "column_predicts_label", {"column": name, "share": share, "others": others}
            )


def _some_rows(X: FloatArray, codes: IntArray) -> IntArray:
    """Rows in an order, and if there are many a choice of them, that depend on content alone."""
    rng = np.random.default_rng(0)
    mark = X @ rng.standard_normal(X.shape[1]) + codes
    found: IntArray = rng.permutation(np.argsort(mark, kind="stable"))[:LEAK_ROWS]
    counts = np.bincount(codes[found])
    return found[counts[codes[found]] > 1]  # a label that occurs once cannot be predicted


def _one_value(block: FloatArray) -> FloatArray:
    """Features (n, b) of one column as one value (n,): indicators as the code of a category."""
    if block.shape[1] == 1 or len(np.unique(block[:, 0])) > LEAK_BINS:
        return block[:, 0]
    return np.unique(block, axis=0, return_inverse=True)[1].ravel().astype(float)


def _nearly_the_same(values: FloatArray, others: FloatArray) -> bool:
    """Whether two values (n,), neither of them constant, order rows almost alike."""
    one, other = rankdata(values), rankdata(others)
    return bool(abs(np.corrcoef(one, other)[0, 1]) > NEARLY_THE_SAME)


def _explained_by_bins(values: FloatArray, codes: IntArray) -> float:
    """Share of the labels' entropy that a value (n,) explains, from frequencies in bins.

    Rows are left out of the frequencies of their own bin.
    """
    distinct, bins = np.unique(values, return_inverse=True)
    if len(distinct) > LEAK_BINS:
        bins = np.floor(rankdata(values, "min") * LEAK_BINS / (len(values) + 1)).astype(np.int64)
    k = int(codes.max()) + 1
    overall = np.bincount(codes, minlength=k) / len(codes)
    counts = np.zeros((int(bins.max()) + 1, k))
    np.add.at(counts, (bins.ravel(), codes), 1)
    size = counts.sum(axis=1)[bins.ravel()]
    own = counts[bins.ravel(), codes]
    return _share_explained((own - 1 + overall[codes]) / size, overall[codes])


def _explained_by_trees(X: FloatArray, codes: IntArray, n_folds: int) -> float:
    """Share of the labels' entropy that features (n, d) explain together, cross-fitted."""
    trees = ExtraTreesClassifier(100, min_samples_leaf=3, random_state=0)
    folds = StratifiedKFold(n_folds)
    predicted = cross_val_predict(trees, X, codes, cv=folds, method="predict_proba")
    overall = (np.bincount(codes) / len(codes))[codes]
    own = predicted[np.arange(len(codes)), codes]
    return _share_explained(0.98 * own + 0.02 * overall, overall)


def _share_explained(own: FloatArray, overall: FloatArray) -> float:
    """Gain in log likelihood of predictions of the own labels (n,), as a share of the entropy."""
    return max(0.0, float(1 - np.log(own).sum() / np.log(overall).sum()))
