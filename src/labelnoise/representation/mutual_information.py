"""f-mutual information between every coordinate and the noisy labels, from histograms."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from labelnoise import checks
from labelnoise.data.encoder import encoded
from labelnoise.representation.divergences import DIVERGENCES, f_divergence
from labelnoise.representation.settings import (
    CELL_PSEUDO_COUNT,
    N_BINS,
    PAIRS_PER_BLOCK,
    TAIL_SHARE,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray


def bin_range(Z: FloatArray, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The 0.5 and 99.5 percentiles (d,) of each column of `Z` (U, d).

    A column whose percentiles are equal (a rare indicator) is binned over its whole range.
    """
    ends = TAIL_SHARE, 1 - TAIL_SHARE
    weighted = None if (weights == weights[0]).all() else weights  # faster without weights
    # One column at a time: all at once would copy Z four times.
    quantiles = [np.quantile(z, ends, weights=weighted, method="inverted_cdf") for z in Z.T]
    low, high = np.reshape(quantiles, (-1, 2)).T
    narrow = high <= low
    low[narrow], high[narrow] = Z.min(axis=0)[narrow], Z.max(axis=0)[narrow]
    return low, high


def joint_histograms(Z: FloatArray, label_counts: Any, n_bins: int = N_BINS) -> FloatArray:
    """Count (bin, label) pairs (d, B, K) for every coordinate of points Z (U, d) at once.

    `label_counts` (U, K), dense or sparse, are the labels of the rows at each point. Bins have
    equal widths. Values beyond them are counted in the outermost one; the published code drops
    them, which loses the information of a rare indicator column.
    """
    d, n_classes = Z.shape[1], label_counts.shape[1]
    low, high = bin_range(Z, np.asarray(label_counts.sum(axis=1)))
    span = np.where(high > low, high - low, 1.0)
    counts = np.zeros((d, n_bins, n_classes))
    point, label, weight = sparse.find(label_counts)
    step = max(1, PAIRS_PER_BLOCK // max(len(point), 1))
    for start in range(0, d, step):
        columns = slice(start, min(start + step, d))
        scaled = (Z[:, columns] - low[columns]) / span[columns] * n_bins
        bins = np.clip(scaled, 0, n_bins - 1).astype(np.int64)
        width = bins.shape[1]
        flat = (np.arange(width) * n_bins + bins[point]) * n_classes + label[:, None]
        counts[columns] = np.bincount(
            flat.ravel(),
            weights=np.repeat(weight, width),
            minlength=width * n_bins * n_classes,
        ).reshape(width, n_bins, n_classes)
    return counts


def histograms_of_rows(
    X: FloatArray, codes: IntArray, n_classes: int, n_bins: int = N_BINS
) -> FloatArray:
    """Joint histograms (d, B, K) of rows (n, d) with one label each."""
    n = len(codes)
    one_hot = sparse.csr_array((np.ones(n), codes, np.arange(n + 1)), shape=(n, n_classes))
    return joint_histograms(X, one_hot, n_bins)


def information_from_histograms(counts: FloatArray, divergence: str = "kl") -> FloatArray:
    """f-mutual information (d,), ``D_f(joint || product of margins)``, of histograms (d, B, K).

    Equation 4 of the paper with empirical frequencies. It is zero if coordinate and label are
    independent in the histogram. Two divergences (Neyman, reverse KL) are infinite whenever a label
    is missing in a bin; for these, half a count is added to every cell of a non-empty bin.
    """
    checks.one_of(divergence, "divergence", DIVERGENCES)
    if not DIVERGENCES[divergence].finite_at_zero:
        occurs = counts.sum(axis=(0, 1)) > 0
        counts = counts + CELL_PSEUDO_COUNT * (counts.sum(axis=2, keepdims=True) > 0) * occurs
    joint = counts / counts.sum(axis=(1, 2), keepdims=True)
    product = joint.sum(axis=2, keepdims=True) * joint.sum(axis=1, keepdims=True)
    flat = (len(joint), -1)
    return f_divergence(joint.reshape(flat), product.reshape(flat), divergence)


def coordinate_information(
    Z: FloatArray, label_counts: FloatArray, divergence: str = "kl", n_bins: int = N_BINS
) -> FloatArray:
    """f-mutual information of each column of `Z` (U, d) with the labels (U, K), shape (d,)."""
    return information_from_histograms(joint_histograms(Z, label_counts, n_bins), divergence)


def f_mutual_information(
    X: Any, y: Any, divergence: str = "kl", *, n_bins: int = N_BINS
) -> FloatArray:
    """f-mutual information of each feature with the (noisy) labels.

    Parameters
    ----------
    X : array, sparse matrix or data frame of shape (n, d)
        Features.
    y : array-like of shape (n,)
        Labels.
    divergence : str
        "kl" for mutual information in nats, or another key of `DIVERGENCES`.
    n_bins : int
        Bins of each feature's histogram. With few rows per bin, uninformative features
        have an information above zero by chance; the order of features is still meaningful.

    Returns
    -------
    (d,) array

    Examples
    --------
    A feature that is the label, and one that is independent of it:

    >>> labels = [0, 0, 1, 1]
    >>> f_mutual_information([[0, 0], [0, 1], [1, 0], [1, 1]], labels, "tv")
    array([0.5, 0. ])
    """
    matrix = encoded(X)[1]
    labels = checks.labels(y, len(matrix))
    checks.positive_int(n_bins, "n_bins", minimum=2)
    counts = histograms_of_rows(matrix, labels.codes, len(labels.classes), n_bins)
    return information_from_histograms(counts, divergence)
