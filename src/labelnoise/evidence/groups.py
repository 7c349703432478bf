"""Groups of rows that belong together, such as the rows of one patient or one recording.

Rows of a group resemble one another more than their features tell, and may share an error of their
labels. So no row is scored by rows of its own group, and a row counts for less than an independent
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from labelnoise.evidence.settings import GROUP_FOLDS
from labelnoise.evidence.sources import NewRows

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray, IntArray
    from labelnoise.evidence.cells import Cells
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
    def of(cls, group: IntArray) -> RowGroups:
        """Deal groups (n,) out to folds of about the same size, the largest groups first.

        >>> RowGroups.of(np.array([0, 0, 0, 1, 1, 2])).fold
        array([0, 0, 0, 1, 1, 2])
        """
        size = np.bincount(group)
        n_folds = min(GROUP_FOLDS, len(size))
        rows, fold = np.zeros(n_folds), np.zeros(len(size), dtype=np.int64)
        for one in np.argsort(-size, kind="stable"):
            fold[one] = rows.argmin()
            rows[fold[one]] += size[one]
        return cls(group, fold[group])

    @property
    def n_folds(self) -> int:
        """Number of folds."""
        return int(self.fold.max()) + 1


def design_effect(scores: FloatArray, cells: Cells, group: IntArray) -> float:
    """Independent rows that one row counts as the inverse of: 1 if groups do not matter.

    With residuals ``e_r = 1[label of r] - scores_r``, the variance of a sum over rows is the sum of
    ``|sum_{r in group} e_r|^2`` over groups, and of ``|e_r|^2`` over rows if they are independent.
    The design effect is the ratio (Kish, 1965): the size of the groups if their labels are copies.

    Parameters
    ----------
    scores : (C, K) array
        Predicted probabilities of the labels of the cells.
    cells : Cells
    group : (n,) int array
    """
    residual = (cells.one_hot() - scores)[cells.cell_of_row]
    together = np.zeros((int(group.max()) + 1, cells.n_classes))
    np.add.at(together, group, residual)
    return max(1.0, float((together**2).sum() / (residual**2).sum()))


@dataclass(frozen=True)
class GroupsLeftOut:
    """A source that was fitted on all rows, and once without each fold of groups.

    Attributes
    ----------
    fitted : Source
        For new rows.
    without : tuple of Source
        One for each fold.
    places : (P, d) array
        Features of the cells' places.
    fold : (P,) int array
        Fold of each of them.
    """

    fitted: Source
    without: tuple[Source, ...]
    places: FloatArray
    fold: IntArray

    @property
    def name(self) -> str:
        """What it is, in words."""
        return self.fitted.name

    def leave_one_out(self, cells: Cells) -> list[Posteriors]:
        """Posteriors (C, K) of the training cells from rows of other folds."""
        rows = [np.flatnonzero(self.fold == fold) for fold in range(len(self.without))]
        by_fold = [
            source.predict(NewRows(self.places[at], None))
            for source, at in zip(self.without, rows, strict=True)
        ]
        position = np.argsort(np.concatenate(rows))
        return [
            np.concatenate(parts)[position][cells.place] for parts in zip(*by_fold, strict=True)
        ]

    def predict(self, rows: NewRows) -> list[Posteriors]:
        """Posteriors (m, K) of new rows, from all rows."""
        return self.fitted.predict(rows)
