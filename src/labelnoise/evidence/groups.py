"""Groups of rows that belong together, such as the rows of one patient or one recording.

Rows of a group are more similar than their features show, and may share labeling errors. Therefore
no row is scored by rows of its own group, and a row weighs less than an independent one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import sparse

from labelnoise.errors import LabelNoiseError
from labelnoise.evidence.cells import Cells
from labelnoise.evidence.settings import GROUP_FOLDS, NEARLY_ALL
from labelnoise.evidence.sources import NewRows

if TYPE_CHECKING:
    from collections.abc import Callable

    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.evidence.posteriors import Posteriors
    from labelnoise.evidence.sources import Source


@dataclass(frozen=True)
class RowGroups:
    """The group and the fold of every row; rows of a group share their fold.

    Attributes
    ----------
    group, fold : (n,) int arrays
    """

    group: IntArray
    fold: IntArray

    @classmethod
    def of(cls, group: IntArray, codes: IntArray, X: FloatArray) -> RowGroups:
        """Assign groups to folds with about the same number of rows, of each label and in all.

        The largest groups come first, and groups of the same size in an order that depends on their
        content: neither on their names nor on the order of the rows.

        Parameters
        ----------
        group : (n,) int array
        codes : (n,) int array
            Labels.
        X : (n, d) array
            Features.
        """
        content = np.bincount(group, content_hashes(X, codes))
        in_order = np.lexsort((content, -np.bincount(group)))
        return cls(group, _assigned_folds(group, codes, in_order)[group])

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.group.max()) + 1

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return int(self.fold.max()) + 1

    def confined_labels(self, codes: IntArray) -> FloatArray:
        """Share (K,) of each label's rows in a single fold, if it is rare in the others; else 0.

        Without that fold the label would be less than half as frequent as with it, so most of its
        rows are scored by fits to few rows with the label.

        >>> RowGroups(np.array([0, 0, 1, 2]), np.array([0, 0, 1, 2])).confined_labels(
        ...     np.array([0, 0, 1, 1])
        ... )
        array([1., 0.])
        """
        counts = np.zeros((self.n_folds, int(codes.max()) + 1))
        np.add.at(counts, (self.fold, codes), 1)
        share, of_all = counts / counts.sum(axis=0), counts.sum(axis=1) / len(codes)
        confined = share > (1 + of_all[:, None]) / 2
        return np.where(confined, share, 0.0).max(axis=0)

    def refuse_labels(self, codes: IntArray) -> None:
        """Refuse groups that are (nearly) the same as the labels."""
        if (self.confined_labels(codes) > NEARLY_ALL).all():
            raise LabelNoiseError("groups_are_labels", n_groups=self.n_groups)

    def counts_by_place(self, place: IntArray, codes: IntArray) -> FloatArray:
        """Labels (P, K) at the places (n,) of rows, where the rows of a group count as one.

        It has the most frequent label of these rows.

        >>> groups = RowGroups(np.array([0, 0, 0, 1]), np.array([0, 0, 0, 1]))
        >>> groups.counts_by_place(np.array([0, 0, 0, 0]), np.array([1, 1, 0, 0]))
        array([[1., 1.]])
        """
        k = int(codes.max()) + 1
        together = place * self.n_groups + self.group
        keys, size = np.unique(together * k + codes, return_counts=True)
        usual_first = np.lexsort((-size, keys // k))
        at, first = np.unique(keys[usual_first] // k, return_index=True)
        counts = np.zeros((int(place.max()) + 1, k))
        np.add.at(counts, (at // self.n_groups, keys[usual_first][first] % k), 1)
        return counts

    def row_weight(self, scores: FloatArray, cells: Cells) -> float:
        """Weight of a row relative to an independent one: the inverse of the design effect."""
        group_of_cells = sparse.csr_array(
            (np.ones(len(self.group)), (self.group, cells.cell_of_row)),
            shape=(self.n_groups, len(cells)),
        )
        left_out = np.zeros(self.n_groups)
        left_out[self.group] = np.bincount(self.fold)[self.fold]
        return 1 / design_effect(cells.one_hot() - scores, group_of_cells, left_out)


def content_hashes(X: FloatArray, codes: IntArray) -> FloatArray:
    """Numbers (n,) in [-1, 1] that two rows share only if their features and labels are the same.

    The cosine of a random projection of the standardized features, the same for all rows. Sums of
    hashes distinguish groups even where sums of features do not.
    """
    rng = np.random.default_rng(0)
    deviation = np.asarray(X.std(axis=0))
    direction = rng.standard_normal(X.shape[1]) / np.where(deviation > 0, deviation, 1.0)
    phase = rng.uniform(0, 2 * np.pi, int(codes.max()) + 1)
    hashes: FloatArray = np.cos((X - X.mean(axis=0)) @ direction + phase[codes])
    return hashes


def _assigned_folds(group: IntArray, codes: IntArray, in_order: IntArray) -> IntArray:
    """The fold (G,) of each group: the one in which its labels are rarest so far.

    Rarity is measured by the share of all rows with the label; all rows together count as one more
    label.
    """
    k = int(codes.max()) + 1
    keys, size = np.unique(group * k + codes, return_counts=True)
    label, start = keys % k, np.searchsorted(keys, np.arange(len(in_order) + 1) * k)
    total = np.append(np.bincount(codes), len(codes)).astype(np.float64)
    n_folds = min(GROUP_FOLDS, len(in_order))
    rows, fold = np.zeros((n_folds, k + 1)), np.zeros(len(in_order), dtype=np.int64)
    for one in in_order:
        part = slice(start[one], start[one + 1])
        labels, share = np.append(label[part], k), np.append(size[part], size[part].sum())
        fold[one] = (rows[:, labels] @ (share / total[labels] ** 2)).argmin()
        rows[fold[one], labels] += share
    return fold


def design_effect(
    residual: FloatArray, group_of_cells: sparse.csr_array, left_out: FloatArray
) -> float:
    """Number of rows with as much information as one independent row; 1 if groups do not matter.

    The design effect (Kish, 1965) is ``1 + (m - 1) rho``, with the size m of the group of an
    average row, and the correlation rho of the residuals ``1[label] - score`` of two rows of a
    group. The m_g rows of group g are scored by a fit to the ``n - n_g`` rows of other folds, and
    share its errors. If labels are independent, the expected square of the sum of their residuals
    is ``1 + m_g / (n - n_g)`` times the sum of the expected squares. The square is divided by that
    factor.

    Even if labels are independent, the estimate of rho has a standard error s, which is large if
    there are few groups: with M groups of one size and two classes, ``s = sqrt(2 / (M - 1)) / m``.
    So rho is shrunk to ``rho - 2 s^2 / rho``, and to 0 if it is below 1.4 s (after James and Stein,
    1961): a rho that independent rows would often have by chance becomes 0, and one with a small
    standard error hardly changes.

    Parameters
    ----------
    residual : (C, K) array
        Residuals of the cells.
    group_of_cells : (G, C) array, may be sparse
        Rows of each group in each cell.
    left_out : (G,) array
        Rows left out of the fit that scores a group, n_g.
    """
    size = group_of_cells.sum(axis=1)
    n_rows, rows = size.sum(), group_of_cells.sum(axis=0)
    squares = rows @ (residual**2).sum(axis=1)
    n_pairs = size @ (size - 1)
    if n_pairs == 0 or squares == 0:
        return 1.0
    together = ((group_of_cells @ residual) ** 2).sum(axis=1)
    in_pairs = (together / (1 + size / np.maximum(n_rows - left_out, 1))).sum() - squares
    rho = in_pairs / n_pairs / (squares / n_rows)
    covariance = (residual * rows[:, None]).T @ residual / n_rows
    directions = np.trace(covariance) ** 2 / (covariance**2).sum()  # one for two classes
    n_groups = n_rows**2 / (size @ size)  # number of groups of equal size with the same effect
    variance = 2 / (n_pairs * directions) * n_groups / (n_groups - 1)
    rho = max(0.0, rho - 2 * variance / rho) if rho > 0 else 0.0
    return float(1 + rho * n_pairs / n_rows)


@dataclass(frozen=True)
class GroupsLeftOut:
    """A source whose rows are scored by fits without the fold of their group.

    Attributes
    ----------
    fitted : Source
        Fitted on all rows, for new rows.
    refit : callable
        Features (G', d) of places and the cells of the rows there -> the same source, fitted to
        these.
    values : (G, d) array
        Features of the distinct rows.
    at, fold : (P,) int arrays
        Position of each place of the cells among the distinct rows, and the fold of its rows.
    """

    fitted: Source
    refit: Callable[[FloatArray, Cells], Source]
    values: FloatArray
    at: IntArray
    fold: IntArray

    @property
    def name(self) -> str:
        """Name of the source, as messages use it."""
        return self.fitted.name

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors (C, K) of the training cells from rows of other folds, fold by fold."""
        counts = cells.counts_by_place()
        total = np.zeros((len(self.values), cells.n_classes))
        np.add.at(total, self.at, counts)
        found: list[Posteriors] = []
        for fold in range(int(self.fold.max()) + 1):
            inside = np.flatnonzero(self.fold == fold)
            elsewhere = total.copy()
            elsewhere[self.at[inside]] -= counts[inside]  # each at most once in a fold
            kept = elsewhere.sum(axis=1) > 0
            source = self.refit(self.values[kept], Cells.from_counts(elsewhere[kept]))
            predicted = source.predict(NewRows(self.values[self.at[inside]], None))
            found = found or [np.empty(counts.shape, part.dtype) for part in predicted]
            for posterior, part in zip(found, predicted, strict=True):
                posterior[inside] = part
        return [posterior[cells.place] for posterior in found]

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors (m, K) of new rows, from all rows."""
        return self.fitted.predict(rows)
