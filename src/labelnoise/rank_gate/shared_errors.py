"""The prior of the rows of T: the errors of all classes together.

The prior of each row of T weighs as much as a few rows with the error rate and the confusions of
all classes together. It hardly matters for a class with many rows; a class with few rows gets the
errors of the others unless its own rows contradict them. Where no label seems wrong, the prior has
no errors, either: a fixed prior would claim a few errors in each class of clean data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.rank_gate.settings import (
    CONFUSION_SHARE,
    MAX_SHARED_ERROR_RATE,
    SHARED_ROWS,
    TEMPER,
)

if TYPE_CHECKING:
    from labelnoise.arrays import FloatArray
    from labelnoise.rank_gate.model import GateModel


def shared_errors(model: GateModel, at: FloatArray) -> FloatArray:
    """Prior counts (K, K) of the rows of T, from the errors of all classes at parameters (size,).

    Each class gets SHARED_ROWS rows. The share of wrong labels among them is that of all rows, but
    at least one wrong label in all rows, and at most MAX_SHARED_ERROR_RATE.
    """
    gate, k = model.gate(at), model.n_classes
    r = gate.row_posterior(model.depths, model.label) * (model.weight / TEMPER)[:, None]
    counts = np.zeros((k, k))
    np.add.at(counts.T, model.label, r)
    n_rows, wrong = counts.sum(), (counts * model.off).sum(axis=0)
    share = np.clip(wrong.sum() / n_rows, 1 / n_rows, MAX_SHARED_ERROR_RATE)
    taken = CONFUSION_SHARE * wrong / max(wrong.sum(), 1e-12)
    where = model.off * (taken + (1 - CONFUSION_SHARE) * model.frequencies)
    where /= where.sum(axis=1, keepdims=True)
    return SHARED_ROWS * (share * where + (1 - share) * np.eye(k))
