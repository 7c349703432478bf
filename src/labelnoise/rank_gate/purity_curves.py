"""Purity curves: how often rows carry a label, the further up its ranking the oftener."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from labelnoise.row_model import PurityCurve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from labelnoise.arrays import FloatArray
    from labelnoise.checks import Label
    from labelnoise.evidence.cells import Cells
    from labelnoise.rank_gate.model import Gate

STEPS = 14
"""Steps of a curve, equally long in ``-log(1 - u)``: each holds a share of the rows above it."""

ROWS_AT_THE_TOP = 20
"""Rows that the last step holds at least, so that a share can be seen."""


def purity_curves(
    tails: FloatArray, cells: Cells, gate: Gate, names: Sequence[Label]
) -> tuple[PurityCurve, ...]:
    """One curve for each class that occurs, from the tails (C, K) of the cells."""
    eta = gate.clean_posterior(tails)
    fitted = eta @ gate.transition
    deepest = np.log(max(cells.weight.sum() / ROWS_AT_THE_TOP, 2.0))
    edges = np.linspace(0.0, deepest, STEPS + 1)
    return tuple(
        _curve(name, tails[:, i], edges, cells, (cells.label == i, fitted[:, i], eta[:, i]))
        for i, name in enumerate(names)
    )


def _curve(
    name: Label,
    depth: FloatArray,
    edges: FloatArray,
    cells: Cells,
    shares: tuple[np.ndarray[tuple[int], np.dtype[np.bool_]], FloatArray, FloatArray],
) -> PurityCurve:
    """Averages over the rows of each step; a step without rows is left out."""
    step = np.clip(np.searchsorted(edges, depth, "right") - 1, 0, STEPS - 1)
    rows = np.bincount(step, cells.weight, STEPS).astype(np.float64)
    there = rows > 0
    top = np.exp(-(edges[:-1] + edges[1:]) / 2)[there]
    observed, fitted, clean = (
        np.bincount(step, cells.weight * share, STEPS)[there] / rows[there] for share in shares
    )
    return PurityCurve(name, top, rows[there], observed, fitted, clean)
